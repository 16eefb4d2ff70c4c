package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

func (p CreatePayload) Bounds() error {
	_, err := ParseID(string(p.ID))
	if err != nil {
		err = Refuse(CodeInvalid, err.Error(), "")
	}
	return cmp.Or(err, known("stage", p.Stage, Stages), checkBase(p.Base, p.BaseCommit), CheckTitle(p.Title),
		checkType(p.Type),
		checkBranch(p.Branch), checkServices(p.Services), checkIssues(p.Issues), checkPriority(p.Priority))
}

func (p EditPayload) Bounds() error {
	if p.Empty() {
		return Refuse(CodeInvalid, "nothing to edit", "give --title, --branch or --type")
	}
	errs := []error{checkServices(p.AddServices), checkIssues(p.AddIssues)}
	if p.Title != "" {
		errs = append(errs, CheckTitle(p.Title))
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

func (p StartPayload) Bounds() error {
	if len(p.TookFrom) > MaxReason {
		return Refuse(CodeInvalid, "the holder's name is too long", "")
	}
	return nil
}

func (p PausePayload) Bounds() error {
	if p.Cause == CauseWaiting && strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "a task that waits needs a reason", "say it with -m")
	}
	return cmp.Or(known("cause of a pause", p.Cause, pauses), CheckReason(p.Reason))
}

func (p FinishPayload) Bounds() error {
	causes := []Cause{CauseNone}
	if p.Status == Failed {
		causes = append(causes, CauseError)
	}
	return cmp.Or(known("end of a task", p.Status, []Status{Finished, Failed, Cancelled}),
		known("cause of an end as "+p.Status.String(), p.Cause, causes), CheckReason(p.Reason))
}

func (p StagePayload) Bounds() error { return known("stage", p.Stage, Stages) }

func (p SkipPayload) Bounds() error {
	if strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "skipping a step needs a reason", "say why with -m")
	}
	return cmp.Or(checkTexts("the questions", p.Questions), CheckReason(p.Reason))
}

func (p PhaseAddPayload) Bounds() error {
	if len(p.DependsOn) > MaxDepends {
		return Refuse(CodeInvalid, fmt.Sprintf("a phase depends on at most %d others", MaxDepends), "put a phase in between")
	}
	errs := []error{
		known("kind of phase", cmp.Or(p.Kind, KindExecution), PhaseKinds), known("tier", cmp.Or(p.Tier, TierAuto), Tiers),
		CheckTitle(p.Title), CheckAgents(p.Agents), checkCriteria(p.Acceptance), checkCriteria(p.Verification),
	}
	if p.ShownID != "" {
		errs = append(errs, checkName("a phase's id", p.ShownID))
	}
	return cmp.Or(errs...)
}

func (p PhaseEditPayload) Bounds() error {
	drops := max(len(p.DropAcceptance), len(p.DropVerification), len(p.DropAgents), len(p.DropDependsOn))
	switch {
	case p.Empty():
		return Refuse(CodeInvalid, "nothing to edit", "see 'git brew phase edit -h'")
	case drops > MaxItems || len(p.AddDependsOn) > MaxDepends:
		return Refuse(CodeInvalid, fmt.Sprintf("an edit has at most %d items", MaxItems), "edit it again")
	}
	errs := []error{CheckAgents(p.AddAgents), checkCriteria(p.AddAcceptance), checkCriteria(p.AddVerification)}
	if p.Title != "" {
		errs = append(errs, CheckTitle(p.Title))
	}
	if p.Tier != "" {
		errs = append(errs, known("tier", p.Tier, Tiers))
	}
	return cmp.Or(errs...)
}

func (p PhasePayload) Bounds() error {
	return cmp.Or(CheckWorker(p.Worker), CheckCommit(p.Commit), CheckCommits(p.Services))
}

func (p PhaseReviewPayload) Bounds() error {
	switch {
	case p.Verdict == ReviewChanges && strings.TrimSpace(p.Reason) == "":
		return Refuse(CodeInvalid, "a rejection needs a reason", "say with -m what has to change")
	case p.Heard != "" && !(p.User && safeSession(p.Heard)):
		return Refuse(CodeInvalid, "only the user's word is heard, in a session", "")
	}
	return cmp.Or(known("verdict", p.Verdict, []Review{ReviewApproved, ReviewChanges}), CheckReason(p.Reason),
		checkDeviations(p.Deviations), CheckCommit(p.Commit), CheckCommits(p.Services))
}

