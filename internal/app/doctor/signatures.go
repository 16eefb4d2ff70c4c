package doctor

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	githistory "github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/ledger"
)

// SignatureCounts counts the signatures of the operations that were looked at.
type SignatureCounts struct {
	Good    int `json:"good"`
	Bad     int `json:"bad"`     // or by a key that was revoked
	Unknown int `json:"unknown"` // nothing here vouches for the key, or can check it
	// Unsigned are the person's own since the first that was signed.
	Unsigned int `json:"unsigned"`
}

const (
	// signaturesAtOnce is how many operations are looked at, the latest: git starts
	// a program or two for each signature.
	signaturesAtOnce = 1000
	// namedSignatures is how many bad ones are named each.
	namedSignatures = 20
)

// signatures has git verify the signatures of the latest operations, against the
// list of allowed signers or the keyring.
func (d *doctor) signatures(ctx context.Context) error {
	tips, err := d.signedTips(ctx)
	if err != nil {
		return err
	}
	latest, err := d.s.Clone.Repo.History.Signatures(ctx, signaturesAtOnce, tips...)
	if err != nil {
		return err
	}
	isSigned := func(s githistory.Signed) bool { return s.State != githistory.SignatureNone }
	if !slices.ContainsFunc(latest, isSigned) {
		return nil // nobody signs here
	}
	if n, err := d.unsigned(ctx, latest); err == nil && n > 0 {
		d.report.Signatures.Unsigned = n
		d.add(Remark, "signatures", "an agent's are signed where that takes no passphrase and no time", "%s not signed",
			clone.Counted(n, "operation of yours is", "operations of yours are"))
	}
	d.tellSignatures(slices.DeleteFunc(latest, func(s githistory.Signed) bool { return !isSigned(s) }))
	if len(latest) == signaturesAtOnce {
		d.add(Remark, "signatures", "'git log --show-signature REF' verifies older ones",
			"the latest %d operations were looked at", signaturesAtOnce)
	}
	return nil
}

// signedTips are the tips of the records whose operations are signed; archived
// tasks are the archive's parents.
func (d *doctor) signedTips(ctx context.Context) ([]gitstore.OID, error) {
	refs, err := d.s.Clone.Repo.Refs.List(ctx, ledger.Prefix)
	var tips []gitstore.OID
	for _, r := range refs {
		switch kind, _, _ := ledger.KindOf(r.Name); kind {
		case ledger.KindTask, ledger.KindKnowledge, ledger.KindConfig, ledger.KindArchive:
			if r.Err == nil {
				tips = append(tips, r.OID)
			}
		default:
		}
	}
	return tips, err
}

// unsigned counts, where the person signs commits, their own operations that are not
// signed, from the first on that is.
func (d *doctor) unsigned(ctx context.Context, latest []githistory.Signed) (n int, err error) {
	signs, err := d.s.Clone.Repo.Objects.Signs(ctx)
	if err != nil || !signs {
		return 0, err
	}
	who, err := d.s.Clone.Repo.Config.Identity(ctx)
	if err != nil {
		return 0, err
	}
	since := 0
	for _, s := range latest {
		switch {
		case s.Email != who.Email || s.Merge:
		case s.State == githistory.SignatureNone:
			since++
		default:
			n = since
		}
	}
	return n, nil
}

// tellSignatures names what is bad, and counts what nobody can tell.
func (d *doctor) tellSignatures(all []githistory.Signed) {
	count := &d.report.Signatures
	expired := 0
	for _, one := range all {
		switch one.State {
		case githistory.SignatureGood:
			count.Good++
		case githistory.SignatureBad, githistory.SignatureRevoked:
			why := "its signature is not of what it says"
			if one.State == githistory.SignatureRevoked {
				why = "it was signed with a key that was revoked"
			}
			if one.Signer != "" {
				why += ": " + one.Signer
			}
			if count.Bad++; count.Bad <= namedSignatures {
				d.add(Problem, "commit "+one.OID.String(), "'git verify-commit "+one.OID.Short()+"' tells more", "%s", why)
			}
		case githistory.SignatureExpired, githistory.KeyExpired:
			expired++
			count.Good++ // it was good when it was made
		default:
			count.Unknown++
		}
	}
	if more := count.Bad - namedSignatures; more > 0 {
		d.add(Problem, "signatures", "", "%s bad", clone.Counted(more, "more is", "more are"))
	}
	if expired > 0 {
		d.add(Remark, "signatures", "", "%s good, by keys that have expired since", clone.Counted(expired, "is", "are"))
	}
	if count.Unknown > 0 {
		d.add(Remark, "signatures",
			"with SSH keys, name them in the file of gpg.ssh.allowedSignersFile; with OpenPGP, import and trust them",
			"%s by keys that nothing here vouches for", clone.Counted(count.Unknown, "is", "are"))
	}
}
