package work

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func docCheck() cli.Command {
	var strict bool
	return cli.Command{
		Use: "check [<name>]", Short: "say what the documents lack",
		Flags: []cli.Flag{cli.Opt("strict", &strict, "warnings are errors")},
		Look: func(c *cli.Call) (cli.Answer, error) {
			check, err := c.App.Documents.CheckDocuments(c.Ctx, c.ID, cli.FirstArg(c.Args))
			for i, f := range check.Findings {
				check.Findings[i].Text = c.Addressed(f.Text)
			}
			a := checkAnswer(c, check)
			if check.Errors() > 0 || strict && len(check.Findings) > 0 {
				a.End = cli.ExitWith(cli.ExitRefused)
			}
			return a, err
		},
	}
}

// checkAnswer tells what documents lack. Its records are "finding", document, line,
// severity, rule, text; and "requirement", id, source, line, phases parted by commas, text.
func checkAnswer(c *cli.Call, check texts.DocumentCheck) cli.Answer {
	findings := cli.Each(check.Findings, func(f document.Finding) []string {
		return []string{"finding", f.Document, strconv.Itoa(f.Line), string(f.Severity), f.Rule, f.Text}
	})
	requirements := cli.Each(check.Requirements, func(r document.Requirement) []string {
		return []string{"requirement", r.ID, r.Source, strconv.Itoa(r.Line), strings.Join(r.Phases, ","), r.Text}
	})
	return cli.Answer{
		JSON: view.DocumentCheck(check), Records: cli.Joined(findings, requirements), Text: func() { sayCheck(c, check) },
	}
}

func sayCheck(c *cli.Call, check texts.DocumentCheck) {
	style := c.Style()
	for _, f := range check.Findings {
		word := string(f.Severity)
		severity := ui.Either(f.Severity == document.Error, style.Bad(word), style.Warn(word))
		place := ui.Safe(f.Document) + ui.Either(f.Line > 0, ":"+strconv.Itoa(f.Line), "")
		c.Tell("%s: %s: %s %s\n", place, severity, ui.Safe(f.Text), style.Dim("("+f.Rule+")"))
	}
	sayMatrix(c, check)
	what := cmp.Or(ui.Safe(check.Document), "the documents of "+c.Name(check.Task.ID))
	if len(check.Findings) == 0 {
		c.Say("Nothing is missing in %s", what)
		return
	}
	c.Say("%s", counted(check.Errors(), len(check.Findings)-check.Errors()))
	switch f := toMend(check.Findings); {
	case f.Rule == lateQuestions: // it is answered, and the document is as it should be
		c.Next("git brew question list")
	case f.Document == "":
	case c.IsAgent(): // who has no editor
		c.Next("git brew doc set %s -", ui.Safe(f.Document))
	default:
		c.Next("git brew doc edit %s", ui.Safe(f.Document))
	}
}

const lateQuestions = "context.questions-late"

// toMend is the finding to begin with: the first error, else the first warning; none where no
// document by itself lacks anything. A question is answered in its time.
func toMend(all []document.Finding) document.Finding {
	for _, severity := range []document.Severity{document.Error, document.Warning} {
		for _, f := range all {
			if f.Severity == severity && f.Document != document.Whole && f.Rule != "context.questions" {
				return f
			}
		}
	}
	return document.Finding{}
}

func counted(errors, warnings int) string {
	return ui.Joined(", ", ui.Some(errors, "error"), ui.Some(warnings, "warning"))
}

// sayMatrix shows which phases cover what the spec asks for (BC-18).
func sayMatrix(c *cli.Call, check texts.DocumentCheck) {
	all := check.Document == "" || check.Document == document.Spec || check.Document == document.Plan
	if len(check.Requirements) == 0 || check.Planned == "" || !all || c.Flags.Quiet {
		return
	}
	if len(check.Findings) > 0 {
		fmt.Fprintln(c.Out)
	}
	table := c.Table("  ")
	table.Give = []int{2, 1}
	for _, r := range check.Requirements {
		phases := cmp.Or(ui.Safe(strings.Join(r.Phases, ", ")), c.Style().Bad("none"))
		table.Add(ui.Safe(r.ID), phases, ui.Safe(r.Text))
	}
	c.WriteTable(table)
}

func docTemplate() cli.Command {
	return cli.Command{
		Use: "template <name>", Short: "print a document to be filled in",
		OnTask: true,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			id, _, err := c.ReadTask(c.Ctx, c.App, c.TaskName())
			if err != nil {
				return cli.Answer{}, err
			}
			out, err := c.App.Documents.Template(c.Ctx, id, c.Args[0])
			doc := ui.Object{"name", out.Name, "project", out.Project, "text", string(out.Text)}
			return cli.TextAnswer(c.Env, doc, out.Text), err
		},
	}
}
