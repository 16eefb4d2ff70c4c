package steps

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// maxHookFile bounds a file around a step, in bytes: what a person can be asked
// to trust.
const maxHookFile = 1 << 20

// projectFile is a file of the work tree that is read, or run, by git brew.
type projectFile struct {
	path string // in the project
	// there: something has that name. Problem says why it can't be used.
	there   bool
	problem string
	// real is where it leads; executable: the system would run it.
	real       string
	executable bool
	data       []byte
}

// hasFile reports whether the work tree has something at a path.
func (s *Pipelines) hasFile(name string) bool {
	top := s.workTree()
	if top == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name)))
	return err == nil
}

// projectFile looks at a file of the work tree. It must lie there, whatever
// links lead to it, and not in git's own directory.
func (s *Pipelines) projectFile(name string) projectFile {
	f := projectFile{path: name}
	top := s.workTree()
	if top == "" {
		return f
	}
	full := filepath.Join(top, filepath.FromSlash(name))
	if _, err := os.Lstat(full); err != nil {
		return f
	}
	f.there = true
	real, err := worktree.ResolvePath(full)
	rel, inside := worktree.Within(top, real)
	if err != nil || !inside || slices.ContainsFunc(worktree.SplitPath(rel), clone.GitsOwn) {
		f.problem = "leads out of the work tree"
		return f
	}
	f.real = real
	if f.problem = f.read(); f.problem != "" {
		f.data = nil
	}
	return f
}

func (f *projectFile) read() (problem string) {
	// A pipe would be waited for: only what is a file is opened.
	if info, err := os.Stat(f.real); err != nil || !info.Mode().IsRegular() {
		return "is no file"
	}
	file, err := os.Open(f.real)
	if err != nil {
		return "can't be read"
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "is no file"
	}
	f.executable = runtime.GOOS == "windows" || info.Mode()&0o111 != 0
	if f.data, err = io.ReadAll(io.LimitReader(file, maxHookFile+1)); err != nil {
		return "can't be read"
	}
	if len(f.data) > maxHookFile {
		return fmt.Sprintf("has more than %d bytes", maxHookFile)
	}
	return ""
}

// fileContent is what is trusted of a file around a step: its bytes, as what it
// is, in its place.
func fileContent(kind clone.TrustKind, place string, data []byte) clone.Content {
	c := clone.Content{Kind: kind, Key: place}
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		text, whole := strings.CutSuffix(string(data), "\n")
		c.Text = strings.Split(text, "\n")
		if !whole {
			c.Text = append(c.Text, "\x00no newline at the end")
		}
		return c
	}
	// What no text begins with says that this is none.
	c.Text = []string{"\x00binary", fmt.Sprintf("%d bytes, SHA-256 %x", len(data), sha256.Sum256(data))}
	return c
}

// usedFile is a file of the project in its place around a step, and whether it can be
// used there.
type usedFile struct {
	Trusted bool `json:"trusted"`
	// Problem is why it can't be used, as said of it: is not there.
	Problem string `json:"problem,omitempty"`
	waits   bool   // for trust alone
	content clone.Content
	file    projectFile
	where   string // for people: before execute
	// required: the step does not begin, or end, without it.
	required bool
}

// use looks at a file in its place: what can be used of it, this clone's person has
// trusted there. A program that was trusted after the last phase is not trusted before
// the first one.
func (s *Pipelines) use(ctx context.Context, name string, kind pipeline.Kind, place, where string) (usedFile, error) {
	u := usedFile{file: s.projectFile(name), where: where}
	switch {
	case !u.file.there:
		u.Problem = "is not there"
		return u, nil
	case u.file.problem != "":
		u.Problem = u.file.problem
		return u, nil
	case kind == pipeline.KindProgram && !u.file.executable:
		u.Problem = "is not executable"
		return u, nil
	}
	trust := clone.TrustWorkflow
	if kind == pipeline.KindProgram {
		trust = clone.TrustHook
	}
	u.content = fileContent(trust, place, u.file.data)
	var err error
	if u.Trusted, err = s.Clone.Trusted(ctx, u.content); err == nil && !u.Trusted {
		u.Problem, u.waits = "is not trusted", true
	}
	return u, err
}

// useHook looks at the file of a hook around a step. The place of one around every step
// is the same for all.
func (s *Pipelines) useHook(ctx context.Context, a pipeline.Around, step string) (usedFile, error) {
	place, where := string(a.When)+"-"+step, a.When.Side()+" "+step
	if a.Scope == pipeline.Global {
		place, where = string(a.When)+"-step", a.When.Side()+" every step"
	}
	u, err := s.use(ctx, a.Path, a.Kind, place, where)
	u.required = !a.Optional
	return u, err
}
