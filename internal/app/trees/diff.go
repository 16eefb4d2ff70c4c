package trees

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/invisible"
)

// Diff gives the lines of git diff's hunks, each with its mark, and the file that it is in, as
// they come: however large the work is, no more of it than a line is held. failed is set where
// git fails.
func (w Tree) Diff(ctx context.Context, failed *error, args ...string) iter.Seq2[string, string] {
	return func(yield func(file, line string) bool) {
		ctx, stop := context.WithTimeoutCause(ctx, checkoutLimit, &gitcmd.SlowError{Limit: checkoutLimit})
		defer stop()
		cmd := w.git.Command(ctx, slices.Concat([]string{
			"--literal-pathspecs", "-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color",
			"--text", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/",
		}, args)...)
		problems := &gitcmd.Tail{}
		cmd.Stderr = problems
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			*failed = err
			return
		}
		for file, line := range DiffLines(out) {
			if !yield(file, line) {
				break
			}
		}
		_ = out.Close()
		if err := cmd.Wait(); err != nil {
			*failed = fmt.Errorf("git diff: %w: %s", cmp.Or(context.Cause(ctx), err), invisible.LastLine(problems.String()))
		}
	}
}

// maxDiffLine is how much is looked at of a line.
const maxDiffLine = 64 << 10

// DiffLines gives the lines of a diff's hunks, each with its mark, and the file that it is in.
// What a file says can't pass for the name of another one: it stands behind a mark.
func DiffLines(diff io.Reader) iter.Seq2[string, string] {
	return func(yield func(file, line string) bool) {
		file, inHunk, goesOn := "", false, false
		in := bufio.NewReaderSize(diff, maxDiffLine)
		for {
			part, isPart, err := in.ReadLine()
			if err != nil {
				return
			}
			line, rest := strings.TrimRight(string(part), "\r"), goesOn
			switch goesOn = isPart; {
			case rest: // of a line that is too long
			case strings.HasPrefix(line, "diff --git "):
				file, inHunk = "", false
			case strings.HasPrefix(line, "@@ "):
				inHunk = true
			case inHunk:
				if !yield(file, line) {
					return
				}
			case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
				if name := nameIn(line[len("+++ "):]); name != "" {
					file = name
				}
			}
		}
	}
}

// nameIn is the name of a file in a diff's header, "" for none.
func nameIn(text string) string {
	text = strings.TrimSuffix(text, "\t") // behind a name with a space
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	if strings.HasPrefix(text, "a/") || strings.HasPrefix(text, "b/") {
		return text[2:]
	}
	return ""
}
