package config

import (
	"context"
	"fmt"

	"github.com/Masterminds/semver/v3"
)

// RequiredError says that the repository asks for another git-brew than this one
// (KeyRequires), which only reads there.
type RequiredError struct{ Range, Have string }

func (e *RequiredError) Error() string {
	return fmt.Sprintf("this repository requires git-brew %s, and this is %s, which may only read here; install one "+
		"that fits; 'git brew config set requires '*'' passes over it in this clone", e.Range, e.Have)
}

// MayChange asks whether the caller, with this program, changes records here.
func (s *Config) MayChange(ctx context.Context) error {
	if err := s.Clone.Caller.CheckSession(); err != nil {
		return err
	}
	return s.Required(ctx)
}

// Required is a *RequiredError where the repository asks for another git-brew. It is
// asked when a change begins: what it reads of settings is forgotten again, for the
// change may be one of theirs.
func (s *Config) Required(ctx context.Context) error {
	known := s.settings
	defer func() { s.settings = known }()
	set, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	return s.within(set.Text(KeyRequires))
}

// within holds the program's version to a range, "" for any. A build that is of no
// release is in every range: nobody knows which one it will be.
func (s *Config) within(allowed string) error {
	if allowed == "" || s.Clone.Version == nil {
		return nil
	}
	have, err := semver.NewVersion(s.Clone.Version())
	if err != nil || have.Prerelease() != "" {
		return nil //nolint:nilerr // a development build has no version
	}
	of, err := semver.NewConstraint(allowed)
	if err != nil || of.Check(have) {
		return nil //nolint:nilerr // one that is not valid is a warning of Settings
	}
	return &RequiredError{Range: allowed, Have: have.String()}
}
