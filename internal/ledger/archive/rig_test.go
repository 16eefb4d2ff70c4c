package archive

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
)

// tally is the state of the records here: words, in the order of the fold.
type tally struct {
	Clock uint64   `json:"clock"`
	Fence uint64   `json:"fence,omitempty"`
	Words []string `json:"words"`
}

// The kinds of operations on a tally. A text's word is in a blob.
const (
	opAdd  operation.Kind = "add"
	opHold operation.Kind = "hold" // add, for the holder of the lock alone
	opText operation.Kind = "text"
	opBack operation.Kind = "back" // the words are those before a commit again
)

type wordPayload struct {
	Word string `json:"word,omitempty"`
	OID  string `json:"oid,omitempty"`
	// Commit is one of the record's history; see opBack.
	Commit string `json:"commit,omitempty"`
}

// tallyLaw keeps a word once, in tally.json and as a file of its own.
func tallyLaw() ledger.Law[tally] {
	return ledger.Law[tally]{
		Needs:  func(path string) bool { return path == tallyFile },
		Decode: decodeTally, Encode: encodeTally, Apply: applyTally, Check: checkTally,
		Rules: operation.Rules{Guarded: func(k operation.Kind) bool { return k == opHold }},
		Clock: func(s *tally) *uint64 { return &s.Clock },
		Fence: func(s tally) uint64 { return s.Fence },
		Subject: func(op operation.Operation, _, after tally) string {
			return fmt.Sprintf("%s: %d words", op.Kind, len(after.Words))
		},
		Trailers: func(op operation.Operation, _, _ tally) []operation.Trailer {
			return []operation.Trailer{{Key: "Brew-Op", Value: string(op.ID)}}
		},
		Brief:  func(s tally) any { return s },
		Bounds: tallyBounds(),
	}
}

const tallyFile = "tally.json"

func decodeTally(files ledger.Files) (tally, error) {
	var s tally
	return s, json.Unmarshal(files[tallyFile].Data, &s)
}

func encodeTally(s tally) (ledger.Files, error) {
	data, err := json.Marshal(s)
	files := ledger.Files{tallyFile: {Data: data}}
	for _, w := range s.Words {
		files["words/"+w] = ledger.File{Data: []byte(w)}
	}
	return files, err
}

func applyTally(s tally, op operation.Operation, texts ledger.Texts) (tally, bool) {
	s.Clock, s.Fence = max(s.Clock, op.Clock), max(s.Fence, op.Fence)
	var p wordPayload
	if json.Unmarshal(op.Payload, &p) != nil {
		return s, false
	}
	if op.Kind == opText {
		data, ok := texts.Text(p.OID)
		if !ok {
			return s, false
		}
		p.Word = string(data)
	}
	if op.Kind == opBack {
		return s.back(p.Commit, texts)
	}
	if p.Word == "" || slices.Contains(s.Words, p.Word) {
		return s, false
	}
	s.Words = append(slices.Clone(s.Words), p.Word)
	return s, true
}

func (s tally) back(commit string, texts ledger.Texts) (tally, bool) {
	_, on, ok := texts.Operation(commit)
	if !ok {
		return s, false
	}
	files, ok := texts.Files(on)
	if !ok {
		return s, false
	}
	s.Words = slices.DeleteFunc(slices.Clone(s.Words), func(w string) bool { return files["words/"+w].OID == "" })
	return s, true
}

func checkTally(s tally, op operation.Operation) error {
	if strings.Contains(string(op.Payload), "forbidden") {
		return fmt.Errorf("%w: it is forbidden", errRefused)
	}
	return nil
}

// tallyBounds: a record at refA or refB begins with whatever word.
func tallyBounds() ledger.Bounds {
	return ledger.Bounds{
		OneRoot: true,
		Owns: func(ref gitstore.RefName, first operation.Operation) error {
			if first.Kind != opAdd {
				return fmt.Errorf("%w: %s begins with %s", errRefused, ref, first.Kind)
			}
			return nil
		},
		Limit:     func(path string) int64 { return 1000 },
		LockFence: func(file []byte) (fence uint64, err error) { return fence, json.Unmarshal(file, &fence) },
		Names: func(op operation.Operation) []string {
			var p wordPayload
			_ = json.Unmarshal(op.Payload, &p)
			return []string{p.OID, p.Commit}
		},
	}
}

var errRefused = fmt.Errorf("refused")

// rig is a repository with a ledger whose clock moves a second at each look.
type rig struct {
	*gitstoretest.Fixture
	l *ledger.Ledger
}

func newRig(t *testing.T) *rig { return rigOn(gitstoretest.New(t)) }

func rigOn(f *gitstoretest.Fixture) *rig {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &rig{f, ledger.New(f.Open(), func() time.Time { at = at.Add(time.Second); return at }, nil)}
}

// change runs fn as a change, which must succeed.
func (r *rig) change(fn func(ctx context.Context, tx *ledger.Tx) error) {
	r.T.Helper()
	if err := r.l.Change(context.Background(), fn); err != nil {
		r.T.Fatal(err)
	}
}

func adding(w string) ledger.Draft { return ledger.Draft{Kind: opAdd, Payload: wordPayload{Word: w}} }

func words(all ...string) []ledger.Draft {
	var drafts []ledger.Draft
	for _, w := range all {
		drafts = append(drafts, adding(w))
	}
	return drafts
}

