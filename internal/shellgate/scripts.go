package shellgate

import (
	"regexp"
	"strings"
	"sync"
)

// Programs of sed and awk pass where they have nothing in them that writes, runs or
// loads. They are not parsed: a program of sed has a form that is known, and the
// tokens of awk are told apart as far as that matters.

// bracket is a bracket expression: a delimiter in one ends nothing, and a backslash is
// read in two ways.
const bracket = `\[\^?(?:\[:[a-z]+:\]|[^\]\n\[\\])+\]`

// sedForm is the form of the programs of sed that pass: addresses, and commands that print,
// delete, keep, jump and replace, with the delimiters that a text may have. The label of a
// jump may reach to the end of its line; so nothing behind it may need to be read.
func sedForm(text string) *regexp.Regexp {
	pattern := func(d string) string { return `(?:[^` + d + `\\\n\[]|\\.|` + bracket + `)*` }
	replaces := ""
	for _, d := range strings.Fields(`/ \| # , @ : ! ; _ % ~ = \+`) {
		char := strings.TrimPrefix(d, `\`)
		if !strings.Contains(text, "s"+char) {
			continue
		}
		replaces += "|s" + d + pattern(char) + d + `(?:[^` + char + `\\\n]|\\.)*` + d + `[gpiIM0-9]*`
	}
	address := `(?:\d+|\$|\d+~\d+|/` + pattern("/") + `/I?|\\\|` + pattern("|") + `\|)`
	where := address + `(?:\s*,\s*(?:` + address + `|[+~]\d+))?\s*!?\s*`
	command := `[pPdDnNgGhHxz=l]|[qQ] ?\d*|[:btT] ?\w*` + replaces
	return regexp.MustCompile(`^(?:[\s;}]|(?:` + where + `)?(?:\{|(?:` + command + `)\s*(?:[;}\n]|$)))*$`)
}

// sedProblem judges a program of sed. Only w, e and the flags of s like them write and run.
func sedProblem(text string) *problem {
	if strings.Trim(text, "0123456789,$;!pdq \n") == "" || sedForm(text).MatchString(text) {
		return nil
	}
	return &problem{reason: HiddenText, detail: strings.TrimSpace(text)}
}

// awkToken is one of a program of awk: what says nothing, a value, a name, a sign.
var awkToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:([ \t]+|\\\n|#[^\n]*)|("(?:[^"\\\n]|\\.)*"|[0-9.]+)|([A-Za-z_]\w*)|` +
		`(\|\||>=|\+\+|--|[-+*%^=!<~&?:$,;\n{}()\[\]>/]))`)
})

var awkPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^/(?:[^/\\\n\[]|\\.|\[\^?(?:\[:[a-z]+:\]|[^\]\n\[/\\])+\])*/`)
})

// awkProblem judges a program of awk: no > but in conditions, no pipe, none of the
// functions that run or load, no @. Where a value stands before it, a slash divides.
func awkProblem(text string) *problem {
	unread := &problem{reason: HiddenText, detail: strings.TrimSpace(text)}
	braces, word, value := 0, "", false
	var parens []bool // those that are open; true: of if, while, for
	for rest := text; rest != ""; {
		m := awkToken().FindStringSubmatch(rest)
		if m == nil {
			return unread
		}
		rest = rest[len(m[0]):]
		was, before := value, word
		if m[1] == "" {
			value, word = m[2] != "", m[3]
		}
		switch sign := m[4]; {
		case has("system getline close fflush extension load eval", word),
			word == "length" && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "/"):
			return &problem{reason: RunsCode, detail: word}
		case word != "" && m[3] != "":
			value = !has("print printf return in if while for do else BEGIN END exit delete next case", word)
		case sign == "{":
			braces++
		case sign == "}":
			braces--
		case sign == "(":
			parens = append(parens, has("if while for", before))
		case sign == ")" && len(parens) > 0:
			value = !parens[len(parens)-1] // behind a condition a statement begins
			parens = parens[:len(parens)-1]
		case sign == "]":
			value = true
		case sign == ">" && (len(parens) == 0 && braces != 0 || strings.HasPrefix(rest, ">")):
			return &problem{reason: WritesFile, detail: ">"}
		case sign == "++", sign == "--":
			if value = was; strings.HasPrefix(strings.TrimLeft(rest, " \t"), "/") {
				return unread
			}
		case sign == "/" && !was:
			found := awkPattern().FindString("/" + rest)
			if found == "" {
				return unread
			}
			rest, value = rest[len(found)-1:], true
		}
	}
	return nil
}
