package task

import (
	"fmt"
	"slices"
	"strings"
)

// find returns the phase or an error that wraps ErrNoPhase.
func (t Task) find(uid UID) (Phase, error) {
	if p, ok := t.Phase(uid); ok {
		return p, nil
	}
	return Phase{}, fmt.Errorf("%w: %q; see 'git brew phase list'", ErrNoPhase, clip(string(uid), maxName))
}

// findFor is find for what an agent did on the phase, who has a sound name.
func (t Task) findFor(uid UID, agent string) (Phase, error) {
	phase, err := t.find(uid)
	return phase, firstError(err, checkAgent(agent))
}

func checkAgent(name string) error {
	if validName(name) {
		return nil
	}
	return refuse(CodeInvalid, fmt.Sprintf("%q can't be an agent's name", clip(name, maxName)), "use letters, digits, '.', '_' and '-'")
}

func checkPhaseAdd(t Task, p PhaseAddPayload) error {
	if t.Status.Terminal() {
		return ended(t)
	}
	if p.Kind == "" {
		p.Kind = KindExecution
	}
	var parent Phase
	if p.Parent != "" {
		var err error
		if parent, err = t.find(p.Parent); err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(phaseKinds, p.Kind):
		return unknownWord("kind of phase", string(p.Kind), phaseKinds)
	case p.Tier != "" && !slices.Contains(tiers, p.Tier):
		return unknownWord("tier", string(p.Tier), tiers)
	case p.Kind.needsParent() && p.Parent == "":
		return refuse(CodeInvalid, fmt.Sprintf("a %s phase belongs to another phase", p.Kind), "name that with --of")
	case p.ShownID != "" && !validName(p.ShownID):
		return refuse(CodeInvalid, fmt.Sprintf("%q can't be a phase's id", clip(p.ShownID, maxName)), "use letters, digits, '.', '_' and '-'")
	case p.ShownID != "" && t.idTaken(p.ShownID):
		return refuse(CodeTaken, fmt.Sprintf("there is a phase %s already", p.ShownID), "choose another id")
	case len(t.Phases) >= maxPhases:
		return refuse(CodeTaskState, fmt.Sprintf("the task has %d phases, no more fit", len(t.Phases)), "begin another task")
	}
	if p.After != "" {
		if _, err := t.find(p.After); err != nil {
			return err
		}
	}
	if err := firstError(checkTitle(p.Title), checkParent(t, p.Kind, parent), checkDependencies(t, p, parent)); err != nil {
		return err
	}
	for _, agent := range p.Agents {
		if err := checkAgent(agent); err != nil {
			return err
		}
	}
	if !paragraphs(p.Acceptance) || !paragraphs(p.Verification) || len(p.Agents) > maxItems {
		return refuse(CodeInvalid, fmt.Sprintf("acceptance and verification are plain texts of 1 to %d bytes", maxItem), "shorten them")
	}
	return nil
}

// checkParent says why no phase of that kind can be added to parent now.
func checkParent(t Task, k PhaseKind, parent Phase) error {
	if parent.UID == "" {
		return nil
	}
	if k == KindFix {
		root := t.rootOfFix(parent)
		if parent.Status != PhaseInReview && (root.Status != PhaseInReview || parent.Kind == KindFix && parent.Status == PhaseDropped) {
			return refuse(CodeTransition, fmt.Sprintf("phase %s is %s: only a phase in review is revised", parent.ID, parent.Status), t.wayOn(parent))
		}
		if ResearchFirst(t, root) {
			return refuse(CodeDependencies, fmt.Sprintf("phase %s waits for its research: %s", root.ID, shownIDs(t.children(root.UID, KindResearch))), "see 'git brew next'")
		}
		return checkSpent(t, root)
	}
	if !k.needsParent() && k != KindResearch {
		return nil
	}
	if parent.Kind == KindVerification {
		return refuse(CodeInvalid, fmt.Sprintf("%s is a verification itself", parent.ID), "name the phase it verifies")
	}
	if t.depth(parent) >= maxDepth {
		return refuse(CodeInvalid, fmt.Sprintf("phase %s hangs below %d others, no more fit", parent.ID, maxDepth), "add it higher up")
	}
	if parent.Status.Over() {
		return refuse(CodeTransition, fmt.Sprintf("phase %s is %s", parent.ID, parent.Status), t.resetOf(parent))
	}
	if k == KindSplit {
		return firstError(checkSpent(t, parent), checkGivenUp(t, parent)) // to split a spent one is a rung of the ladder
	}
	return nil
}

