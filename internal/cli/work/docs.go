package work

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Doc() cli.Command { //nolint:funlen // a table
	var base string
	return cli.Command{
		Use: "doc list|get|set|edit|check|template|resolve", Short: "the documents of a task",
		Subs: []cli.Command{
			{
				Use: "list", Short: "list the documents that there are",
				Look: func(c *cli.Call) (cli.Answer, error) {
					docs, conflicts, err := c.App.Documents.Documents(c.Ctx, c.ID)
					if err != nil {
						return cli.Answer{}, err
					}
					found, err := c.App.Documents.DocumentFindings(c.Ctx, c.ID)
					return documentsAnswer(c, docs, found, conflicts), err
				},
			},
			{
				Use: "get <name>", Short: "print a document",
				Task: func(c *cli.Call) (cli.Answer, error) {
					doc, err := c.App.Documents.Document(c.Ctx, c.ID, c.Args[0])
					return cli.Answer{JSON: view.WholeDocument(doc), Text: func() {
						for _, other := range doc.Beside {
							look, settle := task.SettleCommands(doc.Beside, other)
							c.Complain("another text of it stands beside: %s",
								ui.Safe(c.Addressed("'"+look+"' prints that, '"+settle+"' settles it")))
						}
						cli.PrintText(c.Env, doc.Text)
					}}, err
				},
			},
			{
				Use: "set <name> <file>|-", Short: "write a document",
				Flags: []cli.Flag{cli.Opt("base", &base, "the `oid` that was read: what changed since is merged")},
				Task: func(c *cli.Call) (cli.Answer, error) {
					text, err := c.Text(c.Args[1])
					if err != nil {
						return cli.Answer{}, err
					}
					r := texts.SetDocumentRequest{Name: c.Args[0], Text: text}
					if c.Cmd.Flags().Changed("base") {
						r.Base = &base
					}
					out, err := c.App.Documents.SetDocument(c.Ctx, c.ID, r)
					return wroteDocument(c, out), err
				},
			},
			{
				Use: "edit <name>", Short: "change a document in git's editor",
				Task: func(c *cli.Call) (cli.Answer, error) {
					out, err := c.App.Documents.EditDocument(c.Ctx, c.ID, c.Args[0],
						gitstore.Streams{In: c.In, Out: c.Screen, Err: c.Err})
					return wroteDocument(c, out), err
				},
			},
			docCheck(),
			docTemplate(),
			{
				Args: cli.Between(1, 2),
				Use:  "resolve <name> <file>|-", Short: "settle a document that could not be merged",
				Task: func(c *cli.Call) (cli.Answer, error) {
					var text []byte
					if len(c.Args) > 1 {
						var err error
						if text, err = c.Text(c.Args[1]); err != nil {
							return cli.Answer{}, err
						}
					}
					t, err := c.App.Documents.ResolveConflict(c.Ctx, c.ID, c.Args[0], text)
					return c.Wrote(t, "Settled the conflict of %s", ui.Safe(c.Args[0])), err
				},
			},
		},
	}
}

// documentsAnswer lists documents, with what is found in each: errors and warnings.
func documentsAnswer(
	c *cli.Call, docs []records.Document, found map[string][2]int, conflicts []task.Conflict,
) cli.Answer {
	return cli.Answer{
		JSON: view.Documents(c.ID, docs, found, conflicts),
		Records: cli.Each(docs, func(doc records.Document) []string {
			return []string{doc.Name, strconv.Itoa(doc.Size), doc.OID}
		}),
		Text: c.OrNone(len(docs), "documents", "git brew doc set spec -", func() {
			table := c.Table("")
			table.Right, table.Leave, table.Give = map[int]bool{1: true}, []int{1}, []int{0}
			for _, doc := range docs {
				n := found[doc.Name]
				table.Add(ui.Safe(doc.Name), fmt.Sprintf("%d bytes", doc.Size), counted(n[0], n[1]))
			}
			c.WriteTable(table)
			for _, other := range conflicts {
				c.Tell("! %s could not be merged with %s\n", ui.Safe(other.Path), ui.Safe(task.ConflictPath(other)))
			}
			if len(conflicts) > 0 {
				look, settle := task.SettleCommands(conflicts, conflicts[0])
				c.Next("%s, then %s", ui.Safe(look), ui.Safe(settle))
			}
		}),
	}
}

