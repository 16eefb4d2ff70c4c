package journal

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// noTexts are fields of payloads that hold a name, an id, a path or a time, or what is
// stored already.
var noTexts = strings.Fields(`type branch base base_commit stage issues drop_services drop_issues add_issues took_from path commit
	shown_id agents add_agents drop_agents worker agent oid ts t paths claim to holder at key step phase task file
	seen reviewer said
	drop_acceptance drop_verification agreed hook kind when starts services what name questions heard`)

// A field that is added to a payload is screened, or stands above.
func TestScreening_everyTextIsKnown(t *testing.T) {
	for kind, payload := range map[operation.Kind]any{
		task.OpCreate: task.CreatePayload{}, task.OpEdit: task.EditPayload{}, task.OpStart: task.StartPayload{},
		task.OpPause:  task.PausePayload{},
		task.OpFinish: task.FinishPayload{}, task.OpStage: task.StagePayload{}, task.OpStepSkip: task.SkipPayload{},
		task.OpPhaseAdd:   task.PhaseAddPayload{},
		task.OpPhaseStart: task.PhasePayload{}, task.OpPhaseClaim: task.ClaimPayload{},
		task.OpPhaseReview: task.PhaseReviewPayload{},
		task.OpPhaseFail:   task.PhaseReasonPayload{}, task.OpPhaseDrop: task.PhaseReasonPayload{},
		task.OpPhaseEdit: task.PhaseEditPayload{}, task.OpPhaseEscalate: task.EscalatePayload{},
		task.OpPhaseError: task.AgentErrorPayload{}, task.OpPhaseLaunch: task.PhaseLaunchPayload{},
		task.OpDocSet:     task.DocSetPayload{},
		task.OpDocResolve: task.DocResolvePayload{}, task.OpReport: task.ReportPayload{},
		task.OpKnowledgeAdd:    task.KnowledgeAddPayload{},
		task.OpKnowledgeRemove: task.KnowledgeRemovePayload{}, task.OpRemarkAdd: task.RemarkAddPayload{},
		task.OpRemarkVote:    task.RemarkVotePayload{},
		task.OpRemarkResolve: task.RemarkResolvePayload{}, task.OpBoardReady: task.BoardReadyPayload{},
		task.OpDecisionAdd:    task.DecisionAddPayload{},
		task.OpDecisionRevoke: task.DecisionRevokePayload{}, task.OpStepHook: task.StepHookPayload{},
		task.OpHookSkip:        task.HookSkipPayload{},
		knowledge.OpBacklogAdd: knowledge.BacklogAddPayload{}, config.OpSet: config.Payload{},
	} {
		eachString(reflect.TypeOf(payload), "", func(field string) {
			if screeningOf(kind, field) == asItIs && !slices.Contains(noTexts, field) {
				t.Errorf("%s: who looks at %q?", kind, field)
			}
		})
	}
}

// eachString calls fn for the JSON names of the fields of plain strings in a type.
func eachString(of reflect.Type, name string, fn func(name string)) {
	switch of.Kind() {
	case reflect.String:
		if of.Name() == "string" {
			fn(name)
		}
	case reflect.Slice, reflect.Pointer, reflect.Map:
		eachString(of.Elem(), name, fn)
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			as, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			eachString(f.Type, as, fn)
		}
	}
}

func TestScreen_payloads(t *testing.T) {
	secret := "TOKEN=abcd" + "1234"
	for name, c := range map[string]struct {
		kind    operation.Kind
		payload any
		want    string // "": refused
	}{
		"a reason": {
			task.OpPause,
			task.PausePayload{Cause: task.CauseWaiting, Reason: "see " + secret},
			`{"cause":"waiting","reason":"see TOKEN=[redacted]"}`,
		},
		"nothing in it": {
			task.OpPause,
			task.PausePayload{Cause: task.CauseWaiting, Reason: "see <b> & you"},
			`{"cause":"waiting","reason":"see \u003cb\u003e \u0026 you"}`,
		},
		"what reviewers said": {
			task.OpPhaseReview,
			task.PhaseReviewPayload{
				Phase: "p", Verdict: "approved",
				Deviations: []task.Deviation{{What: "a.go", Impact: "low", Reason: secret}},
			},
			`{"deviations":[{"impact":"low","reason":"TOKEN=[redacted]","what":"a.go"}],"phase":"p","verdict":"approved"}`,
		},
		"large numbers stay": {task.OpRemarkAdd, task.RemarkAddPayload{
			On: "plan", Severity: "minor", Text: secret,
			Line: 1 << 53,
		}, `{"line":9007199254740992,"on":"plan","severity":"minor","text":"TOKEN=[redacted]"}`},
		"a title": {task.OpEdit, task.EditPayload{Title: secret}, ""},
		"a criterion": {
			task.OpPhaseAdd,
			task.PhaseAddPayload{Title: "x", Kind: "execution", Acceptance: []string{"a", secret}},
			"",
		},
		"a command": {
			task.OpPhaseEdit,
			task.PhaseEditPayload{AddVerification: []string{secret + " make"}},
			"",
		},
		"a command that is dropped": {
			task.OpPhaseEdit,
			task.PhaseEditPayload{Phase: "p", DropVerification: []string{secret}},
			`{"phase":"p","drop_verification":["` + secret + `"]}`,
		},
		"what ran": {
			task.OpPhaseVerify,
			task.VerifyPayload{Commands: []task.CommandRun{{Text: secret}}},
			`{"phase":"","iteration":0,"commands":[{"command":"` + secret + `","exit":0,"timed_out":false,"ms":0}]}`,
		},
		"a setting": {config.OpSet, config.Payload{Key: "trigger", Values: []string{secret}}, ""},
	} {
		payload, err := json.Marshal(c.payload)
		if err != nil {
			t.Fatal(err)
		}
		s := Journal{Clone: &clone.Clone{}}
		got, err := s.Screen(c.kind, payload)
		if (err != nil) != (c.want == "") || err == nil && string(got) != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "abcd") {
			t.Errorf("%s: the refusal repeats it: %v", name, err)
		}
		if took := len(s.TookOut()) > 0; took != strings.Contains(c.want, "[redacted]") {
			t.Errorf("%s: it says %v", name, s.TookOut())
		}
	}
}

// A person may store what only looks like a secret; an agent can't.
func TestScreen_allowSecret(t *testing.T) {
	payload := json.RawMessage(`{"title":"TOKEN=abcd1234"}`)
	for session, ok := range map[string]bool{"": true, "s1": false} {
		s := Journal{Clone: &clone.Clone{Caller: clone.Caller{AllowSecret: true, Session: session}}}
		if got, err := s.Screen(task.OpEdit, payload); (err == nil) != ok || string(got) != string(payload) {
			t.Errorf("session %q: %s, %v", session, got, err)
		}
	}
}
