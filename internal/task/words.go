package task

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// wordsOf are the words that a field of a kind may hold (the tag `is` names it), and
// those of other systems that people may say for one (features.md, collision 6).
type wordsOf struct {
	kind    string
	words   []string
	instead []instead
}

// instead says which words, parted by blanks, mean one of ours.
type instead struct{ of, said string }

var vocabulary = []wordsOf{
	{"task status", []string{"pending", "in_progress", "paused", "finished", "failed", "cancelled"}, []instead{
		{"pending", "todo idea ready"},
		{"in_progress", "active doing started executing"},
		{"paused", "handoff blocked waiting"},
		{"finished", "done complete completed passed"},
		{"cancelled", "canceled aborted"},
		{"failed", "error errored"},
	}},
	{"end of a task", []string{"finished", "failed", "cancelled"}, nil},
	{"cause", []string{"", "waiting", "handoff", "compaction", "error"}, nil},
	{"cause of a pause", []string{"waiting", "handoff", "compaction"}, nil},
	{"stage", []string{"clarify", "research", "plan", "execute", "complete"}, []instead{
		{"clarify", "discuss discussion"},
		{"plan", "planning"},
		{"execute", "execution executing implementation"},
		{"complete", "completed done"},
	}},
	{"priority", []string{"high", "medium", "low", "none"}, nil},
	{"kind of phase", []string{"execution", "verification", "fix", "research", "split", "final_review"}, []instead{
		{"execution", "exec e"},
		{"verification", "verify v"},
		{"fix", "f"},
		{"research", "r r&d"},
		{"split", "part"},
		{"final_review", "fr review"},
	}},
	{"phase status", []string{"pending", "in_progress", "in_review", "completed", "failed", "dropped"}, nil},
	{"review", []string{"none", "approved", "changes"}, nil},
	{"verdict", []string{"approved", "changes"}, nil},
	{"tier", []string{"auto", "junior", "senior", "executive"}, []instead{ // the kitchen's are Brigade's
		{"junior", "line line_cook"},
		{"senior", "sous sous_chef"},
		{"executive", "executive_chef"},
	}},
	{"impact", []string{"low", "medium", "high"}, nil},
	{"severity", []string{"critical", "major", "minor", "info"}, []instead{
		{"critical", "blocker"},
		{"major", "high"},
		{"minor", "medium"},
		{"info", "low nit"},
	}},
	{"ruling", []string{"", "accepted", "rejected"}, nil},
	{"status of a decision", []string{"active", "superseded", "revoked"}, nil},
	{"action", []string{"research", "split", "upgrade", "reassign", "ask"}, nil},
	{"turn by", []string{
		"junior", "senior", "executive", "checks", "review", "decision", "look", "supervisor", "person",
	}, nil},
	{"outcome of a turn", []string{
		"complete", "already_done", "absorbed", "blocked", "silent", "failed", "limited", "stopped", "rejected", "conflict",
		"passed", "retried", "paused", "skipped", "on_track", "concerns", "remediated",
	}, nil},
	{"ladder", []string{"brew", "kitchen"}, nil},
	{"side of a step", []string{HookPre, HookPost}, nil},
	{"outcome of a hook", []string{"due", "passed", "failed", "untrusted", "missing", "told"}, nil},
}

func wordsOfKind(kind string) wordsOf {
	i := slices.IndexFunc(vocabulary, func(v wordsOf) bool { return v.kind == kind })
	if i < 0 {
		return wordsOf{}
	}
	return vocabulary[i]
}

// CheckWord refuses what is none of the words of its kind; of a kind that has none,
// everything fits.
func CheckWord(kind, s string) error {
	all := wordsOfKind(kind).words
	if len(all) == 0 || slices.Contains(all, s) {
		return nil
	}
	return unknownWord(kind, s, all)
}

func unknownWord(kind, have string, want []string) error {
	return Refuse(CodeInvalid, fmt.Sprintf("%q is no %s", Clip(have, MaxName), kind), "use "+strings.Join(want, ", "))
}

