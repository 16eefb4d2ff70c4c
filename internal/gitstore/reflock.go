package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// errLeaveToGit: this update needs what only git does.
var errLeaveToGit = errors.New("to be done by git")

// updateByLock moves one ref by git's own protocol, without a process: take
// <ref>.lock, compare, write the lock's file, rename it.
//
// A lock that outlives its owner would block everyone, so ours can be told
// from all others: the lock is a second name of a file in CacheDir/locks, on
// which the owner holds a flock. When the kernel gives that flock to another,
// the owner is dead, and the lock may go: with the next ref that anyone moves,
// whichever it is, since git would still stumble over it.
func (r *Repo) updateByLock(ctx context.Context, u Update) error {
	if runtime.GOOS == "windows" || !r.plainUpdate(ctx, u) {
		return errLeaveToGit
	}
	lock, err := r.lockRef(u.Ref)
	if err != nil {
		return err
	}
	defer r.buryDead("")
	defer lock.release()
	now, target, err := r.readRef(ctx, u.Ref)
	switch {
	case errors.Is(err, ErrNotExist):
	case err != nil:
		return err
	case target != "":
		return fmt.Errorf("it is a symbolic ref to %q", target)
	}
	if now != u.Old {
		return fmt.Errorf("ref %q: %w: expected %s, found %s", u.Ref, ErrRefMoved, show(u.Old), show(now))
	}
	if u.Old.IsZero() {
		if err := r.nameIsFree(u.Ref); err != nil {
			return err
		}
	}
	return lock.commit([]byte(u.New.String()+"\n"), !r.noSync(ctx))
}

// plainUpdate tells whether an update is nothing but a changed file: no
// deletion, no reflog, no hook, a new value that is surely there.
func (r *Repo) plainUpdate(ctx context.Context, u Update) bool {
	if u.New.IsZero() || r.format.reftable || u.Ref.perWorktree() || r.env.get("GIT_QUARANTINE_PATH") != "" {
		return false
	}
	config, err := r.Config(ctx)
	if err != nil || r.keepsReflog(config, u.Ref) || r.hasTransactionHook(config) {
		return false
	}
	_, err = os.Lstat(r.loosePath(u.New))
	return err == nil
}

// keepsReflog follows core.logAllRefUpdates, and keeps up a log that exists.
func (r *Repo) keepsReflog(config *Config, name RefName) bool {
	mode, _ := config.Get("core.logallrefupdates")
	if strings.EqualFold(mode, "always") {
		return true
	}
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/notes/"} {
		if strings.HasPrefix(string(name), prefix) {
			return true
		}
	}
	_, err := os.Lstat(filepath.Join(r.commonDir, "logs", filepath.FromSlash(string(name))))
	return !errors.Is(err, fs.ErrNotExist) && !isNotDir(err)
}

// hasTransactionHook: a hook sees every change of a ref, and may refuse it.
func (r *Repo) hasTransactionHook(config *Config) bool {
	const hook = "reference-transaction"
	for _, s := range config.settings {
		if strings.HasPrefix(s.key, "hook.") && s.value == hook {
			return true
		}
	}
	dir := filepath.Join(r.commonDir, "hooks")
	if custom, ok := config.Get("core.hookspath"); ok && custom != "" {
		base := r.workTree
		if base == "" {
			base = r.gitDir
		}
		if rest, ok := strings.CutPrefix(custom, "~/"); ok {
			base, custom = r.env.home(), rest
		} else if strings.HasPrefix(custom, "~") || strings.HasPrefix(custom, "%(") {
			return true // for git to find out
		}
		dir = absFrom(base, custom)
	}
	_, err := os.Stat(filepath.Join(dir, hook))
	return !errors.Is(err, fs.ErrNotExist) && !isNotDir(err)
}

