package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// What a payload may hold, whatever the task is like: its texts, names and object ids.
// The same is asked where an operation is made, where one is folded, and of the state
// that a fold made, where it is read.

// bounded is implemented by payloads that have bounds.
type bounded interface{ bounds() error }

func (p CreatePayload) bounds() error {
	_, err := ParseID(string(p.ID))
	if err != nil {
		err = Refuse(CodeInvalid, err.Error(), "")
	}
	return cmp.Or(err, known("stage", p.Stage, Stages), checkBase(p.Base, p.BaseCommit), checkTitle(p.Title), checkType(p.Type),
		checkBranch(p.Branch), checkServices(p.Services), checkIssues(p.Issues), checkPriority(p.Priority))
}

func (p EditPayload) bounds() error {
	if p.Empty() {
		return Refuse(CodeInvalid, "nothing to edit", "give --title, --branch or --type")
	}
	errs := []error{checkServices(p.AddServices), checkIssues(p.AddIssues)}
	if p.Title != "" {
		errs = append(errs, checkTitle(p.Title))
	}
	if p.Type != "" {
		errs = append(errs, checkType(p.Type))
	}
	if p.Branch != "" {
		errs = append(errs, checkBranch(p.Branch))
	}
	if p.Priority != PriorityNone {
		errs = append(errs, checkPriority(p.Priority))
	}
	return cmp.Or(errs...)
}

func (p StartPayload) bounds() error {
	if len(p.TookFrom) > MaxReason {
		return Refuse(CodeInvalid, "the holder's name is too long", "")
	}
	return nil
}

func (p PausePayload) bounds() error {
	if p.Cause == CauseWaiting && strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "a task that waits needs a reason", "say it with -m")
	}
	return cmp.Or(known("cause of a pause", p.Cause, pauses), checkReason(p.Reason))
}

func (p FinishPayload) bounds() error {
	causes := []Cause{CauseNone}
	if p.Status == Failed {
		causes = append(causes, CauseError)
	}
	return cmp.Or(known("end of a task", p.Status, []Status{Finished, Failed, Cancelled}),
		known("cause of an end as "+p.Status.String(), p.Cause, causes), checkReason(p.Reason))
}

func (p StagePayload) bounds() error { return known("stage", p.Stage, Stages) }

func (p SkipPayload) bounds() error {
	if strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "skipping a step needs a reason", "say why with -m")
	}
	return cmp.Or(checkTexts("the questions", p.Questions), checkReason(p.Reason))
}

func (p PhaseAddPayload) bounds() error {
	if len(p.DependsOn) > maxDepends {
		return Refuse(CodeInvalid, fmt.Sprintf("a phase depends on at most %d others", maxDepends), "put a phase in between")
	}
	errs := []error{
		known("kind of phase", cmp.Or(p.Kind, KindExecution), phaseKinds), known("tier", cmp.Or(p.Tier, TierAuto), tiers),
		checkTitle(p.Title), checkAgents(p.Agents), checkCriteria(p.Acceptance), checkCriteria(p.Verification),
	}
	if p.ShownID != "" {
		errs = append(errs, checkName("a phase's id", p.ShownID))
	}
	return cmp.Or(errs...)
}

func (p PhaseEditPayload) bounds() error {
	drops := max(len(p.DropAcceptance), len(p.DropVerification), len(p.DropAgents), len(p.DropDependsOn))
	switch {
	case p.Empty():
		return Refuse(CodeInvalid, "nothing to edit", "see 'git brew phase edit -h'")
	case drops > maxItems || len(p.AddDependsOn) > maxDepends:
		return Refuse(CodeInvalid, fmt.Sprintf("an edit has at most %d items", maxItems), "edit it again")
	}
	errs := []error{checkAgents(p.AddAgents), checkCriteria(p.AddAcceptance), checkCriteria(p.AddVerification)}
	if p.Title != "" {
		errs = append(errs, checkTitle(p.Title))
	}
	if p.Tier != "" {
		errs = append(errs, known("tier", p.Tier, tiers))
	}
	return cmp.Or(errs...)
}

func (p PhasePayload) bounds() error {
	return cmp.Or(CheckWorker(p.Worker), checkCommit(p.Commit), checkCommits(p.Services))
}