// parseWord finds s among our own words, then among those of other systems. Case, blanks
// and dashes make no difference.
func parseWord[W ~string](kind, s string) (W, error) {
	w := strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '\t'
	}), "_")
	v := wordsOfKind(kind)
	for _, other := range v.instead {
		if slices.Contains(strings.Fields(other.said), w) {
			w = other.of
		}
	}
	if slices.Contains(v.words, w) {
		return W(w), nil
	}
	return "", unknownWord(kind, s, v.words)
}

// ParseStatus reads a task's status.
func ParseStatus(s string) (Status, error) { return parseWord[Status]("task status", s) }

// ParseStage reads a stage.
func ParseStage(s string) (Stage, error) { return parseWord[Stage]("stage", s) }

// ParseTier reads a tier; none is TierAuto.
func ParseTier(s string) (Tier, error) { return parseWord[Tier]("tier", cmp.Or(s, string(TierAuto))) }

// ParsePhaseKind reads the kind of a phase; none is KindExecution.
func ParsePhaseKind(s string) (PhaseKind, error) {
	return parseWord[PhaseKind]("kind of phase", cmp.Or(s, string(KindExecution)))
}

// ParseSeverity reads a severity.
func ParseSeverity(s string) (Severity, error) { return parseWord[Severity]("severity", s) }

// Stages are the stages in their usual order.
var Stages = []Stage{StageClarify, StageResearch, StagePlan, StageExecute, StageComplete}

// WorkKinds are the kinds of phases in which somebody works on code.
var WorkKinds = []PhaseKind{KindExecution, KindFix, KindSplit}

// Types are the types of tasks that people choose from; the first is the
// default.
var Types = []string{"feature", "fix", "refactor", "docs", "test", "chore", "perf", "experiment", "migrate"}

// typesByWord say which type a title's first word gives a task (BW-19, BW-51), beside the
// types themselves.
var typesByWord = []instead{
	{"feature", "feat implement"},
	{"fix", "bugfix hotfix bug"},
	{"docs", "doc"},
	{"test", "tests"},
	{"chore", "build ci"},
	{"experiment", "research"},
}

// Priority is how soon a task is wanted; empty where nobody said.
type Priority string

// The priorities, the most urgent first. PriorityNone takes one away, in an edit.
const (
	PriorityHigh   Priority = "high"
	PriorityMedium Priority = "medium"
	PriorityLow    Priority = "low"
	PriorityNone   Priority = "none"
)

// The forms of a title that tell a type (BW-19, BW-51): before a colon ("fix: …",
// "feat(api)!: …"), and in a name without blanks before a dash or a slash (fix-login,
// docs/readme), with a letter for the priority in front of it (h-fix-login; ? says that
// nobody has decided yet). "Test-driven design" is none, for it is a sentence.
const (
	titleWithType = `^([A-Za-z]+)(\([^)]*\))?(!?):(\s*)(.*)$`
	nameWithType  = `^(?:([hml?])-)?([a-z]+)[-/]\S+$`
)

// KindOfTitle is what the beginning of a title says about the task, both empty where
// it says nothing, and the title that is left: without a type in front of a colon. What
// says more (feat!: …), or is a name, stays as it is.
func KindOfTitle(title string) (typ string, priority Priority, left string) {
	text := strings.TrimSpace(title)
	if m := regexp.MustCompile(nameWithType).FindStringSubmatch(strings.ToLower(text)); m != nil {
		if typ = typeOf(m[2]); typ != "" {
			priority = map[string]Priority{"h": PriorityHigh, "m": PriorityMedium, "l": PriorityLow}[m[1]]
		}
		return typ, priority, title
	}
	m := regexp.MustCompile(titleWithType).FindStringSubmatch(text)
	if m == nil {
		return "", "", title
	}
	typ = typeOf(strings.ToLower(m[1]))
	scope := strings.TrimSpace(strings.Trim(m[2], "()"))
	switch says, rest := m[3], m[5]; {
	case typ == "", says != "", m[4] == "", rest == "", m[2] != "" && scope == "", strings.Contains(scope, ":"):
		return typ, "", title
	case scope != "":
		return typ, "", scope + ": " + rest
	default:
		return typ, "", rest
	}
}

// typeOf is the type that a word in lower case tells, "" for none.
func typeOf(word string) string {
	if slices.Contains(Types, word) {
		return word
	}
	for _, t := range typesByWord {
		if slices.Contains(strings.Fields(t.said), word) {
			return t.of
		}
	}
	return ""
}
