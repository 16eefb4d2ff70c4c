package share

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// saySynced tells a person: a line with what was done, a line for each thing
// that concerns somebody, and after the first sync what holds from now on.
func saySynced(c *cli.Call, r exchange.SyncRequest, report exchange.SyncReport, err error) {
	remote := ui.Safe(report.Remote)
	names := recordNames(c.App.Records.Names(c.Ctx))
	done := summary(report, names, r)
	switch {
	case len(done) > 0 && r.DryRun:
		c.Say("%s: %s (dry run)", remote, strings.Join(done, ", "))
	case len(done) > 0:
		c.Say("%s: %s", remote, strings.Join(done, ", "))
	case err == nil && len(report.Records) == 0:
		c.Say("%s: up to date", remote)
	case err == nil && len(report.Failed()) == 0:
		c.Say("%s:", remote)
	}
	for _, of := range report.Records {
		for _, line := range tellings(names.of(of), of) {
			c.Say("  %s", ui.Safe(line))
		}
	}
	for _, note := range report.Notes {
		c.Say("  note: %s", ui.Safe(note))
	}
	if report.First && err == nil {
		sayAgreed(c, report.Remote)
	}
}

// sayAgreed tells what holds from now on: in the background, only brew.remote is
// synced with.
func sayAgreed(c *cli.Call, name string) {
	remote := ui.Safe(name)
	set, err := c.App.Config.Settings(c.Ctx)
	if err != nil {
		return // the next command says so
	}
	switch decides := set.Text(config.KeyRemote); {
	case decides != name:
		c.Say("  %s gets what changes with each sync by its name; in the background only %s does", remote, ui.Safe(decides))
		c.Next("git brew sync %s, any time", remote)
	case !set.Bool(config.KeySyncAuto):
		c.Say("  %s gets what changes with each sync; none runs in the background (brew.sync.auto)", remote)
		c.Next("git brew sync, any time")
	default:
		c.Say("  %s gets what changes from now on, in the background too", remote)
		c.Next("git brew sync, any time (with 'git config brew.sync.auto false' only then)")
	}
}

// fates are what is done to records, in the order of what matters, and how a
// dry run says it.
func fates() [][2]string {
	return [][2]string{
		{fatePushed, fateToPush},
		{fateToPush, fateToPush},
		{fateMerged, "to merge"},
		{fateNew, fateNew},
		{fateUpdated, "to update"},
		{fateArchived, "to archive"},
	}
}

const (
	fatePushed   = "pushed"
	fateToPush   = "to push"
	fateMerged   = "merged"
	fateNew      = "new"
	fateUpdated  = "updated"
	fateArchived = "archived"
)

// summary counts what was done.
func summary(report exchange.SyncReport, names recordNames, r exchange.SyncRequest) []string {
	tasks, locks := map[string]int{}, map[string]int{}
	var merges, others []string
	for _, of := range report.Records {
		fate := fateOf(of, r)
		switch {
		case fate == "":
		case of.Kind == ledger.KindLock:
			// A confirmed one has a line of its own, an archived one goes with
			// its task.
			if of.Outcome != refsync.LockConfirmed && fate != fateArchived {
				locks[fate]++
			}
		case of.Kind == ledger.KindTask:
			tasks[fate]++
			if fate == fateMerged && len(merges) < maxMergesNamed {
				merge := names.of(of)
				if of.Ours+of.Theirs > 0 {
					merge += fmt.Sprintf(": %d + %d operations", of.Ours, of.Theirs)
				}
				merges = append(merges, merge)
			}
		default:
			others = append(others, names.of(of)+" "+inWords(fate, r.DryRun))
		}
	}
	var parts []string
	for _, fate := range fates() {
		n := tasks[fate[0]]
		if n == 0 {
			continue
		}
		part := strconv.Itoa(n)
		if len(parts) == 0 {
			part = ui.Plural(n, "task")
		}
		part += " " + inWords(fate[0], r.DryRun)
		if fate[0] == fateMerged && len(merges) > 0 {
			if n > len(merges) {
				merges = append(merges, fmt.Sprintf("and %d more", n-len(merges)))
			}
			part += " (" + strings.Join(merges, ", ") + ")"
		}
		parts = append(parts, part)
	}
	for _, fate := range fates() {
		if n := locks[fate[0]]; n > 0 {
			others = append(others, ui.Plural(n, "lock")+" "+inWords(fate[0], r.DryRun))
		}
	}
	return append(parts, others...)
}

// inWords is a fate as people read it.
func inWords(fate string, dryRun bool) string {
	for _, row := range fates() {
		if dryRun && row[0] == fate {
			return row[1]
		}
	}
	return fate
}

// maxMergesNamed bounds how many merges are told one by one.
const maxMergesNamed = 3

// fateOf says what was done to a record; "" for nothing.
func fateOf(of exchange.SyncedRecord, r exchange.SyncRequest) string {
	switch of.Outcome {
	case refsync.Merged:
		return fateMerged
	case refsync.New:
		return fateNew
	case refsync.FastForwarded:
		return fateUpdated
	case refsync.Archived:
		return fateArchived
	case refsync.Ahead, refsync.LockConfirmed:
		if of.Pushed || r.DryRun && of.Pending && (r.Push || !r.Fetch) {
			return fatePushed
		}
		if of.Err == nil {
			return fateToPush
		}
	case refsync.Unchanged, refsync.LockLost, refsync.SetAside:
	}
	return ""
}

// tellings are the lines about one record that concern somebody.
func tellings(name string, of exchange.SyncedRecord) []string {
	var lines []string
	if of.Outcome == refsync.LockConfirmed || of.Outcome == refsync.LockLost {
		lines = append(lines, "lock of "+name+" "+string(of.Outcome))
	}
	if len(lines) == 1 && len(of.Notes) > 0 {
		lines[0] += ": " + strings.Join(of.Notes, "; ")
	} else {
		for _, note := range of.Notes {
			lines = append(lines, name+": "+note)
		}
	}
	for _, c := range of.Conflicts {
		look, settle := task.SettleCommands(of.Conflicts, c)
		lines = append(lines, fmt.Sprintf("%s: two texts of %s could not be merged; read the other one, then settle it:",
			name, c.Path),
			"  "+look+" --task "+name, "  "+settle+" --task "+name)
	}
	return lines
}

// recordNames says what people call records, a task as records.Records.Names has it.
type recordNames func(id task.ID) string

func (n recordNames) of(r exchange.SyncedRecord) string {
	switch r.Kind {
	case ledger.KindTask, ledger.KindLock:
	case ledger.KindClone:
		return "the sessions of clone " + ui.Safe(r.ID)
	case ledger.KindConfig:
		return "shared settings"
	case ledger.KindKnowledge, ledger.KindNotes, ledger.KindArchive:
		return string(r.Kind)
	}
	return ui.Safe(n(task.ID(r.ID)))
}
