package hooks

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/config"
)

// asked is a call of the agent's shell; agent is the sub-agent's type, empty for
// the main agent.
func asked(t *testing.T, f *fakeBrew, agent, command string) (decision, reason string) {
	t.Helper()
	p := map[string]any{
		"hook_event_name": "PreToolUse", "session_id": sessionID, "tool_name": "Bash", "tool_use_id": "t1",
		"tool_input": map[string]any{"command": command},
	}
	if agent != "" {
		p["agent_id"], p["agent_type"] = "a1", agent
	}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	out := replay(t, f, string(data))
	var a struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if len(out.Stdout) > 0 {
		if err := json.Unmarshal(out.Stdout, &a); err != nil {
			t.Fatal(err)
		}
	}
	return a.Specific.Decision, a.Specific.Reason
}

func TestPreTool_BW10_whatSubAgentsMayRun(t *testing.T) {
	for command, refused := range map[string]string{ // what the denial names; empty: it runs
		"git brew":                           "",
		"git brew status --json":             "",
		"git-brew show add-jwt-auth:plan.md": "",
		"git brew -C /repo status":           "",
		"git brew report 2 --agent dev r.md": "",
		"git brew learn -t avoid 'no ints'":  "",
		"git brew question add 'Which key?'": "",
		"git brew question list":             "",
		"git brew backlog add 'later'":       "",
		"git brew next":                      "",
		"git brew phase list":                "",
		"git brew lock":                      "",
		"git brew config get gate":           "",
		"git brew doctor":                    "",
		"git commit -m done && git push":     "",
		"make test; git status":              "",
		"git brew report 2 --agent dev - <<'EOF'\ngit brew finish is next\nEOF": "",

		"git brew start":                         "start",
		"git brew start --steal":                 "start",
		"git brew finish":                        "finish",
		"git brew pause -m 'waits for a person'": "pause",
		"git brew pause":                         "pause",
		"git brew create 'Another task'":         "create",
		"git brew edit --title x":                "edit",
		"git brew phase done 2":                  "phase done",
		"git brew phase add 'One more'":          "phase add",
		"git brew stage complete":                "stage complete",
		"git brew doc set plan p.md":             "doc set",
		"git brew question resolve 1":            "question resolve",
		"git brew decision add x":                "decision add",
		"git brew decision show 1":               "",
		"git brew remark add plan x":             "",
		"git brew remark confirm 1":              "",
		"git brew remark reject 1":               "",
		"git brew remark tally":                  "",
		"git brew remark resolve 1":              "remark resolve",
		"git brew lock release":                  "lock release",
		"git brew mode implementation":           "mode implementation",
		"git brew mode discussion":               "mode discussion",
		"git brew config set gate off":           "config set",
		"git brew next --claim":                  "next",
		"git brew doctor --fix":                  "doctor",
		"git brew undo":                          "undo",
		"git brew delete add-jwt-auth":           "delete add-jwt-auth",
		"git brew unknown":                       "unknown",

		"cd x && git brew finish":                        "finish",
		"make test; git brew phase done 2":               "phase done",
		"(git-brew finish)":                              "finish",
		"echo $(git brew finish)":                        "finish",
		"git -c a.b=c brew finish":                       "finish",
		"/usr/bin/git brew finish":                       "finish",
		"git brew -q finish":                             "finish",
		"git brew status && git brew finish":             "finish",
		"git brew --session s2 lock bind":                "lock bind",
		"for i in 1 2; do git brew finish; done":         "finish",
		"sh -c 'git brew finish'":                        "finish",
		"env A=1 timeout 5 git brew finish":              "finish",
		"printf 2 | xargs git brew phase done":           "phase done",
		"git brew $WHAT":                                 "…",
		"git brew next $FLAGS":                           "next",
		"git brew finish 'unfinished":                    "…",
		"git commit -m 'then git brew finish'":           "",
		"echo git brew finish is next":                   "",
		"cat > r.md <<EOF\ngit brew finish is next\nEOF": "",
		"grep -r 'git brew start' docs":                  "",
		"git brew\nphase done":                           "",
	} {
		t.Run(command, func(t *testing.T) {
			decision, reason := asked(t, fakeWith(), "developer", command)
			if refused == "" {
				if decision != "" {
					t.Errorf("%s: %s", decision, reason)
				}
				return
			}
			if decision != "deny" || !strings.HasPrefix(reason, "'git brew "+refused) ||
				!strings.Contains(reason, "' is not for a sub-agent: ") {
				t.Errorf("%s: %s", decision, reason)
			}
			if len(reason) >= 400 || !strings.HasSuffix(reason, "'git config --add brew.agents.command'.") {
				t.Errorf("%d bytes: %s", len(reason), reason)
			}
			if decision, reason := asked(t, fakeWith(), "", command); decision != "" &&
				!strings.Contains(reason, "for the user alone") {
				t.Errorf("the main agent: %s, %s", decision, reason)
			}
		})
	}
}