func (p PhaseReasonPayload) Bounds() error { return CheckReason(p.Reason) }

func (p PhaseLaunchPayload) Bounds() error { return CheckAgents([]string{p.Agent}) }

func (p AgentErrorPayload) Bounds() error {
	return cmp.Or(CheckAgents([]string{p.Agent}), CheckReason(p.Text))
}

func (p ClaimPayload) Bounds() error { return CheckWorker(p.Worker) }

func (p DocSetPayload) Bounds() error { return CheckBlobs(p.OID, p.Base) }

func (p ReportPayload) Bounds() error {
	if p.Iteration > MaxReports {
		return Refuse(CodeTaskState, "too many reports", "")
	}
	return cmp.Or(CheckAgents([]string{p.Agent}), CheckBlobs(p.OID, p.Base))
}

func (p LockLostPayload) Bounds() error {
	if p.Fence == 0 || p.Fence > operation.MaxClock || p.ToFence > operation.MaxClock ||
		!ValidOID(p.Claim) || !EmptyOrOID(p.To) || len(p.Holder) > MaxReason {
		return Refuse(CodeInvalid, fmt.Sprintf("claim %q of fence %d can't be one that was lost", Clip(p.Claim, MaxName),
			p.Fence), "")
	}
	return nil
}

// known refuses a word that is none of a list.
func known[W ~string](what string, have W, all []W) error {
	if slices.Contains(all, have) {
		return nil
	}
	return UnknownWord(what, string(have), all)
}

// CheckTitle says why s can't be the title of a task or a phase.
func CheckTitle(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return Refuse(CodeInvalid, "the title is empty", "say in a few words what is to be done")
	case len(s) > MaxTitle:
		return Refuse(CodeInvalid, fmt.Sprintf("the title has %d bytes, at most %d fit", len(s), MaxTitle),
			"shorten it; the rest belongs into the spec")
	case !OneLine(s, MaxTitle):
		return Refuse(CodeInvalid, fmt.Sprintf("the title %q has control characters or is not UTF-8", s),
			"write it in one plain line")
	}
	return nil
}

func checkType(s string) error {
	if validType(s) {
		return nil
	}
	return UnknownWord("type", s, Types)
}

func checkPriority(p Priority) error {
	if p.valid() {
		return nil
	}
	return UnknownWord("priority", string(p), append(slices.Clone(Priorities), PriorityNone))
}

func checkBranch(s string) error {
	if validBranch(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be a branch", Clip(s, MaxTitle)), "see 'git help check-ref-format'")
}

func checkBase(branch, commit string) error {
	if validBase(branch) && EmptyOrOID(commit) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("a task can't start from %q", Clip(branch, MaxTitle)),
		"give a branch or a commit")
}

func CheckReason(s string) error {
	if Paragraph(s, MaxReason) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("the reason is no plain text of at most %d bytes", MaxReason), "shorten it")
}

// checkTexts wants at most maxItems plain texts.
func checkTexts(what string, list []string) error {
	if len(list) <= MaxItems && !slices.ContainsFunc(list, func(s string) bool {
		return s == "" || !Paragraph(s, MaxItem)
	}) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%s are plain texts of 1 to %d bytes, at most %d of them", what, MaxItem,
		MaxItems), "shorten them")
}

func checkCriteria(list []string) error { return checkTexts("acceptance and verification", list) }

// checkName wants what can stand in a path.
func checkName(what, s string) error {
	if ValidName(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be %s", Clip(s, MaxName), what),
		"use letters, digits, '.', '_' and '-'")
}

func CheckAgents(list []string) error {
	if len(list) > MaxItems {
		return Refuse(CodeInvalid, fmt.Sprintf("a phase has at most %d agents", MaxItems), "name fewer")
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

func CheckCommit(s string) error {
	if EmptyOrOID(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q is no commit", Clip(s, MaxName)), "")
}

func CheckBlobs(oid, base string) error {
	if ValidOID(oid) && EmptyOrOID(base) {
		return nil
	}
	return Refuse(CodeInvalid, "a text is named by its object id", "")
}
