package config

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Identity is the author that git would write into a commit made now:
// GIT_AUTHOR_*, author.*, user.*, and what git itself finds out. It is
// ErrNoIdentity when git knows nobody.
func (r *Store) Identity(ctx context.Context) (plumbing.Signature, error) {
	return r.identity(ctx, "author")
}

// Committer is the same for the committer: GIT_COMMITTER_*, committer.*.
func (r *Store) Committer(ctx context.Context) (plumbing.Signature, error) {
	return r.identity(ctx, "committer")
}

func (r *Store) identity(ctx context.Context, role string) (plumbing.Signature, error) {
	config, err := r.Read(ctx)
	if err != nil {
		return plumbing.Signature{}, fmt.Errorf("identity: %w", err)
	}
	variable := "GIT_" + strings.ToUpper(role)
	pick := func(field string, otherwise string) string {
		if value := r.at.Git.Env.Get(variable + "_" + strings.ToUpper(field)); value != "" {
			return value
		}
		for _, section := range []string{role, "user"} {
			if value, ok := config.Get(section + "." + field); ok && value != "" {
				return value
			}
		}
		return otherwise
	}
	s := plumbing.Signature{
		Name:  plumbing.CleanIdent(pick("name", "")),
		Email: plumbing.CleanIdent(pick("email", r.at.Git.Env.Get("EMAIL"))),
		When:  r.at.Now(),
	}
	known := s.Name != "" && s.Email != ""
	if date := r.at.Git.Env.Get(variable + "_DATE"); date != "" {
		when, ok := parseDate(date)
		s.When, known = when, known && ok
	}
	if known {
		s.When = s.When.Truncate(time.Second)
		return s, nil
	}
	out, err := r.at.Git.Run(ctx, "var", variable+"_IDENT")
	if err != nil {
		return plumbing.Signature{}, noIdentity(err)
	}
	s, err = plumbing.ParseSignature(strings.TrimSpace(string(out)))
	if err != nil {
		return plumbing.Signature{}, fmt.Errorf("identity: git var: %w", err)
	}
	return s, nil
}

// noIdentity is git's refusal to say who somebody is, by its last words: before
// them it gives advice, over many lines.
func noIdentity(err error) error {
	var git *gitcmd.CommandError
	if !errors.As(err, &git) {
		return fmt.Errorf("identity: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(git.Stderr), "\n")
	why := strings.TrimPrefix(lines[len(lines)-1], "fatal: ")
	if strings.Contains(why, "date") {
		return fmt.Errorf("identity: %s", why)
	}
	return fmt.Errorf("%w: git doesn't know who you are: %s", plumbing.ErrNoIdentity, why)
}

// parseDate reads the forms in which scripts hand times to git; people's own
// are left to git.
func parseDate(text string) (time.Time, bool) {
	if when, err := time.Parse(time.RFC3339, text); err == nil {
		return when, true
	}
	seconds, zone, ok := strings.Cut(strings.TrimPrefix(text, "@"), " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	// Without "@" git takes a short number for something else.
	if !ok || err != nil || n < 100_000_000 && !strings.HasPrefix(text, "@") || len(zone) != 5 {
		return time.Time{}, false
	}
	return time.Unix(n, 0).In(plumbing.ParseZone(zone)), true
}
