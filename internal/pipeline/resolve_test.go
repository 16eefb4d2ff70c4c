package pipeline

import (
	"slices"
	"strings"
	"testing"
)

// rows reads hooks as the seed's list of them: a line each, the step among them.
func rows(all []Around) []string {
	var lines []string
	for i, a := range all {
		if i == 0 && a.When == Post {
			lines = append(lines, "STEP")
		}
		words := []string{string(a.Scope), string(a.When), a.Path}
		for _, w := range []struct {
			is   bool
			word string
		}{
			{a.Kind == KindProgram, "program"},
			{a.Mode == Subagent, "subagent"},
			{a.Optional, "optional"},
			{a.Convention, "convention"},
		} {
			if w.is {
				words = append(words, w.word)
			}
		}
		lines = append(lines, strings.Join(words, " "))
		if a.When == Pre && (i == len(all)-1 || all[i+1].When == Post) {
			lines = append(lines, "STEP")
		}
	}
	return lines
}

// The order is global pre, the step's pre, the step, its post, global post;
// what the document says goes before what is there by convention.
func TestAround_SP5_order(t *testing.T) {
	const global = `{"schema_version":"1.0","hooks":{"pre-step":{"workflow":"ops/before.md"},"post-step":{"workflow":"ops/after","optional":true}}}`
	own := func(hooks string) string {
		return strings.Replace(doc(`{"name":"execute","workflow":"execute.md","hooks":`+hooks+`}`), `"pipelines"`,
			`"hooks":{"pre-step":{"workflow":"ops/before.md"},"post-step":{"workflow":"ops/after","optional":true}},"pipelines"`,
			1)
	}
	for _, tt := range []struct {
		name, doc string
		files     []string
		want      []string
	}{
		{"nothing", `{"schema_version":"1.0"}`, nil, nil},
		{"global alone", global, []string{"ops/before.md", "ops/after"}, []string{
			"global pre ops/before.md",
			"STEP",
			"global post ops/after program optional",
		}},
		{
			"all five", own(`{"pre":{"workflow":"ops/own-before","mode":"inline"},"post":{"workflow":"ops/own-after.md","mode":"subagent"}}`),
			[]string{
				"ops/before.md", "ops/after", "ops/own-before", "ops/own-after.md", ".brew/hooks/pre-execute.md",
				".specd/hooks/post-execute.md",
			},
			[]string{
				"global pre ops/before.md",
				"step pre ops/own-before program",
				"STEP",
				"step post ops/own-after.md subagent",
				"global post ops/after program optional",
			},
		},
		{
			"by convention where null", own(`{"pre":null,"post":{"workflow":"ops/own-after.md"}}`),
			[]string{
				"ops/before.md", "ops/after", "ops/own-after.md", ".brew/hooks/pre-execute.md",
				".brew/hooks/post-execute.md",
			},
			[]string{
				"global pre ops/before.md",
				"step pre .brew/hooks/pre-execute.md convention",
				"STEP",
				"step post ops/own-after.md",
				"global post ops/after program optional",
			},
		},
		{
			"a program before the text of its name", `{"schema_version":"1.0"}`,
			[]string{".brew/hooks/pre-execute", ".brew/hooks/pre-execute.md"},
			[]string{
				"step pre .brew/hooks/pre-execute program convention",
				"step pre .brew/hooks/pre-execute.md convention",
				"STEP",
			},
		},
		{
			"the twins in .specd", `{"schema_version":"1.0"}`,
			[]string{".specd/hooks/pre-execute.md", ".specd/hooks/post-execute.md", ".specd/hooks/post-review.md"},
			[]string{
				"step pre .specd/hooks/pre-execute.md convention",
				"STEP",
				"step post .specd/hooks/post-execute.md convention",
			},
		},
		{
			".brew counts, side by side", `{"schema_version":"1.0"}`,
			[]string{".brew/hooks/pre-execute", ".specd/hooks/pre-execute.md", ".specd/hooks/post-execute.md"},
			[]string{
				"step pre .brew/hooks/pre-execute program convention",
				"STEP",
				"step post .specd/hooks/post-execute.md convention",
			},
		},
		{
			"a bare name lies with the others", own(`{"pre":{"workflow":"lint"},"post":{"workflow":"tidy.md"}}`),
			[]string{"ops/before.md", "ops/after", ".specd/hooks/lint"},
			[]string{
				"global pre ops/before.md",
				"step pre .specd/hooks/lint program",
				"STEP",
				"step post .brew/hooks/tidy.md",
				"global post ops/after program optional",
			},
		},
		{"what is named and not there", global, nil, []string{
			"global pre ops/before.md",
			"STEP",
			"global post ops/after program optional",
		}},
	} {
		c, found := Parse([]byte(tt.doc))
		if len(Errors(found)) > 0 {
			t.Errorf("%s: %v", tt.name, found)
			continue
		}
		got := rows(c.Around(Phase, "execute", func(p string) bool { return slices.Contains(tt.files, p) }))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// The routing table's pipelines are found where a document keeps them.
func TestLocate_SP7_subPipelines(t *testing.T) {
	c, found := Parse([]byte(`{"schema_version":"1.0","pipelines":{
"main":[{"name":"discuss","workflow":"discuss.md"},{"name":"research","workflow":"docs/look.md"},{"name":"plan","workflow":"plan.md"},{"name":"phase-execution","pipeline":"each"}],
"each":[{"name":"plan","workflow":"phase-plan.md"},{"name":"execute","workflow":"docs/work.md"},{"name":"review","workflow":"review.md"},{"name":"revise","workflow":"revise.md"}]}}`))
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, tt := range []struct{ pipeline, step, workflow string }{
		{Main, "clarify", "clarify.md"},
		{Main, "research", "docs/look.md"},
		{Main, "plan", "plan.md"},
		{Phase, "plan", "phase-plan.md"},
		{Phase, "execute", "docs/work.md"},
		{Phase, "research", "docs/look.md"},
		{Phase, "review", "review.md"},
		{Main, "review", ""},
		{Main, "complete", ""},
	} {
		s, ok := c.Locate(tt.pipeline, tt.step)
		if s.Workflow != tt.workflow || ok != (tt.workflow != "") {
			t.Errorf("%s of %s: %+v, %v", tt.step, tt.pipeline, s, ok)
		}
	}
}

// Every combination of the four places around a step, each empty, required or
// optional: what is there comes in one order, whatever else is.
func TestAround_SP5_everyCombination(t *testing.T) {
	places := []struct{ scope, when string }{{"global", "pre"}, {"step", "pre"}, {"step", "post"}, {"global", "post"}}
	const none, required, optional = 0, 1, 2
	for n := range 3 * 3 * 3 * 3 {
		var want []string
		hooks := map[string][]string{}
		for i, of := 0, n; i < len(places); i, of = i+1, of/3 {
			name := places[i].scope + "-" + places[i].when + ".md"
			key, line := places[i].when, strings.Join([]string{places[i].scope, places[i].when, "ops/" + name}, " ")
			if places[i].scope == "global" {
				key += "-step"
			}
			switch hook := `"` + key + `":{"workflow":"ops/` + name + `"`; of % 3 {
			case required:
				hooks[places[i].scope] = append(hooks[places[i].scope], hook+"}")
				want = append(want, line)
			case optional:
				hooks[places[i].scope] = append(hooks[places[i].scope], hook+`,"optional":true}`)
				want = append(want, line+" optional")
			case none:
			}
		}
		text := strings.Replace(doc(`{"name":"execute","workflow":"execute.md","hooks":{`+strings.Join(hooks["step"], ",")+
			`}}`),
			`"pipelines"`, `"hooks":{`+strings.Join(hooks["global"], ",")+`},"pipelines"`, 1)
		c, found := Parse([]byte(text))
		if len(Errors(found)) > 0 {
			t.Fatal(text, found)
		}
		var got []string
		for _, line := range rows(c.Around(Phase, "execute", func(string) bool { return true })) {
			if line != "STEP" && !strings.Contains(line, "convention") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%q\nwant\n%q", text, got, want)
		}
	}
}