func wroteDocument(c *cli.Call, r texts.DocumentResult) cli.Answer {
	return cli.Answer{
		JSON:    view.WrittenDocument(c.Change(r.Task, task.Phase{}, nil), r),
		Records: cli.Record(r.Document.Name, strconv.Itoa(r.Document.Size), r.Document.OID),
		Text: func() {
			doc, name := ui.Safe(r.Document.Name), c.Name(r.Task.ID)
			switch {
			case r.Conflict != nil:
				look, settle := task.SettleCommands(r.Task.Conflicts, *r.Conflict)
				c.Say("Wrote %s of %s; what somebody else wrote meanwhile stands beside:\n  %s",
					doc, name, ui.Safe(c.Addressed(look)))
				c.Next("%s", ui.Safe(settle))
				return
			case r.Merged:
				c.Say("Wrote %s of %s, merged with what somebody else wrote meanwhile", doc, name)
			case r.Changed:
				c.Say("Wrote %s of %s (%d bytes)", doc, name, r.Document.Size)
			default:
				c.Say("%s of %s is unchanged", cli.Sentence(doc), name)
			}
			cli.SayHooks(c.Env, c.App)
			c.Next("%s", c.Hint(c.App.Next.Step(c.Ctx, r.Task)))
		},
	}
}

func Question() cli.Command {
	var n int
	text := ""
	return cli.Command{
		Use: "question list|add|resolve", Short: "the open questions of a task",
		Subs: []cli.Command{
			{
				Use: "list", Short: "list the questions, with their numbers",
				Look: func(c *cli.Call) (cli.Answer, error) {
					all, err := c.App.Documents.Questions(c.Ctx, c.ID)
					return questionsAnswer(c, all), err
				},
			},
			{
				Use: "add <question>", Short: "add an open question",
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Documents.AddQuestion(c.Ctx, c.ID, c.Args[0])
					return c.Wrote(t, "Added a question; %s", questionCount(t)), err
				},
			},
			{
				Use: "resolve <n> [-m <answer>]", Short: "tick an open question off, by its number in question list",
				Flags: []cli.Flag{cli.Opt("m, message", &text, "keep the `answer` beside it")},
				Check: func(c *cli.Call) (err error) {
					if n, err = strconv.Atoi(c.Args[0]); err != nil {
						return cli.UsageOf(c.Cmd, fmt.Sprintf("%q is no number", c.Args[0]))
					}
					return nil
				},
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Documents.ResolveQuestion(c.Ctx, c.ID, n, text)
					return c.Wrote(t, "Resolved question %d; %s", n, questionCount(t)), err
				},
			},
		},
	}
}

func questionsAnswer(c *cli.Call, all []question.Question) cli.Answer {
	return cli.Answer{
		JSON: ui.Object{"task", c.ID, "questions", all},
		Records: cli.Each(all, func(q question.Question) []string {
			return []string{strconv.Itoa(q.N), ui.Either(q.Open, "open", "resolved"), q.Text}
		}),
		Text: c.OrNone(len(all), "questions", "git brew question add QUESTION", func() {
			for _, q := range all {
				c.Tell("%2d %s %s\n", q.N, ui.Either(q.Open, "[ ]", "[x]"), ui.Safe(q.Text))
			}
			if i := slices.IndexFunc(all, func(q question.Question) bool { return q.Open }); i >= 0 {
				c.Next("git brew question resolve %d -m ANSWER", all[i].N)
			}
		}),
	}
}

func questionCount(t task.Task) string {
	return fmt.Sprintf("%d of %d open", t.Questions.Open, t.Questions.Total)
}
