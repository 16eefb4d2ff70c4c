package task

// What the tests beside the package ask of its inside.

// FireTask takes a task through an event.
func FireTask(t Task, event TaskEvent, at, reason string) (Task, bool) {
	e := editor{t: t}
	err := e.fireTask(event, moment{at: at, reason: reason})
	return e.t, err == nil
}

// FirePhase takes a phase through an event.
func FirePhase(t Task, uid UID, event PhaseEvent, at, reason, commit string, services Commits) (Task, bool) {
	e := editor{t: t}
	ok := e.firePhase(t.phaseIndex(uid), event, moment{at: at, reason: reason, commit: commit, services: services})
	return e.t, ok
}

// AwaitedByFinalReview tells what final reviews wait for.
func AwaitedByFinalReview(t Task) func(*Phase) bool { return familyOf(t.Phases).awaits }

func (r Rung) Limits(t Task, p Phase, agreed []string) error { return r.limits(t, p, agreed) }

func (t Task) MayWaitFor(p Phase, on ...UID) bool { return mayWaitFor(t, p, on...) }

func (p Passed) Valid(t Task) bool { return p.valid(t) }

func (t Task) BoardOn(on BoardName) (Board, bool) { return t.board(on) }

func (t Tally) Blocking() []TalliedRemark { return t.blocking() }

func (t Task) OpenFixes(uid UID) []Phase { return openFixes(t, uid) }

// What they look at.
const (
	ArtifactsDir    = artifactsDir
	ExecutiveTrials = executiveTrials
	MaxAlternatives = maxAlternatives
	MaxDecided      = maxDecided
	MaxDecisions    = maxDecisions
	MaxDeviations   = maxDeviations
	MaxEscalated    = maxEscalated
	MaxEscalations  = maxEscalations
	MaxHookRuns     = maxHookRuns
	MaxItem         = maxItem
	MaxItems        = maxItems
	MaxPhases       = maxPhases
	MaxRemarkText   = maxRemarkText
	MaxRemarks      = maxRemarks
	MaxReviewers    = maxReviewers
	MaxSaid         = maxSaid
	MaxStepHooks    = maxStepHooks
	MaxSubject      = maxSubject
	MaxWhy          = maxWhy
	SummaryName     = summaryName
)

var (
	CheckAllDone      = checkAllDone
	CheckDeviations   = checkDeviations
	Circle            = circle
	DecodeTask        = decodeTask
	DocOf             = docOf
	EncodeTask        = encodeTask
	EscalationActions = escalationActions
	FallsWith         = fallsWith
	HookOutcomes      = hookOutcomes
	LadderNames       = ladderNames
	LookUpTask        = lookUpTask
	PhaseKinds        = phaseKinds
	PhaseStatuses     = phaseStatuses
	PhaseTransitions  = phaseTransitions
	ReviewTransitions = reviewTransitions
	Reviews           = reviews
	TaskTransitions   = taskTransitions
	Tiers             = tiers
	ValidDeviations   = validDeviations
	ValidName         = validName
	Validate          = validate
)