// checkDependencies wants phases that exist and do not wait for the new one.
func checkDependencies(t Task, p PhaseAddPayload, parent Phase) error {
	if len(p.DependsOn) > maxDepends {
		return refuse(CodeInvalid, fmt.Sprintf("a phase depends on at most %d others", maxDepends), "put a phase in between")
	}
	draft := Phase{Kind: p.Kind, Parent: parent.UID}
	if p.Kind == KindFix {
		var root Phase
		root, draft.Fixes = t.repairs(parent)
		draft.Parent = root.UID
	}
	wait := t.waiters(draft)
	for _, uid := range p.DependsOn {
		dep, ok := t.Phase(uid)
		switch {
		case !ok:
			return refuse(CodeUnknownDep, fmt.Sprintf("there is no phase %q to depend on", clip(string(uid), maxName)), "see 'git brew phase list'")
		case !wait[uid] || t.belongs(parent, uid): // what it belongs to is left out
		case parent.UID == "":
			return refuse(CodeCycle, fmt.Sprintf("no phase can depend on %s, which waits for all of them", dep.ID), "leave that dependency out")
		default:
			return refuse(CodeCycle, fmt.Sprintf("a phase of %s can't depend on %s, which waits for %s", parent.ID, dep.ID, parent.ID), "leave that dependency out")
		}
	}
	return nil
}

// checkPhaseEvent refuses what the tables do not have.
func checkPhaseEvent(t Task, p Phase, event PhaseEvent) error {
	if _, _, ok := phaseTransition(p, event); ok {
		return nil
	}
	state := p.Status.String()
	switch parts := t.openParts(p.UID); {
	case p.Status == PhaseInReview && p.Review == ReviewNone:
		state = "in review"
	case p.Status == PhasePending && len(parts) > 0:
		state = "pending, and done by its parts: " + shownIDs(parts)
	}
	only := map[PhaseEvent]string{
		EventStart: "a pending or failed phase can be started", EventRework: "a phase in review can be started again", EventDone: "a phase in progress can be done",
		EventApprove: "a phase in review can be approved", EventReject: "a phase in review can be rejected", EventRefute: "a phase in review can be rejected",
		EventFail: "an open phase can fail", EventDrop: "an open phase can be dropped", EventReset: "a phase that was begun can be reset",
	}[event]
	return refuse(CodeTransition, fmt.Sprintf("phase %s is %s; only %s", p.ID, state, only), t.wayOn(p))
}

func checkCommit(s string) error {
	if emptyOrOID(s) {
		return nil
	}
	return refuse(CodeInvalid, fmt.Sprintf("%q is no commit", clip(s, maxName)), "")
}

