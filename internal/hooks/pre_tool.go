package hooks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
)

// maxReason bounds what the model is told about a refused call, in bytes.
const maxReason = 399

// closed reports whether the gate is closed: changes wait for the user.
func (v View) closed() bool { return v.Gated && v.Mode == ModeDiscussion }

// preTool judges a tool call by the mode, for sub-agents too. One that readers of
// JSON do not all read alike is judged as the client reads it, and asked about.
func preTool(c *call) (Reply, error) {
	kind := classify(c.p)
	reply, err := c.judge(kind)
	if err == nil && reply.permission == "" && c.p.Twice && (kind != otherTool || c.view.closed()) &&
		(c.view.closed() || c.view.Guarded) {
		return c.ask("A key comes twice in this call, so git brew can't tell what it does"), nil
	}
	return reply, err
}

// judge judges a call of a kind of tool, and puts the task's context in front of a
// sub-agent's prompt.
func (c *call) judge(kind toolKind) (Reply, error) {
	if kind == agentTool {
		return c.brief()
	}
	if c.keepsSteps() {
		return c.judgeSteps()
	}
	tool := clean(c.p.ToolName, 60)
	if tool == "" && c.view.closed() {
		return c.ask("This call names no tool"), nil
	}
	var files writes
	if kind == writingTool {
		files = readWrites(c.p)
		if reply, answered, err := c.guard(&files); answered || err != nil {
			if !absent(err) {
				c.undecided = err
			}
			return reply, err
		}
	}
	if files.more && (c.view.closed() || c.view.Guarded) {
		return c.ask(tool + " names more files than are looked at"), nil
	}
	if kind.runs() {
		return c.judgeShell(tool, kind), nil
	}
	if !c.view.closed() || c.writesPlan() {
		return Reply{}, nil
	}
	if kind == writingTool {
		if files.mayWrite() {
			return Reply{}, nil
		}
		return c.deny(tool + " is not allowed: " + c.where() +
			" in discussion mode. Agree on the change with the user first; " +
			"the user switches with " + wayOut(c.view) + ". Reading and 'git brew' commands for the discussion work now."), nil
	}
	return Reply{}, nil
}

// ask leaves a call to the user, for what can't be told of it.
func (c *call) ask(what string) Reply {
	if !c.view.closed() {
		return Ask(invisible.CutBytes(what+". It runs if the user agrees now.", maxReason))
	}
	return Ask(invisible.CutBytes(what+", and "+c.where()+" in discussion mode. "+
		"It runs if the user agrees now; the user switches with "+wayOut(c.view)+".", maxReason))
}

func (c *call) deny(reason string) Reply { return Deny(invisible.CutBytes(reason, maxReason)) }

// writesPlan reports that the call writes a plan of the client's plan mode: a
// .md file directly in its directory of plans. It is what a discussion is for.
func (c *call) writesPlan() bool {
	switch c.p.ToolName {
	case "Write", "Edit", "MultiEdit":
	default:
		return false
	}
	path, client := object(c.p.ToolInput).text("file_path"), ClientDir(c.getenv)
	if client == "" || directory(path) == "" {
		return false
	}
	return filepath.Clean(path) == path && !slices.Contains(c.brew.WorkTrees(c.at, path), c.view.Top) &&
		filepath.Dir(path) == filepath.Join(client, "plans") && strings.HasSuffix(path, ".md")
}

// ClientDir is where the client keeps its user's settings and plans:
// $CLAUDE_CONFIG_DIR, else .claude in the home directory; "" where nobody knows.
func ClientDir(getenv func(string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return directory(dir)
	}
	if home := directory(getenv("HOME")); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// where names what is in discussion mode.
func (c *call) where() string {
	if c.view.Task == nil {
		return "this work tree is"
	}
	return clean(c.view.name(), 60) + " is"
}
