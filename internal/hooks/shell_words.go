package hooks

import "strings"

// simpleCommand splits a command line that is one simple command and nothing
// else into its words. Everything whose meaning depends on a shell (operators,
// redirections, substitutions, patterns, assignments, comments, escapes) makes
// it not simple. The one thing allowed is a here-document whose delimiter is
// quoted, which nothing is expanded in: "git brew doc set plan - <<'EOF'".
func simpleCommand(text string) ([]string, bool) {
	text = strings.Trim(text, " \t\n")
	line, body, more := strings.Cut(text, "\n")
	command, delimiter, here := cutHereDocument(line)
	switch {
	case here && !endsWith(body, delimiter):
		return nil, false
	case !here && more:
		line = text // a line break within quotes is part of a word
	case here:
		line = command
	}
	return splitWords(line)
}

// cutHereDocument takes <<'WORD' or <<"WORD" off the end of a line.
func cutHereDocument(line string) (command, delimiter string, found bool) {
	command, end, found := strings.Cut(line, "<<")
	end = strings.TrimSpace(end)
	if !found || len(end) < 3 || (end[0] != '\'' && end[0] != '"') || end[len(end)-1] != end[0] {
		return "", "", false
	}
	delimiter = end[1 : len(end)-1]
	for _, c := range []byte(delimiter) {
		if !isLetter(c) && c != '_' {
			return "", "", false
		}
	}
	return command, delimiter, true
}

// endsWith reports whether the first line of body that is the delimiter is also
// its last.
func endsWith(body, delimiter string) bool {
	rest := "\n" + body + "\n"
	_, after, found := strings.Cut(rest, "\n"+delimiter+"\n")
	return found && strings.TrimSpace(after) == ""
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func splitWords(line string) ([]string, bool) {
	var (
		words  []string
		word   strings.Builder
		inWord bool
	)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			if inWord {
				words, inWord = append(words, word.String()), false
				word.Reset()
			}
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return nil, false
			}
			quoted := line[i+1 : i+1+end]
			if c == '"' && strings.ContainsAny(quoted, "$`\\!") {
				return nil, false
			}
			word.WriteString(quoted)
			inWord = true
			i += end + 1
		case plainByte(c):
			word.WriteByte(c)
			inWord = true
		default:
			return nil, false
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	// An assignment in front changes the command's environment.
	if len(words) == 0 || strings.Contains(words[0], "=") {
		return nil, false
	}
	return words, true
}

// plainByte reports the bytes that mean themselves to every shell.
func plainByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || strings.IndexByte("-_./:@,+%=", c) >= 0
}

// looseCommands splits any command line into what may be commands, and these
// into what may be words, without regard to what they mean: good for finding a
// command that hides in it. What a shell would put something else for is a word
// of its own.
func looseCommands(text string) [][]string {
	text = strings.NewReplacer("\\\n", "", "\\\r\n", "", "$", " $ ", "`", " $ ").Replace(text)
	text = strings.Map(func(r rune) rune {
		switch r {
		case '\'', '"', '\\':
			return -1
		case '(', ')', '{', '}', '<', '>':
			return ' '
		case ';', '&', '|':
			return '\n'
		}
		return r
	}, text)
	var commands [][]string
	for line := range strings.Lines(text) {
		commands = append(commands, strings.Fields(line))
	}
	return commands
}
