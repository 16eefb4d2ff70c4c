package config

import (
	"cmp"
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
	pick := func(variable, field string) string {
		author, _ := config.Get("author." + field)
		user, _ := config.Get("user." + field)
		return cmp.Or(r.at.Git.Env.Get(variable), author, user)
	}
	s := plumbing.Signature{
		Name:  plumbing.CleanIdent(pick("GIT_AUTHOR_NAME", "name")),
		Email: plumbing.CleanIdent(cmp.Or(pick("GIT_AUTHOR_EMAIL", "email"), r.at.Git.Env.Get("EMAIL"))),
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
