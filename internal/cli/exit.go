package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/ui"
)

// The exit codes. 2 is missing on purpose: an agent reads a hook's exit 2 as
// "block".
const (
	ExitDone     = 0
	ExitFailed   = 1
	ExitHeld     = 3
	exitNotFound = 4
	ExitRefused  = 5
	exitRemote   = 6
	ExitBroken   = 128
	ExitUsage    = 129
)

type outcome struct {
	Kind string // "kind" in the JSON form; stable
	Code int
	// match says whether the row is the error's, and what to do about it.
	match func(error) (hint string, ok bool)
}

// outcomes says which exit code an error gets, and which advice. The first
// row that matches counts; an error without a row is a failure.
func outcomes() []outcome { //nolint:funlen // a table
	return []outcome{
		{"usage", ExitUsage, as(func(e *UsageError) string { return e.Hint })},
		{"invalid", ExitUsage, as(func(e *clone.InvalidError) string { return e.Hint })},
		{"invalid", ExitUsage, asInvalid},

		{"not_a_repository", ExitBroken, is("go into one, or name it with -C", gitstore.ErrNotRepository)},
		{"not_trusted", ExitBroken, is("", gitstore.ErrNotTrusted)},
		{"unsupported", ExitBroken, is("this git-brew can't work in it; a newer one may", gitstore.ErrUnsupported)},
		{"unsupported", ExitBroken, as(func(e *config.RequiredError) string { return ownAdvice(e) })},
		{"bad_config", ExitBroken, is("mend that file; git can't read it either", gitstore.ErrBadConfig)},
		{"no_git", ExitBroken, is("install git", gitstore.ErrNoGit)},
		{"too_new", ExitBroken, is("update git-brew", ledger.ErrUnknownLaw)},
		{"too_new", ExitBroken, as(func(e *operation.FormatError) string { return ownAdvice(e) })},
		{"corrupt", ExitBroken, as(func(e *exchange.UnsentError) string { return ownAdvice(e) })},
		{"corrupt", ExitBroken, as(func(*gitstore.CorruptError) string { return adviceDoctor })},
		{"corrupt", ExitBroken, as(func(*gitstore.BrokenRefError) string { return adviceFix })},
		{"corrupt", ExitBroken, as(func(*gitfile.NotRegularError) string { return "" })},
		{"corrupt", ExitBroken, is(adviceDoctor, task.ErrCorrupt, lease.ErrBadLock, knowledge.ErrCorrupt)},
		{"invalid", ExitUsage, is("write it in UTF-8", ledger.ErrNoText)},
		{"corrupt", ExitBroken, is(adviceDoctor, operation.ErrInvalid)},
		{"corrupt", ExitBroken, as(func(*ledger.BrokenLawError) string { return adviceDoctor })},
		{"no_identity", ExitBroken, is("set user.name and user.email with 'git config'", gitstore.ErrNoIdentity)},

		{"held", ExitHeld, as(func(e *lease.HeldError) string { return ownAdvice(e) })},

		{"remote", exitRemote, as((*refsync.RemoteError).Advice)},
		// No sync took place, and the next one goes on: as with a remote out of reach.
		{"busy", exitRemote, as(func(*exchange.SyncBusyError) string {
			return "nothing here is lost; it ends by itself, 'git brew sync' again then"
		})},
		{"shallow", ExitFailed, advised(ledger.ErrShallow, "'git fetch --unshallow' brings the rest")},

		{"ambiguous", exitNotFound, as(func(e *task.AmbiguousError) string { return ownAdvice(e) })},
		{"ambiguous", exitNotFound, as(func(e *worktree.BranchError) string { return ownAdvice(e) })},
		{"not_found", exitNotFound, as(func(e *clone.NotFoundError) string { return e.Hint })},
		{"not_found", exitNotFound, advised(task.ErrNoTask, "see 'git brew list --all'")},
		{"not_found", exitNotFound, advised(task.ErrNoPhase, "see 'git brew phase list'")},
		{"not_found", exitNotFound, advised(task.ErrNoDocument, "see 'git brew doc list'")},
		{"not_found", exitNotFound, advised(task.ErrNoQuestion, "see 'git brew question list'")},
		{"not_found", exitNotFound, advised(task.ErrNoEntry, "see 'git brew knowledge list'")},
		{"not_found", exitNotFound, is("", clone.ErrNotFound)},

		{"refused", ExitRefused, as(func(e *task.RefusedError) string { return e.Hint })},
		{"refused", ExitRefused, as(func(e *clone.RefusedError) string { return e.Hint })},
		{"refused", ExitRefused, is("", ledger.ErrSuperseded)},
		{"refused", ExitRefused, as(func(*knowledge.RejectedError) string { return "" })},

		{"not_found", exitNotFound, is("'git remote' lists them", setup.ErrNoRemote)},
		{"settings", ExitFailed, is("make it plain JSON, without comments; "+adviceNoAgent, protocol.ErrNotJSON)},
		{"settings", ExitFailed, is(adviceNoAgent, settings.ErrSettings)},
		{"not_signed", ExitFailed, is(
			"'git commit' would not sign either; see user.signingKey and gpg.format in 'git help config'", odb.ErrNotSigned)},
		{"shallow", ExitFailed, is("'git fetch --unshallow' brings the rest", ledger.ErrShallow)},
		{"locked", ExitFailed, is("try again; see 'git brew doctor' if it stays", gitstore.ErrLocked)},
		{"busy", ExitFailed, is("try again", ledger.ErrBusy, event.ErrBusy, gitstore.ErrRefMoved)},
		{"too_large", ExitFailed, is("", gitstore.ErrTooLarge)},
		{"no_permission", ExitFailed, is("see who owns it, with 'ls -ld'", fs.ErrPermission)},
		{"read_only", ExitFailed, is("reading works; to change something, work on a copy that can be written",
			syscall.EROFS)},
		{"no_space", ExitFailed, is("free some space and try again", syscall.ENOSPC)},
		{"no_file", ExitFailed, as(func(e *fileError) string { return e.hint })},
		{"interrupted", ExitFailed, is("", context.Canceled)},
	}
}

