package share

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/ui"
)

func Doctor() cli.Command {
	var fix bool
	return cli.Command{
		Use:    "doctor [--fix [-n]]",
		Short:  "check what git brew keeps here, and what init arranged",
		Flags:  []cli.Flag{cli.Opt("fix", &fix, "mend what can be mended without loss")},
		DryRun: "with --fix: only say what would be mended",
		Check: func(c *cli.Call) error {
			if c.Flags.DryRun && !fix {
				return cli.Misused("-n is for --fix", "without --fix nothing is changed")
			}
			return nil
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			x := &examination{env: c.Env, service: c.App, fix: fix && !c.Flags.DryRun}
			err := x.run(c.Ctx)
			return x.answer(c), err
		},
	}
}

// examination is one run of the doctor.
type examination struct {
	env     *cli.Env
	service *app.App
	fix     bool
	git     string
	found   []doctor.Finding
}

func (x *examination) add(severity doctor.Severity, what, hint, format string, args ...any) *doctor.Finding {
	x.found = append(x.found, doctor.Finding{
		Severity: severity, What: what, Message: fmt.Sprintf(format, args...),
		Hint: hint,
	})
	return &x.found[len(x.found)-1]
}

func (x *examination) run(ctx context.Context) error {
	if err := x.gitVersion(ctx); err != nil {
		return err
	}
	x.writable()
	if err := x.service.Config.Required(ctx); err != nil {
		text, hint, _ := strings.Cut(err.Error(), "; ")
		x.add(doctor.Problem, "git brew", hint, "%s", text)
	}
	line := cli.NewProgress(x.env)
	defer line.Clear()
	found, err := x.service.Doctor.Doctor(ctx,
		doctor.DoctorRequest{Fix: x.fix, Progress: func(step string, done, total int) {
			if done%10 == 0 { // a terminal is slower than a look
				line.Show(refsync.Step("checking "+step), done, total)
			}
		}})
	if err != nil {
		return err
	}
	x.found = append(x.found, found...)
	x.gitHooks(ctx)
	x.agent(ctx)
	return nil
}

func (x *examination) gitVersion(ctx context.Context) error {
	var err error
	if x.git, err = adapter.VersionOfGit(ctx, x.service); err != nil {
		return err
	}
	if adapter.TooOld(x.git) {
		x.add(doctor.Problem, "git", fmt.Sprintf("install git %d.%d or newer", adapter.OldestGit[0], adapter.OldestGit[1]),
			"git %s is too old", x.git)
	}
	return nil
}

// writable tries whether the git directory can be written to.
func (x *examination) writable() {
	for _, dir := range []string{
		x.service.Clone.Repo.CommonDir,
		filepath.Join(x.service.Clone.Repo.CommonDir, "objects"),
	} {
		file, err := os.CreateTemp(dir, "brew-doctor-")
		if err != nil {
			x.add(doctor.Problem, "git directory", "it is read-only, full, or somebody else's", "%s can't be written to: %v",
				dir, err)
			return
		}
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
}

func (x *examination) answer(c *cli.Call) cli.Answer {
	remain := 0
	for _, f := range x.found {
		if f.Severity == doctor.Problem && !f.Fixed {
			remain++
		}
	}
	a := cli.Answer{
		JSON: ui.Object{
			"ok", remain == 0, "git", x.git, "findings", x.found, "dry_run?", c.Flags.DryRun,
		},
		Records: cli.Each(x.found, func(f doctor.Finding) []string {
			return []string{string(f.Severity), strconv.FormatBool(f.Fixed), f.What, f.Message, f.Hint}
		}),
		Text: func() { x.say(c, remain) },
	}
	if remain > 0 {
		a.End = cli.ExitWith(cli.ExitFailed)
	}
	return a
}

func (x *examination) say(c *cli.Call, remain int) {
	style, mendable := c.Style(), 0
	for _, f := range x.found {
		sign, hint := style.Warn(string(f.Severity)), f.Hint
		switch {
		case c.Flags.DryRun && f.Mends != "":
			mendable++
			sign, hint = style.Busy("to mend"), "--fix "+f.Mends
		case f.Fixed:
			sign, hint = style.Good("fixed"), ""
		case f.Severity == doctor.Problem:
			sign = style.Bad(string(f.Severity))
		}
		c.Tell("%s  %s: %s\n", ui.Pad(sign, 7), ui.Safe(f.What), cli.OneLine(f.Message))
		if hint != "" {
			c.Tell("         %s\n", style.Dim(ui.Safe(hint)))
		}
	}
	switch {
	case c.Flags.DryRun:
		c.Say("%d of %s would be mended (dry run).", mendable, ui.Plural(len(x.found), "finding"))
	case remain == 0:
		c.Say("No problems (git %s).", ui.Safe(x.git))
	}
}
