package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// PhaseEditPayload is what OpPhaseEdit carries; what is empty stays as it is.
// Items are added and taken out one by one, so that edits made apart both count.
type PhaseEditPayload struct {
	Phase UID    `json:"phase"`
	Title string `json:"title,omitempty"`
	Tier  Tier   `json:"tier,omitempty"`

	AddAcceptance    []string `json:"add_acceptance,omitempty"`
	DropAcceptance   []string `json:"drop_acceptance,omitempty"`
	AddVerification  []string `json:"add_verification,omitempty"`
	DropVerification []string `json:"drop_verification,omitempty"`
	AddAgents        []string `json:"add_agents,omitempty"`
	DropAgents       []string `json:"drop_agents,omitempty"`
	AddDependsOn     []UID    `json:"add_depends_on,omitempty"`
	DropDependsOn    []UID    `json:"drop_depends_on,omitempty"`
}

func (p PhaseEditPayload) phase() UID { return p.Phase }

// Empty: it would change nothing.
func (p PhaseEditPayload) Empty() bool {
	return p.Title == "" && p.Tier == "" && len(p.AddAcceptance)+len(p.DropAcceptance)+len(p.AddVerification)+len(p.DropVerification)+
		len(p.AddAgents)+len(p.DropAgents)+len(p.AddDependsOn)+len(p.DropDependsOn) == 0
}

func applyPhaseEdit(e *editor, _ operation.Operation, p PhaseEditPayload) bool {
	i := e.t.phaseIndex(p.Phase)
	if i < 0 || p.Empty() {
		return false
	}
	after, ok := edited(e.t, e.t.Phases[i], p)
	if !ok {
		return false
	}
	e.phases()[i] = after
	return true
}

// edited is a phase after an edit, if that makes sense.
func edited(t Task, phase Phase, p PhaseEditPayload) (Phase, bool) {
	if p.Title != "" && !oneLine(p.Title, MaxTitle) || p.Tier != "" && !slices.Contains(tiers, p.Tier) ||
		!paragraphs(p.AddAcceptance) || !paragraphs(p.AddVerification) || !names(p.AddAgents) || len(p.AddDependsOn) > maxDepends ||
		len(p.DropAcceptance) > maxItems || len(p.DropVerification) > maxItems || len(p.DropAgents) > maxItems || len(p.DropDependsOn) > maxItems {
		return phase, false
	}
	if p.Title != "" {
		phase.Title = p.Title
	}
	if p.Tier != "" {
		phase.Tier = p.Tier
	}
	phase.Acceptance = exchanged(phase.Acceptance, p.AddAcceptance, p.DropAcceptance)
	phase.Verification = exchanged(phase.Verification, p.AddVerification, p.DropVerification)
	phase.Agents = exchanged(phase.Agents, p.AddAgents, p.DropAgents)
	var add []UID
	for _, uid := range p.AddDependsOn {
		if _, known := t.Phase(uid); known {
			add = append(add, uid)
		}
	}
	if !t.mayWaitFor(phase, add...) {
		return phase, false
	}
	phase.DependsOn = exchanged(phase.DependsOn, add, p.DropDependsOn)
	fits := len(phase.Acceptance) <= maxItems && len(phase.Verification) <= maxItems && len(phase.Agents) <= maxItems && len(phase.DependsOn) <= maxDepends
	return phase, fits
}

// exchanged is a list without some items and with others, each once; nil for
// none.
func exchanged[T comparable](list, add, drop []T) []T {
	if len(add)+len(drop) == 0 {
		return list
	}
	dropped := make(map[T]bool, len(drop))
	for _, item := range drop {
		dropped[item] = true
	}
	var out []T
	have := map[T]bool{}
	for _, item := range list {
		if !dropped[item] {
			out, have[item] = append(out, item), true
		}
	}
	for _, item := range add {
		if !have[item] {
			out, have[item] = append(out, item), true
		}
	}
	return out
}

func checkPhaseEdit(t Task, p PhaseEditPayload) error {
	phase, err := t.find(p.Phase)
	switch {
	case err != nil:
		return err
	case p.Empty():
		return refuse(CodeInvalid, "nothing to edit", "see 'git brew phase edit -h'")
	case p.Tier != "" && !slices.Contains(tiers, p.Tier):
		return unknownWord("tier", string(p.Tier), tiers)
	case phase.Status.Over() && len(p.AddVerification)+len(p.AddAcceptance)+len(p.AddAgents)+len(p.AddDependsOn) > 0:
		return refuse(CodeTransition, fmt.Sprintf("phase %s is %s", phase.ID, phase.Status), t.resetOf(phase))
	case p.Title != "" && checkTitle(p.Title) != nil:
		return checkTitle(p.Title)
	}
	for _, uid := range p.AddDependsOn {
		dep, ok := t.Phase(uid)
		switch {
		case !ok:
			return refuse(CodeUnknownDep, fmt.Sprintf("there is no phase %q to depend on", clip(string(uid), maxName)), "see 'git brew phase list'")
		case !t.mayWaitFor(phase, uid):
			return refuse(CodeCycle, fmt.Sprintf("phase %s can't depend on %s, which waits for %s or belongs to it", phase.ID, dep.ID, phase.ID), "leave that dependency out")
		}
	}
	for _, agent := range p.AddAgents {
		if err := checkAgent(agent); err != nil {
			return err
		}
	}
	for _, lists := range []struct {
		what       string
		have, drop []string
	}{
		{"acceptance criterion", phase.Acceptance, p.DropAcceptance},
		{"verification command", phase.Verification, p.DropVerification},
		{"agent", phase.Agents, p.DropAgents},
	} {
		for _, item := range lists.drop {
			if !slices.Contains(lists.have, item) {
				return refuse(CodeInvalid, fmt.Sprintf("phase %s has no %s %q", phase.ID, lists.what, clip(item, maxName)), "see 'git brew phase list --json'")
			}
		}
	}
	if _, ok := edited(t, phase, p); !ok {
		return refuse(CodeInvalid, fmt.Sprintf("acceptance and verification are plain texts of 1 to %d bytes, at most %d of them", maxItem, maxItems), "shorten them")
	}
	return nil
}

func sayPhaseEdit(_ operation.Operation, p PhaseEditPayload, _, after Task) string {
	phase, _ := after.Phase(p.Phase)
	var parts []string
	if p.Title != "" {
		parts = append(parts, "title "+p.Title)
	}
	if p.Tier != "" {
		parts = append(parts, "tier "+string(p.Tier))
	}
	for _, list := range []struct {
		what      string
		add, drop []string
	}{
		{"verification", p.AddVerification, p.DropVerification},
		{"acceptance", p.AddAcceptance, p.DropAcceptance},
		{"agent", p.AddAgents, p.DropAgents},
		{"dependency on", shownOf(after, p.AddDependsOn), shownOf(after, p.DropDependsOn)},
	} {
		for _, item := range list.drop {
			parts = append(parts, "without "+list.what+" "+item)
		}
		for _, item := range list.add {
			parts = append(parts, list.what+" "+item)
		}
	}
	return fmt.Sprintf("phase %s: edited: %s", phase.ID, strings.Join(parts, ", "))
}

func shownOf(t Task, uids []UID) []string {
	var ids []string
	for _, uid := range uids {
		if p, ok := t.Phase(uid); ok {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
