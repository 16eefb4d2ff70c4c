package redact

import (
	"slices"
	"strings"
)

// certainty is how sure a name makes that its value is a secret.
type certainty int

const (
	noSecret certainty = iota
	maybe              // some key: the value must look random
	likely             // a token or key: the value must look like one
	certain            // a password or secret: whatever the value
)

var secretWords = [...]string{"pass", "pw", "secret", "token", "key", "kennwort", "cred", "auth"}

func secretWordIn(s string) bool {
	for i := range len(s) {
		c := small(s[i])
		for _, w := range secretWords {
			if c == w[0] && hasFold(s[i:], w) {
				return true
			}
		}
	}
	return false
}

// sureOf judges the name of a value: --db-password, AWS_SECRET_ACCESS_KEY,
// apiKey. Plurals are counts and prose, not names.
func sureOf(name string) certainty {
	const longest = 64
	raw := name[max(0, len(name)-longest):]
	name = strings.TrimRight(strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(raw)), "0123456789")
	switch {
	case hasAnySuffix(name, "password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "pgpass"),
		strings.Contains(name, "secretkey"), strings.Contains(name, "secretaccess"):
		return certain
	case hasAnySuffix(name, "token", "apikey", "accesskey", "accountkey", "privatekey", "authkey", "credential",
		"credentials", "passcode"):
		return likely
	case strings.HasSuffix(name, "pass") && !hasAnySuffix(name, "bypass", "compass", "trespass"),
		name == "pw", hasAnySuffix(raw, "_pw", "_PW", "-pw"):
		return likely
	case strings.HasSuffix(raw, "_KEY"):
		return maybe
	}
	return noSecret
}

func hasAnySuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(s, suffix) })
}

// findNamed finds the values of names: NAME=value, NAME: value, "name": "value",
// --name value.
func findNamed(s string, found *spans) {
	for i := 0; i < len(s); {
		end := run(s, i, dotted)
		if end == i {
			i++
			continue
		}
		if secretWordIn(s[i:end]) {
			if v, ok := valueOf(s, i, end); ok && v.secret(s, sureOf(s[i:end])) && !v.isPath(s, s[i:end]) &&
				!v.isCheck(s, s[i:end]) {
				found.add(v.from, v.to, "value of a password, secret, token or key")
			}
		}
		i = end
	}
}

// assigned is what a name is set to, and by what: '=', ':' or, for a flag, ' '.
type assigned struct {
	from, to int
	by       byte
	apart    bool // a blank stands behind the one = or :
	quoted   bool
}

// valueOf finds the value of the name s[from:end].
func valueOf(s string, from, end int) (v assigned, ok bool) {
	i := quote(s, end)
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	v.by = ' '
	switch {
	case i < len(s) && (s[i] == '=' || s[i] == ':'):
		v.by = s[i]
		sign := i
		for i < len(s) && strings.IndexByte("=:>", s[i]) >= 0 { // also :=, =>, ==
			i++
		}
		v.apart = sign == end && i == sign+1 && i < len(s) && s[i] == ' '
		for i < len(s) && isSpace(s[i]) {
			i++
		}
	case strings.HasPrefix(s[from:], "--") && i > end:
	default:
		return v, false
	}
	if i < len(s) && from > 0 && s[i] == s[from-1] && quote(s, end) == end && strings.IndexByte("\"'`", s[i]) >= 0 {
		return v, false // it ends what the name stands in: `password:`
	}
	v.from = quote(s, i)
	v.quoted = v.from > i
	ends := "\"'`,;&|<>)]} \t\r\n"
	if v.quoted {
		ends = s[v.from-1 : v.from]
	}
	for v.to = v.from; v.to < len(s) && strings.IndexByte(ends, s[v.to]) < 0; v.to++ {
		if v.quoted && strings.HasPrefix(s[v.to:], `\"`) {
			break
		}
	}
	return v, v.to > v.from
}