// nameIsFree leaves it to git to refuse, or make room for, a new ref whose
// name is a directory of others, or below another.
func (r *Repo) nameIsFree(name RefName) error {
	if isDir(r.refPath(name)) {
		return errLeaveToGit
	}
	packed, err := r.openPacked()
	if err != nil {
		return err
	}
	defer packed.close()
	below := string(name) + "/"
	taken := false
	err = packed.from(below, func(at RefName, _ OID) bool {
		taken = taken || strings.HasPrefix(string(at), below)
		return !taken && !packed.sorted
	})
	for parent := path.Dir(string(name)); err == nil && !taken && strings.Contains(parent, "/"); parent = path.Dir(parent) {
		_, err = packed.find(RefName(parent))
		taken = err == nil
		if errors.Is(err, ErrNotExist) {
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
	repo   *Repo
	file   *os.File // under its private name; the same file as the lock
	ref    string   // path
	held   bool
	newDir []string // directories that gained an entry
}

// lockRef takes <ref>.lock, or gives a *LockedError. One that was left behind
// by a dead process of ours is removed first.
func (r *Repo) lockRef(name RefName) (*refLock, error) {
	file, err := r.privateFile(name)
	if err != nil {
		return nil, err
	}
	l := &refLock{repo: r, file: file, ref: r.refPath(name)}
	for range storeTries {
		err = os.Link(file.Name(), l.path())
		switch {
		case err == nil:
			l.held = true
			return l, nil
		case errors.Is(err, fs.ErrExist):
			if !r.buryDead(l.path()) {
				l.release()
				return nil, &LockedError{Path: l.path()}
			}
		case errors.Is(err, fs.ErrNotExist):
			// No directory yet, or pack-refs has just removed it.
			if l.newDir, err = r.makeRefDirs(filepath.Dir(l.ref)); err != nil {
				l.release()
				return nil, err
			}
		default:
			// A ref in the way of the directory, or a file system without
			// hard links.
			l.release()
			return nil, errLeaveToGit
		}
	}
	l.release()
	return nil, err
}

func (l *refLock) path() string { return l.ref + ".lock" }

// commit makes the ref, or the file of packed ones, what the lock says, durably.
func (l *refLock) commit(content []byte, sync bool) error {
	if _, err := l.file.Write(content); err != nil {
		return err
	}
	if err := l.repo.format.share.apply(l.file); err != nil {
		return err
	}
	if sync {
		if err := l.file.Sync(); err != nil {
			return err
		}
	}
	if isDir(l.ref) {
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
		if err := syncDir(dir); err != nil {
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
	_ = os.Remove(l.file.Name())
	_ = l.file.Close()
}

func (r *Repo) lockDir() string { return filepath.Join(r.CacheDir(), "locks") }

// privateName is a new name for a private file; it tells which ref it is to
// lock. Neither a space nor a tilde can stand in a ref's name.
func privateName(ref RefName) string {
	return strconv.FormatUint(rand.Uint64(), 36) + "~" + strings.ReplaceAll(string(ref), "/", " ")
}

// lockOf is the lock that a private file was made for.
func (r *Repo) lockOf(private string) string {
	_, ref, _ := strings.Cut(filepath.Base(private), "~")
	return r.refPath(RefName(strings.ReplaceAll(ref, " ", "/"))) + ".lock"
}

// maxPrivateName leaves room for the random part; a file system allows 255.
const maxPrivateName = 240

// privateFile makes an empty file in lockDir, with its flock taken.
func (r *Repo) privateFile(ref RefName) (*os.File, error) {
	if len(ref) > maxPrivateName {
		return nil, errLeaveToGit
	}
	dir := r.lockDir()
	for range storeTries {
		name := filepath.Join(dir, privateName(ref))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			if _, err := r.makeRefDirs(dir); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		_ = r.Share(file) // others can tell then whether we are dead
		if err := flock(file); err != nil {
			// A cleaner took it for one of the dead, and removes it.
			_ = file.Close()
			if errors.Is(err, errWouldBlock) {
				continue
			}
			_ = os.Remove(name)
			return nil, err
		}
		if _, err := os.Lstat(name); err != nil {
			_ = file.Close()
			continue
		}
		return file, nil
	}
	return nil, fmt.Errorf("make a lock in %s: %w", dir, ErrLocked)
}

// buryDead removes the private files of the dead, each with its lock. It tells
// whether wanted was one of these locks.
func (r *Repo) buryDead(wanted string) bool {
	entries, err := os.ReadDir(r.lockDir())
	if err != nil {
		return false
	}
	found := false
	for _, entry := range entries {
		private := filepath.Join(r.lockDir(), entry.Name())
		if r.bury(private) && r.lockOf(private) == wanted {
			found = true
		}
	}
	return found
}

// bury removes a private file, and its lock if that is the same file, when no
// process holds the flock. Whoever has the flock is alone in doing so. It tells
// whether there was such a lock.
func (r *Repo) bury(private string) bool {
	file, err := os.OpenFile(private, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	if flock(file) != nil {
		return false
	}
	mine, err := file.Stat()
	if err != nil {
		return false
	}
	removed := false
	lock := r.lockOf(private)
	if there, err := os.Lstat(lock); err == nil && os.SameFile(mine, there) {
		removed = os.Remove(lock) == nil
	}
	_ = os.Remove(private)
	return removed
}

// makeRefDirs makes a directory below the common directory with its parents,
// and gives those that gained an entry.
func (r *Repo) makeRefDirs(dir string) ([]string, error) {
	if isDir(dir) {
		return nil, nil
	}
	parent := filepath.Dir(dir)
	if parent == dir || dir == r.commonDir {
		return nil, fs.ErrNotExist
	}
	changed, err := r.makeRefDirs(parent)
	if err != nil {
		return nil, err
	}
	if err := r.makeDir(dir); err != nil {
		return nil, err
	}
	return append(changed, parent), nil
}
