package branch

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Upstream is the ref that a branch follows, by its configuration: a tracking ref
// of a remote, or a branch here. "" where it follows none. It starts no process.
func (r *Branches) Upstream(ctx context.Context, branch string) (plumbing.RefName, error) {
	config, err := r.config.Read(ctx)
	if err != nil || branch == "" {
		return "", err
	}
	remote, _ := config.Get("branch." + branch + ".remote")
	merge, _ := config.Get("branch." + branch + ".merge")
	if remote == "" || !strings.HasPrefix(merge, "refs/") {
		return "", nil
	}
	if remote == "." {
		return plumbing.ParseRefName(merge)
	}
	for _, spec := range config.All("remote." + remote + ".fetch") {
		from, to, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		if !ok || strings.HasPrefix(from, "^") {
			continue
		}
		if from == merge {
			return plumbing.ParseRefName(to)
		}
		before, after, pattern := strings.Cut(from, "*")
		if !pattern || len(merge) < len(from)-1 || !strings.HasPrefix(merge, before) || !strings.HasSuffix(merge, after) {
			continue
		}
		return plumbing.ParseRefName(strings.Replace(to, "*", merge[len(before):len(merge)-len(after)], 1))
	}
	return "", nil
}
