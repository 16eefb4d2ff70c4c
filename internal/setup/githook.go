package setup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// asideSuffix is added to the name of a hook that ours runs too.
const asideSuffix = ".before-git-brew"

// hooksDir asks git where its hooks are.
func (w *planner) hooksDir(ctx context.Context) (string, error) {
	dir := cmp.Or(w.top, w.repo.CommonDir)
	out, err := w.repo.Git.Run(ctx, "-C", dir, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	path := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return path, nil
}

// planHooks puts git's hooks in. It gives the files that it makes inside the
// work tree, which git need not see.
func (w *planner) planHooks(ctx context.Context) (made []string, err error) {
	dir, err := w.hooksDir(ctx)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		w.remark("git's hooks are turned off (core.hooksPath is %s): there is no post-rewrite and no pre-push", dir)
		return nil, nil
	}
	first := len(w.Changes)
	for _, hook := range gitHooks() {
		path := filepath.Join(dir, hook.name)
		if runsOurs(path, hook.name) {
			continue
		}
		why, err := w.planHook(ctx, path, hook)
		if err != nil {
			return nil, err
		}
		if why != "" {
			w.remark("%s %s; to run git brew too, add to it: git-brew hook %s \"$@\"", w.name(path), why, hook.name)
		}
	}
	for _, c := range w.Changes[first:] {
		if w.inTree(c.Path) {
			made = append(made, c.Path)
		}
	}
	return made, nil
}

// planHook puts one of git's hooks into its place, around the one that is there, or says
// why that is left alone.
func (w *planner) planHook(ctx context.Context, path string, hook gitHook) (why string, err error) {
	info, err := os.Lstat(path)
	_, taken := os.Lstat(path + asideSuffix)
	switch foreign := w.inside(path); {
	case errors.Is(foreign, errForeign):
		return "is outside this repository and is left alone", nil
	case foreign != nil:
		return "", foreign
	case w.tracked(ctx, path):
		return "is in git and is left alone", nil
	case errors.Is(err, fs.ErrNotExist) && taken == nil: // an init that was killed moved it there
		w.add(Change{Path: path, About: chainedAbout, After: []byte(hook.chained), mode: 0o777})
		return "", nil
	case errors.Is(err, fs.ErrNotExist):
		w.noteMade(path)
		w.add(Change{Path: path, About: hook.about, After: []byte(hook.alone), mode: 0o777})
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
		return "is no file and is left alone", nil
	case !errors.Is(taken, fs.ErrNotExist):
		return "is left alone, for there is a " + hook.name + asideSuffix + " already", nil
	}
	w.add(Change{Path: path + asideSuffix, About: "the hook that was there, which runs as before", MovedFrom: path})
	w.add(Change{Path: path, About: chainedAbout, After: []byte(hook.chained), mode: 0o777})
	return "", nil
}

const chainedAbout = "runs the hook that was there, and then git brew"

const maxHook = 1 << 20

// runsOurs reports that a hook, wherever it is and whosever, calls git brew.
func runsOurs(path, name string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxHook {
		return false
	}
	data, err := gitfile.ReadFile(path)
	return err == nil && bytes.Contains(data, []byte("git-brew hook "+name))
}

// planHooksBack takes the hooks out again; one that a person changed stays.
func (w *planner) planHooksBack(ctx context.Context) error {
	dir, err := w.hooksDir(ctx)
	if err != nil {
		return err
	}
	for _, hook := range gitHooks() {
		if err := w.planHookBack(filepath.Join(dir, hook.name), hook); err != nil {
			return err
		}
	}
	return nil
}

func (w *planner) planHookBack(path string, hook gitHook) error {
	data, ok, err := w.editable(path, "")
	if err != nil || !ok {
		return err
	}
	text := string(data)
	if text == hook.alone || text == hook.chained {
		w.add(Change{Path: path, About: "git brew's hook", Before: data})
	}
	if data == nil || text == hook.chained {
		if _, err := os.Lstat(path + asideSuffix); err == nil {
			w.add(Change{Path: path, About: "the hook that was there before", MovedFrom: path + asideSuffix})
		}
	} else if text != hook.alone && strings.Contains(text, hookMark) {
		w.remark("%s was changed by hand and stays; take git brew's line out of it yourself", w.name(path))
	}
	return nil
}

type gitHook struct {
	name string
	// about says what it is for, lost what is missed without it, for people.
	about, lost string
	// alone is the hook where there was none. chained runs the hook that was
	// there, and then ours: git sees the first one's status.
	alone, chained string
}

const hookMark = "# Made by 'git brew init'; 'git brew uninit' takes it out again.\n"

// gitHooks are the hooks of git that init puts in. What they say is known by
// heart: uninit takes out what is the same, byte for byte.
func gitHooks() []gitHook {
	return []gitHook{
		{
			name:  "post-rewrite",
			about: "notes move along when commits are rewritten",
			lost:  "git does not run git brew after it rewrote commits: notes stay with the old ones",
			alone: "#!/bin/sh\n" + hookMark + `command -v git-brew >/dev/null 2>&1 || exit 0
exec git-brew hook post-rewrite "$@"
`,
			// Both get the same arguments and the same standard input.
			chained: "#!/bin/sh\n" + hookMark + `input=$(cat; printf x)
input=${input%x}
status=0
if test -x "$0.before-git-brew"; then
	printf '%s' "$input" | "$0.before-git-brew" "$@"
	status=$?
fi
if command -v git-brew >/dev/null 2>&1; then
	printf '%s' "$input" | git-brew hook post-rewrite "$@" || :
fi
exit $status
`,
		},
		{
			name:  "pre-push",
			about: "tasks follow when you push",
			lost:  "git does not run git brew when you push: tasks follow with the next 'git brew sync'",
			// Whatever becomes of ours, the push is the person's.
			alone: "#!/bin/sh\n" + hookMark + `command -v git-brew >/dev/null 2>&1 || exit 0
git-brew hook pre-push "$@" </dev/null >/dev/null 2>&1 || :
exit 0
`,
			chained: "#!/bin/sh\n" + hookMark + `if test -x "$0.before-git-brew"; then
	"$0.before-git-brew" "$@" || exit $?
fi
if command -v git-brew >/dev/null 2>&1; then
	git-brew hook pre-push "$@" </dev/null >/dev/null 2>&1 || :
fi
exit 0
`,
		},
	}
}
