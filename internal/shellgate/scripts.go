package shellgate

import (
	"regexp"
	"strings"
	"sync"
)

// Programs of sed and awk pass where they have nothing in them that writes, runs or
// loads. They are not parsed: a program of sed has a form that is known, one of awk must not
// even show a sign of these.

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

// awkWord is a word of a program of awk; what is in strings and patterns counts, too.
var awkWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*`) })

// awkProblem judges a program of awk without reading it: no > but in >=, and in the first
// pattern, no pipe but in ||, none of the functions that run or load, no @.
func awkProblem(text string) *problem {
	for _, word := range awkWord().FindAllString(text, -1) {
		if has("system getline close fflush extension load eval", word) {
			return &problem{reason: RunsCode, detail: word}
		}
	}
	pattern, rest, _ := strings.Cut(text, "{")
	if strings.Trim(pattern, letters+"0123456789_ \t\n$.,()<>=!&+*%-") != "" { // else what is in front compares
		rest = text
	}
	rest = strings.NewReplacer(">=", "", "||", "").Replace(rest)
	if strings.ContainsAny(rest, ">|@") {
		return &problem{reason: HiddenText, detail: strings.TrimSpace(text)}
	}
	return nil
}
