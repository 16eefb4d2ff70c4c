package hooks

import (
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/invisible"
)

// tellLost runs the handler, and tells the session once of a lock that it lost,
// as soon as an answer can carry that (S-12): a tool call is denied with the
// reason, before more work is done; other events give it as context. A
// sub-agent is told by the denial of a call of its own, and the agent that
// started it all the same.
func (c *call) tellLost() (Reply, error) {
	lost, denies, aside := c.View.Lost, c.event == "PreToolUse", c.Payload.AgentID != ""
	untold := slices.ContainsFunc(lost, func(l clone.LostLock) bool { return !aside || !l.Aside })
	carries := slices.Contains(strings.Fields("SessionStart UserPromptSubmit PostToolUse PostToolUseFailure"), c.event)
	if !untold || !denies && (aside || !carries) {
		return c.handle()
	}
	first, untellable := c.here().LostTold(c.Ctx, aside) // a denial that can't be recorded could go on for ever
	tells := untellable == nil && first
	if tells && denies {
		c.Reason = "lock lost"
		return protocol.Deny(invisible.CutBytes("This call was not run. "+lostText(lost, gate.MaxReason),
			gate.MaxReason)), nil
	}
	reply, err := c.handle()
	if tells {
		reply.Context = invisible.CutBytes(sections(lostText(lost, maxLost), reply.Context), maxContext-1)
	}
	return reply, errors.Join(err, untellable)
}

// maxLost bounds what is told of lost locks beside other context, in bytes.
const maxLost = 800

// lostText says what happened to the locks, and what it means for the work.
func lostText(lost []clone.LostLock, limit int) string {
	var texts []string
	for _, l := range lost {
		who, work := "nobody holds it now, and 'git brew start' takes it again", ""
		switch {
		case l.Again:
			who = "it is this session's again"
		case l.Holder != "":
			who = protocol.Quoted(l.Holder, 70) + " holds it"
		}
		if l.Work || l.Again {
			work = ", and what this session changed of them may not count"
		}
		texts = append(texts, "git brew: the last sync showed that this session lost the lock of "+
			protocol.Clean(l.Task.Slug(), 50)+": "+who+". The user should know before more work is done. "+
			"Phases and status can't be changed without the lock"+work+"; 'git brew status' shows more.")
	}
	return invisible.CutBytes(strings.Join(texts, "\n"), limit)
}

// maxMoves is of how many directories a session is told: each is a word in its record.
const maxMoves = 20

// moved tells an agent that has a task, once for each directory, where its shell
// is after a command that went there (BW-52): later commands and relative paths
// start there, too.
func (c *call) moved() (Reply, error) {
	t, dir, start := c.View.Task, c.Payload.Cwd, c.At.ProjectDir
	if t == nil || t.Status.Terminal() || c.Payload.AgentID != "" || dir == "" || start == "" || dir == start {
		return Reply{}, nil
	}
	text, _ := gate.ShellCommand(c.Payload)
	if !strings.Contains(text, "cd ") && !strings.Contains(text, "pushd") {
		return Reply{}, nil
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(dir))
	mark := "cwd-" + strconv.FormatUint(uint64(hash.Sum32()), 16)
	told := 0
	for _, m := range c.View.Session.Told {
		if strings.HasPrefix(m, "cwd-") {
			told++
		}
	}
	if told >= maxMoves || slices.Contains(c.View.Session.Told, mark) {
		return Reply{}, nil
	}
	if first, err := c.here().Tell(c.Ctx, mark); err != nil || !first {
		return Reply{}, err
	}
	return protocol.Context("git brew: the shell is in " + protocol.Clean(dir, 200) +
		" now, and stays there; the session started in " + protocol.Clean(start, 200) + "."), nil
}