// add appends operations to the record at ref, and returns its tip.
func (r *rig) add(ref gitstore.RefName, stamp ledger.Stamp, drafts ...ledger.Draft) gitstore.OID {
	r.T.Helper()
	if err := r.tryAdd(ref, stamp, drafts...); err != nil {
		r.T.Fatal(err)
	}
	return r.tip(ref)
}

func (r *rig) tryAdd(ref gitstore.RefName, stamp ledger.Stamp, drafts ...ledger.Draft) error {
	return r.l.Change(context.Background(), func(ctx context.Context, tx *ledger.Tx) error {
		tip, err := tx.Tip(ctx, ref)
		if err != nil {
			return err
		}
		state, err := ledger.Load(ctx, r.l, tallyLaw(), tip)
		if err != nil {
			return err
		}
		_, err = ledger.Append(ctx, tx, tallyLaw(), ref, state, stamp, drafts...)
		return err
	})
}

func (r *rig) tip(ref gitstore.RefName) gitstore.OID {
	r.T.Helper()
	oid, err := r.l.Tip(context.Background(), ref)
	if err != nil {
		r.T.Fatal(err)
	}
	return oid
}

// branch makes another ref for the same tip.
func (r *rig) branch(ref gitstore.RefName, tip gitstore.OID) {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) error { return tx.Move(ctx, ref, tip) })
}

func (r *rig) state(tip gitstore.OID) tally {
	r.T.Helper()
	s, err := ledger.Load(context.Background(), r.l, tallyLaw(), tip)
	if err != nil {
		r.T.Fatal(err)
	}
	return s
}

// merge merges theirs into ours, and writes it to a ref of its own.
func (r *rig) merge(ours, theirs gitstore.OID) (made gitstore.OID, how ledger.Outcome, err error) {
	err = r.l.Change(context.Background(), func(ctx context.Context, tx *ledger.Tx) error {
		if made, how, err = ledger.Merge(ctx, tx, tallyLaw(), ours, theirs); err != nil {
			return err
		}
		return tx.Move(ctx, ledger.Prefix+"merged", made)
	})
	return made, how, err
}

const (
	refA gitstore.RefName = ledger.Prefix + "tasks/" + "a"
	refB gitstore.RefName = ledger.Prefix + "tasks/" + "b"
)

// lock adds a state to the lock of a task, and returns its tip.
func (r *rig) lock(id, event string) gitstore.OID {
	r.T.Helper()
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		_, err := tx.Put(ctx, ledger.LockRef(id), map[string][]byte{"lock.json": []byte(event)}, "lock: "+event+"\n")
		return err
	})
	return r.tip(ledger.LockRef(id))
}

// object writes an object as it is, whatever git thinks of it.
func (r *rig) object(kind string, data []byte) gitstore.OID {
	r.T.Helper()
	path := filepath.Join(r.Root, "object")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		r.T.Fatal(err)
	}
	oid, err := gitstore.ParseOID(r.Git("hash-object", "-w", "--literally", "-t", kind, path))
	if err != nil {
		r.T.Fatal(err)
	}
	return oid
}

// line is an entry of a tree, as it is written there.
type line struct {
	mode, name string
	oid        gitstore.OID
}

func (r *rig) rawTree(lines ...line) gitstore.OID {
	r.T.Helper()
	var b bytes.Buffer
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %s\x00", l.mode, l.name)
		raw, err := hex.DecodeString(l.oid.String())
		if err != nil {
			r.T.Fatal(err)
		}
		b.Write(raw)
	}
	return r.object("tree", b.Bytes())
}

const ada = "Ada Example <ada@example.com> 1772366400 +0000"

// rawCommit writes a commit; who stands for author and committer.
func (r *rig) rawCommit(tree gitstore.OID, who, message string, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	text := "tree " + tree.String() + "\n"
	for _, p := range parents {
		text += "parent " + p.String() + "\n"
	}
	return r.object("commit", []byte(text+"author "+who+"\ncommitter "+who+"\n\n"+message))
}

// lines are the entries of a tree, in order; more take the places of those of
// the same name.
func (r *rig) lines(tree gitstore.OID, more ...line) []line {
	r.T.Helper()
	entries, err := r.l.Repo().Objects.Tree(context.Background(), tree)
	if err != nil {
		r.T.Fatal(err)
	}
	all := map[string]line{}
	for _, e := range entries {
		all[e.Name] = line{fmt.Sprintf("%o", uint32(e.Mode)), e.Name, e.OID}
	}
	for _, l := range more {
		all[l.name] = l
	}
	var out []line
	for _, l := range all {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b line) int { return strings.Compare(a.sort(), b.sort()) })
	return out
}

func (l line) sort() string {
	if l.mode == "40000" {
		return l.name + "/"
	}
	return l.name
}

func (r *rig) blob(text string) gitstore.OID { return r.object("blob", []byte(text)) }

// commit makes a commit with the tree of one and other parents.
func (r *rig) commit(like gitstore.OID, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	var made gitstore.OID
	r.change(func(ctx context.Context, tx *ledger.Tx) error {
		c, err := r.l.Repo().Objects.Commit(ctx, like)
		if err != nil {
			return err
		}
		if made, err = tx.Stage(ctx, c.Tree, "by hand\n", parents...); err != nil {
			return err
		}
		return tx.Move(ctx, ledger.Prefix+"by-hand", made)
	})
	return made
}

func TestMain(m *testing.M) {
	gitstoretest.InMemory()
	os.Exit(m.Run())
}
