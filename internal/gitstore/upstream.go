package gitstore

import (
	"context"
	"strings"
)

// Upstream is the ref that a branch follows, by its configuration: a tracking ref
// of a remote, or a branch here. "" where it follows none. It starts no process.
func (r *Repo) Upstream(ctx context.Context, branch string) (RefName, error) {
	config, err := r.Config(ctx)
	if err != nil || branch == "" {
		return "", err
	}
	remote, _ := config.Get("branch." + branch + ".remote")
	merge, _ := config.Get("branch." + branch + ".merge")
	if remote == "" || !strings.HasPrefix(merge, "refs/") {
		return "", nil
	}
	if remote == "." {
		return ParseRefName(merge)
	}
	for _, spec := range config.All("remote." + remote + ".fetch") {
		from, to, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		if !ok || strings.HasPrefix(from, "^") {
			continue
		}
		if from == merge {
			return ParseRefName(to)
		}
		before, after, pattern := strings.Cut(from, "*")
		if !pattern || len(merge) < len(from)-1 || !strings.HasPrefix(merge, before) || !strings.HasSuffix(merge, after) {
			continue
		}
		return ParseRefName(strings.Replace(to, "*", merge[len(before):len(merge)-len(after)], 1))
	}
	return "", nil
}