const (
	adviceDoctor = "'git brew doctor' names what is damaged"
	adviceFix    = "'git brew doctor --fix' mends it, or says what can be done"
	// adviceNoAgent is for a client's file that nobody but its user can mend.
	adviceNoAgent = "'git brew init --no-agent' sets up all else"
)

func ownAdvice(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "; "); at >= 0 {
		return text[at+2:]
	}
	return ""
}

func is(hint string, targets ...error) func(error) (string, bool) {
	return func(err error) (string, bool) {
		return hint, slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
}

// advised matches a sentinel whose errors say themselves what to do, most of
// them.
func advised(target error, otherwise string) func(error) (string, bool) {
	return func(err error) (string, bool) { return cmp.Or(ownAdvice(err), otherwise), errors.Is(err, target) }
}

// asInvalid matches a refusal that no state of a task would lift.
func asInvalid(err error) (string, bool) {
	e, ok := errors.AsType[*task.RefusedError](err)
	if !ok || e.Code != task.CodeInvalid {
		return "", false
	}
	return e.Hint, true
}

func as[E error](hint func(E) string) func(error) (string, bool) {
	return func(err error) (string, bool) {
		e, ok := errors.AsType[E](err)
		if !ok {
			return "", false
		}
		return hint(e), true
	}
}

// UsageError: the command line is wrong.
type UsageError struct{ Msg, Hint string }

func (e *UsageError) Error() string { return e.Msg }

// Misused is the error for a wrong command line, and what to type instead.
func Misused(msg, hint string) error { return &UsageError{msg, hint} }

type errorView struct {
	Code    int    `json:"code"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	// Findings are the parts of the message, where there are several.
	Findings []string `json:"findings,omitempty"`
}

const findingsInLine = 3

// Judge looks an error up in the table. An error's own text may end in its
// hint; the message goes without.
func Judge(err error) errorView {
	view := errorView{Code: ExitFailed, Kind: "failed"}
	for _, row := range outcomes() {
		if hint, ok := row.match(err); ok {
			view.Code, view.Kind, view.Hint = row.Code, row.Kind, OneLine(hint)
			break
		}
	}
	if refused, ok := errors.AsType[*task.RefusedError](err); ok {
		view.Findings = refused.Findings
	}
	view.Message = OneLine(err.Error())
	if broken, ok := errors.AsType[*gitstore.BrokenRefError](err); ok {
		view.Message = OneLine(broken.Error()) // it names all that the steps before it do
	}
	if view.Hint != "" {
		view.Message = strings.TrimSuffix(view.Message, "; "+view.Hint)
	}
	return view
}

// Report prints an error and gives its exit code.
func (e *Env) Report(err error) int {
	if err == nil || errors.Is(err, ErrBrokenPipe) {
		return ExitDone
	}
	if said, ok := errors.AsType[*exitError](err); ok {
		return said.code
	}
	view := Judge(err)
	view.Hint = e.Addressed(view.Hint)
	e.Complain("%s", view.Line())
	if e.Flags.JSON {
		// An answer that can't be written shows when it is flushed.
		_ = ui.JSON(e.Out, ui.Object{"error", view})
	}
	return view.Code
}

// Complain writes a line on standard error, behind what was printed before it: a
// terminal shows both in the order in which they were said.
func (e *Env) Complain(format string, args ...any) {
	_ = e.Flush() // what can't be written shows when the program ends
	fmt.Fprintf(e.Err, "git-brew: "+format+"\n", args...)
}

// Line is an error as a person reads it: many findings stand below it, a line each.
func (v errorView) Line() string {
	head, listed := strings.CutSuffix(v.Message, ": "+OneLine(strings.Join(v.Findings, "; ")))
	if !listed || len(v.Findings) <= findingsInLine {
		return ui.Joined("; ", v.Message, v.Hint)
	}
	lines := ui.Joined("; ", head, v.Hint)
	for _, finding := range v.Findings {
		lines += "\n  " + OneLine(finding)
	}
	return lines
}

// exitError ends a command with a code and no further word: what there was to
// say has been said.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// ExitWith is the error for a code, none for 0.
func ExitWith(code int) error {
	if code == ExitDone {
		return nil
	}
	return &exitError{code}
}
