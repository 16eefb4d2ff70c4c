package share

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ui"
)

func Trust() cli.Command {
	return cli.Command{
		Use: "trust", Short: "look at what others set that runs something, and allow it",
		Subs: []cli.Command{
			{
				Use: "list", Short: "list what waits for your trust, and what has it",
				Repo: func(c *cli.Call) (cli.Answer, error) {
					items, err := c.App.Trust.TrustList(c.Ctx)
					a := trustAnswer(c, items)
					if len(items) == 0 {
						a.Text = func() { c.Say("Nothing here needs your trust.") }
					}
					return a, err
				},
			},
			trustAdd(),
			{
				Use: "rm <hash>...", Short: "take trust back",
				DryRun: cli.DryRunHelp,
				Repo: func(c *cli.Call) (cli.Answer, error) {
					items, err := c.App.Trust.Distrust(c.Ctx, c.Args)
					return trustedAnswer(c, items), err
				},
			},
		},
	}
}

func trustAdd() cli.Command {
	var all bool
	return cli.Command{
		Use: "add <hash>... | --all", Short: "trust what you have looked at",
		Args:   cobra.ArbitraryArgs,
		Flags:  []cli.Flag{cli.Opt("all", &all, "show what waits, and ask about what is shown whole")},
		DryRun: "only say what would be trusted",
		Check:  cli.RefuseIf(func(c *cli.Call) bool { return all == (len(c.Args) > 0) }, "trust what?", ""),
		Repo: func(c *cli.Call) (cli.Answer, error) {
			hashes := c.Args
			if all {
				var err error
				if hashes, err = askTrust(c); err != nil || len(hashes) == 0 {
					a := trustAnswer(c, nil)
					a.Text = func() { c.Say("Nothing waits for your trust, or nothing that can be shown whole.") }
					return a, err
				}
			}
			items, err := c.App.Trust.Trust(c.Ctx, hashes)
			return trustedAnswer(c, items), err
		},
	}
}

// askTrust shows a person at a terminal what waits, and asks whether all of it is
// trusted: it gives the hashes of what was shown whole, and of nothing else.
func askTrust(c *cli.Call) ([]string, error) {
	items, err := c.App.Trust.ForPerson(c.Ctx)
	if err != nil {
		return nil, err
	}
	dry := c.Flags.DryRun // then nothing is asked, and the answer shows what there is
	if !dry && (!c.Attended || c.Flags.JSON || c.Flags.Porcelain) {
		return nil, clone.Refuse("'git brew trust add HASH' takes one that 'git brew trust list' shows",
			"--all shows what waits, and asks at a terminal")
	}
	var hashes, cut []string
	for _, t := range items {
		_, more := shownTrust(t.Text)
		switch {
		case t.Trusted:
			continue
		case more > 0:
			cut = append(cut, clone.ShortTrust(t.Hash))
		default:
			hashes = append(hashes, t.Hash)
		}
		if !dry {
			describeTrust(c, t)
		}
	}
	if len(cut) > 0 {
		c.Complain("not shown whole, and left out: %s; 'git brew trust add HASH' takes one", strings.Join(cut, ", "))
	}
	if err := c.Flush(); err != nil || len(hashes) == 0 {
		return nil, err // what was not shown is not asked about
	}
	return hashes, c.Sure(dry, fmt.Sprintf("Trust all %d that are shown whole?", len(hashes)))
}

// trustAnswer shows contents.
func trustAnswer(c *cli.Call, items []config.TrustItem) cli.Answer {
	return cli.Answer{
		JSON: ui.Object{"items", items},
		Records: cli.Each(items, func(t config.TrustItem) []string {
			return append([]string{t.Hash, trustWord(t), string(t.Kind), t.Key, t.Author}, t.Text...)
		}),
		Text: func() {
			for i, t := range items {
				if i > 0 {
					c.Line("")
				}
				describeTrust(c, t)
			}
		},
	}
}

// trustedAnswer shows contents of which the trust was changed.
func trustedAnswer(c *cli.Call, items []config.TrustItem) cli.Answer {
	a := trustAnswer(c, items)
	if c.Flags.Quiet {
		a.Text = nil
	}
	return a
}

func trustWord(t config.TrustItem) string { return ui.Either(t.Trusted, "trusted", "waiting") }

// How much of a text is printed, in bytes and in lines: what a person can be
// expected to read. What is left out is said.
const (
	maxTrustText  = 2000
	maxTrustLines = 60
)

// describeTrust prints a content, as much of it as shownTrust gives.
func describeTrust(c *cli.Call, t config.TrustItem) {
	style, what := c.Style(), string(t.Kind)
	switch row, err := config.LookupSetting(t.Key); {
	case t.Kind == clone.TrustSetting && err == nil:
		what += " " + string(row.Key)
	case t.Kind == clone.TrustHook, t.Kind == clone.TrustWorkflow:
		what += " " + ui.Safe(t.Key)
	}
	word := ui.Either(t.Trusted, style.Good(trustWord(t)), style.Warn(trustWord(t)))
	c.Line(fmt.Sprintf("%s  %s, %s", style.Bright(clone.ShortTrust(t.Hash)), what, word))
	shown, more := shownTrust(t.Text)
	for _, text := range shown {
		c.Line("    " + text)
	}
	if more > 0 {
		hash := clone.ShortTrust(t.Hash)
		c.Tell("  %s\n", style.Warn(strconv.Itoa(more)+" bytes more are not shown here; "+
			"'git brew trust list --json' has all, 'git brew trust add "+hash+"' trusts it"))
	}
	c.Tell("  %s\n", style.Dim(trustOrigin(c.Env, t)))
}

// shownTrust are as many lines of a text as a person is shown, and how many bytes of it are not.
func shownTrust(lines []string) (shown []string, more int) {
	left := maxTrustText
	for i, line := range lines {
		safe := ui.Safe(line)
		if left -= len(safe); left < 0 || i == maxTrustLines {
			return shown, len(strings.Join(lines[i:], "\n"))
		}
		shown = append(shown, safe)
	}
	return shown, 0
}

// trustOrigin tells who wrote it, and where it stands.
func trustOrigin(e *cli.Env, t config.TrustItem) string {
	const shown = 3
	by := ui.Either(t.Author == "", "author unknown", "by "+ui.Safe(t.Author))
	n := len(t.Where)
	where := "in " + ui.Safe(strings.Join(t.Where[:min(n, shown)], "; "))
	more := ui.Either(n > shown, fmt.Sprintf(" and %d more", n-shown), "")
	return ui.Joined("; ",
		ui.Joined(", ", by, cli.Ago(e, t.At), ui.Short(t.Commit)),
		ui.Either(n == 0, "not used any more", where+more),
		ui.Either(t.By != "" && t.Trusted, "trusted by "+ui.Safe(t.By), ""))
}
