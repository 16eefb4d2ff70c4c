package refs

import (
	"cmp"
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
func (r *Store) updateByLock(ctx context.Context, u Update) error {
	if !r.plainUpdate(ctx, u) {
		return errLeaveToGit
	}
	return r.withLock(ctx, u.Ref, func(l *refLock) error {
		now, target, err := r.readRef(ctx, u.Ref)
		switch {
		case err != nil && !errors.Is(err, plumbing.ErrNotExist):
			return err
		case target != "":
			return fmt.Errorf("it is a symbolic ref to %q", target)
		case now != u.Old:
			return fmt.Errorf("ref %q: %w: expected %s, found %s", u.Ref, plumbing.ErrRefMoved, show(u.Old), show(now))
		}
		if u.Old.IsZero() {
			if err := r.nameIsFree(u.Ref); err != nil {
				return err
			}
		}
		return l.commit([]byte(u.New.String()+"\n"), !r.config.NoSync(ctx))
	})
}

// plainUpdate tells whether an update is nothing but a changed file: no
// deletion, no reflog, no hook, a new value that is surely there.
func (r *Store) plainUpdate(ctx context.Context, u Update) bool {
	if runtime.GOOS == "windows" || u.New.IsZero() || r.at.Format.Reftable || u.Ref.PerWorktree() ||
		r.at.Git.Env.Get("GIT_QUARANTINE_PATH") != "" {
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
	_, err := os.Lstat(filepath.Join(at.CommonDir, "logs", filepath.FromSlash(string(name))))
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
	dir := filepath.Join(at.CommonDir, "hooks")
	if custom, ok := config.Get("core.hookspath"); ok && custom != "" {
		base := cmp.Or(at.WorkTree, at.GitDir)
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
	store *Store
	file  *os.File // under its private name; the same file as the lock
	ref   string   // path
	held  bool
	newIn []string // directories that gained an entry
}

// refTurn is the file in CacheDir on which whoever locks a ref holds a flock, and
// which names that ref; refPrivate is the lock's other name.
const (
	refTurn    = "reflock"
	refPrivate = "reflock.new"
)

// withLock does something under <ref>.lock, or gives a *LockedError. Who locks a ref holds
// a flock, and the lock is a second name of a file in CacheDir. So when the kernel gives
// the flock to the next one and that file is there, its owner is dead, and its lock goes,
// whichever ref is moved next: git would still stumble over it.
func (r *Store) withLock(ctx context.Context, name plumbing.RefName, do func(*refLock) error) error {
	if err := r.at.MakeDir(r.at.CacheDir()); err != nil {
		return err
	}
	turn, err := r.at.Lock(ctx, filepath.Join(r.at.CacheDir(), refTurn), place.LockPatience)
	if err != nil {
		return err
	}
	defer turn.Close() // given up last
	private := filepath.Join(r.at.CacheDir(), refPrivate)
	if err := r.clearDead(turn, private); err != nil {
		return err
	}
	if _, err := turn.WriteAt([]byte(name), 0); err != nil {
		return err
	}
	file, err := os.OpenFile(private, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	l := &refLock{store: r, file: file, ref: r.refPath(name)}
	defer func() {
		if l.held {
			_ = os.Remove(l.path()) // it is ours, and it is there
		}
		_ = os.Remove(private)
		_ = file.Close()
	}()
	for range place.Tries {
		err = os.Link(private, l.path())
		switch l.held = err == nil; {
		case l.held:
			return do(l)
		case errors.Is(err, fs.ErrExist):
			return &plumbing.LockedError{Path: l.path()}
		case !errors.Is(err, fs.ErrNotExist):
			return errLeaveToGit // a ref in the way of the directory, or a file system without hard links
		}
		// No directory yet, or pack-refs has just removed it.
		if l.newIn, err = r.at.MakeDirs(filepath.Dir(l.ref)); err != nil {
			return err
		}
	}
	return err
}

// clearDead removes the lock of one that died, and empties the file that names its ref.
func (r *Store) clearDead(turn *os.File, private string) error {
	if left, err := os.Lstat(private); err == nil {
		dead, err := io.ReadAll(turn)
		if err != nil {
			return err
		}
		lock := r.refPath(plumbing.RefName(dead)) + ".lock"
		if there, err := os.Lstat(lock); err == nil && os.SameFile(left, there) {
			_ = os.Remove(lock) // else it is locked, as whoever wants it is told
		}
		_ = os.Remove(private) // else it can't be made anew
	}
	return turn.Truncate(0)
}

func (l *refLock) path() string { return l.ref + ".lock" }

// commit makes the ref what the lock says, durably.
func (l *refLock) commit(content []byte, sync bool) error {
	if _, err := l.file.Write(content); err != nil {
		return err
	}
	if err := l.store.at.Share(l.file); err != nil {
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
	return synced(append(l.newIn, filepath.Dir(l.ref))...)
}

// synced brings the directories of what was written to the disk.
func synced(dirs ...string) error {
	for _, dir := range dirs {
		if err := gitfile.SyncDir(dir); err != nil {
			return fmt.Errorf("it was written, and may be lost if the machine stops now: %w", err)
		}
	}
	return nil
}
