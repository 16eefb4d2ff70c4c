package config

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Identity is the author that git would write into a commit made now:
// GIT_AUTHOR_*, author.*, user.*, and what git itself finds out. It is
// ErrNoIdentity when git knows nobody.
func (r *Store) Identity(ctx context.Context) (plumbing.Signature, error) {
	config, err := r.Read(ctx)
	if err != nil {
		return plumbing.Signature{}, fmt.Errorf("identity: %w", err)
	}
	pick := func(field string, otherwise string) string {
		if value := r.at.Git.Env.Get("GIT_AUTHOR_" + strings.ToUpper(field)); value != "" {
			return value
		}
		for _, section := range []string{"author", "user"} {
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
	if s.Name != "" && s.Email != "" && r.at.Git.Env.Get("GIT_AUTHOR_DATE") == "" {
		s.When = s.When.Truncate(time.Second)
		return s, nil
	}
	out, err := r.at.Git.Run(ctx, "var", "GIT_AUTHOR_IDENT")
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
