package share

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/ui"
)

func Export() cli.Command {
	return cli.Command{
		Use: "export <system> <dir> [<task>]", Short: "write a task as another system has it",
		DryRun: "only say what would be written, and what would be lost",
		Check: func(c *cli.Call) error {
			_, err := systemNamed(c.Args[0], true)
			return err
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			s, err := systemNamed(c.Args[0], true)
			if err != nil {
				return cli.Answer{}, err
			}
			name := ""
			if len(c.Args) > 2 {
				name = c.Args[2]
			}
			id, err := c.Resolve(name)
			if err != nil {
				return cli.Answer{}, err
			}
			t, err := c.App.Records.Task(c.Ctx, id)
			if err != nil {
				return cli.Answer{}, err
			}
			out, err := c.App.Tasks.Outline(c.Ctx, t)
			if err != nil {
				return cli.Answer{}, err
			}
			dir, err := absolute(c, c.Args[1])
			if err != nil {
				return cli.Answer{}, err
			}
			files, lost := s.Write(out)
			lost = append(lost, app.LeftBehind(t, out)...)
			return exportedAnswer(c, files, lost), writeNew(dir, files, c.Flags.DryRun)
		},
	}
}

// writeNew writes files that are not there yet, none where one of them is.
func writeNew(dir string, files []importer.File, dry bool) error {
	if !dry {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(dir)
	if dry && os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, f := range files {
		if _, err := root.Lstat(f.Path); err == nil {
			return clone.Refuse("name another directory", "%s is there already", ui.Safe(filepath.Join(dir, f.Path)))
		}
	}
	for _, f := range files {
		if dry {
			continue
		}
		name := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, f.Data, fs.FileMode(0o666)); err != nil {
			return err
		}
	}
	return nil
}

func exportedAnswer(c *cli.Call, files []importer.File, lost []importer.Lost) cli.Answer {
	names := make([]string, len(files))
	records := make([][]string, len(files))
	for i, f := range files {
		names[i], records[i] = f.Path, []string{"written", f.Path}
	}
	return cli.Answer{
		JSON:    ui.Object{"files", names, "lost", lostViews(lost), "dry_run", c.Flags.DryRun},
		Records: slices.Values(append(records, lostRecords(lost)...)),
		Text: func() {
			c.Did("Wrote %s", ui.Plural(len(files), "file"))
			for _, name := range names {
				c.Say("  %s", ui.Safe(name))
			}
			sayLost(c, lost)
		},
	}
}
