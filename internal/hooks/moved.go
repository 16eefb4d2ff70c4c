package hooks

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/shown"
)

// maxMoves is of how many directories a session is told: each is a word in its record.
const maxMoves = 20

// moved tells an agent that has a task, once for each directory, where its shell
// is after a command that went there (BW-52): later commands and relative paths
// start there, too.
func (c *call) moved() (Reply, error) {
	dir := c.p.Cwd
	if c.view.Task == nil || c.view.Task.Status.Terminal() || c.p.AgentID != "" || dir == "" || c.at.ProjectDir == "" ||
		dir == c.at.ProjectDir {
		return Reply{}, nil
	}
	text, _ := gate.ShellCommand(c.p)
	if !strings.Contains(text, "cd ") && !strings.Contains(text, "pushd") {
		return Reply{}, nil
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(dir))
	mark := "cwd-" + strconv.FormatUint(uint64(hash.Sum32()), 16)
	told := 0
	for _, m := range c.view.Session.Told {
		if strings.HasPrefix(m, "cwd-") {
			told++
		}
	}
	if told >= maxMoves || c.told(mark) {
		return Reply{}, nil
	}
	if first, err := c.brew.Tell(c.ctx, c.at, mark); err != nil || !first {
		return Reply{}, err
	}
	return protocol.Context("git brew: the shell is in " + shown.Clean(dir, 200) +
		" now, and stays there; the session started in " +
		shown.Clean(c.at.ProjectDir, 200) + "."), nil
}
