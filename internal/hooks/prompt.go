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
	"github.com/git-brew/git-brew/internal/hooks/shown"
)

// userPrompt reads what a person typed: a trigger or a stop word switches the
// mode (BW-12, BW-14), a phrase of a protocol brings a pointer (BW-18). Beside
// that the model is asked to think (BW-16), and told when its context fills up
// (BW-17); prompts that ask for something get the project's reminder (BC-71).
func userPrompt(c *call) (Reply, error) {
	switch c.p.Source {
	case "", "user", "sdk":
	default:
		return Reply{}, nil // a wake-up, a poll: nobody typed it
	}
	if c.p.AgentID != "" {
		return Reply{}, nil
	}
	set := c.view.Settings
	triggers, stops := prompt.Phrases(set.List(config.KeyTrigger)), prompt.Phrases(set.List(config.KeyStopWord))
	said := prompt.Hear(c.p.Prompt, triggers, stops)
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
	add(c.think(said), nil)
	switched := add(c.switchMode(said, triggers, stops))
	add(c.approve(prompt.Phrases(set.List(config.KeyTriggerApprove))))
	add(c.contextFills())
	add(c.protocols(said))
	if reminder := shown.Clean(set.Text(config.KeyPromptReminder), 300); !switched && reminder != "" &&
		prompt.Asks(c.p.Prompt) {
		add(reminder, nil)
	}
	return protocol.Context(strings.Join(parts, "\n\n")), errors.Join(errs...)
}

// thinkLonger is the word at which the client lets the model think longest.
const thinkLonger = "[[ ultrathink ]]"

// think asks for long thought about a live task where that is switched on, unless the
// prompt is a command, or nobody typed anything.
func (c *call) think(said prompt.Heard) string {
	t := c.view.Task
	if !c.view.Settings.Bool(config.KeyUltrathink) || t == nil || t.Status.Terminal() || !said.Anything() ||
		strings.HasPrefix(strings.TrimSpace(c.p.Prompt), "/") {
		return ""
	}
	return thinkLonger
}

// switchMode does what the user wishes: a stop wins over a trigger.
func (c *call) switchMode(said prompt.Heard, triggers, stops []prompt.Phrase) (string, error) {
	if !c.view.Gated {
		return "", nil
	}
	to := ModeDiscussion
	phrase, found := said.Stop(stops)
	if !found {
		to = ModeImplementation
		phrase, found = said.Order(triggers)
	}
	if !found || to == c.view.Mode {
		return "", nil
	}
	phrase = shown.Clean(phrase, 60)
	if err := c.brew.SetMode(c.ctx, c.at, to, phrase); err != nil {
		return "", err
	}
	c.reason = "mode " + string(c.view.Mode) + " -> " + string(to) + ": " + phrase
	c.view.Mode = to
	if to == ModeImplementation {
		return "git brew: the user's " + strconv.Quote(phrase) + " switched to implementation mode. " +
			"What was agreed on may be changed now; 'git brew next' says what comes next, and 'git brew mode discussion' " +
			"goes back.", nil
	}
	return "git brew: the user's " + strconv.Quote(phrase) + " switched to discussion mode. " +
		"Files stay as they are until the user switches again, with " + c.view.WayOut() + "; reading goes on working.", nil
}

// protocols points to what git brew has for what the user is about to do, once a
// session for each kind.
func (c *call) protocols(said prompt.Heard) (string, error) {
	var pointers []string
	for _, kind := range session.TriggerKinds() {
		text := protocolText(c.view, kind)
		if text == "" || c.told(string(kind)) {
			continue
		}
		if _, found := said.Topic(prompt.Phrases(c.view.Settings.List(kind.Key()))); !found {
			continue
		}
		if first, err := c.brew.Tell(c.ctx, c.at, string(kind)); err != nil || !first {
			return strings.Join(pointers, "\n"), err
		}
		pointers = append(pointers, text)
	}
	return strings.Join(pointers, "\n"), nil
}

func (c *call) told(mark string) bool { return slices.Contains(c.view.Session.Told, mark) }

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
