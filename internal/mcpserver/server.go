// Package mcpserver offers the commands of git brew that an agent needs as tools of the Model
// Context Protocol, for clients without hooks. Each tool is a command line that it runs: what
// the command refuses, the tool refuses.
package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/runner"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server runs git brew for a client.
type Server struct {
	// Program is git-brew's file, Session the name that the client's agent has on record.
	Program, Session string
	// Env is the environment of the commands.
	Env []string
	// Dir is the directory that the commands run in, "" for the server's own.
	Dir string
}

const (
	// maxAnswer bounds what a tool answers, in bytes.
	maxAnswer = 48 << 10
	// maxTook bounds how long a command may take.
	maxTook = time.Minute
)

// MCP makes the server that a client talks to.
func (s *Server) MCP(version string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "git-brew", Version: version}, &mcp.ServerOptions{
		Instructions: "git brew keeps the state of your task in git. Ask 'next' what to do, do it, and ask again.",
	})
	add(server, s, "next", "What to do next on the task: the step, who is asked (you or the user), the command.",
		func(in ofTask) line { return line{verb: "next", options: []string{"--json"}, task: in.Task} })
	add(server, s, "status", "How the task stands: status, mode, phases, what is in the way.",
		func(in ofTask) line { return line{verb: "status", task: in.Task} })
	add(server, s, "show", "The task's record: its phases, documents, decisions, questions.",
		func(in ofTask) line { return line{verb: "show", task: in.Task} })
	add(server, s, "doc_get", "Read a document of the task: spec, research, roadmap, plan, phases/1/plan, ...",
		func(in document) line { return line{verb: "doc get", options: in.option(), words: []string{in.Name}} })
	add(server, s, "doc_set", "Store a document of the task, as a whole.",
		func(in text) line {
			return line{verb: "doc set", options: in.option(), words: []string{in.Name, "-"}, input: in.Text}
		})
	add(server, s, "question", "Add an open question, which the user answers; without a text, list them.",
		func(in question) line {
			if in.Text == "" {
				return line{verb: "question list", options: in.option()}
			}
			return line{verb: "question add", options: in.option(), words: []string{in.Text}}
		})
	add(server, s, "learn", "Keep what was learned, in one sentence, for whoever works on this next.",
		func(in learned) line {
			return line{verb: "learn", options: append(in.option(), "--type="+in.Type), words: []string{in.Text}}
		})
	add(server, s, "report", "Store your report on a phase, in Markdown.",
		func(in report) line {
			return line{
				verb: "report", options: append(in.option(), "--agent="+in.Agent), words: []string{in.Phase, "-"}, input: in.Text,
			}
		})
	return server
}

// ofTask is what each tool can be told.
type ofTask struct {
	Task string `json:"task,omitempty" jsonschema:"the task's id; left out: that of the branch checked out"`
}

func (t ofTask) option() []string {
	if t.Task == "" {
		return nil
	}
	return []string{"--task=" + t.Task}
}

type document struct {
	ofTask
	Name string `json:"name" jsonschema:"the document's name"`
}

type text struct {
	document
	Text string `json:"text" jsonschema:"the whole text, in Markdown"`
}

type question struct {
	ofTask
	Text string `json:"text,omitempty" jsonschema:"the question"`
}

type learned struct {
	ofTask
	Type string `json:"type" jsonschema:"avoid, practice or fact"`
	Text string `json:"text" jsonschema:"the sentence"`
}

type report struct {
	ofTask
	Phase string `json:"phase" jsonschema:"the phase, as 1 or 2.1"`
	Agent string `json:"agent" jsonschema:"your name, as reviewer"`
	Text  string `json:"text" jsonschema:"the report"`
}

// line is a command line of git brew's, and what it reads. No word is taken for an option.
type line struct {
	verb           string
	options, words []string
	task           string // where the verb is about the task itself
	input          string
}

func (l line) args(session string) ([]string, error) {
	args := slices.Concat([]string{"--session=" + session}, strings.Fields(l.verb), l.options)
	switch {
	case strings.HasPrefix(l.task, "-"):
		return nil, fmt.Errorf("%q is no task", l.task)
	case l.task != "":
		return append(args, l.task), nil
	case len(l.words) > 0:
		return slices.Concat(args, []string{"--"}, l.words), nil
	}
	return args, nil
}

// add offers a tool which runs the line that its input makes.
func add[In any](server *mcp.Server, s *Server, name, does string, of func(In) line) {
	handle := func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		said, err := s.run(ctx, of(in))
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, nil
	}
	mcp.AddTool(server, &mcp.Tool{Name: name, Description: does}, handle)
}

// run runs a command, and gives what it prints; what it refuses is an error.
func (s *Server) run(ctx context.Context, l line) (string, error) {
	args, err := l.args(s.Session)
	if err != nil {
		return "", err
	}
	var answer head
	res, err := runner.Run(ctx, runner.Command{
		Args: append([]string{s.Program}, args...), Dir: s.Dir, Env: s.Env, Stdin: []byte(l.input), Limit: maxTook,
		Show: &answer,
	})
	said := answer.String()
	switch {
	case err != nil:
		return "", err
	case res.TimedOut:
		return "", fmt.Errorf("git brew %s did not end within %s", l.verb, maxTook)
	case res.Failed():
		return "", errors.New(cmp.Or(said, "git brew "+l.verb+" failed"))
	}
	return said, nil
}

// head keeps the beginning of what a command says: as much as a model reads.
type head struct {
	kept []byte
	cut  bool
}

func (h *head) Write(p []byte) (int, error) {
	n := min(len(p), maxAnswer-len(h.kept))
	h.kept = append(h.kept, p[:n]...)
	h.cut = h.cut || n < len(p)
	return len(p), nil
}

func (h *head) String() string {
	said := strings.TrimSpace(strings.ToValidUTF8(string(h.kept), ""))
	if h.cut {
		said += "\n... (cut: ask for a part of it, as with doc_get)"
	}
	return said
}
