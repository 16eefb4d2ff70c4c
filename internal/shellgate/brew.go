package shellgate

import "strings"

// brewCommand asks what becomes of a command of git brew.
func (j *judge) brewCommand(words []arg, src string) {
	args := make([]string, len(words))
	for i, w := range words {
		args[i] = strings.ReplaceAll(w.text, string(home), "~")
		if w.many {
			args[i] = Hole + args[i]
		}
	}
	j.brew = append(j.brew, args)
	verdict := BrewIsChange
	if j.o.Brew != nil {
		verdict = j.o.Brew(args)
	}
	if hiddenCommand(words) {
		verdict = BrewIsPersons
	}
	p := problem{reason: BrewChanges, detail: brewName(args), command: src}
	switch verdict {
	case BrewPasses:
	case BrewIsChange:
		j.found(p)
	case BrewIsPersons:
		j.personal(BrewPersons, p.detail, src)
	}
}

// brewName is the command with its name, where that does not hide behind options.
func brewName(args []string) string {
	for _, a := range args {
		if a != "" && strings.Trim(a, letters+"-") == "" && a[0] != '-' {
			return "git brew " + a
		}
	}
	return "git brew"
}

// hiddenCommand reports whether only the running shell knows which command of
// git brew it is. A value of an option before it may be quoted.
func hiddenCommand(words []arg) bool {
	for i, w := range words {
		if strings.ContainsAny(w.text, unknowns) {
			return i == 0 || w.many || !strings.HasPrefix(words[i-1].text, "-")
		}
		if !strings.HasPrefix(w.text, "-") {
			return false
		}
	}
	return false
}
