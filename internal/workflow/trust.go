package workflow

import (
	"cmp"
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

// TrustKind is what kind of thing runs, loosens or is said here only once this
// clone's person has trusted it.
type TrustKind string

// The kinds.
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

func settingContent(key Key, values []string) Content {
	return Content{TrustSetting, strings.ToLower(string(key)), values}
}

func commandContent(command string) Content { return Content{TrustCommand, "", []string{command}} }

// Hash names the content. Each part goes in with its length: no two contents
// look alike.
func (c Content) Hash() string {
	sum := sha256.New()
	for _, part := range append([]string{string(c.Kind), c.Key}, c.Text...) {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

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
func (s *Service) readTrusted(ctx context.Context, tip gitstore.OID) ([]string, error) {
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
func (s *Service) Trusted(ctx context.Context, c Content) (bool, error) {
	clone, err := s.cloneBrief(ctx)
	return clone.trusts(c.Hash()), err
}

// TrustItem is a content that is used here, or was trusted once.
type TrustItem struct {
	Hash    string `json:"hash"`
	Trusted bool   `json:"trusted"`
	Content
	// Author is who wrote it, as git has it, Commit where, At when; "" where
	// nobody can tell any more.
	Author string `json:"author"`
	Commit string `json:"commit,omitempty"`
	At     string `json:"at,omitempty"`
	// Where names what has it: "shared settings", "fix-login, phase 2"; none
	// where it was trusted and is gone.
	Where []string `json:"where"`
	// By and Since are who trusted it, and when.
	By    string `json:"trusted_by,omitempty"`
	Since string `json:"trusted_at,omitempty"`
}

// TrustList lists what is used here on trust, and what was trusted and is not
// used any more: first what waits, then by kind, key and text.
func (s *Service) TrustList(ctx context.Context) ([]TrustItem, error) {
	items, err := s.onTrust(ctx)
	if err != nil {
		return nil, err
	}
	clone, err := s.cloneBrief(ctx)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		items[i].Trusted = clone.trusts(item.Hash)
	}
	// What can't be read is not trusted, and can be again.
	tip, _ := s.ledger.Tip(ctx, s.cloneRef())
	_ = eachJSON(ctx, s.ledger, tip, trustDir, func(hash string, r trustRecord) {
		if r.content().Hash() != hash {
			return // not what it was called
		}
		i := slices.IndexFunc(items, func(t TrustItem) bool { return t.Hash == hash })
		if i < 0 {
			items, i = append(items, TrustItem{Content: r.content(), Hash: hash, Trusted: true}), len(items)
		}
		items[i].Author = cmp.Or(items[i].Author, r.Author)
		items[i].By, items[i].Since = r.By, r.At
	})
	slices.SortFunc(items, func(a, b TrustItem) int {
		if a.Trusted != b.Trusted {
			return map[bool]int{false: -1, true: 1}[a.Trusted]
		}
		return cmp.Or(-cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), slices.Compare(a.Text, b.Text))
	})
	return items, ctx.Err()
}

// Trust records that the caller, a person, has looked at contents and trusts
// them: those whose hashes begin as given.
func (s *Service) Trust(ctx context.Context, prefixes []string) ([]TrustItem, error) {
	if err := s.personTrusts(); err != nil {
		return nil, err
	}
	items, err := s.TrustList(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := pickTrust(items, prefixes)
	if err != nil {
		return nil, err
	}
	return s.trust(ctx, chosen)
}

// trust records that the caller trusts contents, and gives them as they are
// then.
func (s *Service) trust(ctx context.Context, chosen []TrustItem) ([]TrustItem, error) {
	records := make([]trustRecord, 0, len(chosen))
	for i, t := range chosen {
		records = append(records, trustRecord{What: t.Kind, Key: t.Key, Text: t.Text, Author: t.Author})
		chosen[i].Trusted = !s.ledger.Rehearses()
	}
	s.settings = nil
	err := s.ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error { return s.trustIn(ctx, tx, records) })
	return chosen, err
}

// Distrust takes trust back from contents whose hashes begin as given.
func (s *Service) Distrust(ctx context.Context, prefixes []string) ([]TrustItem, error) {
	if err := s.personTrusts(); err != nil {
		return nil, err
	}
	items, err := s.TrustList(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := pickTrust(slices.DeleteFunc(items, func(t TrustItem) bool { return !t.Trusted }), prefixes)
	if err != nil {
		return nil, err
	}
	s.settings = nil
	hashes := make([]string, len(chosen))
	for i, t := range chosen {
		chosen[i].Trusted, hashes[i] = s.ledger.Rehearses(), t.Hash
	}
	err = s.ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error { return s.distrustIn(ctx, tx, hashes...) })
	return chosen, err
}

// distrustIn stages that contents are not trusted any more; nothing where none is.
func (s *Service) distrustIn(ctx context.Context, tx *ledger.Tx, hashes ...string) error {
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

// personTrusts refuses what an agent's session must not decide.
func (s *Service) personTrusts() error {
	return s.caller.ForPeople("trust what others wrote", "the user looks at it with 'git brew trust list', and decides")
}

// trustIn stages that the caller trusts contents; nothing where all are trusted
// already. Once in a change.
func (s *Service) trustIn(ctx context.Context, tx *ledger.Tx, records []trustRecord) error {
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

// setHere stages that what a person sets here is trusted by that act.
func (s *Service) setHere(ctx context.Context, tx *ledger.Tx, contents ...Content) error {
	if s.caller.reached().agent() {
		return nil
	}
	return s.trustSet(ctx, tx, contents)
}

// trustSet stages that what is set here is trusted. Where this clone's record can't be
// written it waits, as what others set does.
func (s *Service) trustSet(ctx context.Context, tx *ledger.Tx, contents []Content) error {
	if len(contents) == 0 {
		return nil
	}
	who, err := s.repo.Identity(ctx)
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

// trustDigits is how many digits of a hash lists show, and how many name a
// content at least. Whoever can choose a text can make its hash begin like
// another one's, with work that doubles with each bit.
const trustDigits = 12

// ShortTrust is a hash as people see and type it.
func ShortTrust(hash string) string { return hash[:min(trustDigits, len(hash))] }

// pickTrust finds the contents that prefixes name, each one exactly one.
func pickTrust(items []TrustItem, prefixes []string) ([]TrustItem, error) {
	var chosen []TrustItem
	for _, p := range prefixes {
		p = strings.ToLower(p)
		if len(p) < trustDigits {
			return nil, invalid("see 'git brew trust list'", "%.64q names nothing: give the first %d digits of a hash, or more", p, trustDigits)
		}
		var found []TrustItem
		for _, t := range items {
			if strings.HasPrefix(t.Hash, p) {
				found = append(found, t)
			}
		}
		switch len(found) {
		case 0:
			return nil, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("nothing here has the hash %.64q", p), Hint: "see 'git brew trust list'"}
		case 1:
			if !slices.ContainsFunc(chosen, func(t TrustItem) bool { return t.Hash == found[0].Hash }) {
				chosen = append(chosen, found[0])
			}
		default:
			return nil, &NotFoundError{Kind: ErrNotFound, Msg: fmt.Sprintf("%d hashes begin with %q", len(found), p), Hint: "give more digits; 'git brew trust list' shows them"}
		}
	}
	return chosen, nil
}

// WaitingForTrust says in words how many contents wait.
func WaitingForTrust(n int) string {
	return counted(n, "setting or command of others waits", "settings or commands of others wait") + " for your trust"
}
