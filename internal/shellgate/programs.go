package shellgate

import "strings"

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
