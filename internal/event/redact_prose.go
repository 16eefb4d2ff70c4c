package event

import "strings"

// What only looks like a secret: code, sentences and places behind the name of one.

const smallLetters = "abcdefghijklmnopqrstuvwxyz"

// isCode reports a value that says where a secret comes from: os.environ["X"],
// getpass(), req.body.password.
func (v value) isCode(s string) bool {
	if v.quoted {
		return false
	}
	text := s[v.from:v.to]
	end := run(text, 0, func(c byte) bool { return alnum(c) || c == '_' || c == '.' })
	name := text[:end]
	if name == "" || isDigit(name[0]) {
		return false
	}
	if called := end < len(text) && text[end] == '('; looksSecret(name) && !(called && strings.Contains(name, ".")) {
		return false
	}
	if end == len(text) {
		dot := strings.LastIndexByte(name, '.')
		return dot > 0 && sureOf(name[dot+1:]) != noSecret
	}
	line, _, _ := strings.Cut(s[v.from+end:], "\n")
	switch text[end] {
	case '(':
		return strings.Contains(line, ")")
	case '[':
		return strings.Contains(line, "]")
	}
	return false
}

// isProse reports that a sentence goes on behind the name that ends at s[:end]:
// "password: the user's own", "Password: 8 to 64 characters", "KEY= must be set".
func (v value) isProse(s string, end int) bool {
	if v.quoted {
		return false
	}
	apart := v.by == '=' && s[end] == '=' && v.from > end+1 && s[v.from-1] == ' '
	return (v.by == ':' || apart) && goesOn(s, v.span)
}

// goesOn reports a word of letters alone, or a small number, and more words in its
// line that are no fields, as in "password: x, user: jo".
func goesOn(s string, w span) bool {
	text := s[w.from:w.to]
	if strings.Trim(strings.ToLower(text), smallLetters+"'-,.") != "" {
		for number := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '-' || r == '+' }) {
			if len(number) > len("128") || strings.Trim(number, "0123456789") != "" {
				return false
			}
		}
	}
	line, _, _ := strings.Cut(s[w.to:], "\n")
	rest := strings.TrimLeft(line, " \t\r,;")
	if rest == "" || !alnum(rest[0]) && rest[0] < 0x80 && rest[0] != '\'' {
		return false
	}
	n := 0
	for word := range strings.FieldsSeq(rest) {
		if strings.HasSuffix(word, ":") || strings.Contains(word, "=") {
			return false
		}
		if n++; n == 2 {
			break
		}
	}
	return true
}

// isDirectory reports a path where a shell's variable has one: PWD=/tmp/x.
func (v value) isDirectory(s, name string) bool {
	if !strings.EqualFold(name, "pwd") && !strings.EqualFold(name, "oldpwd") {
		return false
	}
	text := s[v.from:v.to]
	for _, begins := range [...]string{"/", "~", "./", "../"} {
		if strings.HasPrefix(text, begins) {
			return true
		}
	}
	return len(text) > 2 && text[1] == ':' && strings.IndexByte(`/\`, text[2]) >= 0 || text == "." || text == ".."
}

// carriesCookie reports that one of a header's cookies is set to something; the
// attributes of cookies are none.
func carriesCookie(text string) bool {
	const most = 4096 // bytes, of a cookie
	for pair := range strings.SplitSeq(text[:min(len(text), most)], ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		switch strings.ToLower(name) {
		case "samesite", "max-age", "expires", "path", "domain", "priority", "version":
			continue
		}
		if secretText(strings.TrimSpace(value)) {
			return true
		}
	}
	return false
}

// isNetrc tells a line of a netrc at s[at:], with the password w, from a sentence in
// which the same words stand: "machine learning login flow password reset".
func isNetrc(s string, at int, w span) bool {
	if strings.Contains(s[at:w.from], "\n") {
		return true
	}
	const talk = " change changes check field fields flow form hash hashing manager page policy prompt prompts " +
		"recovery required reset resets rotation rules screen strength "
	if among(talk, strings.Trim(lowerOf(s, w), "\"'`.,;:?!")) {
		return false
	}
	next := nextOf(s, w)
	if next.from == next.to || strings.Contains(s[w.to:next.from], "\n") || !alnum(s[next.from]) {
		return true
	}
	return among(" machine default account macdef port protocol ", s[next.from:next.to])
}
