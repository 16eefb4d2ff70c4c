package workflow

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// trustDir, in this clone's own record, holds a file for each content that its
// person has trusted, by hash. A copied directory is another clone, and trusts
// nothing.
const trustDir = "trust"

// trustRecord is such a file.
type trustRecord struct {
	What   TrustKind `json:"what"`
	Key    string    `json:"key,omitempty"`
	Text   []string  `json:"text"`
	Author string    `json:"author,omitempty"` // who wrote it, as git has it
	By     string    `json:"by"`
	At     string    `json:"at"`
}

func (r trustRecord) content() Content { return Content{r.What, r.Key, r.Text} }

// readTrusted lists the hashes in the clone's record, sorted.
func (s *Clone) readTrusted(ctx context.Context, tip gitstore.OID) ([]string, error) {
	entries, err := s.ledger.Dir(ctx, tip, trustDir)
	var hashes []string
	for _, e := range entries {
		if hash, ok := strings.CutSuffix(e.Name, ".json"); ok && e.Mode == gitstore.ModeFile {
			hashes = append(hashes, hash)
		}
	}
	slices.Sort(hashes)
	return hashes, err
}

func (c cloneState) trusts(hash string) bool {
	_, found := slices.BinarySearch(c.Trusted, hash)
	return found
}

// Trusted reports whether this clone's person has trusted a content. Where this
// clone's record can't tell, nobody has.
func (s *Clone) Trusted(ctx context.Context, c Content) (bool, error) {
	clone, err := s.cloneBrief(ctx)
	return clone.trusts(c.Hash()), err
}

// trustIn stages that the caller trusts contents; nothing where all are trusted
// already. Once in a change.
func (s *Clone) trustIn(ctx context.Context, tx *ledger.Tx, records []trustRecord) error {
	return s.changeCloneIn(ctx, tx, "trust: "+s.caller.User+" trusts what is here", func(_ context.Context, c *cloneChange) error {
		for _, r := range records {
			hash := r.content().Hash()
			at, found := slices.BinarySearch(c.state.Trusted, hash)
			if found {
				continue
			}
			r.By, r.At = s.caller.User, s.timestamp()
			if err := c.put(path.Join(trustDir, hash+".json"), nil, r); err != nil {
				return err
			}
			c.state.Trusted = slices.Insert(c.state.Trusted, at, hash)
		}
		return nil
	})
}

// distrustIn stages that contents are not trusted any more; nothing where none is.
func (s *Clone) distrustIn(ctx context.Context, tx *ledger.Tx, hashes ...string) error {
	return s.changeCloneIn(ctx, tx, "trust: taken back", func(_ context.Context, c *cloneChange) error {
		for _, hash := range hashes {
			if at, found := slices.BinarySearch(c.state.Trusted, hash); found {
				c.files[path.Join(trustDir, hash+".json")] = nil
				c.state.Trusted = slices.Delete(c.state.Trusted, at, at+1)
			}
		}
		return nil
	})
}

// setHere stages that what a person sets here is trusted by that act.
func (s *Clone) setHere(ctx context.Context, tx *ledger.Tx, contents ...Content) error {
	if s.caller.reached().agent() {
		return nil
	}
	return s.trustSet(ctx, tx, contents)
}

// trustSet stages that what is set here is trusted. Where this clone's record can't be
// written it waits, as what others set does.
func (s *Clone) trustSet(ctx context.Context, tx *ledger.Tx, contents []Content) error {
	if len(contents) == 0 {
		return nil
	}
	who, err := s.Repo.Config.Identity(ctx)
	if err != nil {
		return err
	}
	var records []trustRecord
	for _, c := range contents {
		records = append(records, trustRecord{What: c.Kind, Key: c.Key, Text: c.Text, Author: author(who)})
	}
	err = s.trustIn(ctx, tx, records)
	if _, broken := errors.AsType[*RecordError](err); broken {
		return nil
	}
	return err
}

// author is a person as git has it.
func author(who gitstore.Signature) string { return who.Name + " <" + who.Email + ">" }
