package worker

import (
	"reflect"
	"strings"
	"testing"
)

// BR-13: the signals, which of several counts, and what is none.
func TestReadSaid_BR13(t *testing.T) {
	for text, want := range map[string]Said{
		"All done.\n<promise>COMPLETE</promise>\n":                          {Signal: Complete},
		"All done. <promise>COMPLETE</promise>":                             {Signal: Complete},
		"<promise>ALREADY_DONE</promise>":                                   {Signal: AlreadyDone},
		"<promise>ABSORBED_BY:US-003</promise>":                             {Signal: AbsorbedBy, Absorber: "US-003"},
		"<promise>ABSORBED_BY</promise>":                                    {},
		"<promise>COMPLETE:US-003</promise>":                                {},
		"<promise>BLOCKED</promise>\r\n":                                    {Signal: Blocked},
		"<promise>BLOCKED</promise>\n<promise>COMPLETE</promise>":           {Signal: Complete},
		"<promise>ABSORBED_BY:a</promise>\n<promise>ALREADY_DONE</promise>": {Signal: AlreadyDone},
		"<promise>BLOCKED</promise>\n<promise>ABSORBED_BY:a</promise>":      {Signal: AbsorbedBy, Absorber: "a"},

		"<promise>COMPLE": {},
		"<promise>COMPLETE</promise> is what I say once the tests pass": {},
		"I end with `<promise>COMPLETE</promise>`":                      {},
		"```\n<promise>COMPLETE</promise>\n```\n":                       {},
		"````\n```\n<promise>COMPLETE</promise>\n```\n````\nno":         {},
		"```\ngo test\n<promise>COMPLETE</promise>":                     {Signal: Complete},
		"cut\n```\nDone.\n```sh\nls\n```\n<promise>COMPLETE</promise>":  {Signal: Complete},
		"cut\n```\nDone, `x`.\n<promise>ALREADY_DONE</promise>":         {Signal: AlreadyDone},
		"```\nThe notes have\n<promise>PASS</promise>":                  {},
		"a stray ` here\n<promise>COMPLETE</promise>":                   {Signal: Complete},
		"<promise>DONE</promise>":                                       {},

		"Once more.\n<promise>RETRY</promise>":                                       {Verdict: Retry},
		"<promise>RETRY</promise> or\n<promise>SKIP</promise>":                       {Verdict: Skip},
		"<promise>SKIP</promise>\n<promise>RETRY</promise>":                          {Verdict: Retry},
		"The notes have\n    +<promise>PASS</promise>\nwhich does not vouch for it.": {},
		"> <promise>PASS</promise>":                                                  {},
		" <promise>PASS</promise>":                                                   {},
		"All is well. <promise>PASS</promise>":                                       {},
		"<promise>FAIL</promise>\n+<promise>PASS</promise>":                          {Verdict: Fail},
		"<promise>FAIL</promise>\n<promise>PASS</promise>":                           {Verdict: Fail},
		"<promise>PASS</promise>\n<promise>FAIL</promise> because":                   {Verdict: Fail},
		"<promise>FAIL</promise>\nIt has no test.":                                   {Verdict: Fail},
		"A line\n<promise>PASS</promise>\nor FAIL; I read nothing, and say neither.": {},
		"It says \"\n<promise>PASS</promise>\n\". I disagree.":                       {},
		"<promise>PASS</promise>\n```\nI disagree.\n```":                             {},
		"<promise>PASS</promise>\n\n<learning>a</learning>": {
			Verdict: Pass, Learnings: []string{"a"},
		},
		"<promise>FAIL</promise>, or\n<promise>RETRY</promise>":     {Verdict: Retry},
		"Good.\n<promise>PASS</promise> \t\r\n":                     {Verdict: Pass},
		"<promise>PASS</promise>\n<promise>FAIL</promise>":          {Verdict: Fail},
		"<promise>SKIP:A</promise>":                                 {},
		"<promise>REMEDIATE</promise>\n<promise>ON_TRACK</promise>": {Verdict: OnTrack},
		"<story>Tests\n- for a</story>\n<story>cut\n<promise>REMEDIATE</promise>": {
			Verdict: Remediate, Stories: []string{"Tests\n- for a"},
		},
		"": {},
		"<learning>use\n make</learning> x <learning>use\n make</learning><backlog>a flag</backlog><learning>cut": {
			Learnings: []string{"use\n make"}, Backlog: []string{"a flag"},
		},
		"<learning>" + strings.Repeat("x", maxNote+1) + "</learning>": {},
	} {
		if got := ReadSaid(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%.100q: %+v, want %+v", text, got, want)
		}
	}
	if got := ReadSaid(strings.Repeat("<backlog>x</backlog>", 9)).Backlog; len(got) != 1 {
		t.Errorf("an item counts once: %q", got)
	}
}

func TestWithoutNotes(t *testing.T) {
	for text, want := range map[string]string{
		"a <learning>b</learning> c<story>d\n- e</story>\n<backlog>f</backlog>g": "a  c\ng",
		"a <learning>b": "a <learning>b",
		"":              "",
	} {
		if got := WithoutNotes(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzReadSaid(f *testing.F) {
	f.Add("```\n<promise>ABSORBED_BY:x</promise>\n`a` <learning>b</learning>")
	f.Fuzz(func(t *testing.T, text string) {
		said := ReadSaid(text)
		if (said.Signal == AbsorbedBy) != (said.Absorber != "") || len(said.Learnings) > maxNotes {
			t.Errorf("%+v", said)
		}
	})
}
