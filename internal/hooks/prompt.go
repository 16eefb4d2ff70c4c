package hooks

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/hooks/prompt"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task"
)

// userPrompt reads what a person typed: a trigger or a stop word switches the
// mode (BW-12, BW-14), a phrase of a protocol brings a pointer (BW-18). Beside
// that the model is asked to think (BW-16), and told when its context fills up
// (BW-17); prompts that ask for something get the project's reminder (BC-71).
func userPrompt(c *call) (Reply, error) {
	switch c.Payload.Source {
	case "", "user", "sdk":
	default:
		return Reply{}, nil // a wake-up, a poll: nobody typed it
	}
	if c.Payload.AgentID != "" {
		return Reply{}, nil
	}
	set := c.View.Settings
	triggers, stops := prompt.Phrases(set.List(config.KeyTrigger)), prompt.Phrases(set.List(config.KeyStopWord))
	said := prompt.Hear(c.Payload.Prompt, triggers, stops)
	var parts []string
	var errs []error
	add := func(text string, err error) bool {
		if text != "" {
			parts = append(parts, text)
		}
		if err != nil {
			errs = append(errs, err)
		}
		return text != ""
	}
	asks := prompt.Asks(c.Payload.Prompt)
	if t := c.View.Task; asks && t != nil && !t.Status.Terminal() && set.Bool(config.KeyUltrathink) {
		add(thinkLonger, nil)
	}
	switched := add(c.switchMode(said, triggers, stops))
	add(c.approve(prompt.Phrases(set.List(config.KeyTriggerApprove))))
	add(c.contextFills())
	add(c.protocols(said))
	if asks && !switched {
		add(protocol.Clean(set.Text(config.KeyPromptReminder), 300), nil)
	}
	return protocol.Context(strings.Join(parts, "\n\n")), errors.Join(errs...)
}

// thinkLonger is the word at which the client lets the model think longest.
const thinkLonger = "[[ ultrathink ]]"

// switchMode does what the user wishes: a stop wins over a trigger.
func (c *call) switchMode(said prompt.Heard, triggers, stops []prompt.Phrase) (string, error) {
	if !c.View.Gated {
		return "", nil
	}
	to := ModeDiscussion
	phrase, found := said.Stop(stops)
	if !found {
		to = ModeImplementation
		phrase, found = said.Order(triggers)
	}
	if !found || to == c.View.Mode {
		return "", nil
	}
	phrase = protocol.Clean(phrase, 60)
	if err := c.setMode(to, phrase); err != nil {
		return "", err
	}
	if to == ModeImplementation {
		return "git brew: the user's " + strconv.Quote(phrase) + " switched to implementation mode. " +
			"What was agreed on may be changed now; 'git brew next' says what comes next, and 'git brew mode discussion' " +
			"goes back.", nil
	}
	return "git brew: the user's " + strconv.Quote(phrase) + " switched to discussion mode. " +
		"Files stay as they are until the user switches again, with " + c.View.WayOut() + "; reading goes on working.", nil
}

func (c *call) setMode(to Mode, by string) error {
	if _, err := c.here().UserMode(c.Ctx, to, by); err != nil {
		return err
	}
	c.Reason = "mode " + string(c.View.Mode) + " -> " + string(to) + ": " + by
	c.View.Mode = to
	return nil
}

// protocols points to what git brew has for what the user is about to do, once a
// session for each kind.
func (c *call) protocols(said prompt.Heard) (string, error) {
	var pointers []string
	for _, kind := range session.TriggerKinds() {
		text := protocolText(c.View, kind)
		if text == "" || slices.Contains(c.View.Session.Told, string(kind)) {
			continue
		}
		if _, found := said.Topic(prompt.Phrases(c.View.Settings.List(kind.Key()))); !found {
			continue
		}
		if first, err := c.here().Tell(c.Ctx, string(kind)); err != nil || !first {
			return strings.Join(pointers, "\n"), err
		}
		pointers = append(pointers, text)
	}
	return strings.Join(pointers, "\n"), nil
}

// protocolText says how git brew does what the user is about to do; "" where the
// phrases of a kind do something themselves.
func protocolText(v View, kind session.TriggerKind) string {
	switch kind {
	case session.TriggerCreate:
		return "git brew: 'git brew create TITLE' makes a task with a branch of its own and goes there; " +
			"--phase TITLE (repeated) or --plan FILE say what its steps are, 'git brew start' takes its lock."
	case session.TriggerSwitch:
		return "git brew: 'git brew list' shows the open tasks, 'git brew switch TASK' checks one's branch out, " +
			"'git brew status' tells where it stands and what comes next, 'git brew start' takes its lock."
	case session.TriggerFinish:
		if v.Task == nil {
			return ""
		}
		return "git brew: 'git brew finish' ends " + v.Name() + ", which has " + progress(v.Task) +
			"; it is refused while phases are open, and names them. " +
			"'git brew learn' keeps what is worth knowing next time, 'git brew doc set final -' the final report."
	case session.TriggerCompact:
		if v.Task == nil {
			return ""
		}
		return "git brew: plan, phases, reports and knowledge of " + v.Name() +
			" are stored in git and survive a compaction; " +
			"'git brew learn' and 'git brew question add' keep what is in this conversation only."
	case session.TriggerImplementation, session.TriggerStop, session.TriggerApprove:
	}
	return ""
}

// approve records the user's word on the phase in review, where the prompt agrees to it
// as an order would be given, and tells the agent what became of it.
// A prompt may say which phase it means ("approved phase 2").
func (c *call) approve(phrases []prompt.Phrase) (string, error) {
	t := c.View.Task
	if t == nil || t.Status.Terminal() {
		return "", nil
	}
	phrase, ids, found := prompt.Approves(c.Payload.Prompt, phrases,
		prompt.Phrases(c.View.Settings.List(config.KeyTrigger)),
		func(word string) bool { return c.View.PhaseOf(word) != nil })
	if !found {
		return "", nil
	}
	phrase = protocol.Clean(phrase, 60)
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
		text, err := c.approved(phrase, t.ID, []task.UID{c.View.PhaseOf(id).UID})
		told, errs = append(told, text), append(errs, err)
	}
	return strings.TrimSpace(strings.Join(told, "\n")), errors.Join(errs...)
}

// approved records one approval, of one of the phases where some are named.
func (c *call) approved(phrase string, id task.ID, which []task.UID) (string, error) {
	approved, why, err := c.here().ApproveByWord(c.Ctx, id, which)
	words := "git brew: the user's " + strconv.Quote(phrase)
	switch {
	case err != nil:
		return "", err
	case approved.ID == "" && why == "":
		return "", nil // somebody was faster
	case approved.ID == "":
		return words + " was not recorded as an approval: " + protocol.Clean(why, 300) + ".", nil
	}
	c.Reason = "phase " + phaseID(&approved) + " approved: " + phrase
	return words + " is recorded: they approved " + phaseTitle(&approved) + ", which is " + approved.Status.String() +
		" now; 'git brew next' says what comes next.", nil
}
