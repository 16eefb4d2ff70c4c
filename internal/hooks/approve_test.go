package hooks

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/config"

	"github.com/git-brew/git-brew/internal/task"
)

// inReview is a view with phases 1 and on in review, as many.
func inReview(n int) func(*View) {
	return func(v *View) {
		for i := range v.Task.Phases[:n] {
			v.Task.Phases[i].Status = task.PhaseInReview
		}
		set(v, config.KeyTriggerApprove, "approved", "looks good", "lgtm")
	}
}

func TestUserPrompt_approvesThePhaseInReview(t *testing.T) {
	approved := task.Phase{ID: "1", Title: "Token model", Status: task.PhaseCompleted}
	for name, tt := range map[string]struct {
		prompt string
		change []func(*View)
		gate   fakeGate
		fails  error
		asked  bool // whether it is recorded
		told   string
	}{
		"approved": {
			"approved", nil,
			fakeGate{approved: approved},
			nil, true,
			`the user's "approved" is recorded: they approved phase 1 ("Token model"), which is completed now; `,
		},
		"with a word around": {
			"OK, looks good!", nil,
			fakeGate{approved: approved},
			nil, true,
			`the user's "looks good" is recorded`,
		},
		"and goes on": {
			"lgtm. make it so",
			[]func(*View){discussing},
			fakeGate{approved: approved},
			nil, true,
			`the user's "lgtm" is recorded`,
		},
		"which one": {
			"Approved phase 2",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, true,
			`the user's "approved" is recorded`,
		},
		"which ones": {
			"ok, phases 1 and 2 approved",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil,
			true, `the user's "approved" is recorded`,
		},
		"phase approved by": {
			"phase 2 was approved by nobody",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false, "",
		},
		"written by a sub-agent": {
			"<task-notification><result>a</result></task-notification>\nlgtm\n<task-notification><result>b</result>" +
				"</task-notification>", nil,
			fakeGate{approved: approved},
			nil, false, "",
		},
		"made so at once": {
			"lgtm, make it so",
			[]func(*View){discussing},
			fakeGate{approved: approved},
			nil, true,
			`the user's "lgtm" is recorded`,
		},
		"not approved": {
			"phase 1 NOT approved",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"never": {
			"phase 1 NEVER approved",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil,
			false, "",
		},
		"later": {
			"approved phase 1 LATER",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil,
			false, "",
		},
		"another is bad": {
			"Phase 2 is bad. Approved phase 1.",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false, "",
		},
		"tests fail": {
			"Looks good. But the tests fail.",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false, "",
		},
		"with a change": {
			"LGTM. Please change the title",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false, "",
		},
		"a list behind": {
			"lgtm\n- except the tests",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil,
			false, "",
		},
		"rejected": {
			"rejected, looks good",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"of something else": {
			"spec looks good, lgtm",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"of a command": {
			"/commit looks good",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"no such phase": {
			"Approved phase 7",
			[]func(*View){inReview(2)},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"several wait": {
			"approved",
			[]func(*View){inReview(2)},
			fakeGate{unapproved: "phases 1, 2 are in review"},
			nil, true, `the user's "approved" was not recorded as an approval: phases 1, 2 are in review.`,
		},
		"somebody was faster": {"approved", nil, fakeGate{}, nil, true, ""},
		"it can't be told":    {"approved", nil, fakeGate{approved: approved}, errors.New("locked"), true, ""},
		"a question": {
			"is it approved?", nil,
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"a negation": {
			"it is not approved", nil,
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"in quotes": {
			"say \"approved\" then", nil,
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"nothing in review": {
			"approved",
			[]func(*View){func(v *View) { inReview(0)(v) }},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"the task has ended": {
			"approved",
			[]func(*View){func(v *View) { v.Task.Status = task.Finished }},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
		"no task": {
			"approved",
			[]func(*View){noTask},
			fakeGate{approved: approved},
			nil, false,
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			changes := append([]func(*View){inReview(1)}, tt.change...)
			if name == "nothing in review" {
				changes = tt.change
			}
			f := fakeWith(changes...)
			f.gate = tt.gate
			f.fail = map[string]error{"ApproveByWord": tt.fails}
			payload, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": tt.prompt})
			if err != nil {
				t.Fatal(err)
			}
			var said struct {
				Specific struct{ AdditionalContext string } `json:"hookSpecificOutput"`
			}
			if out := replay(t, f, string(payload)).Stdout; len(out) > 0 {
				if err := json.Unmarshal(out, &said); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			told := said.Specific.AdditionalContext
			if got := f.called("ApproveByWord"); got != tt.asked || !strings.Contains(told, tt.told) ||
				tt.told == "" && strings.Contains(told, "recorded") {
				t.Errorf("asked %t, told %q", got, told)
			}
		})
	}
	// A sub-agent, a wake-up, another client's own words approve nothing.
	for _, more := range []string{`"agent_id":"a1"`, `"source":"schedule_wakeup"`, `"source":"system"`} {
		f := fakeWith(inReview(1))
		if replay(t, f, `{"hook_event_name":"UserPromptSubmit","prompt":"approved",`+more+`}`); f.called("ApproveByWord") {
			t.Errorf("%s approved", more)
		}
	}
}
