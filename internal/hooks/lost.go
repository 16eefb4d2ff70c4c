package hooks

import (
	"errors"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/invisible"
)

// tellLost runs the handler, and tells the session once of a lock that it lost,
// as soon as an answer can carry that (S-12): a tool call is denied with the
// reason, before more work is done; other events give it as context. A
// sub-agent is told by the denial of a call of its own, and the agent that
// started it all the same.
func (c *call) tellLost() (Reply, error) {
	denies, aside := c.event == "PreToolUse", c.p.AgentID != ""
	if !c.hasLost(aside) || !denies && (aside || !carriesContext(c.event)) {
		return handlers(c.event)(c)
	}
	if denies {
		first, err := c.brew.LostTold(c.ctx, c.at, aside)
		if err == nil && first {
			c.reason = "lock lost"
			return protocol.Deny(invisible.CutBytes("This call was not run. "+lostText(c.view.Lost, gate.MaxReason),
				gate.MaxReason)), nil
		}
		// A denial that can't be recorded could go on for ever.
		reply, herr := handlers(c.event)(c)
		return reply, errors.Join(err, herr)
	}
	reply, err := handlers(c.event)(c)
	first, terr := c.brew.LostTold(c.ctx, c.at, false)
	if terr == nil && first {
		reply.Context = invisible.CutBytes(strings.TrimSpace(lostText(c.view.Lost, maxLost)+"\n\n"+reply.Context),
			maxContext-1)
	}
	return reply, errors.Join(err, terr)
}

// maxLost bounds what is told of lost locks beside other context, in bytes.
const maxLost = 800

// hasLost reports whether there is something to tell, to a sub-agent or to the
// agent itself.
func (c *call) hasLost(aside bool) bool {
	for _, l := range c.view.Lost {
		if !aside || !l.Aside {
			return true
		}
	}
	return false
}

func carriesContext(event string) bool {
	switch event {
	case "SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure":
		return true
	}
	return false
}

// lostText says what happened to the locks, and what it means for the work.
func lostText(lost []clone.LostLock, limit int) string {
	var texts []string
	for _, l := range lost {
		texts = append(texts, lostLockText(l))
	}
	return invisible.CutBytes(strings.Join(texts, "\n"), limit)
}

func lostLockText(l clone.LostLock) string {
	name := shown.Clean(l.Task.Slug(), 50)
	if l.Again {
		return "git brew: the last sync showed that the lock of " + name +
			" was held elsewhere meanwhile. It is this session's again, " +
			"but phases and status as they were changed here before may not count: 'git brew status' shows where the " +
			"task stands."
	}
	who := "nobody holds it now, and 'git brew start' takes it again"
	if l.Holder != "" {
		who = shown.Quoted(l.Holder, 70) + " holds it"
	}
	work := ""
	if l.Work {
		work = ", and what this session changed of them may not count"
	}
	return "git brew: the last sync showed that this session lost the lock of " + name + ": " + who + ". " +
		"The user should know before more work is done. Phases and status can't be changed without the lock" + work +
		"; 'git brew status' shows more."
}
