package hooks

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/prompt"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/task"
)

// approve records the user's word on the phase in review, where the prompt agrees to it
// as an order would be given, and tells the agent what became of it.
// A prompt may say which phase it means ("approved phase 2").
func (c *call) approve(phrases []prompt.Phrase) (string, error) {
	t := c.view.Task
	if t == nil || t.Status.Terminal() {
		return "", nil
	}
	phrase, ids, found := prompt.Approves(c.p.Prompt, phrases, prompt.Phrases(c.view.Settings.List(config.KeyTrigger)),
		func(word string) bool { return c.phaseOf(word) != nil })
	if !found {
		return "", nil
	}
	phrase = shown.Clean(phrase, 60)
	if !slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return p.Status == task.PhaseInReview }) {
		if len(ids) == 0 {
			return "", nil // it is about something else
		}
		return "git brew: no phase is in review, so nothing was approved; 'git brew next' says where the task stands.", nil
	}
	if len(ids) == 0 {
		return c.approved(phrase, t.ID, nil)
	}
	var told []string
	var errs []error
	for _, id := range ids {
		text, err := c.approved(phrase, t.ID, []task.UID{c.phaseOf(id).UID})
		told, errs = append(told, text), append(errs, err)
	}
	return strings.TrimSpace(strings.Join(told, "\n")), errors.Join(errs...)
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
		return words + " was not recorded as an approval: " + shown.Clean(why, 300) + ".", nil
	}
	c.reason = "phase " + phaseID(&approved) + " approved: " + phrase
	return words + " is recorded: they approved " + phaseTitle(&approved) + ", which is " + approved.Status.String() +
		" now; 'git brew next' says what comes next.", nil
}