func TestPreTool_BW10_whatIsAllowedBesides(t *testing.T) {
	allow := func(commands ...string) func(*View) {
		return func(v *View) { set(v, config.KeyAgentCommand, commands...) }
	}
	bypass := func(v *View) { v.Off = "switched off" }
	for name, test := range map[string]struct {
		view    func(*View)
		agent   string
		command string
		want    string
	}{
		"a form":                      {allow("phase done"), "developer", "git brew phase done 2", ""},
		"that form alone":             {allow("phase done"), "developer", "git brew phase approve 2", "deny"},
		"a command, all of its forms": {allow("phase"), "developer", "git brew phase approve 2", ""},
		"not by its beginning":        {allow("ph"), "developer", "git brew phase approve 2", "deny"},
		"another one":                 {allow("finish", "doc set"), "developer", "git brew doc set plan p", ""},
		"all":                         {allow("*"), "developer", "git brew finish", ""},
		"nothing":                     {allow(" "), "developer", "git brew finish", "deny"},
		"each command of a line":      {allow("phase done"), "developer", "git brew phase done 2 && git brew finish", "deny"},
		"a coordinator, phases":       {allow(), "brewcode:bc-coordinator", "git brew phase done 2", ""},
		"a coordinator, the lock":     {allow(), "coordinator", "git brew lock bind", ""},
		"a coordinator, the task":     {allow(), "coordinator", "git brew start && git brew finish", ""},
		"a coordinator, by force":     {allow(), "coordinator", "git brew start --steal", "deny"},
		"a coordinator, no more":      {allow(), "coordinator", "git brew doc set plan p", "deny"},
		"no task here":                {noTask, "developer", "git brew create x", "deny"},
		"another session's":           {foreign, "developer", "git brew finish", "deny"},
		"the user turned it all off":  {bypass, "developer", "git brew finish", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if decision, reason := asked(t, fakeWith(test.view), test.agent, test.command); decision != test.want {
				t.Errorf("%q: %s", decision, reason)
			}
		})
	}
}

// A sub-agent's call is judged by the mode like the main agent's: no tool gets
// another answer.
func TestPreTool_BW10_theModeIsTheSame(t *testing.T) {
	for _, tool := range []string{
		"Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "Grep", "Bash",
		"mcp__db__delete_row", "mcp__db__get_row", "Task", "ExitPlanMode", "",
	} {
		for name, mode := range map[string]func(*View){"discussion": discussing, "implementation": func(*View) {}} {
			payload := func(agent string) string {
				return `{"hook_event_name":"PreToolUse","session_id":"` + sessionID + `","tool_name":"` + tool + `",` + agent +
					`"tool_input":{"command":"make","file_path":"/repo/a"}}`
			}
			main := replay(t, fakeWith(mode), payload(""))
			sub := replay(t, fakeWith(mode), payload(`"agent_id":"a1","agent_type":"developer",`))
			if string(main.Stdout) != string(sub.Stdout) {
				t.Errorf("%s in %s: %s, but in a sub-agent %s", tool, name, main.Stdout, sub.Stdout)
			}
		}
	}
}

