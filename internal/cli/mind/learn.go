// Package mind has the commands about what is worth remembering, knowledge and the backlog,
// and about what an agent may do here: its mode, and the words that switch it.
package mind

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// scopeOptions say whose knowledge a command is about, beside --task.
type scopeOptions struct{ project bool }

func (o *scopeOptions) flag() cli.Flag {
	return cli.Opt("project", &o.project, "the project's instead of a task's")
}

// on does something to the knowledge that a command is about: the project's where that is
// meant, else a task's, which is found as at says.
func (o *scopeOptions) on(
	at func(*cli.Call, cli.Action) (cli.Answer, error), do func(*cli.Call, learn.Scope) (cli.Answer, error),
) cli.Action {
	return func(c *cli.Call) (cli.Answer, error) {
		if o.project && c.TaskName() != "" {
			return cli.Answer{}, &cli.UsageError{Msg: "--project and --task exclude each other", Hint: "give one of them"}
		}
		if o.project {
			return do(c, learn.Scope{})
		}
		return at(c, func(c *cli.Call) (cli.Answer, error) { return do(c, learn.Scope{Task: c.ID}) })
	}
}

// looks is a command that looks at knowledge; where there is no task, it says that.
func (o *scopeOptions) looks(do func(*cli.Call, learn.Scope) (cli.Answer, error)) cli.Action {
	return o.on((*cli.Call).LookAt, do)
}

// writes is a command that changes knowledge.
func (o *scopeOptions) writes(do func(*cli.Call, learn.Scope) (cli.Answer, error)) cli.Action {
	return o.on((*cli.Call).OnTask, do)
}

// parseKind reads -t.
func parseKind(word string) (knowledge.Kind, error) {
	kind, err := knowledge.ParseKind(word)
	if err != nil {
		return "", &cli.UsageError{Msg: err.Error(), Hint: "give -t avoid, practice or fact"}
	}
	return kind, nil
}

// ownerOf names whose knowledge it is, for people.
func ownerOf(c *cli.Call, in learn.Scope) string {
	if in.Task == "" {
		return "the project"
	}
	return c.Name(in.Task)
}

func Learn() cli.Command {
	var scope scopeOptions
	kind := string(knowledge.Fact)
	var r knowledge.Entry
	return cli.Command{
		Use:   "learn [-t avoid|practice|fact] [<options>] <text>",
		Short: "remember something for whoever works on the task next",
		Flags: []cli.Flag{
			cli.Opt("t, type", &kind, "what it is: avoid, practice or fact (`kind`)"),
			cli.Opt("src", &r.Src, "who found it out: an agent's or a person's `name`"),
			cli.Opt("path", &r.Paths, "it is about files that match this `glob`; repeatable"),
			scope.flag(),
		},
		OnTask: true,
		Check: func(*cli.Call) (err error) {
			r.T, err = parseKind(kind)
			return err
		},
		Repo: scope.writes(func(c *cli.Call, in learn.Scope) (cli.Answer, error) {
			r.Txt = c.Args[0]
			learned, err := c.App.Knowledge.Learn(c.Ctx, in, r)
			return entryAnswer(c, "Learned", in, learned), err
		}),
	}
}

// entryAnswer says what was done with an entry.
func entryAnswer(c *cli.Call, did string, in learn.Scope, entry learn.Learned) cli.Answer {
	return cli.Answer{
		JSON:    ui.Object{"task", view.Owner(in), "entry", entry.Entry, "known?", entry.Known},
		Records: cli.Record(entryRecord(entry.Entry)...),
		Text: func() {
			if entry.Known {
				did = "Known already"
			}
			head := fmt.Sprintf("%s for %s: %s ", did, ownerOf(c, in), entry.T)
			text := ui.Truncate(ui.Safe(`"`+entry.Txt+`"`), c.Room(ui.Width(head)+10, 20))
			c.Say("%s%s  %s", head, text, shortID(string(entry.ID)))
		},
	}
}

func entryRecord(k knowledge.Entry) []string {
	return append([]string{string(k.ID), string(k.T), k.TS, k.Src, k.Txt}, k.Paths...)
}

// shortID is the beginning of an id that is enough to type.
func shortID(id string) string { return id[:min(8, len(id))] }
