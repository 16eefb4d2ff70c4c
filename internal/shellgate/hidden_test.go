package shellgate

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// hiding are ways to give a command a word ¶ of it at §; the rest of the command
// stands around. Each gives the command the very word, for certain or maybe.
var hiding = []string{
	`x=¶; §"$x"`, `x=¶ && §"$x"`, `x=¶; y=$x; §"$y"`, `u=; x=¶; §"$u$x"`, `x=¶; §"${x}"`, `x=¶; §"${x%%q}"`,
	`x=a; x=¶; §"$x"`,
	`if true; then x=¶; else x=a; fi; §"$x"`, `x=a; f() { x=¶; }; f; §"$x"`, `x=a; : "${y:=¶}"; x=$y; §"$x"`,
	`y=; : "${y:=¶}"; §"$y"`,
	`a=(¶); §"${a[@]}"`, `a=(q); a+=(¶); §"${a[@]}"`, `a=(); : "${a:=¶}"; §"${a[@]}"`,
	`a=(q); for a in ¶; do §"${a[@]}"; done`,
	`a=(q); a=¶; §"${a[@]}"`, `a=(q); a[0]=¶; §"${a[@]}"`, `a=(q); read -r a <<< ¶; §"${a[@]}"`,
	`a=(q); printf %s ¶ | while read -r a; do §"${a[@]}"; done`,
	`for x in ¶; do §"$x"; done`, `for x in a ¶; do §"$x"; done`, `for x in ¶; do y=$x; §"$y"; done`,
	`x=¶; for y in "$x"; do §"$y"; done`,
	`_=a; echo ¶; §"$_"`, `echo ¶; §"$_"`, `for _ in a; do echo ¶; §"$_"; done`,
	`REPLY=a; read -r <<< ¶; §"$REPLY"`,
	`MAPFILE=(a); mapfile -t <<< ¶; §"${MAPFILE[@]}"`, `match=(a); [[ ¶ =~ (.*) ]]; §"${match[@]}"`,
	`MATCH=a; [[ ¶ =~ .* ]]; §"$MATCH"`,
	`OPTARG=a; getopts x: o -x ¶; §"$OPTARG"`, `argv=(¶); §"${argv[@]}"`, `argv=(a); f() { §"${argv[@]}"; }; f ¶`,
	`u=; §"$u"¶`, `u=; §$u''¶`, `a=(); §"${a[@]}"¶`,
	`echo ¶ | xargs §`, `echo ¶ | xargs -I@ §@`, `u=; echo ¶ | xargs -I@ §"$u@"`, `u=@; echo ¶ | xargs -I@ §"$u"`,
	`m=@; echo ¶ | xargs -I "$m" §@`,
	`for u in @; do echo ¶ | xargs -I@ §"$u"; done`, `m=@; echo ¶ | xargs -I"$m" §@`,
	`u=; for v in "$u"; do echo ¶ | xargs -I@ §"$v@"; done`,
}

// share is which part of all ways with all words is tried: one in so many, another
// for each line.
const share = 9

// TestJudge_BW7_whatHidesInVariables: a command that does not only read does not
// pass when one of its words comes from where a shell has it.
func TestJudge_BW7_whatHidesInVariables(t *testing.T) {
	hidden := 0
	for _, e := range append(readCorpus(t, "corpus.txt"), readCorpus(t, "writers.txt")...) {
		if v := Judge(e.command, Options{}); v.ReadOnly || v.Finding.Reason == Parses {
			continue
		}
		words, ok := knownWords(e.command)
		if !ok {
			continue
		}
		for i := range words {
			if except(words, i) {
				continue
			}
			before, word, after := strings.Join(words[:i], " "), words[i], strings.Join(words[i+1:], " ")
			for f, form := range hiding {
				if (e.line+i+f)%share != 0 {
					continue
				}
				command, ok := hide(form, before, word, after)
				if !ok {
					continue
				}
				hidden++
				if Judge(command, Options{}).ReadOnly {
					t.Errorf("line %d: %q passes", e.line, command)
				}
			}
		}
	}
	if hidden < 10_000 {
		t.Errorf("%d commands", hidden)
	}
}

// hide puts a command into a form. The word at § ends where the form has a blank
// or a semicolon next.
func hide(form, before, word, after string) (string, bool) {
	start, rest, _ := strings.Cut(form, "§")
	end := strings.IndexAny(rest, "; ")
	if end < 0 {
		end = len(rest)
	}
	if strings.HasSuffix(start, "xargs ") && rest == "" && after != "" {
		return "", false
	}
	if before == "" && strings.Contains(start, "xargs") {
		return "", false // its name is not for a mark
	}
	if before != "" {
		before += " "
	}
	text := start + before + rest[:end] + " " + after + rest[end:]
	return strings.ReplaceAll(text, "¶", word), true
}

// knownWords are the words of a simple command, each quoted; false: it is none, or
// not all of them are known.
func knownWords(command string) ([]string, bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs)+len(call.Assigns) > 0 || s.Negated || s.Background || len(call.Args) < 2 {
		return nil, false
	}
	j := &judge{src: command, judged: map[*syntax.Stmt]bool{}}
	j.scope = scope{now: map[string]arg{}, left: maxCalls, names: map[string]bool{}}
	var words []string
	for _, w := range j.args(call.Args) {
		if !w.literal() || strings.ContainsAny(w.text, string(home)+"\n@") {
			return nil, false
		}
		words = append(words, "'"+strings.ReplaceAll(w.text, "'", `'\''`)+"'")
	}
	return words, j.unknown == nil && j.denied == nil
}

// except are words that are refused where they are written out, to be careful, and
// do nothing: an option that fd would not take for a value, a format of printf that
// sets a variable which nothing else in the text reads.
func except(words []string, i int) bool {
	return words[0] == "'fd'" && i > 0 && words[i-1] == "'-e'" || words[0] == "'printf'" && i == 1
}
