package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is a client's session with a server that works in a repository of its own.
type client struct {
	*testing.T
	program, dir string
	*mcp.ClientSession
}

func newClient(t *testing.T) client {
	t.Helper()
	c := client{T: t, program: filepath.Join(t.TempDir(), "git-brew.exe"), dir: t.TempDir()}
	c.run("go", "build", "-o", c.program, "github.com/git-brew/git-brew/cmd/git-brew")
	home := t.TempDir()
	for key, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, "none"),
		"CLAUDE_CODE_SESSION_ID": "",
		"GIT_AUTHOR_NAME":        "Jo", "GIT_AUTHOR_EMAIL": "jo@example.org", "GIT_COMMITTER_NAME": "Jo",
		"GIT_COMMITTER_EMAIL": "jo@example.org",
	} {
		t.Setenv(key, value)
	}
	c.run("git", "-C", c.dir, "init", "-q", "-b", "main")
	c.run("git", "-C", c.dir, "commit", "-q", "--allow-empty", "-m", "Begin")
	server := &mcpserver.Server{Program: c.program, Session: "mcp-test", Env: os.Environ(), Dir: c.dir}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.MCP("1").Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	var err error
	speaks := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if c.ClientSession, err = speaks.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c client) run(name string, args ...string) {
	c.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		c.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// brew is what a person does beside the client.
func (c client) brew(args ...string) {
	c.Helper()
	c.run(c.program, append([]string{"-C", c.dir}, args...)...)
}

// call calls a tool, and gives its text.
func (c client) call(name, input string) (text string, failed bool) {
	c.Helper()
	res, err := c.CallTool(c.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(input)})
	if err != nil {
		c.Fatalf("%s: %v", name, err)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

func (c client) says(name, input, want string) {
	c.Helper()
	if text, failed := c.call(name, input); failed || !strings.Contains(text, want) {
		c.Errorf("%s %s: failed %v: %s; want %q", name, input, failed, text, want)
	}
}

func (c client) refuses(name, input, want string) {
	c.Helper()
	if text, failed := c.call(name, input); !failed || !strings.Contains(text, want) {
		c.Errorf("%s %s: failed %v: %s; want it refused with %q", name, input, failed, text, want)
	}
}

// A client without hooks asks what comes next, keeps texts, asks questions, learns, reports.
func TestTools_ofAClientWithoutHooks(t *testing.T) {
	c := newClient(t)
	c.says("next", `{}`, `"task": null`)
	c.brew("create", "Add a greeting", "--phase", "Write it")
	c.says("next", `{}`, `"needs"`)
	c.says("status", `{}`, "Add a greeting")
	c.says("doc_set", `{"name": "plan", "text": "# Plan\n\nSay hello.\n"}`, "")
	c.says("doc_get", `{"name": "plan"}`, "Say hello.")
	c.says("question", `{"text": "--which greeting?"}`, "")
	c.says("question", `{}`, "--which greeting?")
	c.refuses("doc_set", `{"name": "context", "text": "# Context\n"}`, "the text lacks question 1, which is open")
	c.says("question", `{}`, "--which greeting?")
	c.refuses("question", `{"answer": "The long one."}`, "0")
	c.refuses("question", `{"number": 1, "text": "And in which language?"}`, "resolve")
	c.says("question", `{"number": 1, "answer": "--the long one"}`, "0 of 1 open")
	c.says("question", `{}`, "--the long one")
	if said, _ := c.call("question", `{}`); strings.Contains(said, "git brew") {
		t.Errorf("the list proposes a command line, which is no tool: %s", said)
	}
	c.says("learn", `{"type": "fact", "text": "The greeting is read from a file."}`, "")
	c.says("show", `{"task": "add-a-greeting"}`, "Add a greeting")
	c.refuses("show", `{"task": "--at=0"}`, "--at=0")
	c.refuses("report", `{"phase": "7", "agent": "reviewer", "text": "Fine."}`, "7")
	c.refuses("doc_get", `{"name": "plan", "task": "another"}`, "another")
}

// However long a text is, an answer is not; the parts, each at the offset that the one
// before says, are the text.
func TestTools_aLongTextComesInParts(t *testing.T) {
	c := newClient(t)
	c.brew("create", "Add a greeting")
	indented := strings.Repeat("Say hello. ä\n\n  - and goodbye\n", 5000)
	for _, whole := range []string{indented, "# Plan\n" + strings.Repeat("ä€", 25000) + "\n"} {
		text, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		c.says("doc_set", `{"name": "plan", "text": `+string(text)+`}`, "")
		var read strings.Builder
		offset, parts := 0, 0
		for more := true; more && parts < 20; parts++ {
			said, failed := c.call("doc_get", fmt.Sprintf(`{"name": "plan", "offset": %d}`, offset))
			if failed || len(said) > 50<<10 {
				t.Fatalf("part %d: %d bytes, failed %v", parts, len(said), failed)
			}
			at := strings.LastIndex(said, "... (cut: ask doc_get for offset ")
			if more = at >= 0; more {
				if n, err := fmt.Sscanf(said[at:], "... (cut: ask doc_get for offset %d,", &offset); n != 1 {
					t.Fatal(err)
				}
				said = said[:at]
			}
			read.WriteString(said)
		}
		if parts < 3 || strings.TrimSpace(read.String()) != strings.TrimSpace(whole) {
			t.Errorf("%d parts: %d bytes, want %d", parts, read.Len(), len(whole))
		}
	}
	c.says("doc_get", `{"name": "plan", "offset": -7}`, "# Plan")
	c.says("doc_get", `{"name": "plan", "offset": 5000000}`, "")
}

// A tool's schema says what it takes, and refuses the rest.
func TestTools_takeWhatTheySay(t *testing.T) {
	c := newClient(t)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if got, want := strings.Join(names, " "), "doc_get doc_set learn next question report show status"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if res, err := c.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "doc_get", Arguments: json.RawMessage(`{"name": "plan", "force": true}`),
	}); err == nil && !res.IsError {
		t.Error("an unknown field is taken")
	}
}
