package doctor

import (
	"context"

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
}

// signaturesAtOnce is how many operations are looked at, the latest: git starts a program
// or two for each signature.
const signaturesAtOnce = 1000

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
	count := &d.report.Signatures
	for _, one := range latest {
		switch one.State {
		case githistory.SignatureNone:
		case githistory.SignatureGood, githistory.SignatureExpired, githistory.KeyExpired: // good when it was made
			count.Good++
		case githistory.SignatureBad, githistory.SignatureRevoked:
			why := "its signature is not of what it says"
			if one.State == githistory.SignatureRevoked {
				why = "it was signed with a key that was revoked"
			}
			if one.Signer != "" {
				why += ": " + one.Signer
			}
			count.Bad++
			d.add(Problem, "commit "+one.OID.String(), "'git verify-commit "+one.OID.Short()+"' tells more", "%s", why)
		default:
			count.Unknown++
		}
	}
	if count.Unknown > 0 {
		d.add(Remark, "signatures",
			"with SSH keys, name them in the file of gpg.ssh.allowedSignersFile; with OpenPGP, import and trust them",
			"%s by keys that nothing here vouches for", clone.Counted(count.Unknown, "is", "are"))
	}
	if len(latest) == signaturesAtOnce && *count != (SignatureCounts{}) { // else nobody signs here
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
