package pipeline

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The built-in pipeline is the seed's own document.
func TestDefault_SP7_isTheSeeds(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "default.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, found := Parse(data)
	if len(found) > 0 || !reflect.DeepEqual(c, Default()) {
		t.Errorf("found %v\nread %+v\nwant %+v", found, c, Default())
	}
}

// doc is a document with these steps in phase-execution, between what is as in
// the built-in one.
func doc(steps string) string {
	return `{"schema_version":"1.0","pipelines":{
"main":[{"name":"clarify","workflow":"clarify.md"},{"name":"research","workflow":"research.md"},{"name":"plan","workflow":"plan.md"},{"name":"phase-execution","pipeline":"phase-execution"}],
"phase-execution":[{"name":"plan","workflow":"phase-plan.md"},{"name":"review","workflow":"review.md"},{"name":"revise","workflow":"revise.md"},
` + steps + `]}}`
}

// Each row is a document and all that is found in it.
func TestParse_SP7_findings(t *testing.T) {
	step := func(rest string) string { return doc(`{"name":"execute",` + rest + `}`) }
	main := func(more string) string {
		return `{"schema_version":"1.0","pipelines":{"main":[{"name":"clarify","workflow":"clarify.md"},{"name":"research","workflow":"research.md"},{"name":"plan","workflow":"plan.md"}` + more + `}}`
	}
	missing := []string{
		"note: pipelines.phase-execution: there is no step plan: where it comes next, the pipeline stops",
		"note: pipelines.phase-execution: there is no step execute: where it comes next, the pipeline stops",
		"note: pipelines.phase-execution: there is no step review: where it comes next, the pipeline stops",
		"note: pipelines.phase-execution: there is no step revise: where it comes next, the pipeline stops",
	}
	for name, tt := range map[string]struct {
		doc  string
		want []string
	}{
		"whole": {step(`"workflow":"execute.md","pause":true`), nil},
		"no schema version": {
			strings.Replace(step(`"workflow":"execute.md"`), `"schema_version":"1.0",`, "", 1),
			[]string{"warning: line 1: there is no schema_version; it is read as 1.0"},
		},
		"a newer minor version": {
			strings.Replace(step(`"workflow":"execute.md"`), `"1.0"`, `"1.4"`, 1),
			[]string{`note: line 1, schema_version: "1.4" is newer than what this git-brew knows, 1.0; what it adds is not read`},
		},
		"a newer major version": {
			strings.Replace(step(`"workflow":"execute.md"`), `"1.0"`, `"2.0"`, 1),
			[]string{`error: line 1, schema_version: "2.0" is another format; this git-brew reads 1.x`},
		},
		"a version that is a word": {
			strings.Replace(step(`"workflow":"execute.md"`), `"1.0"`, `"latest"`, 1),
			[]string{`error: line 1, schema_version: "latest" is no version, such as "1.0"`},
		},
		"a version that is a count": {
			strings.Replace(step(`"workflow":"execute.md"`), `"1.0"`, `1.0`, 1),
			[]string{`error: line 1, schema_version: it can't be a JSON number`},
		},
		"unknown sub-pipeline": {
			main(`,{"name":"phase-execution","pipeline":"deep"}]`),
			[]string{`error: line 1, pipelines.main: there is no pipeline "deep" to go through for each phase`},
		},
		"a sub-pipeline elsewhere": {
			step(`"pipeline":"main"`),
			[]string{"error: line 4, pipelines.phase-execution[3]: only the step phase-execution of main stands for a pipeline"},
		},
		"empty workflow": {
			step(`"workflow":""`),
			[]string{"error: line 4, pipelines.phase-execution[3]: the step has neither a workflow nor a pipeline"},
		},
		"no workflow": {step(`"pause":true`), []string{"error: line 4, pipelines.phase-execution[3]: the step has neither " +
			"a workflow nor a pipeline"}},
		"a standard step is missing": {main(`]`), missing},
		"a step that nothing leads to": {doc(`{"name":"execute","workflow":"execute.md"},{"name":"deploy","workflow":"ops/deploy.md"}`), []string{
			"warning: line 4, pipelines.phase-execution[4]: nothing leads to the step deploy: it is never gone through",
		}},
		"complete is there for its hooks": {strings.Replace(step(`"workflow":"execute.md"`), `{"name":"phase-execution",`,
			`{"name":"complete","hooks":{"post":{"workflow":"ops/tell"}}},{"name":"phase-execution",`, 1), nil},
		"a workflow of the project": {step(`"workflow":"docs/execute.md"`), nil},
		"a workflow that nobody has": {
			step(`"workflow":"mine.md"`),
			[]string{`warning: line 4, pipelines.phase-execution[3].workflow: git brew has no workflow "mine.md" of its own; a file of the project is named by a path with a slash`},
		},
		"a workflow that is a program": {
			step(`"workflow":"bin/execute"`),
			[]string{`error: line 4, pipelines.phase-execution[3].workflow: a step follows a text in Markdown, and "bin/execute" is none`},
		},
		"a workflow outside": {
			step(`"workflow":"../execute.md"`),
			[]string{`error: line 4, pipelines.phase-execution[3].workflow: "../execute.md" is no path in the project: it is relative, has slashes, and no part that is empty, . or .., or .git`},
		},
		"a workflow in git's directory": {
			step(`"workflow":"a/.GIT/execute.md"`),
			[]string{`error: line 4, pipelines.phase-execution[3].workflow: "a/.GIT/execute.md" is no path in the project: it is relative, has slashes, and no part that is empty, . or .., or .git`},
		},
		"a hook without a workflow": {
			step(`"workflow":"execute.md","hooks":{"pre":{"optional":true}}`),
			[]string{"error: line 4, pipelines.phase-execution[3].hooks.pre: a hook needs a workflow: a text, or a program, " +
				"of the project"},
		},
		"a hook that is a text": {
			step(`"workflow":"execute.md","hooks":{"pre":"lint"}`),
			[]string{"error: line 4, pipelines.hooks.pre: it can't be a JSON string"},
		},
		"a mode that is none": {
			step(`"workflow":"execute.md","hooks":{"pre":{"workflow":"a/b.md","mode":"shell"}}`),
			[]string{`error: line 4, pipelines.phase-execution[3].hooks.pre.mode: "shell" is no mode; give inline or subagent`},
		},
		"a program for a sub-agent": {
			step(`"workflow":"execute.md","hooks":{"pre":{"workflow":"a/b","mode":"subagent"}}`),
			[]string{"warning: line 4, pipelines.phase-execution[3].hooks.pre.mode: it is not read, since git brew runs the " +
				"program itself"},
		},
		"optional is a word": {
			step(`"workflow":"execute.md","hooks":{"pre":{"workflow":"a/b","optional":"yes"}}`),
			[]string{"error: line 4, pipelines.hooks.pre.optional: it can't be a JSON string"},
		},
		"a key twice": {
			step(`"workflow":"execute.md","hooks":{"pre":{"workflow":"a/b","optional":false,"optional":true}}`),
			[]string{"error: line 4, pipelines.phase-execution[3].hooks.pre.optional: it is there twice"},
		},
		"a key in another case": {
			step(`"workflow":"execute.md","Pause":true`),
			[]string{`error: line 4, pipelines.phase-execution[3]."Pause": it is unknown here, and not read; known are hooks, name, pause, pipeline, workflow`},
		},
		"the same step twice": {
			doc(`{"name":"execute","workflow":"execute.md"},{"name":"review","workflow":"review.md"}`),
			[]string{`error: line 4, pipelines.phase-execution[4]: the pipeline has a step "review" already`},
		},
		"a step without a name": {
			doc(`{"name":"execute","workflow":"execute.md"},{"workflow":"review.md"}`),
			[]string{`error: line 4, pipelines.phase-execution[4]: "" is no name of a step; ` + nameRule},
		},
		"a name that hides something": {
			doc(`{"name":"execute\u202e","workflow":"execute.md"}`),
			[]string{`error: line 4, pipelines.phase-execution[3]: "execute\u202e" is no name of a step; ` + nameRule},
		},
		"all at once": {main(`,{"name":"phase-execution","pipeline":"nope"},{"name":"again","pipeline":"main"},{"name":"x","workflow":"../../../etc/passwd"},{"name":"y\u202e","workflow":"3"},{"name":"z","pipeline":"No Name"}],"No Name":[],"a":[{"name":"b","pipeline":"b"}],"b":[{"name":"a","pipeline":"a"}]`), []string{
			"error: line 1, pipelines.main[4]: only the step phase-execution of main stands for a pipeline",
			`error: line 1, pipelines.main[5].workflow: "../../../etc/passwd" is no path in the project: it is relative, has slashes, and no part that is empty, . or .., or .git`,
			`error: line 1, pipelines.main[6]: "y\u202e" is no name of a step; ` + nameRule,
			`error: line 1, pipelines.main[6].workflow: a step follows a text in Markdown, and "3" is none`,
			"error: line 1, pipelines.main[7]: only the step phase-execution of main stands for a pipeline",
			`error: line 1, pipelines."No Name": ` + nameRule,
			"error: line 1, pipelines.a[0]: only the step phase-execution of main stands for a pipeline",
			"error: line 1, pipelines.b[0]: only the step phase-execution of main stands for a pipeline",
			`error: line 1, pipelines.main: there is no pipeline "nope" to go through for each phase`,
		}},
		"hooks of a sub-pipeline": {main(`,{"name":"phase-execution","pipeline":"x","pause":true}],"x":[{"name":"plan","workflow":"phase-plan.md"},{"name":"execute","workflow":"execute.md"},{"name":"review","workflow":"review.md"},{"name":"revise","workflow":"revise.md"}]`), []string{
			"warning: line 1, pipelines.main[3]: a step that stands for a pipeline has no workflow, no pause and no hooks of " +
				"its own; give them to that one's steps",
		}},
		"a circle": {
			main(`,{"name":"phase-execution","pipeline":"main"}]`),
			[]string{`error: line 1, pipelines.main: there is no pipeline "main" to go through for each phase`},
		},
		"a pipeline that nothing leads to": {
			strings.Replace(step(`"workflow":"execute.md"`), `}]}}`, `}],"own":[{"name":"execute","workflow":"execute.md"}]}}`, 1),
			[]string{"warning: line 4, pipelines.own[0]: nothing leads to the step execute: it is never gone through"},
		},
		"no main": {
			`{"schema_version":"1.0","pipelines":{"phase-execution":[]}}`,
			[]string{"error: line 1, pipelines: there is no pipeline main, where every task begins"},
		},
		"hooks alone": {
			`{"schema_version":"1.0","hooks":{"pre-step":{"workflow":"ops/look"}}}`,
			[]string{"note: line 1: it has no pipelines; the built-in ones are gone through, with these hooks"},
		},
		"a mark of byte order": {
			"\ufeff" + `{"schema_version":"1.0"}`,
			[]string{"note: line 1: it has no pipelines; the built-in ones are gone through, with these hooks"},
		},
		"a list":  {`[]`, []string{"error: line 1: it can't be a JSON array"}},
		"nothing": {``, []string{"error: line 1: it is no JSON: unexpected end of JSON input"}},
		"half":    {"{\n\"pipelines\":", []string{"error: line 2: it is no JSON: unexpected end of JSON input"}},
		"two": {
			`{"schema_version":"1.0"} {}`,
			[]string{"error: line 1: it is no JSON: invalid character '{' after top-level value"},
		},
		"deep": {
			strings.Repeat(`{"a":`, 20),
			[]string{"error: line 1: it is no JSON: unexpected end of JSON input"},
		},
		"large": {
			strings.Repeat(" ", MaxSize+1),
			[]string{"error: it has 65537 bytes, at most 65536 are read"},
		},
		"not UTF-8": {"{\"schema_version\":\"1.0\xff\"}", []string{"error: it is not UTF-8"}},
		"a step of another document": {
			doc(`{"name":"execute","workflow":"execute.md"},3`),
			[]string{"error: line 4, pipelines: it can't be a JSON number"},
		},
	} {
		c, found := Parse([]byte(tt.doc))
		var got []string
		for _, f := range found {
			got = append(got, string(f.Level)+": "+f.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: found\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
		if bad := len(Errors(found)) > 0; bad != (len(c.Pipelines) == 0) {
			t.Errorf("%s: %d errors, and %d pipelines", name, len(Errors(found)), len(c.Pipelines))
		}
	}
}

// What is read holds together: every step can be found, and every hook around it
// is a file of the project.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("testdata", "default.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(doc(`{"name":"execute","workflow":"a/b.md","hooks":{"pre":{"workflow":"lint","mode":"subagent","optional":true},"post":null}}`))
	f.Add(`{"hooks":{"pre-step":{"workflow":"../x"},"post-step":{"workflow":"x\u0000"}}}`)
	f.Add(`{"pipelines":{"main":[{"name":"a","pipeline":"main"}]},"pipelines":{}}`)
	f.Add(strings.Repeat("[", 100))
	f.Fuzz(func(t *testing.T, text string) {
		c, found := Parse([]byte(text))
		for _, f := range found {
			if s := f.String(); strings.ContainsFunc(s, hidden) || s == "" {
				t.Fatalf("a finding is no plain line: %q", s)
			}
		}
		if len(Errors(found)) > 0 {
			return
		}
		for pipeline, steps := range map[string][]string{Main: mainSteps, Phase: phaseSteps} {
			for _, step := range steps {
				for _, a := range c.Around(pipeline, step, func(string) bool { return true }) {
					if !validPath(a.Path) || !InProject(a.Path) {
						t.Fatalf("a hook is at %q", a.Path)
					}
				}
			}
		}
		for _, p := range c.Pipelines {
			for _, s := range p.Steps {
				if !validName(s.Name) || s.Pipeline == "" && s.Name != complete && !validPath(s.Workflow) {
					t.Fatalf("a step is %+v", s)
				}
			}
		}
	})
}
