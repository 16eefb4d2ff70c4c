package steps

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// maxHookFile bounds a file around a step, in bytes: what a person can be asked
// to trust.
const maxHookFile = 1 << 20

// notThere is the problem of a file that the work tree does not have.
const notThere = "is not there"

func (s *Pipelines) hasFile(name string) bool {
	top := s.workTree()
	if top == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name)))
	return err == nil
}

// readFile reads a file of the work tree, and says whether the system would run it; or
// why it can't be used. It must lie there, whatever links lead to it, and not in git's
// own directory.
func (s *Pipelines) readFile(name string) (data []byte, executable bool, problem string) {
	if !s.hasFile(name) {
		return nil, false, notThere
	}
	top := s.workTree()
	real, err := worktree.ResolvePath(filepath.Join(top, filepath.FromSlash(name)))
	rel, inside := worktree.Within(top, real)
	if err != nil || !inside || slices.ContainsFunc(worktree.SplitPath(rel), clone.GitsOwn) {
		return nil, false, "leads out of the work tree"
	}
	info, err := os.Stat(real)
	switch {
	case err != nil || !info.Mode().IsRegular(): // a pipe would be waited for
		return nil, false, "is no file"
	case info.Size() > maxHookFile:
		return nil, false, fmt.Sprintf("has more than %d bytes", maxHookFile)
	}
	if data, err = os.ReadFile(real); err != nil {
		return nil, false, "can't be read"
	}
	return data, runtime.GOOS == "windows" || info.Mode()&0o111 != 0, ""
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
	path    string // in the project
	data    []byte
	content clone.Content // what is trusted of it
	where   string        // for people: before execute
	// required: the step does not begin, or end, without it.
	required bool
}

// use looks at a file in its place: what can be used of it, this clone's person has
// trusted there. A program that was trusted after the last phase is not trusted before
// the first one.
func (s *Pipelines) use(ctx context.Context, name string, kind pipeline.Kind, place, where string) (usedFile, error) {
	u := usedFile{path: name, where: where}
	executable, trust := false, clone.TrustWorkflow
	u.data, executable, u.Problem = s.readFile(name)
	if kind == pipeline.KindProgram {
		trust = clone.TrustHook
		if u.Problem == "" && !executable {
			u.Problem = "is not executable"
		}
	}
	if u.Problem != "" {
		return u, nil
	}
	u.content = fileContent(trust, place, u.data)
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

// PipelineOnTrust are the contents around steps that are used here on trust, each with
// who wrote it: see onTrust.
func (s *Pipelines) PipelineOnTrust(ctx context.Context) ([]config.TrustItem, error) {
	used, err := s.onTrust(ctx)
	if err != nil {
		return nil, err
	}
	var items []config.TrustItem
	for _, u := range used {
		if u.path == "" {
			set, err := s.Config.WhoSet(ctx, u.content)
			if err != nil {
				return nil, err
			}
			items = append(items, set...)
			continue
		}
		t := config.TrustItem{Content: u.content, Hash: u.content.Hash(), Where: []string{u.path + ", " + u.where}}
		i := slices.IndexFunc(items, func(o config.TrustItem) bool { return o.Hash == t.Hash })
		switch {
		case i < 0:
			if !committed(ctx, s, &t, u) {
				t.Where[0] += ", not committed"
			}
			items = append(items, t)
		case !slices.Contains(items[i].Where, t.Where[0]):
			items[i].Where = append(items[i].Where, t.Where...)
		}
	}
	return items, nil
}

// PipelineHashes are the hashes of what is used around steps on trust.
func (s *Pipelines) PipelineHashes(ctx context.Context) ([]string, error) {
	used, err := s.onTrust(ctx)
	hashes := make([]string, len(used))
	for i, u := range used {
		hashes[i] = u.content.Hash()
	}
	return hashes, err
}

// onTrust are the shared pipeline, a content without a path, where no file of the work
// tree goes before it; and the workflows and hooks of the project that the pipeline in
// force names, and that can be used.
func (s *Pipelines) onTrust(ctx context.Context) ([]usedFile, error) {
	text, shared, err := s.sharedPipeline(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Pipeline(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.viewOf(ctx, p)
	used := slices.DeleteFunc(view.files(), func(u usedFile) bool { return !u.waits && !u.Trusted })
	if text != "" && !slices.Contains(pipelineFiles(), p.From) {
		used = slices.Insert(used, 0, usedFile{content: shared})
	}
	return used, err
}

// committed says who wrote a file, where the commit that is checked out has it
// as it is here; false: nobody can tell.
func committed(ctx context.Context, s *Pipelines, t *config.TrustItem, f usedFile) bool {
	blob, err := s.Clone.Repo.Git.Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD:"+f.path)
	if err != nil || strings.TrimSpace(string(blob)) != gitstore.HashBlob(f.data).String() {
		return false
	}
	out, err := s.Clone.Repo.Git.Run(ctx, "log", "-1", "--format=%an%x00%ae%x00%H%x00%ct", "HEAD", "--",
		":(top,literal)"+f.path)
	fields := strings.Split(strings.TrimSpace(string(out)), "\x00")
	if err != nil || len(fields) != 4 {
		return false
	}
	t.Author, t.Commit = fields[0]+" <"+fields[1]+">", fields[2]
	t.At = time.Unix(int64(config.Count(fields[3])), 0).UTC().Format("2006-01-02T15:04:05Z")
	return true
}

// WorkflowText is a text that a step follows, or that is followed around one: git
// brew's own by its name, one of the project by its path, where this clone's
// person has trusted it in a place that it has in the pipeline.
func (s *Pipelines) WorkflowText(ctx context.Context, name string) (text []byte, builtIn bool, err error) {
	if own, ok := pipeline.WorkflowText(name); ok {
		return []byte(own), true, nil
	}
	used, err := s.onTrust(ctx)
	if err != nil {
		return nil, false, err
	}
	found := slices.DeleteFunc(used, func(u usedFile) bool {
		return u.path != name || u.content.Kind != clone.TrustWorkflow
	})
	if i := slices.IndexFunc(found, func(u usedFile) bool { return u.Trusted }); i >= 0 {
		return found[i].data, false, nil
	}
	if len(found) > 0 {
		return nil, false, clone.Refuse("the user looks at it with 'git brew trust list'", "%s is not trusted", name)
	}
	return nil, false, clone.NotFound("see 'git brew pipeline show'", "no step follows a workflow %.64q", name)
}
