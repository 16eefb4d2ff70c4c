package prd

import (
	"fmt"
	"slices"
	"strings"
)

// Finding is something that is wrong with a PRD.
type Finding struct {
	// Warning: work can begin all the same.
	Warning bool `json:"warning"`
	// Path leads to it in the file, as tasks[2].dependsOn[0].
	Path string `json:"path"`
	Text string `json:"text"`
}

// String is the finding in one line.
func (f Finding) String() string { return f.Path + ": " + f.Text }

// maxStories is how many stories are looked at, maxCommand how long a command may be, in bytes.
const (
	maxStories = 1000
	maxCommand = 1500
)

// Validate finds all that is wrong with a PRD, errors and warnings: first what is of another
// type than it is to be, then all else in the order of the file.
func Validate(p PRD) []Finding {
	v := &validator{places: map[string]int{}, found: slices.Clone(p.mistyped), mistyped: p.mistyped}
	for _, at := range p.unknown {
		v.warns(at, "nothing here has this field; it is left out")
	}
	if strings.TrimSpace(p.FeatureName) == "" {
		v.failed("featureName", "the feature has no name")
	}
	switch n := len(p.Stories); {
	case n == 0:
		v.failed("tasks", "there is no story")
	case n > maxStories:
		v.failed("tasks", "there are %d stories; a list has at most %d", n, maxStories)
		return v.found
	}
	for i, s := range p.Stories {
		if _, twice := v.places[s.ID]; !twice {
			v.places[s.ID] = i
		}
	}
	for i, s := range p.Stories {
		v.story(i, s)
		for j, c := range s.Checks {
			if why := dangerous(c.Command); why != "" {
				v.failed(fmt.Sprintf("tasks[%d].verification[%d]", i, j), "%s", why)
			}
		}
	}
	v.circles(p.Stories)
	if p.Walkaway {
		v.walkaway(p.Stories)
	}
	return v.found
}

type validator struct {
	places   map[string]int // of the stories, by id
	found    []Finding
	mistyped []Finding
}

func (v *validator) failed(path, format string, args ...any) {
	v.add(Finding{Path: path}, format, args)
}

func (v *validator) warns(path, format string, args ...any) {
	v.add(Finding{Warning: true, Path: path}, format, args)
}

// add adds a finding, but for what was not read: it is of another type, and that is told.
func (v *validator) add(f Finding, format string, args []any) {
	unread := func(m Finding) bool { return f.Path == m.Path || strings.HasPrefix(f.Path, m.Path+".") }
	if slices.ContainsFunc(v.mistyped, unread) {
		return
	}
	f.Text = fmt.Sprintf(format, args...)
	v.found = append(v.found, f)
}

var complexities = []string{"", "junior", "senior", "executive", "auto"}

func (v *validator) story(i int, s Story) {
	at := fmt.Sprintf("tasks[%d]", i)
	switch first, known := v.places[s.ID]; {
	case strings.TrimSpace(s.ID) == "":
		v.failed(at+".id", "the story has no id")
	case known && first != i:
		v.failed(at+".id", "tasks[%d] is called %s, too", first, s.ID)
	}
	if strings.TrimSpace(s.Title) == "" {
		v.failed(at+".title", "the story has no title")
	}
	if !slices.Contains(complexities, strings.ToLower(s.Complexity)) {
		v.failed(at+".complexity", "%q is none of junior, senior, executive, auto", s.Complexity)
	} else if s.Complexity == "" {
		v.warns(at+".complexity", "nothing says how hard the story is; auto is taken")
	}
	for j, id := range s.DependsOn {
		if _, ok := v.places[id]; !ok {
			v.failed(fmt.Sprintf("%s.dependsOn[%d]", at, j), "there is no story %s", id)
		}
	}
	if len(s.Acceptance) == 0 {
		v.warns(at+".acceptanceCriteria", "nothing says when the story is done")
	}
	for j, text := range s.Acceptance {
		if word := vagueWord(text); word != "" {
			v.warns(fmt.Sprintf("%s.acceptanceCriteria[%d]", at, j), "%q can't be checked; say what is to be seen", word)
		}
	}
	v.checks(at+".verification", s)
}

func (v *validator) checks(at string, s Story) {
	var have []string
	for j, c := range s.Checks {
		switch {
		case strings.TrimSpace(c.Command) == "":
			v.failed(fmt.Sprintf("%s[%d]", at, j), "there is no command")
		case strings.Contains(strings.TrimSpace(c.Command), "\n"):
			v.failed(fmt.Sprintf("%s[%d]", at, j), "a command is one line; more of them belong into a script")
		case len(c.Command) > maxCommand:
			v.failed(fmt.Sprintf("%s[%d]", at, j), "a command has at most %d bytes; what is longer belongs into a script",
				maxCommand)
		case c.Kind != "" && !slices.Contains(kinds, c.Kind):
			v.warns(fmt.Sprintf("%s[%d].type", at, j), "%q is none of %s; it is taken for what its command looks like",
				c.Kind, strings.Join(kinds, ", "))
		}
		have = append(have, c.KindOf())
	}
	wanted, word := wantedBy(s.Title)
	if wanted != nil && !anyOf(have, wanted...) {
		v.warns(at, "a story that says %q wants a check of one of these kinds: %s", word, strings.Join(wanted, ", "))
	}
}

// vague are words that nobody can check.
var vague = []string{"properly", "correctly", "works", "good", "nice", "appropriate", "intuitive", "robust", "clean"}

func vagueWord(criterion string) string {
	for _, word := range wordsOf(criterion) {
		if slices.Contains(vague, word) {
			return word
		}
	}
	return ""
}

// circles names every story that waits for itself, over whatever others.
func (v *validator) circles(stories []Story) {
	for i, s := range stories {
		way := v.wayBack(stories, i)
		if way != nil && slices.Min(way) == i { // each circle once, at its first story
			names := make([]string, 0, len(way)+1)
			for _, at := range way {
				names = append(names, stories[at].ID)
			}
			v.failed(fmt.Sprintf("tasks[%d].dependsOn", i), "the story waits for itself: %s",
				strings.Join(append(names, s.ID), ", "))
		}
	}
}

// wayBack is a shortest way over dependencies from a story to itself, the story first;
// nil where there is none.
func (v *validator) wayBack(stories []Story, start int) []int {
	before := map[int]int{}
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, id := range stories[at].DependsOn {
			next, ok := v.places[id]
			if !ok {
				continue
			}
			if next == start {
				way := []int{at}
				for at != start {
					at = before[at]
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := before[next]; !seen {
				before[next] = at
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// walkaway refuses what nobody would notice: a story whose checks run nothing of it, whatever
// the file calls them, and one that waits for a person.
func (v *validator) walkaway(stories []Story) {
	for i, s := range stories {
		if !slices.ContainsFunc(s.Checks, Check.Shows) {
			v.failed(fmt.Sprintf("tasks[%d].verification", i), "nobody watches, and no check of the story runs anything of it")
		}
		if s.Manual {
			v.failed(fmt.Sprintf("tasks[%d].manualVerification", i), "nobody is there to look")
		}
	}
}
