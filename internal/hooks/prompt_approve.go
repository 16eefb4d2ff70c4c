package hooks

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// approve records the user's word on the phase in review, where the prompt agrees to it
// as an order would be given, and tells the agent what became of it.
// A prompt may say which phase it means ("approved phase 2").
func (c *call) approve(phrases []phrase) (string, error) {
	t := c.view.Task
	if t == nil || t.Status.Terminal() || !slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return p.Status == task.PhaseInReview }) {
		return "", nil
	}
	names := regexp.MustCompile(`(?i:\bphases?)((\s+|,\s*|\s+and\s+)#?([A-Za-z]*[0-9][0-9A-Za-z.]*|[A-Z]+\b))+`)
	phrase, found := hear(names.ReplaceAllString(c.p.Prompt, ""), phrases).order(phrases)
	if !found {
		return "", nil
	}
	phrase = clean(phrase, 60)
	named := c.phasesIn(c.p.Prompt)
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
