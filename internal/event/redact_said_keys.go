package event

import "strings"

// Keys said in words, and passwords said without a verb: "the API key is …", "token …",
// "use hunter2 as the password", "user jo, pass hunter2".

// leastKey is how long a key is, in bytes, that only a word before it tells.
const leastKey = 20

// findSaidKeys finds the keys behind "token" and "API key". Other keys are of caches
// and tables.
func findSaidKeys(s string, found *spans) {
	for i := 0; i < len(s); {
		if !alnum(s[i]) {
			i++
			continue
		}
		end := run(s, i, alnum)
		if startsAt(s, i) && isKeyName(s, i, end) {
			w, next := wordAt(s, end)
			if short := isShort(s, end); short > 0 {
				w, _ = wordAt(s, end+short)
			} else if among(saidVerbs, strings.TrimSuffix(lowerOf(s, w), ":")) {
				for w = next; among(saidThen, strings.TrimSuffix(lowerOf(s, w), ":")); {
					w = nextOf(s, w)
				}
			}
			from := quote(s, w.from)
			to := run(s, from, word)
			ends := to == len(s) || isSpace(s[to]) || strings.IndexByte(".,;:?!)\"'`", s[to]) >= 0
			if text := s[from:to]; w.from > end && ends && isKey(text) {
				found.add(from, to)
			}
		}
		i = end
	}
}

// isKeyName reports that s[from:end] calls what follows a key of somebody.
func isKeyName(s string, from, end int) bool {
	switch strings.ToLower(s[from:end]) {
	case "token", "apikey":
		return true
	case "key":
		before := strings.ToLower(strings.TrimRight(s[max(0, from-16):from], " -"))
		return hasAnySuffix(before, "api", "access", "secret", "auth", "private", "signing", "encryption", "master")
	}
	return false
}

// isKey reports letters and digits, in no order of words.
func isKey(text string) bool {
	return len(text) >= leastKey && strings.Trim(text, "0123456789-_") != "" && random(text) && !isUUID(text)
}

// isShort is the length of a short "is" at s[at:], as in "the password's hunter2"; 0:
// there is none.
func isShort(s string, at int) int {
	for _, is := range [...]string{"'s ", "’s "} {
		if strings.HasPrefix(s[at:], is) {
			return len(is)
		}
	}
	return 0
}

// findSaidAs finds "use SECRET as the password", where that ends the clause.
func findSaidAs(s string, from, end int, found *spans) {
	next, _ := wordAt(s, end)
	if next.from < next.to && strings.TrimLeft(s[end:next.from], " \t") == "" &&
		alnum(s[next.from]) && !among(saidBehind, lowerOf(s, next)) {
		return
	}
	words := wordsBefore(s, from)
	for range 4 { // the new admin password
		w := words()
		if lowerOf(s, w) != "as" {
			continue
		}
		secret := words()
		text := s[secret.from:secret.to]
		bare := strings.Trim(text, "\"'`")
		verb := words()
		if among(" use used using set try enter type took ", lowerOf(s, verb)) && looksSecret(bare) && !numbered(bare) {
			at := secret.from + strings.Index(text, bare)
			found.add(at, at+len(bare))
		}
		return
	}
}

// wordsBefore gives the words before s[at:] in its line, the last first.
func wordsBefore(s string, at int) func() span {
	return func() span {
		for at > 0 && isSpace(s[at-1]) && s[at-1] != '\n' {
			at--
		}
		w := span{from: at, to: at}
		for w.from > 0 && !isSpace(s[w.from-1]) {
			w.from--
		}
		at = w.from
		return w
	}
}

// behindUser reports "user NAME," before s[at:].
func behindUser(s string, at int) bool {
	words := wordsBefore(s, at)
	name := words()
	apart := name.from < name.to && strings.IndexByte(",;", s[name.to-1]) >= 0
	if among(" and / ", lowerOf(s, name)) {
		apart, name = true, words()
	}
	return apart && among(" user username login account ", strings.TrimSuffix(lowerOf(s, words()), ":"))
}

// beginsClause reports that s[at:] begins its text, line or clause.
func beginsClause(s string, at int) bool {
	before := strings.TrimRight(s[:at], " \t")
	return before == "" || strings.IndexByte("\n,;.!?(", before[len(before)-1]) >= 0 ||
		strings.HasSuffix(before, "\n-") || strings.HasSuffix(before, "\n*")
}

// numbered reports what people number, as field2 and step10.
func numbered(text string) bool {
	name := strings.TrimRight(strings.ToLower(strings.Trim(text, "\"'`.,;:?!()")), "0123456789")
	return among(" arg attempt case client column db env example field form group host input item level line node "+
		"option page param part phase policy prompt row rule section server stage step string test type user "+
		"value var version ", name)
}
