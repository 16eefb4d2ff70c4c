package share

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Import() cli.Command {
	return cli.Command{
		Use: "import <system> <path>", Short: "make tasks of those of another system",
		DryRun: "only say what would be made, and what would be lost",
		Check: func(c *cli.Call) error {
			_, err := systemNamed(c.Args[0], false)
			return err
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			s, err := systemNamed(c.Args[0], false)
			if err != nil {
				return cli.Answer{}, err
			}
			at, err := absolute(c, c.Args[1])
			if err != nil {
				return cli.Answer{}, err
			}
			caller := c.App.Clone.Caller
			s.AllowSecret = caller.AllowSecret && !caller.Agent()
			read, err := readSystem(s, at)
			if err != nil {
				return cli.Answer{}, err
			}
			made, err := c.App.Tasks.Import(c.Ctx, s.Name, read)
			return importedAnswer(c, made), err
		},
	}
}

// readSystem reads a directory, or one file; no link is followed, and no pipe is waited for.
func readSystem(s importer.System, at string) (importer.Result, error) {
	at = filepath.Clean(at)
	info, err := os.Lstat(at)
	switch {
	case err != nil:
		return importer.Result{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(at)
		return importer.Result{}, cmp.Or(err, clone.Refuse("name what it leads to, if that is meant",
			"%s is a link to %s, and links are not followed", ui.Safe(at), ui.Safe(to)))
	case !info.IsDir() && !info.Mode().IsRegular():
		return importer.Result{}, clone.Refuse("give the path of one", "%s is no file and no directory", ui.Safe(at))
	}
	dir, only := at, ""
	if !info.IsDir() {
		dir, only = filepath.Split(at)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return importer.Result{}, err
	}
	defer func() { _ = root.Close() }()
	read, err := s.Read(root.FS(), filepath.Base(dir), only)
	if err != nil {
		return read, clone.Invalid("see 'git brew import -h'", "%s: %v", ui.Safe(at), err)
	}
	return read, nil
}

// systemNamed finds a system, of those alone that tasks can be written for.
func systemNamed(name string, writes bool) (importer.System, error) {
	s, ok := importer.Named(name)
	if ok && (s.Writes || !writes) {
		return s, nil
	}
	var names []string
	for _, s := range importer.Systems() {
		if s.Writes || !writes {
			names = append(names, s.Name)
		}
	}
	return s, clone.Invalid("one of "+strings.Join(names, ", "), "%q is no system that is known here", ui.Safe(name))
}

// absolute is a file or a directory by its whole name; "" would be the directory here, by accident.
func absolute(c *cli.Call, name string) (string, error) {
	if name == "" {
		return "", cli.Misused("the name of the file or directory is empty", "for the directory here, give .")
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	at, err := c.WorkDir()
	return filepath.Join(at, name), err
}

func importedAnswer(c *cli.Call, made app.Imported) cli.Answer {
	var records [][]string
	for _, r := range made.Made {
		t := r.Task
		records = append(records, []string{"made", string(t.ID), t.Branch, strconv.Itoa(len(t.Phases)), t.Title})
	}
	for _, id := range made.There {
		records = append(records, []string{"there", string(id)})
	}
	for _, text := range made.Backlog {
		records = append(records, []string{"backlog", text})
	}
	tasks := view.Each(made.Made, func(r app.Result) ui.Object {
		return ui.Object{"task", view.NewTask(r.Task, ""), "phases", view.NewPhases(r.Task, r.Task.Phases), "notes", r.Notes}
	})
	return cli.Answer{
		JSON: ui.Object{
			"made", tasks, "there", made.There, "backlog", made.Backlog, "lost", lostViews(made.Lost), "dry_run", c.Flags.DryRun,
		},
		Records: slices.Values(append(records, lostRecords(made.Lost)...)),
		Text:    func() { sayImported(c, made) },
	}
}

func sayImported(c *cli.Call, made app.Imported) {
	c.Did("Imported %s%s", ui.Plural(len(made.Made), "task"),
		ui.Either(len(made.Backlog) == 0, "", " and "+ui.Plural(len(made.Backlog), "item")+" of the backlog"))
	for _, r := range made.Made {
		t := r.Task
		name := string(t.ID)
		if c.Flags.DryRun { // the next run makes an id of its own
			name = t.ID.Slug()
		}
		c.Say("  %s on %s, %s, %s", c.Style().Bright(name), ui.Safe(t.Branch), t.Status,
			ui.Plural(len(t.Phases), "phase"))
		c.Notes(r.Notes)
	}
	for _, id := range made.There {
		c.Say("  %s is here already, and stays as it is", id)
	}
	for _, text := range made.Backlog {
		c.Say("  backlog: %s", ui.Safe(text))
	}
	sayLost(c, made.Lost)
	if verify := commandsOf(made.Made); verify > 0 {
		c.Say("  to be trusted before it runs: %s; see 'git brew trust list'", ui.Plural(verify, "command"))
	}
	if c.Flags.DryRun {
		return
	}
	for _, r := range made.Made {
		if !r.Task.Status.Terminal() {
			c.Next("git brew switch %s", c.Name(r.Task.ID))
			return
		}
	}
	if len(made.Backlog) > 0 {
		c.Next("git brew backlog")
	}
}

// commandsOf counts the commands that verify the phases of tasks.
func commandsOf(made []app.Result) (n int) {
	for _, r := range made {
		for _, p := range r.Task.Phases {
			n += len(p.Verification)
		}
	}
	return n
}

func lostViews(lost []importer.Lost) []ui.Object {
	return view.Each(lost, func(l importer.Lost) ui.Object {
		return ui.Object{"path", l.Path, "line", l.Line, "what", l.What}
	})
}

func lostRecords(lost []importer.Lost) (records [][]string) {
	for _, l := range lost {
		records = append(records, []string{"lost", l.Path, strconv.Itoa(l.Line), l.What})
	}
	return records
}

func sayLost(c *cli.Call, lost []importer.Lost) {
	if len(lost) == 0 {
		c.Say("  nothing is lost")
		return
	}
	for _, l := range lost {
		c.Say("  lost: %s", ui.Safe(l.String()))
	}
}
