package event

import "strings"

// How sure a name makes that its value is a secret.
type certainty int

const (
	noSecret certainty = iota
	maybe              // some key: the value must look random
	likely             // a token or key: the value must look like one
	certain            // a password or secret: whatever the value
)

// sureOf judges the name of a value: --db-password, AWS_SECRET_ACCESS_KEY,
// apiKey. Plurals are counts and prose, not names.
func sureOf(name string) certainty {
	var buffer [64]byte
	n, raw := 0, name
	for _, c := range []byte(name[max(0, len(name)-len(buffer)):]) {
		switch {
		case c == '_' || c == '-' || c == '.':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		buffer[n] = c
		n++
	}
	for n > 0 && isDigit(buffer[n-1]) {
		n--
	}
	name = string(buffer[:n])
	switch {
	case hasAnySuffix(name, "password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "pgpass"),
		strings.Contains(name, "secretkey"), strings.Contains(name, "secretaccess"):
		return certain
	case hasAnySuffix(name, "token", "apikey", "accesskey", "accountkey", "privatekey", "authkey", "credential", "credentials", "passcode"):
		return likely
	case strings.HasSuffix(name, "pass") && !hasAnySuffix(name, "bypass", "compass", "trespass"), name == "pw", hasAnySuffix(raw, "_pw", "_PW", "-pw"):
		return likely
	case strings.HasSuffix(raw, "_KEY"):
		return maybe
	}
	return noSecret
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// findAssigned finds the values of names: NAME=value, NAME: value,
// "name": "value", --name value.
func findAssigned(s string, found *spans) {
	for i := 0; i < len(s); {
		if !dotted(s[i]) {
			i++
			continue
		}
		end := run(s, i, dotted)
		if sure := sureOf(s[i:end]); sure != noSecret {
			if v, ok := assigned(s, i, end); ok && v.secret(s, sure) {
				if !v.isCode(s) && !v.isProse(s, end) && !v.isDirectory(s, s[i:end]) {
					*found = append(*found, v.span)
				}
			}
		}
		i = end
	}
}

// value is what a name is set to, and by what: '=', ':' or, for a flag, ' '.
type value struct {
	span
	by     byte
	quoted bool
}

// assigned finds the value of the name s[from:end].
func assigned(s string, from, end int) (value, bool) {
	i := quote(s, end)
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	v := value{by: ' '}
	switch {
	case i < len(s) && (s[i] == '=' || s[i] == ':'):
		v.by = s[i]
		for i < len(s) && strings.IndexByte("=:>", s[i]) >= 0 { // also :=, =>, ==
			i++
		}
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
	v.to = v.from
	if v.quoted {
		mark := s[v.from-1]
		for v.to < len(s) && s[v.to] != mark && !strings.HasPrefix(s[v.to:], `\"`) {
			v.to++
		}
	} else {
		for v.to < len(s) && !isSpace(s[v.to]) && strings.IndexByte("\"'`,;&|<>)]}", s[v.to]) < 0 {
			v.to++
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

func (v value) secret(s string, sure certainty) bool {
	text := s[v.from:v.to]
	if !secretText(text) {
		return false
	}
	if sure == certain {
		return true
	}
	if strings.Trim(text, "0123456789.") == "" {
		return false // a count
	}
	if sure == maybe {
		return len(text) >= 12 && random(text)
	}
	if v.by == ':' && !v.quoted {
		// Prose has colons too: "token: the lexer's unit".
		return len(text) >= 8 && strings.ContainsAny(text, "0123456789") || len(text) >= 24
	}
	return len(text) >= 4
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

// secretText rules out what only stands for a secret: variables,
// placeholders, words of configuration, and what was redacted before.
func secretText(s string) bool {
	if s == "" || strings.Trim(s, "*.xX-…") == "" || strings.Contains(s, Redacted[:len(Redacted)-1]) {
		return false
	}
	switch s[0] {
	case '$', '<', '{', '%', '[':
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "nil", "none", "yes", "no", "required", "optional", "string":
		return false
	}
	return true
}

// findHeaders finds what authorization and cookie headers carry.
func findHeaders(s string, found *spans) {
	for i := 0; i < len(s); {
		if !word(s[i]) {
			i++
			continue
		}
		end := run(s, i, word)
		authorization, cookie, other := header(s[i:end])
		if authorization || cookie || other {
			if v, ok := assigned(s, i, end); ok {
				prose := v.isProse(s, end)
				v.to = lineEnd(s, v)
				text := s[v.from:v.to]
				switch {
				case strings.Contains(text, Redacted):
				case authorization && !carriesSecret(text), cookie && !carriesCookie(text):
				case other && (!secretText(text) || prose):
				default:
					found.add(v.from, v.to)
				}
			}
		}
		i = end
	}
}

// header tells which of the headers that carry secrets a name is.
func header(name string) (authorization, cookie, other bool) {
	switch len(name) {
	case len("authorization"), len("proxy-authorization"):
		return strings.EqualFold(name, "authorization") || strings.EqualFold(name, "proxy-authorization"), false, false
	case len("cookie"):
		return false, strings.EqualFold(name, "cookie"), false
	case len("set-cookie"):
		return false, strings.EqualFold(name, "set-cookie"), false
	case len("x-api-key"):
		return false, false, strings.EqualFold(name, "x-api-key")
	}
	return false, false, false
}

// lineEnd is where a header's value ends: at the quotation mark it stands in,
// or with the line.
func lineEnd(s string, v value) int {
	i := v.from
	for i < len(s) && s[i] != '\n' && s[i] != '"' && s[i] != '\'' {
		i++
	}
	return i
}

// carriesSecret tells a header's credentials from a sentence.
func carriesSecret(text string) bool {
	first, rest, _ := strings.Cut(text, " ")
	switch strings.ToLower(first) {
	case "basic", "bearer", "token", "digest", "negotiate", "apikey", "ntlm", "aws4-hmac-sha256":
		rest = strings.TrimSpace(rest)
		one, more, _ := strings.Cut(rest, " ")
		if more != "" && strings.Trim(one, smallLetters) == "" {
			return false // Basic auth is off
		}
		return secretText(one) || strings.HasPrefix(rest, "$(")
	}
	return len(first) >= 16 || len(first) >= 8 && strings.ContainsAny(first, "0123456789")
}

// secretWordIn reports a word of secrecy in s, the beginning of one at least.
func secretWordIn(s string) bool {
	for i := range len(s) - 2 {
		var rest string
		switch s[i] | 0x20 {
		case 'p':
			if hasFold(s[i:], "pwd") || hasFold(s[i:], "pw") && strings.IndexByte("=:\"'` \\", s[i+2]) >= 0 {
				return true
			}
			rest = "pass"
		case 's':
			rest = "secret"
		case 't':
			rest = "token"
		case 'k':
			if hasFold(s[i:], "kennwort") {
				return true
			}
			rest = "key"
		case 'c':
			if hasFold(s[i:], "cookie") {
				return true
			}
			rest = "cred"
		case 'a':
			rest = "auth"
		case 'b':
			rest = "bearer"
		default:
			continue
		}
		if hasFold(s[i:], rest) {
			return true
		}
	}
	return false
}

// hasFold is strings.HasPrefix for letters of either case.
func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
