package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/flaws"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// target is the task's branch, which the run merges to.
type target struct {
	*record
	ground  trees.Ground    // as it was when the run began
	outside map[string]bool // of it, Trees.Outside
	broken  error           // why nothing can be proved any more
	locked  runLock
	// at is where the run left it, foreign what came to it since the last merge.
	at      gitstore.OID
	foreign foreign
}

// foreign are commits on the task's branch that no worker handed over, while nothing has been
// merged onto them yet. A person made them, or a worker that left its own tree: git can't tell.
type foreign struct {
	since gitstore.OID // where the branch was before them
	text  string       // a sentence that tells them; "": there are none
}

// maxForeign is how many commits are named that no worker handed over.
const maxForeign = 5

// notice tells of a branch that is not where the run left it. One that lost commits ends the
// run: whatever is merged next would be on other ground than what was proved.
func (r *target) notice(ctx context.Context, branch string, tip gitstore.OID) error {
	was := r.at
	if r.at = tip; was == tip {
		return nil
	}
	on, err := r.trees.IsAncestor(ctx, was, tip)
	if err != nil {
		return err
	}
	if !on {
		return clone.Refuse("'git merge "+was.String()[:7]+"' brings that back, unless you rebased it; "+
			"then 'git brew run' goes on", "%s was moved while the run was at work, and %s is not on it any more", branch,
			was.String()[:7])
	}
	if r.foreign.text == "" {
		r.foreign.since = was
	}
	if r.foreign.text, err = r.foreignText(ctx, branch, tip); err != nil {
		return err
	}
	r.tell(Event{Kind: Moved, Text: r.foreign.text})
	dir, err := r.trees.Behind(ctx, branch, was, tip)
	if dir != "" {
		r.tell(Event{Kind: Noted, Text: dir + " did not go along with " + branch +
			": what is staged there undoes that; 'git stash' there puts it aside"})
	}
	return err
}

// foreignText tells the commits that no worker handed over, and what is wrong with them.
func (r *target) foreignText(ctx context.Context, branch string, tip gitstore.OID) (string, error) {
	all := r.trees.Main()
	since := r.foreign.since.String()
	out, err := all.Run(ctx, "log", "--format=%h %s", "--no-color", "--no-show-signature", since+".."+tip.String(), "--")
	if err != nil {
		return "", err
	}
	commits := strings.Split(out, "\n")
	n := len(commits)
	if n > maxForeign {
		commits = append(commits[:maxForeign], fmt.Sprintf("and %d more", n-maxForeign))
	}
	text := fmt.Sprintf("%s came to %s that no worker handed over: %s", task.Counted(n, "commit"), branch,
		strings.Join(commits, ", "))
	wrong, err := flaws.Between(ctx, all, r.foreign.since, tip, nil)
	if err != nil {
		return "", err
	}
	if len(wrong) > 0 {
		text += "; in them: " + strings.Join(wrong, "; ")
	}
	return invisible.Line(r.s.said(text)), nil
}

// withForeign adds to a reason the commits that no worker handed over.
func (r *target) withForeign(reason string) string {
	if r.foreign.text == "" {
		return reason
	}
	return invisible.CutBytes(reason+"; "+r.foreign.text, task.MaxReason)
}
