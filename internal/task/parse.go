package task

import (
	"fmt"
	"slices"
	"strings"
)

// words folds the spellings of a word into one: case, blanks, dashes.
func words(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '\t'
	}), "_")
}

// synonym is a word of another system.
type synonym[W any] struct {
	word string
	is   W
}

// parseWord finds s among our own words, then among the synonyms.
func parseWord[W ~string](what, s string, ours []W, synonyms []synonym[W]) (W, error) {
	w := words(s)
	if slices.Contains(ours, W(w)) {
		return W(w), nil
	}
	for _, other := range synonyms {
		if other.word == w {
			return other.is, nil
		}
	}
	return "", UnknownWord(what, s, ours)
}

var statuses = []Status{Pending, InProgress, Paused, Finished, Failed, Cancelled}

var statusWords = []synonym[Status]{
	{"todo", Pending},
	{"idea", Pending},
	{"ready", Pending},
	{"active", InProgress},
	{"doing", InProgress},
	{"started", InProgress},
	{"executing", InProgress},
	{"handoff", Paused},
	{"blocked", Paused},
	{"waiting", Paused},
	{"done", Finished},
	{"complete", Finished},
	{"completed", Finished},
	{"passed", Finished},
	{"canceled", Cancelled},
	{"aborted", Cancelled},
	{"error", Failed},
	{"errored", Failed},
}

// ParseStatus reads a task's status in the words of any of the four systems
// (features.md, collision 6).
func ParseStatus(s string) (Status, error) {
	return parseWord("task status", s, statuses, statusWords)
}

var phaseStatuses = []PhaseStatus{
	PhasePending, PhaseInProgress, PhaseInReview, PhaseCompleted, PhaseFailed,
	PhaseDropped,
}

var stageWords = []synonym[Stage]{
	{"discuss", StageClarify},
	{"discussion", StageClarify},
	{"planning", StagePlan},
	{"execution", StageExecute},
	{"executing", StageExecute},
	{"implementation", StageExecute},
	{"completed", StageComplete},
	{"done", StageComplete},
}

// ParseStage reads a stage.
func ParseStage(s string) (Stage, error) {
	return parseWord("stage", s, Stages, stageWords)
}

var reviews = []Review{ReviewNone, ReviewApproved, ReviewChanges}

var tierWords = []synonym[Tier]{
	{"", TierAuto},
	{"line", TierJunior},
	{"line_cook", TierJunior},
	{"sous", TierSenior},
	{"sous_chef", TierSenior},
	{"executive_chef", TierExecutive},
}

// ParseTier reads a tier; the kitchen's words are Brigade's.
func ParseTier(s string) (Tier, error) {
	return parseWord("tier", s, tiers, tierWords)
}

var phaseKindWords = []synonym[PhaseKind]{
	{"", KindExecution},
	{"exec", KindExecution},
	{"e", KindExecution},
	{"verify", KindVerification},
	{"v", KindVerification},
	{"f", KindFix},
	{"r", KindResearch},
	{"r&d", KindResearch},
	{"part", KindSplit},
	{"fr", KindFinalReview},
	{"review", KindFinalReview},
}

// ParsePhaseKind reads the kind of a phase.
func ParsePhaseKind(s string) (PhaseKind, error) {
	return parseWord("kind of phase", s, phaseKinds, phaseKindWords)
}

// AgentName is the name that an agent's reports are filed under, from the one
// that a client gives it: without its plugin's ("team:Developer" is
// "Developer"), and what can't stand in a path is a dash. Empty where nothing is
// left.
func AgentName(s string) string {
	s = strings.TrimSpace(s[strings.LastIndexByte(s, ':')+1:])
	var b strings.Builder
	for _, r := range s {
		if b.Len() >= MaxName {
			break
		}
		if r < 0x80 && (ValidName(string(r)) || r == '.' || r == '_') {
			b.WriteRune(r)
		} else {
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-._")
}

func UnknownWord[W ~string](what, have string, want []W) error {
	all := make([]string, len(want))
	for i, w := range want {
		all[i] = string(w)
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q is no %s", Clip(have, MaxName), what), "use "+strings.Join(all, ", "))
}

var (
	phaseKinds = []PhaseKind{KindExecution, KindVerification, KindFix, KindResearch, KindSplit, KindFinalReview}
	tiers      = []Tier{TierAuto, TierJunior, TierSenior, TierExecutive}
)

var (
	Stages = []Stage{StageClarify, StageResearch, StagePlan, StageExecute, StageComplete}
	pauses = []Cause{CauseWaiting, CauseHandoff, CauseCompaction}
	causes = []Cause{CauseNone, CauseWaiting, CauseHandoff, CauseCompaction, CauseError}
)

// WorkKinds are the kinds of phases in which somebody works on code.
var WorkKinds = []PhaseKind{KindExecution, KindFix, KindSplit}
