package rules_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

var update = flag.Bool("update", false, "rewrite docs/reference/lifecycle.md")

const lifecycleFile = "../../../docs/reference/lifecycle.md"

// workflowFile has parts made of the tables, between marks.
const workflowFile = "../../../docs/using/workflow.md"

// docs/using/workflow.md shows the tables as they are.
func TestWorkflowDocument_SP3(t *testing.T) {
	page, err := os.ReadFile(workflowFile)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for of, made := range map[string]func(*strings.Builder){
		"taskTransitions": func(b *strings.Builder) {
			diagram(b, string(task.Pending), func(edge func(from, event, to string)) {
				for _, r := range taskPairs() {
					if r.from != r.To {
						edge(string(r.from), string(r.Event), string(r.To))
					}
				}
			})
		},
		"phaseTransitions": func(b *strings.Builder) {
			diagram(b, string(task.PhasePending), func(edge func(from, event, to string)) {
				for _, r := range phasePairs() {
					// what is completed is reset first: see phaseTable
					merged := r.from == task.PhaseCompleted && r.Event == EventRevise
					if slices.Contains(eventsOfCommands, r.Event) && !merged {
						edge(string(r.from), string(r.Event), string(r.To))
					}
				}
			})
		},
		"routes": func(b *strings.Builder) { b.WriteString(routeTable()) },
	} {
		var b strings.Builder
		made(&b)
		begin, end := "<!-- made of "+of+": go test ./internal/task/rules -update -->\n", "<!-- end -->"
		before, rest, found := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s has no mark %q", workflowFile, begin)
		}
		want = before + begin + b.String() + end + after
	}
	if *update {
		if err := os.WriteFile(workflowFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Errorf("%s does not show what the tables say; go test ./internal/task/rules -update", workflowFile)
	}
}

// eventsOfCommands are the events of a phase that somebody causes by a command.
var eventsOfCommands = []PhaseEvent{
	EventStart, EventRework, EventDone, EventApprove, EventReject, EventFail, EventDrop,
	EventReset, EventRevise, EventSplit,
}

// docs/reference/lifecycle.md says what the tables say.
func TestLifecycleDocument(t *testing.T) {
	want := lifecycle()
	if *update {
		if err := os.WriteFile(lifecycleFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(lifecycleFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s does not say what the tables say; go test ./internal/task/rules -update", lifecycleFile)
	}
}

func lifecycle() string {
	var b strings.Builder
	b.WriteString(`# Life cycles

Made from the tables in internal/task/rules by ` + "`go test ./internal/task/rules -update`" + `; do not edit.

A pair of status and event that has no row is refused (exit 5). What was
recorded elsewhere and has no row when histories are merged changes nothing.

## Task

`)
	diagram(&b, string(task.Pending), func(edge func(from, event, to string)) {
		for _, r := range taskPairs() {
			edge(string(r.from), string(r.Event), string(r.To))
		}
	})
	b.WriteString("\n| event | from | to | effects |\n|---|---|---|---|\n")
	for _, r := range TaskTransitions {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.Event, joined(r.From, ", "), r.To, joined(r.Effects, "; "))
	}
	b.WriteString(`
A task can fail, be cancelled or be in error from wherever it is. Finished says
that the work is done, so it needs work to have begun. Whatever takes a task out
of work pauses its phases; whatever brings it back resumes them.

A task that has ended, or was deleted, can go to the archive: ` + "`git brew archive`" + `, or with a sync once nobody wrote to it for ` + "`archive.after`" + `. That is no operation, and changes nothing of the task: it is found, shown and told of as before. Whatever would be allowed in its status is allowed there, too, and makes it live again. To take its lock is no change of the task.

## Phase

A phase has a status and a verdict; an event happens only where the table has a row
for both. An effect that has nothing to do does nothing. Of these events pause, resume, cascade, revive, revise, fixed,
split, joined, parted, verified, refuted, reopen and undone follow from what happens to the task
or to another phase:

- pause, resume: the task was paused or ended; it goes on.
- cascade: something it depends on failed, or what it repairs or verifies did.
  revive: that, or what it was dropped with, is taken up again.
- revise: a fix phase was added to it. fixed: the last open one was approved, so
  it is up for review again.
- split: a part was added to it; its work waits for what the whole depends on, too.
  joined: the last part is over, and one at least completed. parted: one is over no
  more.
- verified, refuted: its verification phase was approved, or rejected. A phase
  that has one is completed by nothing else.
- reopen: what a verification verified has changed, so it is due again.
- undone: its verification, or a fix of it, is over no more.

Whatever leads to completed asks one gate first: no phase gets there while a part
of it is open, or a fix. A fix of it that failed is dropped then.

A dropped phase is not wanted any more. It is over, as a completed one is, and holds
nothing up: what depends on it begins, the task can be finished, and what failed with
it is pending again. What belongs to it (parts, fixes, verifications, research) is
dropped with it, but for what is completed; nothing happens to either until the phase
is taken up again. What it belonged to goes on without it: a phase whose last open
part was dropped is in review where another part is completed, and else work of its
own again; one whose last open fix was dropped is up for review as it is; one whose
verification was dropped is completed by another verification, which is due again, or
by its own review. A drop completes nothing. A reset takes a dropped phase up again,
with what was dropped with it. The final review is not dropped.

`)
	diagram(&b, string(task.PhasePending), func(edge func(from, event, to string)) {
		for _, r := range phasePairs() {
			edge(string(r.from), string(r.Event), string(r.To))
		}
	})
	b.WriteString("\n| event | from | to | verdict | effects |\n|---|---|---|---|---|\n")
	for _, r := range PhaseTransitions {
		from, verdict := joined(r.From, ", "), string(r.Verdict)
		if r.Of != AnyVerdict {
			from += ", with verdict " + string(r.Of)
		}
		if r.Verdict == AnyVerdict {
			verdict = "as it was"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Event, from, r.To, verdict, joined(r.Effects, "; "))
	}
	b.WriteString("\n## What comes next\n\nThe first row that fits. What the last column says holds where the step is " +
		"skipped\n(`git brew next --skip`), and the row does not fit then; without it, the step is\nnever skipped.\n\n")
	b.WriteString(routeTable())
	return b.String()
}

// routeTable is the routing table in Markdown.
func routeTable() string {
	var b strings.Builder
	b.WriteString("| when | step | pipeline | skipped |\n|---|---|---|---|\n")
	for _, r := range route.Rows() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.When, r.Step, r.Pipeline, r.Skip)
	}
	return b.String()
}

// diagram joins the events that lead the same way.
func diagram(b *strings.Builder, start string, edges func(func(from, event, to string))) {
	b.WriteString("```mermaid\nstateDiagram-v2\n    [*] --> " + start + "\n")
	var order []string
	events := map[string][]string{}
	edges(func(from, event, to string) {
		way := from + " --> " + to
		if len(events[way]) == 0 {
			order = append(order, way)
		}
		events[way] = append(events[way], event)
	})
	for _, way := range order {
		fmt.Fprintf(b, "    %s: %s\n", way, strings.Join(events[way], ", "))
	}
	b.WriteString("```\n")
}

func joined[E ~string](all []E, with string) string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = strings.ReplaceAll(string(e), "_", " ")
	}
	return strings.Join(names, with)
}
