package refs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/config"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// errLeaveToGit: this update needs what only git does.
var errLeaveToGit = errors.New("to be done by git")

// updateByLock moves one ref by git's own protocol, without a process: take
// <ref>.lock, compare, write the lock's file, rename it.
//
// A lock that outlives its owner would block everyone, so ours can be told from
// all others: see lockRef.
func (r *Store) updateByLock(ctx context.Context, u Update) error {
	if runtime.GOOS == "windows" || !r.plainUpdate(ctx, u) {
		return errLeaveToGit
	}
	lock, err := r.lockRef(ctx, u.Ref)
	if err != nil {
		return err
	}
	defer lock.release()
	now, target, err := r.readRef(ctx, u.Ref)
	switch {
	case errors.Is(err, plumbing.ErrNotExist):
	case err != nil:
		return err
	case target != "":
		return fmt.Errorf("it is a symbolic ref to %q", target)
	}
	if now != u.Old {
		return fmt.Errorf("ref %q: %w: expected %s, found %s", u.Ref, plumbing.ErrRefMoved, show(u.Old), show(now))
	}
	if u.Old.IsZero() {
		if err := r.nameIsFree(u.Ref); err != nil {
			return err
		}
	}
	return lock.commit([]byte(u.New.String()+"\n"), !r.config.NoSync(ctx))
}

// plainUpdate tells whether an update is nothing but a changed file: no
// deletion, no reflog, no hook, a new value that is surely there.
func (r *Store) plainUpdate(ctx context.Context, u Update) bool {
	if u.New.IsZero() || r.at.Format.Reftable || u.Ref.PerWorktree() || r.at.Git.Env.Get("GIT_QUARANTINE_PATH") != "" {
		return false
	}
	config, err := r.config.Read(ctx)
	if err != nil || keepsReflog(r.at, config, u.Ref) || hasTransactionHook(r.at, config) {
		return false
	}
	_, err = os.Lstat(r.objects.LoosePath(u.New))
	return err == nil
}

// keepsReflog follows core.logAllRefUpdates, and keeps up a log that exists.
func keepsReflog(at *place.Place, config *config.Config, name plumbing.RefName) bool {
	mode, _ := config.Get("core.logallrefupdates")
	if strings.EqualFold(mode, "always") {
		return true
	}
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/notes/"} {
		if strings.HasPrefix(string(name), prefix) {
			return true
		}
	}
	_, err := os.Lstat(filepath.Join(at.CommonDir(), "logs", filepath.FromSlash(string(name))))
	return !errors.Is(err, fs.ErrNotExist) && !gitfile.IsNotDir(err)
}

// hasTransactionHook: a hook sees every change of a ref, and may refuse it.
func hasTransactionHook(at *place.Place, config *config.Config) bool {
	const hook = "reference-transaction"
	for _, s := range config.Settings {
		if strings.HasPrefix(s.Key, "hook.") && s.Value == hook {
			return true
		}
	}
	dir := filepath.Join(at.CommonDir(), "hooks")
	if custom, ok := config.Get("core.hookspath"); ok && custom != "" {
		base := at.WorkTree()
		if base == "" {
			base = at.GitDir()
		}
		if rest, ok := strings.CutPrefix(custom, "~/"); ok {
			base, custom = at.Git.Env.Home(), rest
		} else if strings.HasPrefix(custom, "~") || strings.HasPrefix(custom, "%(") {
			return true // for git to find out
		}
		dir = place.AbsFrom(base, custom)
	}
	_, err := os.Stat(filepath.Join(dir, hook))
	return !errors.Is(err, fs.ErrNotExist) && !gitfile.IsNotDir(err)
}

// nameIsFree leaves it to git to refuse, or make room for, a new ref whose
// name is a directory of others, or below another.
func (r *Store) nameIsFree(name plumbing.RefName) error {
	if gitfile.IsDir(r.refPath(name)) {
		return errLeaveToGit
	}
	packed, err := r.openPacked()
	if err != nil {
		return err
	}
	defer packed.close()
	taken := false
	err = packed.from(string(name)+"/", func(plumbing.RefName, plumbing.OID) bool {
		taken = true
		return false
	})
	for parent := path.Dir(string(name)); err == nil && !taken &&
		strings.Contains(parent, "/"); parent = path.Dir(parent) {
		_, err = packed.find(plumbing.RefName(parent))
		taken = err == nil
		if errors.Is(err, plumbing.ErrNotExist) {
			err = nil
		}
	}
	if err == nil && taken {
		return errLeaveToGit
	}
	return err
}

