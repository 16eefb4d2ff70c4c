package clone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// TrustDir, in this clone's own record, holds a file for each content that its
// person has trusted, by hash. A copied directory is another clone, and trusts
// nothing.
const TrustDir = "trust"

// TrustRecord is such a file.
type TrustRecord struct {
	What   TrustKind `json:"what"`
	Key    string    `json:"key,omitempty"`
	Text   []string  `json:"text"`
	Author string    `json:"author,omitempty"` // who wrote it, as git has it
	By     string    `json:"by"`
	At     string    `json:"at"`
}

func (r TrustRecord) Content() Content { return Content{r.What, r.Key, r.Text} }

// readTrusted lists the hashes in the clone's record, sorted.
func (s *Clone) readTrusted(ctx context.Context, tip gitstore.OID) ([]string, error) {
	entries, err := s.Ledger.Dir(ctx, tip, TrustDir)
	var hashes []string
	for _, e := range entries {
		if hash, ok := strings.CutSuffix(e.Name, ".json"); ok && e.Mode == gitstore.ModeFile {
			hashes = append(hashes, hash)
		}
	}
	slices.Sort(hashes)
	return hashes, err
}

func (c State) Trusts(hash string) bool {
	_, found := slices.BinarySearch(c.Trusted, hash)
	return found
}

// Trusted reports whether this clone's person has trusted a content. Where this
// clone's record can't tell, nobody has.
func (s *Clone) Trusted(ctx context.Context, c Content) (bool, error) {
	clone, err := s.State(ctx)
	return clone.Trusts(c.Hash()), err
}

// TrustIn stages that the caller trusts contents; nothing where all are trusted
// already. Once in a change.
func (s *Clone) TrustIn(ctx context.Context, tx *ledger.Tx, records []TrustRecord) error {
	return s.UpdateIn(ctx, tx, "trust: "+s.Caller.User+" trusts what is here", func(_ context.Context, c *Change) error {
		for _, r := range records {
			hash := r.Content().Hash()
			at, found := slices.BinarySearch(c.State.Trusted, hash)
			if found {
				continue
			}
			r.By, r.At = s.Caller.User, s.Timestamp()
			if err := c.Put(path.Join(TrustDir, hash+".json"), nil, r); err != nil {
				return err
			}
			c.State.Trusted = slices.Insert(c.State.Trusted, at, hash)
		}
		return nil
	})
}

// DistrustIn stages that contents are not trusted any more; nothing where none is.
func (s *Clone) DistrustIn(ctx context.Context, tx *ledger.Tx, hashes ...string) error {
	return s.UpdateIn(ctx, tx, "trust: taken back", func(_ context.Context, c *Change) error {
		for _, hash := range hashes {
			if at, found := slices.BinarySearch(c.State.Trusted, hash); found {
				c.Files[path.Join(TrustDir, hash+".json")] = nil
				c.State.Trusted = slices.Delete(c.State.Trusted, at, at+1)
			}
		}
		return nil
	})
}

// TrustOwn stages that what a person sets here is trusted by that act.
func (s *Clone) TrustOwn(ctx context.Context, tx *ledger.Tx, contents ...Content) error {
	if s.Caller.Reached().Agent() {
		return nil
	}
	return s.TrustWhatIsSet(ctx, tx, contents)
}

// TrustWhatIsSet stages that what is set here is trusted. Where this clone's record can't be
// written it waits, as what others set does.
func (s *Clone) TrustWhatIsSet(ctx context.Context, tx *ledger.Tx, contents []Content) error {
	if len(contents) == 0 {
		return nil
	}
	who, err := s.Repo.Config.Identity(ctx)
	if err != nil {
		return err
	}
	var records []TrustRecord
	for _, c := range contents {
		records = append(records, TrustRecord{What: c.Kind, Key: c.Key, Text: c.Text, Author: Author(who)})
	}
	err = s.TrustIn(ctx, tx, records)
	if _, broken := errors.AsType[*RecordError](err); broken {
		return nil
	}
	return err
}

// Author is a person as git has it.
func Author(who gitstore.Signature) string { return who.Name + " <" + who.Email + ">" }

// TrustKind is what kind of thing runs, loosens or is said here only once this
// clone's person has trusted it.
type TrustKind string

const (
	// TrustSetting is a shared setting, by its key and its values.
	TrustSetting TrustKind = "setting"
	// TrustCommand is a command that verifies a phase, by its text.
	TrustCommand TrustKind = "command"
	// TrustHook is a program around a step, TrustWorkflow a text that an agent
	// follows for a step or around it: by their place and their bytes.
	TrustHook     TrustKind = "hook"
	TrustWorkflow TrustKind = "workflow"
	// TrustPipeline is the shared pipeline, by its text.
	TrustPipeline TrustKind = "pipeline"
	// TrustConstraints are a plan's constraints for agents, by their text.
	TrustConstraints TrustKind = "constraints"
)

// Content is something to be trusted, by what it is: wherever it comes from,
// and whoever wrote it. Changed in the least, it is another one.
type Content struct {
	Kind TrustKind `json:"kind"`
	// Key is the setting's, in lower case; "" for a command; the place of what is
	// around a step.
	Key  string   `json:"key,omitempty"`
	Text []string `json:"text"` // the values; the command; a file's lines
}

// Hash names the content. Each part goes in with its length: no two contents
// look alike.
func (c Content) Hash() string {
	sum := sha256.New()
	for _, part := range append([]string{string(c.Kind), c.Key}, c.Text...) {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// TrustDigits is how many digits of a hash lists show, and how many name a
// content at least. Whoever can choose a text can make its hash begin like
// another one's, with work that doubles with each bit.
const TrustDigits = 12

// ShortTrust is a hash as people see and type it.
func ShortTrust(hash string) string { return hash[:min(TrustDigits, len(hash))] }
