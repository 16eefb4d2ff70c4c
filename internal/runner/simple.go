package runner

import (
	"errors"
	"fmt"
	"strings"
)

// Simple is a command that needs no shell to run it.
type Simple struct {
	// Env are the variables that are set for it, each "NAME=value".
	Env []string
	// Args are the program and its arguments, without their quotes.
	Args []string
}

// maxCommand bounds what is read, in bytes.
const maxCommand = 64 << 10

// ReadSimple reads a command as a POSIX shell would, as far as that takes no
// shell: variables that are set for one program, and words, quoted and escaped.
// The error says, as a clause, what of it a shell would have to do.
func ReadSimple(text string) (Simple, error) {
	var s Simple
	if len(text) > maxCommand {
		return s, errors.New("it is too long")
	}
	rest := strings.TrimSpace(text)
	for rest != "" && (rest[0] != '#' || strings.Contains(rest, "\n")) {
		if next, goesOn := strings.CutPrefix(rest, "\\\n"); goesOn { // in the next line
			rest = strings.TrimLeft(next, " \t")
			continue
		}
		word, bare, behind, err := readWord(rest)
		switch rest = strings.TrimLeft(behind, " \t"); {
		case err != nil:
			return s, err
		case len(s.Args) > 0 || !setsVariable(word[:bare]):
			s.Args = append(s.Args, word)
		default:
			s.Env = append(s.Env, word)
		}
		if word[:bare] == "!" && len(s.Args) == 1 {
			return s, errors.New("it is more than a program and its arguments")
		}
	}
	if len(s.Args) == 0 {
		return s, errors.New("it runs nothing")
	}
	return s, nil
}

// setsVariable reports that a word begins with a name and the sign behind it.
func setsVariable(word string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	name, _, ok := strings.Cut(word, "=")
	return ok && strings.Trim(name, letters+"0123456789") == "" && strings.Trim(name[:min(1, len(name))], letters) == "" &&
		name != ""
}

// readWord reads the word that a command begins with. Of it bare bytes stand before the
// first that is quoted.
func readWord(s string) (word string, bare int, rest string, err error) {
	var b strings.Builder
	quote, quoted, i := byte(0), false, 0
	for ; i < len(s) && (quote != 0 || s[i] != ' ' && s[i] != '\t'); i++ {
		c := s[i]
		quotes := quote == 0 && (c == '"' || c == '\'')
		escapes := c == '\\' && i+1 < len(s) && (quote == 0 || quote == '"' && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0)
		if !quoted && (quotes || escapes) {
			quoted, bare = true, b.Len()
		}
		switch {
		case quotes:
			quote = c
		case c == quote:
			quote = 0
		case escapes:
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
			}
		case quote != '\'' && (c == '$' || c == '`') || quote == 0 && shellReads(b.String(), s[i:]):
			return "", 0, "", fmt.Errorf("it is more than a program and its arguments: a shell would read %q", c)
		default:
			b.WriteByte(c)
		}
	}
	if quote != 0 {
		return "", 0, "", errors.New("its quotes do not end")
	}
	if !quoted {
		bare = b.Len()
	}
	return b.String(), bare, s[i:], nil
}

// shellReads reports a byte that means something to a shell, behind what the word has
// before it: of several commands, a redirection, a pattern, a home directory. A lone [ is
// a program, and {} an argument of many.
func shellReads(before, s string) bool {
	switch s[0] {
	case '|', '&', ';', '<', '>', '(', ')', '\n', '*', '?', '\\':
		return true
	case '#': // a comment, with more lines behind it
		return before == ""
	case '~':
		return before == "" || before[len(before)-1] == '='
	case '[':
		return before != "" || len(s) > 1 && s[1] != ' ' && s[1] != '\t'
	case '{':
		return !strings.HasPrefix(s, "{}")
	}
	return false
}