// quote is the place behind a quotation mark at i, also an escaped one; i
// where there is none.
func quote(s string, i int) int {
	j := i
	if j < len(s) && s[j] == '\\' {
		j++
	}
	if j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`') {
		return j + 1
	}
	return i
}

// secret reports whether the value is a secret, as sure as its name makes that.
func (v assigned) secret(s string, sure certainty) bool {
	text := s[v.from:v.to]
	switch {
	case sure == noSecret, !isSecret(text), v.isCode(s), v.isProse(s), v.quoted && text[0] == ' ': // a quote ends there
		return false
	case sure == certain:
		return true
	case standsIn(text):
		return false
	case strings.Trim(text, "0123456789.") == "":
		return false // a count
	case sure == maybe:
		return len(text) >= 12 && random(text)
	case v.by == ':' && !v.quoted:
		// Prose has colons too: "token: the lexer's unit".
		return len(text) >= 8 && strings.ContainsAny(text, "0123456789") || len(text) >= 24
	}
	return len(text) >= 4
}

// isCode reports a value that says where a secret comes from: os.environ["X"],
// getpass(), req.body.password.
func (v assigned) isCode(s string) bool {
	text := s[v.from:v.to]
	end := run(text, 0, func(c byte) bool { return alnum(c) || c == '_' || c == '.' || c == ':' })
	if v.quoted || end == 0 || isDigit(text[0]) {
		return false
	}
	if end == len(strings.TrimRight(text, "!")) {
		text = text[:end]
		dot := strings.LastIndexByte(text, '.')
		return dot > 0 && sureOf(text[dot+1:]) != noSecret
	}
	line, _, _ := strings.Cut(s[v.from+end:], "\n")
	return text[end] == '(' && strings.Contains(line, ")") || text[end] == '[' && strings.Contains(line, "]")
}

// isProse reports that a sentence goes on where the value stands: "password: the
// user's own", "Password: 8 to 64 characters", "KEY= must be set". It is a word of
// letters alone, or a small number, with more words in its line that are no fields,
// as those in "password: x, user: jo" are.
func (v assigned) isProse(s string) bool {
	if v.quoted || v.by != ':' && !v.apart {
		return false
	}
	text := s[v.from:v.to]
	if strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz'-,.") != "" {
		for number := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '-' || r == '+' }) {
			if len(number) > len("128") || strings.Trim(number, "0123456789") != "" {
				return false
			}
		}
	}
	line, _, _ := strings.Cut(s[v.to:], "\n")
	rest := strings.TrimLeft(line, " \t\r,;")
	if rest == "" || !alnum(rest[0]) && rest[0] < 0x80 && rest[0] != '\'' {
		return false
	}
	words := strings.Fields(rest)
	return !slices.ContainsFunc(words[:min(len(words), 2)], func(word string) bool {
		return strings.HasSuffix(word, ":") || strings.Contains(word, "=")
	})
}

// isPath reports a path where a variable has one: PWD=/tmp/x, CREDENTIALS=./account.json.
func (v assigned) isPath(s, name string) bool {
	text := s[v.from:v.to]
	if hasAnySuffix(strings.ToLower(name), "credentials") {
		return strings.HasPrefix(text, "./") || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, "/")
	}
	if !strings.EqualFold(name, "pwd") && !strings.EqualFold(name, "oldpwd") {
		return false
	}
	return strings.IndexByte("/~.", text[0]) >= 0 || len(text) > 2 && text[1] == ':' && (text[2] == '/' || text[2] == '\\')
}

// isCheck reports what passes, in a plan: "All tests pass: `npm test`".
func (v assigned) isCheck(s, name string) bool {
	return strings.EqualFold(name, "pass") && v.by == ':' && v.quoted && s[v.from-1] == '`' &&
		strings.ContainsAny(s[v.from:v.to], " /")
}

// findRandom finds long mixed text of high entropy with a word of secrecy
// shortly before it.
func findRandom(s string, found *spans) {
	const least, near = 24, 40
	for i := 0; i < len(s); {
		end := run(s, i, base64)
		if end == i {
			i++
			continue
		}
		if t := s[i:end]; end-i >= least && mixed(t) && random(t) && entropy(t) >= 3.7 && secretWordIn(s[max(0, i-near):i]) {
			found.add(i, end, "random text near a word such as key")
		}
		i = end
	}
}

// mixed reports capitals, small letters and digits together: names of people,
// paths and git's object ids are not.
func mixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s && strings.ToUpper(s) != s
}

// random tells a key from a name: it holds a digit, is no path, and not put
// together of words and numbers, as user_id_2024 or v2-linux-node18.
func random(text string) bool {
	if strings.IndexByte("/~.", text[0]) >= 0 || !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("_-./:= ", r) }) {
		number := strings.TrimLeft(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if strings.Trim(number, "0123456789") != "" || len(number) > len("20240131") {
			return true
		}
	}
	return false
}

// standsIn reports what a manual writes for a token or a key: sk-..., ghp_xxx,
// OPENAI_API_KEY_HERE.
func standsIn(s string) bool {
	return hasAnySuffix(strings.ToLower(s), "...", "…", "xxx", "_here", "-here")
}

// isSecret rules out what only stands for a secret: variables, placeholders, words of
// configuration, and what was redacted before.
func isSecret(s string) bool {
	if s == "" || strings.Trim(s, "*.xX-…") == "" || strings.Contains(s, Mark[:len(Mark)-1]) ||
		strings.IndexByte("$<{%[", s[0]) >= 0 {
		return false
	}
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "your_") || strings.HasPrefix(lower, "your-") { // your-api-key-here
		return false
	}
	switch lower {
	case "true", "false", "null", "nil", "none", "yes", "no", "required", "optional", "string":
		return false
	}
	return true
}
