package event

import "strings"

// Secrets that are known by the place where they stand: signatures and sessions by
// their names, Telegram's by their addresses, those of a netrc by the words around.

// findSigned finds signatures of addresses that let in whoever has them: SAS tokens of
// Azure (sig=), what Amazon and Google sign (X-Amz-Signature=).
func findSigned(s string, found *spans) {
	for _, name := range [...]string{"sig=", "Signature=", "signature="} {
		occurrences(s, name, func(at int) {
			if at > 0 && strings.IndexByte("?&;-", s[at-1]) < 0 {
				return
			}
			from := at + len(name)
			if end := run(s, from, escaped); end-from >= 16 && strings.ContainsAny(s[from:end], "0123456789") {
				found.add(from, end)
			}
		})
	}
}

// escaped are the bytes of a credential as an address has it.
func escaped(c byte) bool { return credential(c) || c == '%' }

// findSessions finds what a session's cookie is set to: session=, JSESSIONID=,
// connect.sid=. A UUID is none: agents' sessions are called by them.
func findSessions(s string, found *spans) {
	occurrences(s, "=", func(at int) {
		name := at
		for name > 0 && dotted(s[name-1]) {
			name--
		}
		if !sessionName(strings.ToLower(s[name:at])) {
			return
		}
		from := quote(s, at+1)
		end := run(s, from, escaped)
		if value := s[from:end]; end-from >= 16 && random(value) && !isUUID(value) {
			found.add(from, end)
		}
	})
}

func sessionName(name string) bool {
	return name == "sid" || hasAnySuffix(name, "session", "sessionid", "session_id", "sessid", ".sid", "_sid")
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && strings.IndexByte("0123456789abcdefABCDEF", c) < 0 {
			return false
		}
	}
	return true
}

// findTelegram finds the token of a Telegram bot, NUMBER:TOKEN, alone or behind "bot"
// in an address.
func findTelegram(s string, found *spans) {
	const size = 35
	occurrences(s, ":", func(at int) {
		from := at
		for from > 0 && isDigit(s[from-1]) {
			from--
		}
		end := run(s, at+1, word)
		if n := at - from; n < 6 || n > 12 {
			return
		}
		address := strings.HasSuffix(s[:from], "/bot") && end-at > 30
		if address || startsAt(s, from) && end-at-1 == size && s[at+1] == 'A' {
			found.add(from, end)
		}
	})
}

// findNetrc finds passwords in lines of a netrc: machine HOST login NAME password
// SECRET, or default login …, with any blanks between. In the middle of a line, where
// these are words of prose too, the secret has to look like one.
func findNetrc(s string, found *spans) {
	for _, begins := range [...]string{"machine", "default"} {
		occurrences(s, begins, func(at int) {
			if !startsAt(s, at) {
				return
			}
			_, next := wordAt(s, at)
			if begins == "machine" {
				next = nextOf(s, next) // behind the host
			}
			login := false
			for range 4 {
				key := s[next.from:next.to]
				value, after := wordAt(s, next.to)
				text := strings.Trim(s[value.from:value.to], "\"'`")
				switch key {
				case "login":
					login = text != ""
				case "account":
				case "password":
					if login && secretText(text) && (looksSecret(text) || atLineStart(s, at) && isNetrc(s, at, value)) {
						from := value.from + strings.Index(s[value.from:value.to], text)
						found.add(from, from+len(text))
					}
					return
				default:
					return
				}
				next = after
			}
		})
	}
}

// wordAt is the word behind i, and the one behind that.
func wordAt(s string, i int) (word, next span) {
	one := func(i int) span {
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		w := span{from: i, to: i}
		for w.to < len(s) && !isSpace(s[w.to]) {
			w.to++
		}
		return w
	}
	word = one(i)
	return word, one(word.to)
}

// atLineStart reports that only blanks and a quotation mark stand before i in its line.
func atLineStart(s string, i int) bool {
	line := s[max(0, i-maxFlagged):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Trim(line, " \t\"'`") == ""
}
