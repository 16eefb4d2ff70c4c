package rules_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"pgregory.net/rapid"
)

// What the models draw from.
var (
	ladders    = []task.LadderName{task.LadderBrew, task.LadderKitchen}
	severities = []task.Severity{task.Critical, task.Major, task.Minor, task.Info}
	actions    = []task.EscalationAction{
		task.ActionResearch, task.ActionSplit, task.ActionUpgrade, task.ActionReassign, task.ActionAsk,
	}
)

// told takes over what was done in a story, as a history that the model goes on with.
func (w *world) told(s *story) *clone {
	c := &clone{}
	maps.Copy(w.texts, s.texts)
	for _, n := range s.nodes {
		c.nodes, c.tips = append(c.nodes, n), []operation.ID{n.Op.ID}
		c.state = Fold(c.nodes, w)
		w.keep(c.state)
		w.commit(c, &n.Op)
		w.kinds[n.Op.Kind] = true
	}
	c.state.Unready = w.read(c.state)
	return c
}

// Each state of the routing table's tests is one that the models go on from, with
// whatever happens, to an end. They make operations of every kind by that, and come to
// every row: a new kind, and a new row, is not forgotten there. What they draw follows
// from a number, so it is the same every time.
func TestModels_SP3_everyKindAndRow(t *testing.T) {
	t.Parallel()
	var from []func(s *story)
	for _, row := range seedTable {
		from = append(from, func(s *story) {
			s.do(task.OpStage, task.StagePayload{Stage: row.stage})
			seedStates[row.state](s)
		})
	}
	for _, row := range rowsBeside {
		from = append(from, row.make)
	}
	left := map[string]bool{}
	for _, k := range kindsDeclared(t) {
		left["operation "+string(k)] = true
	}
	for _, r := range route.Rows() {
		left["row "+r.When+" "+r.Step] = !slices.Contains(rowsOfTwo, r.When)
	}
	const most = 1000
	i := 0
	for ; i < len(from) || i < most && slices.Contains(slices.Collect(maps.Values(left)), true); i++ {
		rapid.Custom(func(r *rapid.T) bool {
			w := newModel()
			switch {
			case i < len(from):
				w.most = 10
				s := specified(t)
				from[i](s)
				c := w.told(s)
				w.routed(c.state)
				playNext(r, w, c)
			case i%2 == 0:
				playNext(r, w, nil)
			default:
				playFold(r, w)
			}
			for k := range w.kinds {
				left["operation "+string(k)] = false
			}
			for row := range w.rows {
				left["row "+row] = false
			}
			return true
		}).Example(i)
	}
	t.Logf("seen after %d", i)
	for what, is := range left {
		if is {
			t.Errorf("%d histories have no %s", most, what)
		}
	}
}

// rowsOfTwo need what two clones did apart, and are seen in TestNext_wait.
var rowsOfTwo = []string{"phases wait for each other"}
