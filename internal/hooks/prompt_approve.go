package hooks

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"

	"github.com/git-brew/git-brew/internal/task"
)

// approve records the user's word on the phase in review, where the prompt agrees to it
// as an order would be given, and tells the agent what became of it.
// A prompt may say which phase it means ("approved phase 2").
func (c *call) approve(phrases []phrase) (string, error) {
	t := c.view.Task
	if t == nil || t.Status.Terminal() {
		return "", nil
	}
	phrase, named, found := c.approves(phrases)
	if !found {
		return "", nil
	}
	phrase = clean(phrase, 60)
	if !slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return p.Status == task.PhaseInReview }) {
		if len(named) == 0 {
			return "", nil // it is about something else
		}
		return "git brew: no phase is in review, so nothing was approved; 'git brew next' says where the task stands.", nil
	}
	if len(named) == 0 {
		return c.approved(phrase, t.ID, nil)
	}
	var told []string
	var errs []error
	for _, p := range named {
		text, err := c.approved(phrase, t.ID, []task.UID{p.UID})
		told, errs = append(told, text), append(errs, err)
	}
	return strings.TrimSpace(strings.Join(told, "\n")), errors.Join(errs...)
}

// approves reads a prompt that approves and says nothing else: a phrase, the phases that
// are meant, polite words and what lets work begin. Whatever else somebody says may be
// what has to change first.
func (c *call) approves(phrases []phrase) (phrase string, named []*task.Phase, found bool) {
	said := hear(c.p.Prompt, phrases)
	if said.long || strings.HasPrefix(strings.TrimSpace(c.p.Prompt), "/") { // of a slash command it is the argument
		return "", nil, false
	}
	others := phrasesOf(c.view.Settings.List(config.KeyTrigger))
	for _, s := range said.sentences {
		for _, p := range phrases {
			if i := s.place(p); i >= 0 {
				phrase, found, s = p.text, true, slices.Concat(s[:i], s[i+len(p.words):])
			}
		}
		for _, p := range others {
			if i := s.place(p); i >= 0 {
				s = slices.Concat(s[:i], s[i+len(p.words):])
			}
		}
		listed := false
		for _, w := range s {
			switch p := c.phaseOf(w.folded); {
			case w.folded == "phase" || w.folded == "phases":
				listed = true
			case listed && p != nil:
				named = append(named, p)
			case w.fills(), w.folded == "is", w.folded == "are":
			default:
				return "", nil, false
			}
		}
	}
	return phrase, named, found
}

// phaseOf is the phase of that id; nil for none.
func (c *call) phaseOf(id string) *task.Phase {
	i := slices.IndexFunc(c.view.Task.Phases, func(p task.Phase) bool { return strings.EqualFold(id, p.ID) })
	if i < 0 {
		return nil
	}
	return &c.view.Task.Phases[i]
}

// approved records one approval, of one of the phases where some are named.
func (c *call) approved(phrase string, id task.ID, which []task.UID) (string, error) {
	approved, why, err := c.brew.ApproveByWord(c.ctx, c.at, id, which)
	words := "git brew: the user's " + strconv.Quote(phrase)
	switch {
	case err != nil:
		return "", err
	case approved.ID == "" && why == "":
		return "", nil // somebody was faster
	case approved.ID == "":
		return words + " was not recorded as an approval: " + clean(why, 300) + ".", nil
	}
	c.reason = "phase " + phaseID(&approved) + " approved: " + phrase
	return words + " is recorded: they approved " + phaseTitle(&approved) + ", which is " + approved.Status.String() + " now; 'git brew next' says what comes next.", nil
}
