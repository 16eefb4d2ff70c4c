package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// CommitHead is what a commit says of itself.
type CommitHead struct {
	OID     OID
	Parents int
	// Email is the author's, Committed when it was made.
	Email     string
	Committed time.Time
	// Signed: it carries a signature, good or bad.
	Signed bool
}

// Heads visits all commits that can be reached from tips, in no order that
// matters, each once. git reads them, in one process; at the boundary of a
// shallow clone it stops.
func (r *Repo) Heads(ctx context.Context, tips []OID, visit func(CommitHead)) error {
	if len(tips) == 0 {
		return nil
	}
	args := []string{"rev-list", "--header", "--stdin"}
	cmd := r.command(ctx, args...)
	cmd.Env = environ(cmd.Env).with("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1")
	var problems tail
	cmd.Stdin, cmd.Stderr = oidLines(tips), &problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("run git rev-list: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return notRun(err)
	}
	in := bufio.NewReaderSize(out, 64<<10)
	var bad error
	for {
		record, err := in.ReadBytes(0)
		if err != nil {
			if !errors.Is(err, io.EOF) || len(bytes.TrimSpace(record)) > 0 {
				bad = fmt.Errorf("git rev-list: unexpected answer: %w", err)
			}
			break
		}
		head, err := parseHead(record)
		if err != nil {
			bad = err
			break
		}
		visit(head)
	}
	if bad != nil {
		_ = cmd.Process.Kill() // else it waits for a reader
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case bad != nil:
		return bad
	case err != nil:
		return &CommandError{Args: args, Code: cmd.ProcessState.ExitCode(), Stderr: problems.String()}
	}
	return nil
}

func oidLines(ids []OID) io.Reader {
	var lines bytes.Buffer
	for _, id := range ids {
		lines.WriteString(id.String() + "\n")
	}
	return &lines
}

// parseHead reads a record of rev-list --header: the commit's id, its headers,
// an empty line, and its message.
func parseHead(record []byte) (CommitHead, error) {
	var h CommitHead
	headers, _, _ := strings.Cut(string(record), "\n\n")
	for i, line := range strings.Split(headers, "\n") {
		key, value, _ := strings.Cut(line, " ")
		var err error
		var who Signature
		switch {
		case i == 0:
			h.OID, err = ParseOID(key)
		case key == "parent":
			h.Parents++
		case key == "author":
			who, err = parseSignature(value)
			h.Email = who.Email
		case key == "committer":
			who, err = parseSignature(value)
			h.Committed = who.When
		case strings.HasPrefix(key, "gpgsig"):
			h.Signed = true
		}
		if err != nil {
			return h, fmt.Errorf("git rev-list: unexpected answer: %w", err)
		}
	}
	return h, nil
}

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
	SignatureNone    SignatureState = "N" // or nothing is configured to check it with
)

// Signed is what git says of a commit's signature.
type Signed struct {
	OID    OID
	State  SignatureState
	Signer string // as the key or the list of allowed signers has it
}

// Signatures lets git verify the signatures of commits against the person's
// keyring or list of allowed signers. git starts a program or two for each.
func (r *Repo) Signatures(ctx context.Context, commits []OID) ([]Signed, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	var lines bytes.Buffer
	if _, err := lines.ReadFrom(oidLines(commits)); err != nil {
		return nil, err
	}
	// rev-list does not look at how signatures are to be verified.
	out, err := r.GitInput(ctx, lines.Bytes(), "log", "--no-show-signature", "--no-patch", "--no-walk=unsorted", "--format=%H %G? %GS", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("verify signatures: %w", err)
	}
	all := make([]Signed, 0, len(commits))
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		oid, err := ParseOID(fields[0])
		if err != nil || len(fields) < 2 {
			return nil, fmt.Errorf("verify signatures: unexpected answer %.100q", line)
		}
		s := Signed{OID: oid, State: SignatureState(fields[1])}
		if len(fields) == 3 {
			s.Signer = fields[2]
		}
		all = append(all, s)
	}
	return all, nil
}

// SignatureTrust names what git's verdict on signatures depends on, as far as
// that can be told: the configuration, the lists that it names, the keyring. A
// verdict of another name is out of date.
func (r *Repo) SignatureTrust(ctx context.Context) (string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	settings := config.WithPrefix("gpg.")
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(sum, "%q %q\n", key, settings[key])
		for _, value := range settings[key] {
			if path, ok := strings.CutPrefix(value, "~/"); ok {
				value = filepath.Join(r.env.home(), path)
			}
			if data, err := ReadFile(absFrom(r.dir, value)); strings.HasSuffix(key, "file") && err == nil {
				fmt.Fprintf(sum, "%q\n", data)
			}
		}
	}
	home := r.env.get("GNUPGHOME")
	if home == "" {
		home = filepath.Join(r.env.home(), ".gnupg")
	}
	for _, name := range []string{"pubring.kbx", "pubring.gpg", "public-keys.d", "trustdb.gpg", "tofu.db", "gpg.conf"} {
		if stamp, err := ReadStamp(filepath.Join(home, name)); err == nil {
			fmt.Fprintf(sum, "%s %+v\n", name, stamp)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
