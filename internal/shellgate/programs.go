package shellgate

import (
	"regexp"
	"strings"
	"sync"
)

// Programs and requests that commands are given as words.

// primaries are the words of find that read, by how many words each takes to GNU's, BSD's
// and busybox's. What is not here does not pass: -delete, -fprint and its like, -ok.
var primaries = [...]string{
	"( ) ! -a -o -not -and -or -print -print0 -ls -prune -quit -depth -d -empty -xdev -mount -true -false -readable " +
		"-writable -executable -daystart -nouser -nogroup -follow -noleaf -L -H -P -E",
	"-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -type -xtype -size -mtime -ctime " +
		"-atime -mmin -cmin -amin -newer -anewer -cnewer -newermt -newerct -maxdepth -mindepth -perm -user -group -uid " +
		"-gid -links -inum -samefile -fstype -printf -regextype",
}

// find judges the words of find, and the commands that it runs.
func (j *judge) find(words []arg, src string) *problem {
	i, dirs := 0, true
	for ; i < len(words); i++ {
		w := words[i]
		switch {
		case has("-exec -execdir", w.text):
			known := j.dirs
			if w.text == "-execdir" { // where it is, only find knows
				j.dirs = nil
			}
			end := j.findRuns(words[i+1:], dirs && w.text == "-exec", src)
			j.dirs = known
			if end < 0 {
				return &problem{reason: HiddenFlag, detail: w.src, hint: "With a command that is written out it can be checked."}
			}
			i += end + 1
		case has(primaries[0], w.text) && !w.many:
		case has(primaries[1], w.text) && !w.many:
			if i++; i < len(words) && words[i].many && words[i].mayBeOption() {
				return &problem{reason: HiddenFlag, detail: words[i].src, hint: "In quotes it is one word."}
			}
		case has("-delete -fprint -fprint0 -fprintf -fls", w.text):
			return &problem{reason: WritesFile, detail: w.src}
		case strings.HasPrefix(w.text, "-") && Known(w.text):
			return &problem{reason: UnknownFlag, detail: w.src}
		case w.mayBeOption(), w.startsWith("+!(,)" + string(plain) + string(solid)):
			return &problem{reason: HiddenFlag, detail: w.src, hint: "With ./ in front it can't."}
		}
	}
	return nil
}

// findRuns judges the command that find runs, and gives where it ends: a path that was
// found begins as find was told; in a directory of its own it may be a bare name.
func (j *judge) findRuns(words []arg, whole bool, src string) int {
	found := Hole
	if whole {
		found = string(plain)
	}
	var inner []arg
	ended := false // it may have
	for i, w := range words {
		if ended && w.mayBeOption() {
			return -1
		}
		ended = ended || !w.literal() && mayFit(";", w.text)
		if w.text == ";" || w.text == "+" && i > 0 && words[i-1].text == "{}" {
			if len(inner) == 0 {
				return -1
			}
			j.command(inner, src)
			return i
		}
		if w.many {
			return -1 // it may be the end
		}
		if w.text == "{}" {
			w.text, w.many = found, i+1 < len(words) && words[i+1].text == "+"
		} else {
			w = w.filled("{}")
		}
		inner = append(inner, w)
	}
	return -1
}

// programProblem judges programs of sed or awk: those of options, else the first operand.
func programProblem(s scanned, options string, judge func(string) *problem) *problem {
	var programs []arg
	for _, o := range s.options {
		if has(options, o.name) {
			programs = append(programs, o.value)
		}
	}
	if len(programs) == 0 {
		programs = s.operands[:min(1, len(s.operands))]
	}
	texts := []string{""} // all of them, since what one begins the next may end, or not; then each
	for _, p := range programs {
		text := strings.ReplaceAll(p.text, string(number), "1")
		if p.many || strings.ContainsAny(text, unknowns+string(home)) {
			return &problem{reason: HiddenText, detail: p.src}
		}
		texts[0] += text + "\n"
		texts = append(texts, text)
	}
	for _, text := range texts {
		if bad := judge(text); bad != nil {
			return bad
		}
	}
	return nil
}

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
