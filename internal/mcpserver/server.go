// Package mcpserver offers the commands of git brew that an agent needs as tools of the Model
// Context Protocol, for clients without hooks. Each tool is a command line that it runs: what
// the command refuses, the tool refuses.
package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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
	add(server, s, "show", "The task's record: its facts, phases, decisions that hold, and the names of its texts.",
		func(in ofTask) line { return line{verb: "show", task: in.Task} })
	add(server, s, "doc_get", "Read a document of the task: spec, research, roadmap, plan, phases/1/plan, ..."+
		" A long one comes in parts; each says the offset of the next.",
		func(in part) line {
			return line{verb: "doc get", options: in.option(), words: []string{in.Name}, skip: in.Offset}
		})
	add(server, s, "doc_set", "Store a document of the task, as a whole: of a long one read all parts first.",
		func(in text) line {
			return line{verb: "doc set", options: in.option(), words: []string{in.Name, "-"}, input: in.Text}
		})
	add(server, s, "question", "Add an open question, which the user answers; or note the answer to the one of a number;"+
		" with neither, list them with their numbers.", question.line)
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

type part struct {
	document
	Offset int `json:"offset,omitempty" jsonschema:"the byte to begin at, as the part before says it"`
}

type text struct {
	document
	Text string `json:"text" jsonschema:"the whole text, in Markdown"`
}

type question struct {
	ofTask
	Text   string `json:"text,omitempty" jsonschema:"the question"`
	Number int    `json:"number,omitempty" jsonschema:"the number of the question that is answered"`
	Answer string `json:"answer,omitempty" jsonschema:"the user's answer"`
}

func (q question) line() line {
	switch {
	case q.Number != 0 || q.Answer != "":
		l := line{verb: "question resolve", options: q.option(), words: []string{strconv.Itoa(q.Number)}}
		if q.Answer != "" {
			l.options = append(l.options, "--message="+q.Answer)
		}
		if q.Text != "" { // two things at once, which the command refuses
			l.words = append(l.words, q.Text)
		}
		return l
	case q.Text != "":
		return line{verb: "question add", options: q.option(), words: []string{q.Text}}
	}
	return line{verb: "question list", options: append(q.option(), "--json")}
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
	skip           int // how many bytes of the answer were read before
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
	answer := head{skip: l.skip}
	res, err := runner.Run(ctx, runner.Command{
		Args: append([]string{s.Program}, args...), Dir: s.Dir, Env: s.Env, Stdin: []byte(l.input), Limit: maxTook,
		Show: &answer,
	})
	said := answer.text(l.verb == "doc get")
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

// head keeps the beginning of what a command says behind the bytes to skip: as much as a
// model reads.
type head struct {
	skip, total int
	kept        []byte
	cut         bool
}

func (h *head) Write(p []byte) (int, error) {
	rest := p[min(len(p), max(0, h.skip-h.total)):]
	h.total += len(p)
	n := min(len(rest), maxAnswer-len(h.kept))
	h.kept = append(h.kept, rest[:n]...)
	h.cut = h.cut || n < len(rest)
	return len(p), nil
}

// text is what was kept. Where something is cut off, it ends with a whole line, or a whole
// character, and says where to go on, if that can be asked for.
func (h *head) text(inParts bool) string {
	if !h.cut {
		return strings.TrimRight(strings.ToValidUTF8(string(h.kept), ""), " \t\r\n")
	}
	end := bytes.LastIndexByte(h.kept, '\n') + 1
	if end == 0 {
		end = len(h.kept)
		for range utf8.UTFMax - 1 {
			if last, size := utf8.DecodeLastRune(h.kept[:end]); last == utf8.RuneError && size == 1 {
				end--
			}
		}
	}
	said := strings.ToValidUTF8(string(h.kept[:end]), "")
	if !inParts {
		return said + "... (cut: the rest is left out)"
	}
	return said + fmt.Sprintf("... (cut: ask doc_get for offset %d, of %d)", max(0, h.skip)+end, h.total)
}
