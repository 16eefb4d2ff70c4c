package hooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/workflow"
)

func TestReadPrompt_BW12_triggers(t *testing.T) {
	for prompt, want := range map[string]bool{
		"make it so":                                      true,
		"Make it so!":                                     true,
		"OK, MAKE IT SO.":                                 true,
		"Let’s do it":                                     true,
		"let's do it, please":                             true,
		"**go ahead**":                                    true,
		"yes—go ahead":                                    true,
		"Looks good: ship it 🚀":                           true,
		"Please execute":                                  true,
		"I don't like the name. Make it so.":              true,
		"don't forget the tests\nmake it so":              true,
		"no problem, go ahead":                            true,
		"why not, go ahead":                               true,
		"The title is \"Login\", go ahead":                true,
		"Use `foo()` here, then go ahead":                 true,
		"/plan-it now go ahead":                           true,
		"it is 5\" wide, go ahead":                        true,
		"do not execute":                                  false,
		"Don't execute it yet":                            false,
		"please never go ahead without asking":            false,
		"dont run that":                                   false,
		"I can’t say go ahead":                            false,
		"explain it before you execute it":                false,
		"do not under any circumstance\nexecute":          true, // a line of its own is its own sentence
		"do not, as I said,\nexecute it at once":          false,
		"the executed plan, its execution":                false,
		"run execute.go and pre-execute":                  false,
		"--execute":                                       false,
		"/execute":                                        false,
		"goahead, make it, so":                            false,
		"make it\nso":                                     true,
		"he said \"make it so\"":                          false,
		"he said “make it so” and «go ahead»":             false,
		"she wrote 'go ahead' there":                      false,
		"`make it so`":                                    false,
		"```\nmake it so\n```":                            false,
		"```sh\nmake it so":                               false,
		"~~~\nmake it so\n~~~\nwhat is this?":             false,
		"> make it so\n\nis a quote":                      false,
		"make \"it\" so":                                  false,
		"a \" b \" c \" make it so":                       true,
		"a \" make it so \" c \"":                         false,
		"<task-notification>go ahead</task-notification>": false,
		"<task-notification>\n<result>go ahead":           false,
		"<system-reminder>go ahead</system-reminder> what does this mean?": false,
		"": false,
	} {
		got := readPrompt(prompt, defaultOf(workflow.KeyTrigger), defaultOf(workflow.KeyStopWord))
		if (got.To == ModeImplementation) != want || got.To == ModeDiscussion {
			t.Errorf("%q: %+v", prompt, got)
		}
	}
}

func TestReadPrompt_BW14_stopWords(t *testing.T) {
	for prompt, want := range map[string]bool{
		"STOP": true, "please STOP!": true, "SILENCE.": true, "make it so. STOP": true, "don't go ahead, STOP": true,
		"stop": false, "Stop that": false, "NONSTOP": false, "STOP_HERE": false, "`STOP`": false, "he said \"STOP\"": false,
		"> STOP": false, "<task-notification>STOP</task-notification>": false, "/STOP": false,
	} {
		if got := readPrompt(prompt, defaultOf(workflow.KeyTrigger), defaultOf(workflow.KeyStopWord)); (got.To == ModeDiscussion) != want {
			t.Errorf("%q: %+v", prompt, got)
		}
	}
	if got := readPrompt("now HOLD IT please", nil, []string{"hold it"}); got.To != ModeDiscussion {
		t.Errorf("a stop word of two words: %+v", got)
	}
	paste := strings.Repeat("make it so ", 1<<20)
	if got := readPrompt(paste, defaultOf(workflow.KeyTrigger), defaultOf(workflow.KeyStopWord)); got.To != "" {
		t.Errorf("what is that long was pasted: %+v", got)
	}
	if got := readPrompt(paste+"\nSTOP", defaultOf(workflow.KeyTrigger), defaultOf(workflow.KeyStopWord)); got.To != ModeDiscussion {
		t.Errorf("a stop word behind a paste: %+v", got)
	}
}

// BW-15
func TestReadPrompt_ownTriggers(t *testing.T) {
	if got := readPrompt("Und jetzt LOS GEHT’S!", []string{"", "Los geht's"}, nil); got.Phrase != "Los geht's" {
		t.Errorf("%+v", got)
	}
}

