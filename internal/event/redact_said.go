package event

import "strings"

// Passwords said in words: "the password is hunter2", "log in with jo / hunter2".
// What is said may be anything, so it has to look like a secret: a word with digits or
// signs in it, where the clause ends.

// said are words of sentences, in small letters.
const (
	saidNames  = " password passwd passphrase passcode passwort kennwort pw pwd secret "
	saidOf     = " for of to on für von vom zu zum zur "
	saidVerbs  = " is was ist war lautet lautete "
	saidThen   = " now still currently set changed to jetzt noch auf "
	saidBefore = " with use using and mit und "
	saidBehind = " and or for on but with if in at by until since bis und oder für auf bei - – — "
	saidLogin  = " log login logged sign signed einloggen anmelden "
)

func findSaid(s string, found *spans) {
	for i := 0; i < len(s); {
		if !alnum(s[i]) {
			i++
			continue
		}
		end := run(s, i, alnum)
		w := s[i:end]
		if startsAt(s, i) && among(saidNames, strings.ToLower(w)) {
			findSaidAs(s, i, end, found)
		}
		if startsAt(s, i) && end < len(s) {
			switch short := isShort(s, end); {
			case short > 0 && among(saidNames, strings.ToLower(w)):
				if next, _ := wordAt(s, end+short); !numbered(s[next.from:next.to]) {
					addSaid(s, next, found)
				}
			case !isSpace(s[end]):
			case strings.EqualFold(w, "pass") && behindUser(s, i):
				if next, _ := wordAt(s, end); !numbered(s[next.from:next.to]) {
					addSaid(s, next, found)
				}
			case among(saidNames, strings.ToLower(w)):
				findSaidOf(s, i, end, found)
			case among(saidLogin, strings.ToLower(w)):
				findSaidLogin(s, end, found)
			}
		}
		i = end
	}
}

// findSaidOf finds what a password, s[from:end], is said to be.
func findSaidOf(s string, from, end int, found *spans) {
	w, next := wordAt(s, end)
	if among(saidOf, lowerOf(s, w)) {
		for range 5 { // whose, or what for
			if w, next = next, nextOf(s, next); among(saidVerbs, lowerOf(s, w)) || s[w.from:w.to] == "" {
				break
			}
		}
	}
	if verb := strings.TrimSuffix(lowerOf(s, w), ":"); among(saidVerbs, verb) {
		for range 3 {
			if !among(saidThen, strings.TrimSuffix(lowerOf(s, next), ":")) {
				break
			}
			next = nextOf(s, next)
		}
		addSaid(s, next, found)
		return
	}
	before := strings.Fields(strings.ToLower(s[max(0, from-24):from]))
	for range 2 {
		if n := len(before); n > 0 && among(" the a its das dem ", before[n-1]) {
			before = before[:n-1]
		}
	}
	switch n := len(before); {
	case hasFold(s[from:end], "secret"):
	case n > 0 && among(saidBefore, before[n-1]):
		addSaid(s, w, found)
	case !numbered(s[w.from:w.to]) && (beginsClause(s, from) || behindUser(s, from)):
		addSaid(s, w, found)
	}
}

// findSaidLogin finds "with NAME / SECRET" behind a word for it.
func findSaidLogin(s string, end int, found *spans) {
	w, next := wordAt(s, end)
	if among(" in ", lowerOf(s, w)) {
		w, next = next, nextOf(s, next)
	}
	if !among(" with as using mit als ", lowerOf(s, w)) {
		return
	}
	name := s[next.from:next.to]
	if i := strings.IndexAny(name, "/:"); i > 0 && i+1 < len(name) {
		addSaid(s, span{from: next.from + i + 1, to: next.to}, found)
		return
	}
	if slash := nextOf(s, next); s[slash.from:slash.to] == "/" {
		addSaid(s, nextOf(s, slash), found)
	}
}

// addSaid adds the word w where it looks like a secret and ends its clause, or is
// quoted.
func addSaid(s string, w span, found *spans) {
	text := s[w.from:w.to]
	if from := quote(s, w.from); from > w.from {
		if n := strings.IndexByte(s[from:], s[from-1]); n > 0 && looksSecret(s[from:from+n]) {
			found.add(from, from+n)
		}
		return
	}
	bare := strings.TrimRight(text, ".,;:?!)\"'")
	ends := len(bare) < len(text)
	if !ends {
		next := nextOf(s, w)
		ends = next.from == next.to || strings.Contains(s[w.to:next.from], "\n") || s[next.from] == '(' ||
			among(saidBehind, strings.Trim(lowerOf(s, next), ",.;:"))
	}
	if ends && looksSecret(bare) {
		found.add(w.from, w.from+len(bare))
	}
}

func lowerOf(s string, w span) string { return strings.ToLower(s[w.from:w.to]) }

func nextOf(s string, w span) span {
	next, _ := wordAt(s, w.to)
	return next
}

// technical are words with digits that people say of passwords.
const technical = " base32 base64 sha1 sha2 sha3 sha224 sha256 sha384 sha512 md5 blake2b blake3 utf8 utf16 ascii85 " +
	"argon2 argon2i argon2id pbkdf2 oauth2 openid2 ntlmv2 fido2 aes128 aes256 rsa2048 rsa4096 ed25519 x509 pkcs8 pkcs12 " +
	"http2 ipv4 ipv6 win32 python3 postgres16 i18n l10n a11y log4j "

// looksSecret reports a word that looks like a password: letters, and digits or signs
// among them. Words and numbers that are put together, names of files, addresses and
// code don't.
func looksSecret(text string) bool {
	if len(text) < 5 || !secretText(text) || strings.ContainsAny(text, "/\\()<>{}[]|\n") ||
		strings.IndexByte("~.-", text[0]) >= 0 {
		return false
	}
	var letter, digit, sign bool
	for _, c := range []byte(text) {
		letter = letter || alnum(c) && !isDigit(c)
		digit = digit || isDigit(c)
		sign = sign || strings.IndexByte("!@#$%^&*+=~", c) >= 0
	}
	if !letter || !digit && !sign {
		return false
	}
	if at := strings.IndexByte(text, '@'); at > 0 && strings.Contains(text[at:], ".") {
		return false // an address
	}
	dot := strings.LastIndexByte(text, '.')
	if dot > 0 && strings.Trim(strings.ToLower(text[dot+1:]), smallLetters) == "" {
		return false // a file
	}
	if sign {
		return true
	}
	between := func(r rune) bool { return strings.ContainsRune("-_.:,'", r) }
	for part := range strings.FieldsFuncSeq(strings.ToLower(text), between) {
		unit := strings.TrimLeft(part, "0123456789") // of 12th, 8chars
		switch {
		case !strings.ContainsAny(part, "0123456789"), unit == "", len(part) <= len("v12"), among(technical, part):
		case len(unit) < len(part) && len(unit) <= len("chars") && !strings.ContainsAny(unit, "0123456789"):
		default:
			return true
		}
	}
	return false
}