func checkPhaseStart(t Task, p PhasePayload) error {
	phase, err := t.find(p.Phase)
	if err != nil {
		return err
	}
	if t.Status != InProgress && !t.Status.Terminal() {
		return refuse(CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	if err := firstError(CheckWorker(p.Worker), checkCommit(p.Commit), checkCommits(p.Services), checkPhaseEvent(t, phase, startEvent(phase))); err != nil {
		return err
	}
	return checkBegin(t, phase)
}

// checkBegin says why work on a phase can't begin, whose status allows it.
func checkBegin(t Task, phase Phase) error {
	if err := checkSpent(t, phase); err != nil {
		return err
	}
	if err := checkGivenUp(t, phase); err != nil {
		return err
	}
	if waits := t.blockers(phase); len(waits) > 0 {
		return &RefusedError{
			Code: CodeDependencies, Msg: fmt.Sprintf("phase %s has to wait: %s", phase.ID, strings.Join(waits, ", ")),
			Hint: "see 'git brew next'", Findings: waits,
		}
	}
	if phase.Kind != KindResearch {
		if err := checkPlan(t); err != nil {
			return err
		}
	}
	return checkFirstStart(t, phase)
}

// maxBlockers is how many of them are named.
const maxBlockers = 20

// blockers says, one by one, what has to happen before work on p can begin; the
// first of them, where they are many.
func (t Task) blockers(p Phase) []string {
	var waits []string
	if p.MustEscalate {
		waits = append(waits, "it has to be escalated")
	}
	for _, uid := range t.DependenciesOf(p) {
		if dep, ok := t.Phase(uid); ok && t.unfinished(dep) {
			waits = append(waits, fmt.Sprintf("%s is %s", dep.ID, dep.Status))
		}
	}
	f := t.reviewedBy(&p)
	for i, q := range t.Phases {
		if len(waits) >= maxBlockers {
			break
		}
		child := q.Parent == p.UID && !q.Status.Over()
		switch {
		case child && q.Kind == KindSplit, child && q.Kind == KindResearch && q.open():
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		case p.Status == PhaseInReview && q.fixOf(p.UID) && q.open():
			// Where p begins anew, its fixes wait for that.
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		case f.awaits(&t.Phases[i]):
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		}
	}
	if p.Kind == KindSplit || p.Parent == "" {
		return waits
	}
	parent, ok := t.Phase(p.Parent)
	switch {
	case !ok:
	case p.Kind == KindVerification && (parent.Status != PhaseInReview || parent.Review == ReviewChanges):
		waits = append(waits, fmt.Sprintf("%s is %s", parent.ID, standing(parent)))
	case p.Kind == KindVerification:
		for _, fix := range t.openFixes(parent.UID) {
			waits = append(waits, fmt.Sprintf("%s is %s", fix.ID, fix.Status))
		}
	case p.Kind == KindFix && parent.Status != PhaseInReview:
		waits = append(waits, fmt.Sprintf("%s is %s", parent.ID, parent.Status))
	case p.Kind == KindFix && p.Fixes != p.Parent:
		if fixed, ok := t.Phase(p.Fixes); ok && fixed.open() && fixed.Status != PhaseInReview {
			waits = append(waits, fmt.Sprintf("%s is %s", fixed.ID, fixed.Status))
		}
	}
	return waits
}

// standing is a phase's status with its verdict, for people.
func standing(p Phase) string {
	if p.Review == ReviewChanges {
		return p.Status.String() + ", changes wanted"
	}
	return p.Status.String()
}

// isPaused reports whether p is in progress in a task that is not: nobody's time runs.
func isPaused(p Phase) bool { return p.Status == PhaseInProgress && p.WorkSince == "" }

func checkPaused(t Task, p Phase) error {
	if !isPaused(p) {
		return nil
	}
	return refuse(CodeTransition, "the task is "+t.Status.String()+"; phase "+p.ID+" can be done once it is in progress", t.wayOn(p))
}

func checkPhaseDone(t Task, p PhasePayload) error {
	phase, err := t.find(p.Phase)
	if err != nil {
		return err
	}
	return firstError(checkCommit(p.Commit), checkCommits(p.Services), checkPhaseEvent(t, phase, EventDone), checkPaused(t, phase), t.doneBlocked(phase))
}

// doneBlocked says why the work on p is not done, whatever its worker says: the fold
// would take that back at once. It has parts, or is a final review (BC-53), and
// something else is open.
func (t Task) doneBlocked(p Phase) error {
	var waits []string
	f := t.reviewedBy(&p)
	for i := range t.Phases {
		q := &t.Phases[i]
		if len(waits) < maxBlockers && (q.openPartOf(p.UID) || f.awaits(q)) {
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		}
	}
	if len(waits) == 0 {
		return nil
	}
	return &RefusedError{
		Code: CodeDependencies, Msg: fmt.Sprintf("phase %s can't be done yet: %s", p.ID, strings.Join(waits, ", ")),
		Hint: "see 'git brew next'", Findings: waits,
	}
}

func checkPhaseReview(t Task, p PhaseReviewPayload) error {
	phase, err := t.find(p.Phase)
	if err != nil {
		return err
	}
	if p.Verdict != ReviewApproved && p.Verdict != ReviewChanges {
		return unknownWord("verdict", string(p.Verdict), []Review{ReviewApproved, ReviewChanges})
	}
	if p.Verdict == ReviewChanges && strings.TrimSpace(p.Reason) == "" {
		return refuse(CodeInvalid, "a rejection needs a reason", "say with -m what has to change")
	}
	if p.Heard != "" && !(p.User && safeSession(p.Heard)) {
		return refuse(CodeInvalid, "only the user's word is heard, in a session", "")
	}
	if p.ofAnother(phase) {
		return refuse(CodeTransition, fmt.Sprintf("phase %s was started again since: the verdict is on iteration %d", phase.ID, p.Iteration), "git brew phase review "+phase.ID)
	}
	err = firstError(checkReason(p.Reason), checkDeviations(p.Deviations), checkCommit(p.Commit), checkCommits(p.Services), checkPhaseEvent(t, phase, reviewEvent(t, phase, p.Verdict, p.User)))
	if err != nil || p.Verdict == ReviewChanges {
		return err
	}
	if err := approvalBlocked(t, phase, p.User); err != nil || retracts(t, phase, p.User) {
		return err
	}
	return checkCompletion(t, phase, p.Verified)
}

// CheckReports names every report that is owed before p is completed, and what it
// completes: each on its current iteration (BC-29, BC-42).
func CheckReports(t Task, p Phase) error {
	var missing []string
	first := p
	for _, q := range t.completes(p) {
		owed := MissingReports(t, q)
		if len(missing) == 0 && len(owed) > 0 {
			first = q
		}
		missing = append(missing, owed...)
	}
	if len(missing) == 0 {
		return nil
	}
	noun := "report is"
	if len(missing) > 1 {
		noun = "reports are"
	}
	return &RefusedError{
		Code: CodeReports, Msg: fmt.Sprintf("phase %s: %d %s MISSING: %s", p.ID, len(missing), noun, strings.Join(missing, ", ")),
		Hint: "git brew report " + first.ID + " --agent " + MissingAgents(t, first)[0] + " - first", Findings: missing,
	}
}

func checkPhaseFail(t Task, p PhaseReasonPayload) error {
	phase, err := t.find(p.Phase)
	if err != nil {
		return err
	}
	if strings.TrimSpace(p.Reason) == "" {
		return refuse(CodeInvalid, "a failure needs a reason", "say why, with -m")
	}
	return firstError(checkReason(p.Reason), checkPhaseEvent(t, phase, EventFail))
}

func checkPhaseDrop(t Task, p PhaseReasonPayload) error {
	phase, err := t.find(p.Phase)
	switch {
	case err != nil:
		return err
	case t.Status.Terminal():
		return ended(t)
	case strings.TrimSpace(p.Reason) == "":
		return refuse(CodeInvalid, "a phase is dropped for a reason", "say why, with -m")
	case phase.Kind == KindFinalReview:
		return refuse(CodeTransition, "phase "+phase.ID+" is the final review: it is of all that is done, and not dropped", t.wayOn(phase))
	}
	return firstError(checkReason(p.Reason), checkPhaseEvent(t, phase, EventDrop))
}

func checkPhaseReset(t Task, p PhaseReasonPayload) error {
	phase, err := t.find(p.Phase)
	if err != nil {
		return err
	}
	return firstError(checkReason(p.Reason), checkPhaseEvent(t, phase, EventReset), checkGivenUp(t, phase), checkAbove(t, phase))
}

func checkPhaseLaunch(t Task, p PhaseLaunchPayload) error {
	phase, err := t.findFor(p.Phase, p.Agent)
	switch {
	case err != nil:
		return err
	case !phase.open() || phase.Status == PhasePending:
		return refuse(CodeTransition, fmt.Sprintf("phase %s is %s: nobody works on it", phase.ID, phase.Status), t.wayOn(phase))
	}
	return nil
}
