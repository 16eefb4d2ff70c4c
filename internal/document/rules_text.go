package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

func placeholderLeft(v view) []hit {
	var hits []hit
	for _, f := range v.text.Front.Fields {
		for _, name := range placeholders(cmp.Or(f.Raw, strings.Join(f.Values, " "))) {
			hits = append(hits, hit{f.Line, name + " is not filled in"})
		}
	}
	for _, b := range v.text.Blocks {
		if b.Kind == Code || b.Kind == Comment {
			continue
		}
		// Code may go over the end of a line, but not of a block.
		for i, line := range strings.Split(plain(strings.Join(b.Lines, "\n")), "\n") {
			for _, name := range placeholders(line) {
				hits = append(hits, hit{b.Line + i, name + " is not filled in"})
			}
		}
	}
	return hits
}

// tooLarge says what is not looked at.
func tooLarge(v view) []hit {
	var hits []hit
	say := func(line, more, most int, what string) {
		if more > 0 {
			hits = append(hits, hit{line, fmt.Sprintf("of its %d %s, the first %d are looked at; split it", most+more, what, most)})
		}
	}
	say(v.text.Sections[len(v.text.Sections)-1].Line, v.text.more, maxSections, "headings")
	switch v.kind {
	case Spec:
		say(1, v.moreAsked, maxRequirements, "requirements")
	case Plan, Roadmap:
		say(1, v.morePlanned[v.kind], maxPlanned, "phases")
	}
	return hits
}

// knownFields are the fields of front matter that are read.
var knownFields = []string{"task", "phase", "depends_on", "creates", "modifies", "covers"}

func frontMatter(v view) []hit {
	var hits []hit
	if v.text.Front.Open {
		hits = append(hits, hit{1, "its front matter does not end, so it is none; put --- behind it"})
	}
	for _, line := range v.text.Front.Odd {
		hits = append(hits, hit{line, `no field of front matter stands here; one is "name: value", with nothing in front of it`})
	}
	for _, f := range v.text.Front.Fields {
		// What waits to be filled in is found by another rule.
		if f.Unread != nil && slices.Contains(knownFields, f.Key) && len(placeholders(f.Raw)) == 0 {
			hits = append(hits, hit{f.Line, fmt.Sprintf("%q can't be read: %v", f.Key, f.Unread)})
		}
	}
	if _, ok := planOf(v.name); !ok {
		return hits // a specification may be called after anything
	}
	f, ok := v.text.Front.Field("task")
	if name := v.text.Front.Value("task"); ok && name != "" && len(placeholders(name)) == 0 && !v.isTask(name) {
		hits = append(hits, hit{f.Line, fmt.Sprintf("it names the task %q, this is %s", name, strings.Join(v.Names[:min(1, len(v.Names))], ""))})
	}
	return hits
}

func (c *checker) isTask(name string) bool {
	same := func(s string) bool { return sameName(s, name) }
	return same(c.Task) || slices.ContainsFunc(c.Names, same)
}

func scopeIn(v view) []hit {
	s, ok := v.text.Find("Scope")
	if !ok || !v.text.Filled(s) || len(scope(v.text, true)) > 0 {
		return nil
	}
	return []hit{{s.Line, `the scope does not list what is in: a section "In", a column "In", or a list behind "In:"`}}
}

func scopeOut(v view) []hit {
	s, ok := v.text.Find("Scope")
	if !ok || !v.text.Filled(s) || len(scope(v.text, false)) > 0 {
		return nil
	}
	if sub, has := v.text.In(s, outNames...); has && v.text.Filled(sub) {
		return nil
	}
	return []hit{{s.Line, "the scope does not say what is out"}}
}

func questionsOpen(v view) []hit {
	if v.Stage != stageClarify && !v.Undiscussed {
		return nil
	}
	return openQuestions(v)
}

func questionsLate(v view) []hit {
	if v.Stage == stageClarify || v.Undiscussed {
		return nil
	}
	return openQuestions(v)
}

// boxesElsewhere tells of open boxes that are no questions, where there is no
// section for those: what looks like a question, and is none.
func boxesElsewhere(v view) []hit {
	if _, ok := v.text.Find("Open Questions", "Gray Areas Remaining"); ok {
		return nil
	}
	for _, item := range v.text.Items {
		if item.Box == ' ' {
			return []hit{{item.Line, `a box is open here, and counted as nothing: questions stand under the heading "Open Questions"`}}
		}
	}
	return nil
}

func openQuestions(v view) []hit {
	var hits []hit
	for _, q := range v.Questions {
		hits = append(hits, hit{q.Line, "open: " + q.Text})
	}
	return hits
}

// choices looks at the technology choices: a table, or a section for each (BC-16).
func choices(v view) []hit {
	s, ok := v.text.Find(choiceNames...)
	if !ok || !v.text.Filled(s) {
		return nil
	}
	var hits []hit
	tables := v.text.Tables(s)
	for _, table := range tables {
		choice := max(0, table.column("Choice", "Technology", "Area", "Decision"))
		why := table.column("Rationale", "Why", "Reason", "Reasoning")
		rejected := table.column("Alternatives", "Alternatives Rejected", "Rejected Alternatives", "Rejected", "Alternatives Considered")
		for i, row := range table.Cells[1:] {
			hits = append(hits, choiceHits(bare(cell(row, choice)), cell(row, why), cell(row, rejected), table.rowLine(i+1))...)
		}
	}
	if len(tables) > 0 {
		return hits
	}
	below := v.text.Below(s)
	for _, sub := range below {
		said := v.text.labels(sub)
		why, _ := labelled(said, "Rationale", "Why", "Reason")
		rejected, _ := labelled(said, "Alternatives", "Alternatives Rejected", "Rejected Alternatives", "Rejected", "Alternatives Considered")
		hits = append(hits, choiceHits(sub.Title, why.value, rejected.value, sub.Line)...)
	}
	if len(below) > 0 || isNothing(v.text.Lead(s)) {
		return hits
	}
	said := v.text.labels(s)
	_, why := labelled(said, "Rationale", "Why", "Reason")
	_, rejected := labelled(said, "Alternatives", "Alternatives Rejected", "Rejected Alternatives", "Rejected", "Alternatives Considered")
	if why && rejected {
		return nil
	}
	return []hit{{s.Line, `technology choices are a table with "Choice", "Rationale" and "Alternatives", or a section each; "None" where there are none`}}
}

func choiceHits(choice, why, rejected string, line int) []hit {
	if choice == "" && why == "" && rejected == "" {
		return nil
	}
	var hits []hit
	if strings.Trim(why, " -–—") == "" {
		hits = append(hits, hit{line, fmt.Sprintf("%s: there is no rationale", choice)})
	}
	if strings.Trim(rejected, " -–—") == "" {
		hits = append(hits, hit{line, fmt.Sprintf("%s: no rejected alternatives", choice)})
	}
	return hits
}

// changelogEntries wants What, Why and Files of each entry (SP-15).
func changelogEntries(v view) []hit {
	var hits []hit
	for _, s := range v.text.Sections {
		if s.Level < 2 || len(v.text.Below(s)) > 0 {
			continue
		}
		said := v.text.labels(s)
		if len(said) == 0 {
			continue // it is no entry of that form
		}
		var missing []string
		for _, name := range []string{"What", "Why", "Files"} {
			if _, ok := labelled(said, name); !ok {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			hits = append(hits, hit{s.Line, fmt.Sprintf("%q does not say %s", s.Title, strings.Join(missing, ", "))})
		}
	}
	return hits
}
