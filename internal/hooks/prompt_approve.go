package hooks

import (
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/task"
)

// approve records the user's word on the phase in review, where the prompt agrees to it
// as an order would be given, and tells the agent what became of it.
func (c *call) approve(said heard, phrases []phrase) (string, error) {
	t := c.view.Task
	if t == nil || t.Status.Terminal() || !slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return p.Status == task.PhaseInReview }) {
		return "", nil
	}
	phrase, found := said.order(phrases)
	if !found {
		return "", nil
	}
	phrase = clean(phrase, 60)
	approved, why, err := c.brew.ApproveByWord(c.ctx, c.at, t.ID)
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
	return words + " is recorded: they approved " + phaseTitle(&approved) + ", which is " + approved.Status.String() + " now.", nil
}