// refLock is a held <ref>.lock.
type refLock struct {
	repo   *Store
	turn   *os.File // flocked, and names the ref
	file   *os.File // under its private name; the same file as the lock
	ref    string   // path
	held   bool
	newDir []string // directories that gained an entry
}

// refTurn is the file in CacheDir on which whoever locks a ref holds a flock, and
// which names that ref; refPrivate is the lock's other name.
const (
	refTurn    = "reflock"
	refPrivate = "reflock.new"
)

// lockRef takes <ref>.lock, or gives a *LockedError. Who does so holds a flock, and
// the lock is a second name of a file in CacheDir. So when the kernel gives the flock
// to the next one and that file is there, its owner is dead, and its lock goes,
// whichever ref is moved next: git would still stumble over it.
func (r *Store) lockRef(ctx context.Context, name plumbing.RefName) (*refLock, error) {
	if err := r.at.MakeDir(r.at.CacheDir()); err != nil {
		return nil, err
	}
	turn, err := r.at.Lock(ctx, filepath.Join(r.at.CacheDir(), refTurn), place.LockPatience)
	if err != nil {
		return nil, err
	}
	l := &refLock{repo: r, turn: turn, ref: r.refPath(name)}
	if err := l.take(name); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *refLock) take(name plumbing.RefName) error {
	private, err := l.begin(name)
	if err != nil {
		return err
	}
	for range place.Tries {
		err = os.Link(private, l.path())
		switch {
		case err == nil:
			l.held = true
			return nil
		case errors.Is(err, fs.ErrExist):
			return &plumbing.LockedError{Path: l.path()}
		case errors.Is(err, fs.ErrNotExist):
			// No directory yet, or pack-refs has just removed it.
			if l.newDir, err = l.repo.at.MakeDirs(filepath.Dir(l.ref)); err != nil {
				return err
			}
		default:
			// A ref in the way of the directory, or a file system without
			// hard links.
			return errLeaveToGit
		}
	}
	return err
}

// begin removes the lock of one that died, notes which ref is locked now, and makes
// the file that is to be its lock.
func (l *refLock) begin(name plumbing.RefName) (private string, err error) {
	private = filepath.Join(l.repo.at.CacheDir(), refPrivate)
	if left, err := os.Lstat(private); err == nil {
		dead, err := io.ReadAll(l.turn)
		if err != nil {
			return "", err
		}
		lock := l.repo.refPath(plumbing.RefName(dead)) + ".lock"
		if there, err := os.Lstat(lock); err == nil && os.SameFile(left, there) {
			_ = os.Remove(lock) // else it is locked, as whoever wants it is told
		}
		_ = os.Remove(private) // else it can't be made anew
	}
	if err := l.turn.Truncate(0); err != nil {
		return "", err
	}
	if _, err := l.turn.WriteAt([]byte(name), 0); err != nil {
		return "", err
	}
	l.file, err = os.OpenFile(private, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return private, err
}

func (l *refLock) path() string { return l.ref + ".lock" }

// commit makes the ref, or the file of packed ones, what the lock says, durably.
func (l *refLock) commit(content []byte, sync bool) error {
	if _, err := l.file.Write(content); err != nil {
		return err
	}
	if err := l.repo.at.Format.Share.Apply(l.file); err != nil {
		return err
	}
	if sync {
		if err := l.file.Sync(); err != nil {
			return err
		}
	}
	if gitfile.IsDir(l.ref) {
		return errLeaveToGit // empty directories, which git removes
	}
	if err := os.Rename(l.path(), l.ref); err != nil {
		return err
	}
	l.held = false
	if !sync {
		return nil
	}
	for _, dir := range append(l.newDir, filepath.Dir(l.ref)) {
		if err := gitfile.SyncDir(dir); err != nil {
			return fmt.Errorf("it was written, and may be lost if the machine stops now: %w", err)
		}
	}
	return nil
}

// release removes what is left of the lock; the flock goes last.
func (l *refLock) release() {
	if l.held {
		_ = os.Remove(l.path()) // it is ours, and it is there
	}
	if l.file != nil {
		_ = os.Remove(l.file.Name())
		_ = l.file.Close()
	}
	_ = l.turn.Close()
}
