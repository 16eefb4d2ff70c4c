package hooks

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// userPrompt switches the mode where the user says so, and says that it did;
// other prompts that ask for something get the project's reminder (BC-71).
func userPrompt(c *call) (Reply, error) {
	switch c.p.Source {
	case "", "user", "sdk":
	default:
		return Reply{}, nil // a wake-up, a poll: nobody typed it
	}
	if c.p.AgentID != "" {
		return Reply{}, nil
	}
	if c.view.Gated {
		wish := readPrompt(c.p.Prompt, c.view.Settings.Triggers, c.view.Settings.StopWords)
		if wish.To != "" && wish.To != c.view.Mode {
			return c.wished(wish)
		}
	}
	if reminder := clean(c.view.Settings.PromptReminder, 300); reminder != "" && asks(c.p.Prompt) {
		return Context(reminder), nil
	}
	return Reply{}, nil
}

// wished switches the mode.
func (c *call) wished(wish modeWish) (Reply, error) {
	phrase := clean(wish.Phrase, 60)
	if err := c.brew.SetMode(c.ctx, c.at, wish.To, phrase); err != nil {
		return Reply{}, err
	}
	c.reason = "mode " + string(c.view.Mode) + " -> " + string(wish.To) + ": " + phrase
	c.view.Mode = wish.To
	if wish.To == ModeImplementation {
		return Context("git brew: the user's " + strconv.Quote(phrase) + " switched to implementation mode. " +
			"What was agreed on may be changed now; 'git brew mode discussion' goes back when it is done."), nil
	}
	return Context("git brew: the user's " + strconv.Quote(phrase) + " switched to discussion mode. " +
		"Files stay as they are until the user switches again, with " + wayOut(c.view) + "; reading goes on working."), nil
}

// asks reports whether a prompt asks for something: it is no slash command, no
// answer such as yes, no, a number or a letter, and a person typed some of it.
func asks(prompt string) bool {
	prompt = strings.TrimSpace(prompt[:min(len(prompt), maxTyped)])
	if strings.HasPrefix(prompt, "/") {
		return false
	}
	words := foldText(typed(prompt))
	words = slices.DeleteFunc(words, func(w string) bool {
		return w == "" || w == strings.TrimSpace(taken) || utf8.RuneCountInString(w) == 1 || strings.Trim(w, "0123456789.") == ""
	})
	return slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(answers, w) })
}

// answers are words that agree, refuse or thank.
var answers = []string{
	"yes", "yeah", "yep", "no", "nope", "ok", "okay", "sure", "fine", "right", "good", "great", "perfect",
	"thanks", "thank", "you", "please", "continue", "stop",
}
