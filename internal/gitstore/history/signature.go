package history

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// SignatureState is git's word for a signature (%G?).
type SignatureState string

// The states that differ for who looks at them.
const (
	SignatureGood    SignatureState = "G"
	SignatureUnknown SignatureState = "U" // good, by a key that nothing here vouches for
	SignatureBad     SignatureState = "B"
	SignatureRevoked SignatureState = "R" // good, by a key that was revoked
	SignatureExpired SignatureState = "X"
	KeyExpired       SignatureState = "Y"
	SignatureNoKey   SignatureState = "E" // can't be checked: the key is not here
	SignatureNone    SignatureState = "N"
)

// Signed is what git says of a commit and its signature.
type Signed struct {
	OID    plumbing.OID
	State  SignatureState
	Signer string // as the key or the list of allowed signers has it
}

// Signatures lets git verify the signatures of commits against the person's
// keyring or list of allowed signers: of the most commits that lead to tips and were
// made last, those first. git starts a program or two for each signature.
func (r *History) Signatures(ctx context.Context, most int, tips ...plumbing.OID) ([]Signed, error) {
	if len(tips) == 0 {
		return nil, nil
	}
	out, err := r.at.Git.Input(ctx, odb.OIDLines(tips), "log", "--no-show-signature", "--no-patch",
		fmt.Sprintf("--max-count=%d", most), "--format=%H%x00%G?%x00%GS", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("verify signatures: %w", err)
	}
	var all []Signed
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		oid, err := plumbing.ParseOID(fields[0])
		const size = 3
		if err != nil || len(fields) != size {
			return nil, fmt.Errorf("verify signatures: unexpected answer %.100q", line)
		}
		s := Signed{OID: oid, State: SignatureState(fields[1]), Signer: fields[2]}
		if s.State == SignatureNone && r.hasSignature(ctx, oid) { // nothing is configured to check it with
			s.State = SignatureNoKey
		}
		all = append(all, s)
	}
	return all, nil
}

// hasSignature reports whether a commit carries a signature, good or bad.
func (r *History) hasSignature(ctx context.Context, commit plumbing.OID) bool {
	_, data, err := r.objects.Object(ctx, commit)
	headers, _, _ := bytes.Cut(data, []byte("\n\n"))
	return err == nil && bytes.Contains(headers, []byte("\ngpgsig"))
}