func (p PhaseReviewPayload) bounds() error {
	switch {
	case p.Verdict == ReviewChanges && strings.TrimSpace(p.Reason) == "":
		return Refuse(CodeInvalid, "a rejection needs a reason", "say with -m what has to change")
	case p.Heard != "" && !(p.User && safeSession(p.Heard)):
		return Refuse(CodeInvalid, "only the user's word is heard, in a session", "")
	}
	return cmp.Or(known("verdict", p.Verdict, []Review{ReviewApproved, ReviewChanges}), checkReason(p.Reason),
		checkDeviations(p.Deviations), checkCommit(p.Commit), checkCommits(p.Services))
}

func (p PhaseReasonPayload) bounds() error { return checkReason(p.Reason) }

func (p PhaseLaunchPayload) bounds() error { return checkAgents([]string{p.Agent}) }

func (p AgentErrorPayload) bounds() error {
	return cmp.Or(checkAgents([]string{p.Agent}), checkReason(p.Text))
}

func (p ClaimPayload) bounds() error { return CheckWorker(p.Worker) }

func (p DocSetPayload) bounds() error { return checkBlobs(p.OID, p.Base) }

func (p ReportPayload) bounds() error {
	if p.Iteration > maxReports {
		return Refuse(CodeTaskState, "too many reports", "")
	}
	return cmp.Or(checkAgents([]string{p.Agent}), checkBlobs(p.OID, p.Base))
}

func (p LockLostPayload) bounds() error {
	if p.Fence == 0 || p.Fence > operation.MaxClock || p.ToFence > operation.MaxClock ||
		!validOID(p.Claim) || !emptyOrOID(p.To) || len(p.Holder) > MaxReason {
		return Refuse(CodeInvalid, fmt.Sprintf("claim %q of fence %d can't be one that was lost", Clip(p.Claim, MaxName), p.Fence), "")
	}
	return nil
}

// known refuses a word that is none of a list.
func known[W ~string](what string, have W, all []W) error {
	if slices.Contains(all, have) {
		return nil
	}
	return unknownWord(what, string(have), all)
}

// checkTitle says why s can't be the title of a task or a phase.
func checkTitle(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return Refuse(CodeInvalid, "the title is empty", "say in a few words what is to be done")
	case len(s) > MaxTitle:
		return Refuse(CodeInvalid, fmt.Sprintf("the title has %d bytes, at most %d fit", len(s), MaxTitle), "shorten it; the rest belongs into the spec")
	case !oneLine(s, MaxTitle):
		return Refuse(CodeInvalid, fmt.Sprintf("the title %q has control characters or is not UTF-8", s), "write it in one plain line")
	}
	return nil
}

func checkType(s string) error {
	if validType(s) {
		return nil
	}
	return unknownWord("type", s, Types)
}

func checkPriority(p Priority) error {
	if p.valid() {
		return nil
	}
	return unknownWord("priority", string(p), append(slices.Clone(Priorities), PriorityNone))
}

func checkBranch(s string) error {
	if validBranch(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be a branch", Clip(s, MaxTitle)), "see 'git help check-ref-format'")
}

func checkBase(branch, commit string) error {
	if validBase(branch) && emptyOrOID(commit) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("a task can't start from %q", Clip(branch, MaxTitle)), "give a branch or a commit")
}

func checkReason(s string) error {
	if paragraph(s, MaxReason) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("the reason is no plain text of at most %d bytes", MaxReason), "shorten it")
}

// checkTexts wants at most maxItems plain texts.
func checkTexts(what string, list []string) error {
	if len(list) <= maxItems && !slices.ContainsFunc(list, func(s string) bool { return s == "" || !paragraph(s, maxItem) }) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%s are plain texts of 1 to %d bytes, at most %d of them", what, maxItem, maxItems), "shorten them")
}

func checkCriteria(list []string) error { return checkTexts("acceptance and verification", list) }

// checkName wants what can stand in a path.
func checkName(what, s string) error {
	if validName(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be %s", Clip(s, MaxName), what), "use letters, digits, '.', '_' and '-'")
}

func checkAgents(list []string) error {
	if len(list) > maxItems {
		return Refuse(CodeInvalid, fmt.Sprintf("a phase has at most %d agents", maxItems), "name fewer")
	}
	for _, agent := range list {
		if err := checkName("an agent's name", agent); err != nil {
			return err
		}
	}
	return nil
}

// CheckWorker says why a worker can't be called that; it may have no name.
func CheckWorker(name string) error {
	if name == "" {
		return nil
	}
	return checkName("a worker's name", name)
}

func checkCommit(s string) error {
	if emptyOrOID(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q is no commit", Clip(s, MaxName)), "")
}

func checkBlobs(oid, base string) error {
	if validOID(oid) && emptyOrOID(base) {
		return nil
	}
	return Refuse(CodeInvalid, "a text is named by its object id", "")
}
