package hooks

import (
	"path/filepath"
	"strings"
)

// maxReason bounds what the model is told about a refused call, in bytes.
const maxReason = 399

// closed reports whether the gate is closed: changes wait for the user.
func (v View) closed() bool { return v.Gated && v.Mode == ModeDiscussion }

// preTool judges a tool call by the mode, for sub-agents too, and puts the
// task's context in front of a sub-agent's prompt.
// One that readers of JSON do not all read alike is judged as the client reads it,
// and asked about.
func preTool(c *call) (Reply, error) {
	reply, err := c.judge(classify(c.p.ToolName))
	if err == nil && reply.permission == "" && c.p.Twice && (c.view.closed() || c.view.Guarded) {
		return Ask(cut("A key comes twice in this call, so git brew can't tell what it does. It runs if the user agrees now.", maxReason)), nil
	}
	return reply, err
}

func (c *call) judge(kind toolKind) (Reply, error) {
	if kind == agentTool {
		return c.brief()
	}
	if c.keepsSteps() {
		return c.judgeSteps()
	}
	var files writes
	if kind == writingTool {
		files = readWrites(c.p)
		if reply, answered, err := c.guard(files); answered || err != nil {
			return reply, err
		}
	}
	tool := clean(c.p.ToolName, 60)
	if kind == shellTool {
		return c.judgeShell(tool), nil
	}
	if !c.view.closed() || c.writesPlan() {
		return Reply{}, nil
	}
	if tool == "" {
		return Ask(cut("This call names no tool, and "+c.where()+" in discussion mode. "+
			"It runs if the user agrees now; the user switches with "+wayOut(c.view)+".", maxReason)), nil
	}
	switch kind {
	case writingTool:
		if may, err := c.mayWrite(files); may {
			return Reply{}, err
		}
		return c.deny(tool + " is not allowed: " + c.where() + " in discussion mode. Agree on the change with the user first; " +
			"the user switches with " + wayOut(c.view) + ". Reading and 'git brew' commands for the discussion work now."), nil
	case runningTool:
		return Ask(cut(tool+" may change something, and "+c.where()+" in discussion mode. "+
			"It runs if the user agrees now; the user switches with "+wayOut(c.view)+".", maxReason)), nil
	case otherTool, agentTool, shellTool:
	}
	return Reply{}, nil
}

func (c *call) deny(reason string) Reply { return Deny(cut(reason, maxReason)) }

// writesPlan reports that the call writes a plan of the client's plan mode: a
// .md file directly in its directory of plans. It is what a discussion is for.
func (c *call) writesPlan() bool {
	switch c.p.ToolName {
	case "Write", "Edit", "MultiEdit":
	default:
		return false
	}
	path := object(c.p.ToolInput).text("file_path")
	if c.home == "" || directory(path) == "" {
		return false
	}
	return filepath.Clean(path) == path &&
		filepath.Dir(path) == filepath.Join(c.home, ".claude", "plans") && strings.HasSuffix(path, ".md")
}

// where names what is in discussion mode.
func (c *call) where() string {
	if c.view.Task == nil {
		return "this work tree is"
	}
	return clean(c.view.name(), 60) + " is"
}
