package hooks

import "strconv"

// userPrompt switches the mode where the user says so, and says that it did.
func userPrompt(c *call) (Reply, error) {
	switch c.p.Source {
	case "", "user", "sdk":
	default:
		return Reply{}, nil // a wake-up, a poll: nobody typed it
	}
	if !c.view.Gated || c.p.AgentID != "" {
		return Reply{}, nil
	}
	wish := readPrompt(c.p.Prompt, c.view.Settings.Triggers, c.view.Settings.StopWords)
	if wish.To == "" || wish.To == c.view.Mode {
		return Reply{}, nil
	}
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