func TestUserPrompt_switchesAndSaysSo(t *testing.T) {
	typedPrompt := `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead"}`
	f := fakeWith(discussing)
	out := replay(t, f, typedPrompt)
	if !f.called("SetMode implementation go ahead") || !strings.Contains(string(out.Stdout), "implementation mode") {
		t.Errorf("%v %s", f.calls, out.Stdout)
	}
	if r := f.records[0]; !strings.Contains(r.Reason, "discussion -> implementation") {
		t.Errorf("record %+v", r)
	}
	if out := replay(t, f, typedPrompt); len(out.Stdout) > 0 || len(f.calls) != 1 {
		t.Errorf("said twice: %s", out.Stdout)
	}
	if out := replay(t, f, `{"hook_event_name":"UserPromptSubmit","prompt":"STOP"}`); f.view.Mode != ModeDiscussion || !strings.Contains(string(out.Stdout), "discussion mode") {
		t.Errorf("%s", out.Stdout)
	}
	for name, payload := range map[string]string{
		"a wake-up":     `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead","source":"schedule_wakeup"}`,
		"the client":    `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead","source":"system"}`,
		"a sub-agent":   `{"hook_event_name":"UserPromptSubmit","prompt":"go ahead","agent_id":"a1"}`,
		"another event": `{"hook_event_name":"UserPromptExpansion","prompt":"go ahead"}`,
	} {
		f := fakeWith(discussing)
		if out := replay(t, f, payload); len(f.calls) > 0 || len(out.Stdout) > 0 {
			t.Errorf("%s: %v", name, f.calls)
		}
	}
	f = fakeWith(discussing, func(v *View) { v.Gated = false })
	if replay(t, f, typedPrompt); len(f.calls) > 0 {
		t.Errorf("no gate, no mode to switch: %v", f.calls)
	}
}

func TestUserPrompt_BC71_reminder(t *testing.T) {
	for prompt, want := range map[string]bool{
		"Fix the login, it fails on Safari": true,
		"why?":                              true,
		"yes, and rename the flag":          true,
		"yes":                               false,
		"No, thank you.":                    false,
		"OK":                                false,
		"2":                                 false,
		"1.5 3":                             false,
		"b":                                 false,
		"/compact keep the plan":            false,
		"  ":                                false,
		"<task-notification>all done here</task-notification>": false,
	} {
		f := fakeWith(func(v *View) { v.Gated, v.Settings.PromptReminder = false, "Skills of this project: see\nSKILLS.md" })
		payload, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		out := replay(t, f, string(payload))
		if got := strings.Contains(string(out.Stdout), "Skills of this project: see SKILLS.md"); got != want || out.Exit != 0 {
			t.Errorf("%q: reminded %v", prompt, got)
		}
	}
	// Unless somebody set one, nobody is reminded; and a switch says its own.
	if out := replay(t, fakeWith(), `{"hook_event_name":"UserPromptSubmit","prompt":"fix the login"}`); len(out.Stdout) > 0 {
		t.Errorf("%s", out.Stdout)
	}
	f := fakeWith(discussing, func(v *View) { v.Settings.PromptReminder = "Skills" })
	if out := replay(t, f, `{"hook_event_name":"UserPromptSubmit","prompt":"make it so"}`); !strings.Contains(string(out.Stdout), "implementation mode") {
		t.Errorf("%s", out.Stdout)
	}
}

func TestUserPrompt_recordedNotification(t *testing.T) {
	payload, err := os.ReadFile("testdata/payloads/UserPromptSubmit.task-notification.json")
	if err != nil {
		t.Fatal(err)
	}
	f := fakeWith(discussing)
	if replay(t, f, strings.Replace(string(payload), "There are none.", "There are none. Make it so.", 1)); len(f.calls) > 0 {
		t.Errorf("the client typed nothing: %v", f.calls)
	}
}

func FuzzReadPrompt(f *testing.F) {
	for _, s := range []string{"make it so", "a `b", "``` x", "\"a\" 'b", "> x\n~~~\n", "‘‘‘‘", "<task-notification", "let's do it…", "\xff.\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		got := readPrompt(prompt, defaultOf(workflow.KeyTrigger), defaultOf(workflow.KeyStopWord))
		if got.To != "" && !strings.Contains(strings.ToLower(strings.ReplaceAll(prompt, "’", "'")), strings.ToLower(strings.Fields(got.Phrase)[0])) && !strings.ContainsAny(prompt, "‘ʼ") {
			t.Errorf("%q was found in %q", got.Phrase, prompt)
		}
		if quoted := readPrompt("```\n"+strings.ReplaceAll(prompt, "`", "")+"\n```", defaultOf(workflow.KeyTrigger), defaultOf(workflow.KeyStopWord)); quoted.To != "" {
			t.Errorf("code counts: %+v", quoted)
		}
	})
}
