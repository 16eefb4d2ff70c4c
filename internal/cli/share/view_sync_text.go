package share

import (
	"fmt"
	"slices"
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

// fates are what is done to records, or would be, in the order of what matters.
var fates = []string{
	"pushed", "to push", "merged", "to merge", "new", "updated", "to update", "archived", "to archive",
}

const maxMergesNamed = 3

// summary counts what was done.
func summary(report exchange.SyncReport, names recordNames, r exchange.SyncRequest) []string {
	tasks, locks := map[string]int{}, map[string]int{}
	var merges, others []string
	for _, of := range report.Records {
		fate := fateOf(of, r)
		switch {
		case fate == "":
		case of.Kind == ledger.KindLock:
			// A confirmed one has a line of its own, an archived one goes with its task.
			if of.Outcome != refsync.LockConfirmed && of.Outcome != refsync.Archived {
				locks[fate]++
			}
		case of.Kind == ledger.KindTask:
			tasks[fate]++
			if of.Outcome == refsync.Merged {
				operations := fmt.Sprintf(": %d + %d operations", of.Ours, of.Theirs)
				merges = append(merges, names.of(of)+ui.Either(of.Ours+of.Theirs > 0, operations, ""))
			}
		default:
			others = append(others, names.of(of)+" "+fate)
		}
	}
	if more := len(merges) - maxMergesNamed; more > 0 {
		merges = append(merges[:maxMergesNamed], fmt.Sprintf("and %d more", more))
	}
	var parts, rest []string
	for _, fate := range fates {
		if n := locks[fate]; n > 0 {
			rest = append(rest, ui.Plural(n, "lock")+" "+fate)
		}
		n := tasks[fate]
		if n == 0 {
			continue
		}
		part := ui.Either(len(parts) == 0, ui.Plural(n, "task"), strconv.Itoa(n)) + " " + fate
		if fate == "merged" || fate == "to merge" {
			part += " (" + strings.Join(merges, ", ") + ")"
		}
		parts = append(parts, part)
	}
	return slices.Concat(parts, others, rest)
}

// fateOf says what was done to a record, or would be; "" for nothing.
func fateOf(of exchange.SyncedRecord, r exchange.SyncRequest) string {
	done, would := "", ""
	switch of.Outcome {
	case refsync.Merged:
		done, would = "merged", "to merge"
	case refsync.New:
		done, would = "new", "new"
	case refsync.FastForwarded:
		done, would = "updated", "to update"
	case refsync.Archived:
		done, would = "archived", "to archive"
	case refsync.Ahead, refsync.LockConfirmed:
		switch {
		case of.Pushed:
			done, would = "pushed", "to push"
		case of.Err == nil || r.DryRun && of.Pending && (r.Push || !r.Fetch):
			done, would = "to push", "to push"
		}
	case refsync.Unchanged, refsync.LockLost, refsync.SetAside:
	}
	return ui.Either(r.DryRun, would, done)
}

// tellings are the lines about one record that concern somebody.
func tellings(name string, of exchange.SyncedRecord) []string {
	var lines []string
	if of.Outcome == refsync.LockConfirmed || of.Outcome == refsync.LockLost {
		told := "lock of " + name + " " + string(of.Outcome)
		lines = append(lines, ui.Joined(": ", told, strings.Join(of.Notes, "; ")))
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
