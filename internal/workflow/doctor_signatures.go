package workflow

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/safego"
)

// SignatureCounts counts the signatures of operations.
type SignatureCounts struct {
	Good    int `json:"good"`
	Bad     int `json:"bad"`     // or by a key that was revoked
	Unknown int `json:"unknown"` // nothing here vouches for the key, or can check it
	// Unsigned are the person's own since the first that was signed.
	Unsigned int `json:"unsigned"`
	// Unchecked are left for the next time.
	Unchecked int `json:"unchecked"`
}

const (
	// signatureChunk is how many signatures one git verifies: it starts a
	// program or two for each.
	signatureChunk = 25
	// signatureWorkers verify at once.
	signatureWorkers = 4
	// signaturesAtOnce bounds an examination; what was found good is remembered
	// and the next one goes on.
	signaturesAtOnce = 2000
	// namedSignatures is how many bad ones are named each.
	namedSignatures = 20
)

// signatures verifies the signatures of operations, as git does: against the
// list of allowed signers, or the keyring.
func (d *doctor) signatures(ctx context.Context) error {
	signed, mine, err := d.operations(ctx)
	if err != nil {
		return err
	}
	count := &d.report.Signatures
	if signs, err := d.s.repo.Signs(ctx); err == nil && signs {
		count.Unsigned = mine.unsigned()
	}
	if count.Unsigned > 0 {
		d.add(Remark, "signatures", "an agent's are signed where that takes no passphrase and no time", "%s not signed",
			counted(count.Unsigned, "operation of yours is", "operations of yours are"))
	}
	verdict, err := d.s.repo.SignatureTrust(ctx)
	if err != nil {
		return err
	}
	known := d.s.goodSignatures(verdict)
	count.Good = len(signed)
	signed = slices.DeleteFunc(signed, func(h gitstore.CommitHead) bool { return known[h.OID] })
	count.Good -= len(signed)
	slices.SortFunc(signed, func(a, b gitstore.CommitHead) int { return b.Committed.Compare(a.Committed) })
	if len(signed) > signaturesAtOnce {
		count.Unchecked = len(signed) - signaturesAtOnce
		signed = signed[:signaturesAtOnce]
	}
	all, err := d.verifySignatures(ctx, signed)
	if err != nil {
		return err
	}
	d.tellSignatures(all)
	var good []gitstore.OID
	for _, one := range all {
		if one.State == gitstore.SignatureGood {
			good = append(good, one.OID)
		}
	}
	count.Good += len(good)
	d.s.rememberGood(verdict, good, len(known) > 0)
	if count.Unchecked > 0 {
		d.add(Remark, "signatures", "'git brew doctor' again goes on with them", "%s not looked at yet",
			counted(count.Unchecked, "older one was", "older ones were"))
	}
	return nil
}

// ownOperations are those of the person here, by when they were made.
type ownOperations struct {
	first time.Time // that is signed
	plain []time.Time
}

// unsigned counts those that are not signed, from the first on that is.
func (o ownOperations) unsigned() int {
	if o.first.IsZero() {
		return 0
	}
	n := 0
	for _, at := range o.plain {
		if !at.Before(o.first) {
			n++
		}
	}
	return n
}

// operations are the signed commits of the records, and the person's own.
func (d *doctor) operations(ctx context.Context) (signed []gitstore.CommitHead, mine ownOperations, err error) {
	refs, err := d.s.repo.Refs(ctx, ledger.Prefix)
	if err != nil {
		return nil, mine, err
	}
	var tips []gitstore.OID
	for _, r := range refs {
		if kind, _, shared := ledger.KindOf(r.Name); shared && r.Err == nil && slices.Contains(signedKinds(), kind) {
			tips = append(tips, r.OID)
		}
	}
	who, err := d.s.repo.Identity(ctx)
	if err != nil {
		who.Email = "" // nobody's
	}
	n := 0
	err = d.s.repo.Heads(ctx, tips, func(h gitstore.CommitHead) {
		if n++; n%1000 == 0 {
			d.progress(n, 0)
		}
		own := h.Parents < 2 && h.Email == who.Email && h.Email != ""
		switch {
		case h.Signed:
			signed = append(signed, h)
			if own && (mine.first.IsZero() || h.Committed.Before(mine.first)) {
				mine.first = h.Committed
			}
		case own:
			mine.plain = append(mine.plain, h.Committed)
		}
	})
	return signed, mine, err
}

