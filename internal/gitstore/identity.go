package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Identity is the author that git would write into a commit made now:
// GIT_AUTHOR_*, author.*, user.*, and what git itself finds out. It is
// ErrNoIdentity when git knows nobody.
func (r *Repo) Identity(ctx context.Context) (Signature, error) {
	return r.identity(ctx, "author")
}

// Committer is the same for the committer: GIT_COMMITTER_*, committer.*.
func (r *Repo) Committer(ctx context.Context) (Signature, error) {
	return r.identity(ctx, "committer")
}

func (r *Repo) identity(ctx context.Context, role string) (Signature, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return Signature{}, fmt.Errorf("identity: %w", err)
	}
	variable := "GIT_" + strings.ToUpper(role)
	pick := func(field string, otherwise string) string {
		if value := r.env.get(variable + "_" + strings.ToUpper(field)); value != "" {
			return value
		}
		for _, section := range []string{role, "user"} {
			if value, ok := config.Get(section + "." + field); ok && value != "" {
				return value
			}
		}
		return otherwise
	}
	s := Signature{
		Name:  cleanIdent(pick("name", "")),
		Email: cleanIdent(pick("email", r.env.get("EMAIL"))),
		When:  r.now(),
	}
	known := s.Name != "" && s.Email != ""
	if date := r.env.get(variable + "_DATE"); date != "" {
		when, ok := parseDate(date)
		s.When, known = when, known && ok
	}
	if known {
		s.When = s.When.Truncate(time.Second)
		return s, nil
	}
	out, err := r.Git(ctx, "var", variable+"_IDENT")
	if err != nil {
		return Signature{}, noIdentity(err)
	}
	s, err = parseSignature(strings.TrimSpace(string(out)))
	if err != nil {
		return Signature{}, fmt.Errorf("identity: git var: %w", err)
	}
	return s, nil
}

// noIdentity is git's refusal to say who somebody is, by its last words: before
// them it gives advice, over many lines.
func noIdentity(err error) error {
	var git *CommandError
	if !errors.As(err, &git) {
		return fmt.Errorf("identity: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(git.Stderr), "\n")
	why := strings.TrimPrefix(lines[len(lines)-1], "fatal: ")
	if strings.Contains(why, "date") {
		return fmt.Errorf("identity: %s", why)
	}
	return fmt.Errorf("%w: git doesn't know who you are: %s", ErrNoIdentity, why)
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
	return time.Unix(n, 0).In(parseZone(zone)), true
}
