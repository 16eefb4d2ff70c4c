package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
)

// yours is how the work tree stands that a run was started in, which no worker is to change: what
// HEAD is, at which commit, and a line of git status for each file.
type yours struct {
	head, at string
	files    []string
}

// maxYours is how many files are named that are not as they were.
const maxYours = 5

// readYours reads how the work tree stands. What git can't tell is told by nobody.
func readYours(ctx context.Context, r *run) (y yours) {
	if r.workers.top == "" {
		return y
	}
	w := r.trees.At(r.workers.top)
	y.head, _ = w.Run(ctx, "rev-parse", "--abbrev-ref", "HEAD")
	y.at, _ = w.Run(ctx, "rev-parse", "HEAD")
	files, err := w.Run(ctx, "status", "--porcelain", "--no-renames", "-z")
	if err != nil {
		return yours{}
	}
	for line := range strings.SplitSeq(files, "\x00") {
		state, name, is := strings.Cut(strings.TrimSpace(line), " ")
		if name = strings.TrimSpace(name); is && !isOwn(r.files, r.workers.top, name) {
			y.files = append(y.files, state+" "+name)
		}
	}
	return y
}

// isOwn reports a file that the run itself writes, or a directory with one.
func isOwn(f files, top, name string) bool {
	return slices.ContainsFunc([]string{f.status, f.events, f.events + ".old", f.command}, func(own string) bool {
		rel, err := filepath.Rel(top, own)
		rel = filepath.ToSlash(rel)
		return err == nil && (rel == name || strings.HasSuffix(name, "/") && strings.HasPrefix(rel, name))
	})
}

// changedSince says what is not as it was, "" for nothing. Who did it, git can't tell.
func (y yours) changedSince(was yours, merged string) string {
	if was.head == "" || y.head == "" {
		return ""
	}
	var all []string
	switch {
	case y.head != was.head:
		all = append(all, "it is on "+y.head+", and was on "+was.head)
	case y.at != was.at && y.at != merged:
		all = append(all, fmt.Sprintf("%s is at %.7s, and was at %.7s", y.head, y.at, was.at))
	}
	more := slices.DeleteFunc(slices.Clone(y.files), func(file string) bool { return slices.Contains(was.files, file) })
	if n := len(more); n > maxYours {
		more = append(more[:maxYours], fmt.Sprintf("and %d more", n-maxYours))
	}
	if len(more) > 0 {
		all = append(all, "'git status' there has "+strings.Join(more, ", "))
	}
	return invisible.Line(strings.Join(all, "; "))
}

// tellYours tells that the work tree changed in which the run was started.
func tellYours(all context.Context, r *run, was yours) {
	ctx, stop := outlive(all)
	defer stop()
	if text := readYours(ctx, r).changedSince(was, r.at.String()); text != "" {
		r.tell(Event{Kind: Noted, Text: "while workers were at work, " + r.workers.top + " was changed: " + text})
	}
}
