// Package doctor checks what is recorded here, mends it, and takes it away.
package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Doctor checks what is recorded here, and mends it.
type Doctor struct {
	*change.Engine
	Claims   *claim.Claims
	Exchange *exchange.Exchange
	Trust    *trust.Trust
}

// Severity says how bad a finding is.
type Severity string

// The severities. Problem: something is broken or lost. Remark: something is
// untidy, and mended by --fix where that costs nothing.
const (
	Problem Severity = "problem"
	Remark  Severity = "remark"
)

// Finding is something that a check found.
type Finding struct {
	Severity Severity `json:"severity"`
	What     string   `json:"what"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
	// Mends is what --fix does about it, in words; "" where it can do nothing.
	Mends string `json:"mends,omitempty"`
	Fixed bool   `json:"fixed,omitempty"`
}

// DoctorRequest says how to examine.
type DoctorRequest struct {
	// Fix mends what can be mended without loss.
	Fix bool
	// Progress is told what is looked at, and how many of how many are done;
	// total is 0 where nobody knows. It may be nil.
	Progress func(step string, done, total int)
}

type doctor struct {
	s     *Doctor
	fix   bool
	found []Finding
	step  string
	tell  func(step string, done, total int)
}

// check is one subject of an examination. Its error says that it could not be
// looked at.
type check struct {
	what string
	run  func(*doctor, context.Context) error
}

// checks are all of them, in the order of what they say. Each stands in the
// file of its subject.
func checks() []check {
	return []check{
		{"refs", (*doctor).names},
		{"tasks", (*doctor).tasks},
		{"knowledge", single(records.ProjectLaw(), ledger.KnowledgeRef)},
		{"shared settings", single(config.Law(), ledger.ConfigRef)},
		{"archive", (*doctor).archive},
		{"this clone's record", (*doctor).clone},
		{"notes", (*doctor).notes},
		{"branches", (*doctor).heads},
		{"settings", (*doctor).settings},
		{"trust", (*doctor).trust},
		{"refspecs", (*doctor).refspecs},
		{"tracking refs", (*doctor).tracking},
		{"lock files", (*doctor).leftLocks},
		{"sharing", (*doctor).sharing},
	}
}

// Doctor checks what this clone keeps: every record can be read and is what its
// history says, caches agree with it, branches mean tasks that exist, locks are
// alive, git shows the notes and fetches what it should, and the remote that
// state is shared with takes it. The error is that ctx has ended.
func (s *Doctor) Doctor(ctx context.Context, r DoctorRequest) ([]Finding, error) {
	d := &doctor{s: s, fix: r.Fix, tell: r.Progress}
	for _, c := range checks() {
		d.step = c.what
		d.progress(0, 0)
		err := c.run(d, ctx)
		if ctx.Err() != nil {
			return d.found, context.Cause(ctx)
		}
		if err != nil {
			d.add(Problem, c.what, "", "could not be looked at: %v", err)
		}
	}
	return d.found, nil
}

func (d *doctor) progress(done, total int) {
	if d.tell != nil {
		d.tell(d.step, done, total)
	}
}

func (d *doctor) add(sev Severity, what, hint, format string, args ...any) {
	d.found = append(d.found,
		Finding{Severity: sev, What: what, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// mend is add for what --fix mends: do says in words what it does.
func (d *doctor) mend(what, do string, mend func() error, format string, args ...any) {
	d.add(Remark, what, "'git brew doctor --fix' "+do, format, args...)
	found := &d.found[len(d.found)-1]
	found.Mends = do
	if !d.fix {
		return
	}
	if err := mend(); err != nil {
		found.Hint, found.Mends = fmt.Sprintf("it could not be mended: %v", err), ""
		return
	}
	found.Fixed = true
}

func (d *doctor) settings(ctx context.Context) error {
	set, err := d.s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	for _, w := range set.Warnings {
		d.add(Remark, "settings", "the default is used; correct it with 'git brew config set'", "%s", w)
	}
	return nil
}

// trust tells what waits for the person, and what of the clone's record is not
// what it is called.
func (d *doctor) trust(ctx context.Context) error {
	n, err := d.s.Trust.Untrusted(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		d.add(Remark, "trust", "'git brew trust list' shows it", "%s", trust.WaitingForTrust(n))
	}
	tip, err := d.s.Clone.Ledger.Tip(ctx, d.s.Clone.Ref())
	if err != nil {
		return nil //nolint:nilerr // told of with the record
	}
	err = clone.EachJSON(ctx, d.s.Clone.Ledger, tip, clone.TrustDir, func(hash string, r clone.TrustRecord) {
		if r.Content().Hash() != hash {
			d.add(Problem, "trust", fmt.Sprintf("'git brew trust rm %.*s' takes it back", clone.TrustDigits, hash),
				"%s is trusted here, and nothing says what that is", hash)
		}
	})
	if err != nil {
		return errors.Join(errors.New("what was trusted"), err)
	}
	return nil
}

// snapshot checks that what every command believes of a record is what its
// objects say.
func (d *doctor) snapshot(ref gitstore.RefName, tip gitstore.OID, state any) {
	if d.s.Clone.Ledger.Cache.Disagrees(ref, tip, state) {
		d.lying(ref)
	}
}

func (d *doctor) lying(ref gitstore.RefName) {
	d.mend(string(ref), "removes it, and the next command makes it anew", func() error {
		return d.s.Clone.Ledger.Cache.Drop(ref)
	},
		"its snapshot says something else than its objects")
	d.worst()
}