// signedKinds are the records whose operations are signed; archived tasks are
// the archive's parents.
func signedKinds() []ledger.Kind {
	return []ledger.Kind{ledger.KindTask, ledger.KindKnowledge, ledger.KindConfig, ledger.KindArchive}
}

func (d *doctor) verifySignatures(ctx context.Context, commits []gitstore.CommitHead) ([]gitstore.Signed, error) {
	ids := make([]gitstore.OID, len(commits))
	for i, h := range commits {
		ids[i] = h.OID
	}
	var mu sync.Mutex
	var work safego.Group
	var all []gitstore.Signed
	next := 0
	take := func(done []gitstore.Signed) []gitstore.OID {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, done...)
		d.progress(len(all), len(ids))
		from := next
		next = min(next+signatureChunk, len(ids))
		return ids[from:next]
	}
	for range signatureWorkers {
		work.Go(func() error {
			var failed error
			for chunk := take(nil); len(chunk) > 0; {
				some, err := d.s.repo.Signatures(ctx, chunk)
				failed = cmp.Or(failed, err)
				chunk = take(some)
			}
			return failed
		})
	}
	failed := work.Wait()
	slices.SortFunc(all, func(a, b gitstore.Signed) int { return a.OID.Compare(b.OID) })
	return all, failed
}

// tellSignatures names what is bad, and counts what nobody can tell.
func (d *doctor) tellSignatures(all []gitstore.Signed) {
	count := &d.report.Signatures
	expired := 0
	for _, one := range all {
		switch one.State {
		case gitstore.SignatureGood:
		case gitstore.SignatureBad, gitstore.SignatureRevoked:
			why := "its signature is not of what it says"
			if one.State == gitstore.SignatureRevoked {
				why = "it was signed with a key that was revoked"
			}
			if one.Signer != "" {
				why += ": " + one.Signer
			}
			if count.Bad++; count.Bad <= namedSignatures {
				d.add(Problem, "commit "+one.OID.String(), "'git verify-commit "+one.OID.Short()+"' tells more", "%s", why)
			}
		case gitstore.SignatureExpired, gitstore.KeyExpired:
			expired++
			count.Good++ // it was good when it was made
		default:
			count.Unknown++
		}
	}
	if more := count.Bad - namedSignatures; more > 0 {
		d.add(Problem, "signatures", "", "%s bad", counted(more, "more is", "more are"))
	}
	if expired > 0 {
		d.add(Remark, "signatures", "", "%s good, by keys that have expired since", counted(expired, "is", "are"))
	}
	if count.Unknown > 0 {
		d.add(Remark, "signatures", "with SSH keys, name them in the file of gpg.ssh.allowedSignersFile; with OpenPGP, import and trust them",
			"%s by keys that nothing here vouches for", counted(count.Unknown, "is", "are"))
	}
}

// goodMemo, in the cache directory, has the commits whose signatures were found
// good: a line for each, below what that verdict depends on.
const goodMemo = "good-signatures"

func (s *Service) goodPath() string { return filepath.Join(s.repo.CacheDir(), goodMemo) }

// goodSignatures reads the memo, as far as it was made under the same verdict.
func (s *Service) goodSignatures(verdict string) map[gitstore.OID]bool {
	data, err := gitstore.ReadFile(s.goodPath())
	if err != nil {
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	if !lines.Scan() || lines.Text() != verdict {
		return nil
	}
	good := map[gitstore.OID]bool{}
	for lines.Scan() {
		if oid, err := gitstore.ParseOID(lines.Text()); err == nil {
			good[oid] = true
		}
	}
	return good
}

// rememberGood adds to the memo, or begins a new one.
func (s *Service) rememberGood(verdict string, good []gitstore.OID, goesOn bool) {
	if len(good) == 0 {
		return
	}
	var text strings.Builder
	if goesOn {
		data, err := gitstore.ReadFile(s.goodPath())
		if err != nil {
			return
		}
		text.Write(data)
	} else {
		text.WriteString(verdict + "\n")
	}
	for _, oid := range good {
		fmt.Fprintln(&text, oid)
	}
	_ = s.repo.WriteCache(goodMemo, []byte(text.String())) // else they are looked at again
}