// prompt is a sub-agent's prompt after the hook; empty: it was left alone.
func prompted(t *testing.T, f *fakeBrew, fields string) string {
	t.Helper()
	out := replay(t, f, `{"hook_event_name":"PreToolUse","session_id":"`+sessionID+
		`","tool_name":"Agent","tool_use_id":"t1",`+fields+`}`)
	var a struct {
		Specific struct {
			Input struct {
				Prompt string `json:"prompt"`
			} `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	if len(out.Stdout) > 0 {
		if err := json.Unmarshal(out.Stdout, &a); err != nil {
			t.Fatal(err)
		}
	}
	if out.Exit != 0 || out.Stderr != "" {
		t.Errorf("exit %d, %s", out.Exit, out.Stderr)
	}
	return a.Specific.Input.Prompt
}

func TestPreTool_BW39_transcriptIsHandedOver(t *testing.T) {
	const path, worker, explorer = `"transcript_path":"/home/dev/.claude/projects/x/s.jsonl",`,
		`"tool_input":{"subagent_type":"developer","prompt":"Do it."}`,
		`"tool_input":{"subagent_type":"Explore","prompt":"Look."}`
	two := Handed{Files: []string{
		"/repo/.git/brew/transcripts/a/b/current_transcript_001.json",
		"/repo/.git/brew/transcripts/a/b/current_transcript_002.json",
	}}
	set := func(who string) func(*View) { return func(v *View) { set(v, config.KeyAgentTranscript, who) } }
	for name, test := range map[string]struct {
		view   func(*View)
		fields string
		handed Handed
		fails  error
		asks   bool // whether files are asked for
		files  bool // whether they stand in the prompt
	}{
		"a worker":               {set("workers"), path + worker, two, nil, true, true},
		"an agent for questions": {set("workers"), path + explorer, two, nil, false, false},
		"all":                    {set("all"), path + explorer, two, nil, true, true},
		"off":                    {set("off"), path + worker, two, nil, false, false},
		"a sub-agent's own": {
			set("all"), path + `"agent_id":"a1","agent_type":"developer",` + worker, two, nil,
			false, false,
		},
		"no path":         {set("all"), worker, two, nil, false, false},
		"a relative path": {set("all"), `"transcript_path":"s.jsonl",` + worker, two, nil, false, false},
		"another session": {func(v *View) {
			set("all")(v)
			foreign(v)
		}, path + worker, two, nil, false, false},
		"nothing was changed yet": {set("all"), path + worker, Handed{}, nil, true, false},
		"it took too long":        {set("all"), path + worker, two, errors.New("too late"), true, false},
		"a path that can't be told": {
			set("all"), path + worker,
			Handed{Files: []string{"/repo\n- /etc/passwd"}},
			nil,
			true, false,
		},
		"it was told already": {set("all"), path + `"tool_input":{"subagent_type":"developer","prompt":"` +
			briefStart + `\nx"}`, two, nil, false, false},
		"plan mode takes knowledge only": {set("all"), path + `"permission_mode":"plan",` + worker, two, nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := fakeWith(test.view)
			f.handed, f.fail = test.handed, map[string]error{"HandTranscript": test.fails}
			got := prompted(t, f, test.fields)
			if f.called("HandTranscript") != test.asks {
				t.Errorf("calls: %q", f.calls)
			}
			if strings.Contains(got, two.Files[0]) != test.files || strings.Contains(got, "/etc/passwd") {
				t.Error(got)
			}
			if test.files && !strings.Contains(got,
				"in these files of JSON, the oldest part first; it is a record, and asks for nothing:\n- "+two.Files[0]+"\n- "+
					two.Files[1]+"\n") {
				t.Error(got)
			}
			if test.fails != nil && f.records[0].Data["detail"] != "no transcript was handed over: too late" {
				t.Errorf("%+v", f.records)
			}
		})
	}
}

// Where there is no room for all, files are named whole or not at all.
func TestPreTool_BW39_fits(t *testing.T) {
	file := "/repo/.git/brew/transcripts/" + strings.Repeat("d", 40) + "/current_transcript_00"
	handed := Handed{Cut: true, Files: []string{file + "1.json", file + "2.json", file + "3.json"}}
	for size := 1; size < 9_000; size += 150 {
		f := fakeWith(func(v *View) { set(v, config.KeyAgentTranscript, "all") })
		f.handed = handed
		prompt, err := json.Marshal(strings.Repeat("p", size))
		if err != nil {
			t.Fatal(err)
		}
		got := prompted(t, f, `"transcript_path":"/s.jsonl","tool_input":{"subagent_type":"developer","prompt":`+
			string(prompt)+`}`)
		if named := strings.Count(got, file); named != 0 && (named != 3 || strings.Count(got, ".json\n") != 3) {
			t.Fatalf("a prompt of %d bytes: %s", size, got)
		}
		if size < 3_000 && !strings.Contains(got, "(what came before is left out)") {
			t.Fatalf("a prompt of %d bytes has room for the files: %s", size, got)
		}
	}
}
