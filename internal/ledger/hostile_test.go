package ledger

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// object writes an object as it is, whatever git thinks of it.
func (r *rig) object(kind string, data []byte) gitstore.OID {
	r.T.Helper()
	path := filepath.Join(r.Root, "object")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		r.T.Fatal(err)
	}
	oid, err := gitstore.ParseOID(r.Git("hash-object", "-w", "--literally", "-t", kind, path))
	if err != nil {
		r.T.Fatal(err)
	}
	return oid
}

// line is an entry of a tree, as it is written there.
type line struct {
	mode, name string
	oid        gitstore.OID
}

func (r *rig) rawTree(lines ...line) gitstore.OID {
	r.T.Helper()
	var b bytes.Buffer
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %s\x00", l.mode, l.name)
		raw, err := hex.DecodeString(l.oid.String())
		if err != nil {
			r.T.Fatal(err)
		}
		b.Write(raw)
	}
	return r.object("tree", b.Bytes())
}

const ada = "Ada Example <ada@example.com> 1772366400 +0000"

// rawCommit writes a commit; who stands for author and committer.
func (r *rig) rawCommit(tree gitstore.OID, who, message string, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	text := "tree " + tree.String() + "\n"
	for _, p := range parents {
		text += "parent " + p.String() + "\n"
	}
	return r.object("commit", []byte(text+"author "+who+"\ncommitter "+who+"\n\n"+message))
}

// lines are the entries of a tree, in order; more take the places of those of
// the same name.
func (r *rig) lines(tree gitstore.OID, more ...line) []line {
	r.T.Helper()
	entries, err := r.l.repo.Objects.Tree(context.Background(), tree)
	if err != nil {
		r.T.Fatal(err)
	}
	all := map[string]line{}
	for _, e := range entries {
		all[e.Name] = line{fmt.Sprintf("%o", uint32(e.Mode)), e.Name, e.OID}
	}
	for _, l := range more {
		all[l.name] = l
	}
	var out []line
	for _, l := range all {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b line) int { return strings.Compare(a.sort(), b.sort()) })
	return out
}

func (l line) sort() string {
	if l.mode == "40000" {
		return l.name + "/"
	}
	return l.name
}

// with is a commit as an honest program makes it on parent, but for entries of
// its tree.
func (r *rig) with(parent gitstore.OID, more ...line) gitstore.OID {
	r.T.Helper()
	honest := r.forge(parent, func(*operation.Operation) {})
	return r.rawCommit(r.rawTree(r.lines(honest, more...)...), ada, "add\n", parent)
}

func (r *rig) blob(text string) gitstore.OID { return r.object("blob", []byte(text)) }

// saying is a commit whose op.json is that of an honest one after edit, and
// whose tree is right but for that.
func (r *rig) saying(parent gitstore.OID, edit func(op string) string) gitstore.OID {
	r.T.Helper()
	honest := r.forge(parent, func(*operation.Operation) {})
	data, err := r.l.File(context.Background(), honest, opFile)
	if err != nil {
		r.T.Fatal(err)
	}
	return r.rawCommit(r.rawTree(r.lines(honest, line{"100644", opFile, r.blob(edit(string(data)))})...), ada, "add\n",
		parent)
}

// accept is Accept for a new process.
func (r *rig) accept(ours, theirs gitstore.OID) error {
	r.T.Helper()
	l := New(r.Open(), r.l.now, nil)
	l.limits = r.l.limits
	return Accept(context.Background(), l, tallyLaw(), refA, ours, theirs)
}

// What a stranger may send. Each is refused with one line that says what is
// wrong where, and nothing of ours changes.
func TestAccept_hostile(t *testing.T) {
	absent := gitstore.HashBlob([]byte("absent"))
	forging := func(edit func(op *operation.Operation)) func(*rig, gitstore.OID) gitstore.OID {
		return func(r *rig, base gitstore.OID) gitstore.OID { return r.forge(base, edit) }
	}
	entry := func(mode, name string) func(*rig, gitstore.OID) gitstore.OID {
		return func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{mode, name, r.blob("x")})
		}
	}
	person := func(who, message string) func(*rig, gitstore.OID) gitstore.OID {
		return func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(r.OID(r.forge(base, func(*operation.Operation) {}).String()+"^{tree}"), who, message, base)
		}
	}
	saying := func(edit func(op string) string) func(*rig, gitstore.OID) gitstore.OID {
		return func(r *rig, base gitstore.OID) gitstore.OID { return r.saying(base, edit) }
	}
	inPayload := func(json string) func(op string) string {
		return func(op string) string { return strings.Replace(op, `"payload":{`, `"payload":{"a":`+json+`,`, 1) }
	}
	for _, row := range []struct {
		name  string
		make  func(r *rig, base gitstore.OID) gitstore.OID
		want  string
		fresh bool // there is no ours
	}{
		{name: "a symbolic link", make: entry("120000", "link"), want: "link: its mode is 120000"},
		{name: "a submodule", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{"160000", "sub", base})
		}, want: "sub: its mode is 160000"},
		{name: "an executable", make: entry("100755", "run"), want: "run: its mode is 100755"},
		{name: "a mode of very old gits", make: entry("100664", "old"), want: "old: its mode is 100664"},
		{name: "a mode that git does not know", make: entry("777", "odd"), want: `mode "777"`},
		{name: "the directory above", make: entry("100644", ".."), want: "..: no file may be called that"},
		{name: "the directory itself", make: entry("100644", "."), want: ".: no file may be called that"},
		{name: "the repository", make: entry("40000", ".git"), want: ".git: no file may be called that"},
		{name: "in capitals", make: entry("100644", ".GIT"), want: "no file may be called that"},
		{name: "as NTFS has it", make: entry("100644", "git~1"), want: "no file may be called that"},
		{name: "as HFS+ has it", make: entry("100644", ".g\u200cit"), want: `".g\u200cit": no file may be called that`},
		{name: "a path in a name", make: entry("100644", "a/b"), want: "no file may be called that"},
		{name: "a backslash", make: entry("100644", `a\b`), want: "no file may be called that"},
		{name: "a line break", make: entry("100644", "a\nb"), want: `"a\nb": no file may be called that`},
		{name: "an escape sequence", make: entry("100644", "a\x1b[2J"), want: `"a\x1b[2J": no file may be called that`},
		{name: "no UTF-8", make: entry("100644", "\xff"), want: "no file may be called that"},
		{name: "a long name", make: entry("100644", strings.Repeat("n", 300)), want: "no file may be called that"},
		{name: "a file of nobody's", make: entry("100644", "more"), want: "its tree is not what its operations make"},
		{name: "one name twice", make: func(r *rig, base gitstore.OID) gitstore.OID {
			x := r.blob("x")
			return r.rawCommit(r.rawTree(line{"100644", "x", x}, line{"100644", "x", x}), ada, "x\n", base)
		}, want: "entries out of order"},
		{name: "one name for a file and a directory", make: func(r *rig, base gitstore.OID) gitstore.OID {
			x := r.blob("x")
			return r.rawCommit(r.rawTree(line{"100644", "x", x}, line{"100644", "x.y", x},
				line{"40000", "x", r.rawTree(line{"100644", "x", x})}), ada, "x\n", base)
		}, want: "x: it is there twice"},
		{name: "a file where a directory is due", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{"40000", "words", r.blob("x")})
		}, want: "words/: read tree: object"},
		{name: "a directory where a file is due", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{"100644", tallyFile, r.rawTree()})
		}, want: "tally.json: object"},
		{name: "a file as a tree", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(r.blob("x"), ada, "x\n", base)
		}, want: "is a blob, not the kind"},
		{name: "a large file", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{"100644", "large", r.blob(strings.Repeat("x", 1001))})
		}, want: "large: 1001 bytes, at most 1000"},
		{name: "a large operation", make: saying(func(string) string {
			return `{"clock":` + strings.Repeat("1", operation.MaxSize) + `}` + "\n"
		}), want: "op.json: 1048587 bytes, at most 1048576"},
		{name: "directories too deep", make: func(r *rig, base gitstore.OID) gitstore.OID {
			tree := r.rawTree(line{"100644", "x", r.blob("x")})
			for range 10 {
				tree = r.rawTree(line{"40000", "d", tree})
			}
			return r.with(base, line{"40000", "d", tree})
		}, want: "directories lie too deep"},
		{name: "a tree that unfolds", make: func(r *rig, base gitstore.OID) gitstore.OID {
			tree := r.rawTree(line{"100644", "x", r.blob("x")})
			for range 7 {
				var lines []line
				for i := range 10 {
					lines = append(lines, line{"40000", fmt.Sprint(i), tree})
				}
				tree = r.rawTree(lines...)
			}
			return r.with(base, line{"40000", "d", tree})
		}, want: "its tree is not what its operations make"},
		{name: "too many files", make: func(r *rig, base gitstore.OID) gitstore.OID {
			r.l.limits.entries = 20
			var lines []line
			for i := range 30 {
				lines = append(lines, line{"100644", fmt.Sprintf("%02d", i), r.blob("x")})
			}
			return r.with(base, line{"40000", "d", r.rawTree(lines...)})
		}, want: "more than 20 files"},

		{name: "a parent that is not there", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(r.OID(base.String()+"^{tree}"), ada, "x\n", absent)
		}, want: "object " + absent.String() + ": does not exist", fresh: true},
		{name: "a parent beside ours that is not there", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(r.OID(base.String()+"^{tree}"), ada, "x\n", base, absent)
		}, want: absent.String()},
		{name: "a tree that is not there", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(absent, ada, "x\n", base)
		}, want: "object " + absent.String() + ": does not exist"},
		{name: "a file that is not there", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{"100644", tallyFile, absent})
		}, want: "tally.json: object " + absent.String() + ": does not exist"},
		{name: "no commit at all", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.blob("x")
		}, want: "is a blob, not the kind"},
		{name: "a tag", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.object("tag", []byte("object "+base.String()+"\ntype commit\ntag x\ntagger "+ada+"\n\nx\n"))
		}, want: "is a tag, not the kind"},

		{
			name: "a clock at the end of all clocks", make: forging(func(op *operation.Operation) {
				op.Clock = operation.MaxClock
			}),
			want: "op.json: its clock is 9007199254740991, far ahead of the 2",
		},
		{name: "a clock beyond that", make: saying(func(op string) string {
			return strings.Replace(op, `"clock":3,`, `"clock":4611686018427387904,`, 1)
		}), want: "a number in it is not the same for every reader"},
		{
			name: "a clock that stands", make: forging(func(op *operation.Operation) { op.Clock = 2 }),
			want: "its clock is 2, and its author had seen 2",
		},
		{name: "no clock", make: saying(func(op string) string {
			return strings.Replace(op, `"clock":3,`, ``, 1)
		}), want: "no clock"},

		{name: "a tree of another state", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.with(base, line{"100644", tallyFile, r.blob(`{"clock":3,"words":["mine"]}`)})
		}, want: "its tree is not what its operations make"},
		{name: "a wrong tree below the tip", make: func(r *rig, base gitstore.OID) gitstore.OID {
			wrong := r.with(base, line{"100644", "words", r.blob("x")})
			return r.rawCommit(r.OID(r.forge(base, func(op *operation.Operation) { op.Clock++ }).String()+"^{tree}"), ada, "x\n",
				wrong)
		}, want: "its tree is not what its operations make"},

		{
			name: "JSON that nests", make: saying(inPayload(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))),
			want: "op.json: invalid operation: it nests deeper than 64",
		},
		{
			name: "JSON that nests and never ends", make: saying(inPayload(strings.Repeat(`{"a":`, 100_000))),
			want: "op.json: invalid operation: it nests deeper than 64",
		},
		{name: "no JSON", make: saying(func(string) string { return "\x00" }), want: "op.json: invalid operation"},
		{name: "nothing", make: saying(func(string) string { return "" }), want: "op.json: invalid operation"},
		{name: "a blank too many", make: saying(func(op string) string {
			return strings.Replace(op, ":", ": ", 1)
		}), want: "op.json: it is not in canonical form"},
		{name: "one field twice", make: saying(func(op string) string {
			return strings.Replace(op, `"clock":3,`, `"clock":3,"clock":3,`, 1)
		}), want: "a field is there twice"},
		{name: "a field in capitals", make: saying(func(op string) string {
			return strings.Replace(op, `{"act`, `{"ID":"x","act`, 1)
		}), want: "not in canonical form"},
		{name: "an escape sequence in a name", make: forging(func(op *operation.Operation) {
			op.Actor.Name = "a\x1b[2J"
		}), want: "op.json: it has control characters"},
		{name: "an escape sequence in a field", make: forging(func(op *operation.Operation) {
			op.Extra = map[string]json.RawMessage{"\x1b": json.RawMessage("1")}
		}), want: "op.json: it has control characters"},
		{name: "one id twice", make: func(r *rig, base gitstore.OID) gitstore.OID {
			one := r.forge(base, func(op *operation.Operation) { op.ID = "0123456789abcdef0123456789abcdef" })
			return r.forge(one, func(op *operation.Operation) { op.ID = "0123456789abcdef0123456789abcdef" })
		}, want: "another operation has the id 0123456789abcdef0123456789abcdef"},
		{name: "a text that is nowhere", make: forging(func(op *operation.Operation) {
			op.Payload = json.RawMessage(`{"oid":"` + absent.String() + `","word":"more"}`)
		}), want: "op.json: it names " + absent.Short()},
		{name: "a commit that is nowhere", make: forging(func(op *operation.Operation) {
			op.Payload = json.RawMessage(`{"commit":"` + absent.String() + `","word":"more"}`)
		}), want: "op.json: it names " + absent.Short()},
		{name: "a commit of another record", make: func(r *rig, base gitstore.OID) gitstore.OID {
			other := r.add(refB, Stamp{}, words("else")...)
			return r.forge(base, func(op *operation.Operation) {
				op.Payload = json.RawMessage(`{"commit":"` + other.String() + `","word":"more"}`)
			})
		}, want: "which is nowhere in its history"},

		{
			name: "an escape sequence in the author", make: person("A\x1b[2J <a@example.com> 1772366400 +0000", "x\n"),
			want: "a name in it has control characters",
		},
		{name: "nobody", make: person(" <a@example.com> 1772366400 +0000", "x\n"), want: "nobody made it"},
		{
			name: "a long name", make: person(strings.Repeat("A", 2000)+" <a@example.com> 1772366400 +0000", "x\n"),
			want: "a name in it is too long",
		},
		{
			name: "an escape sequence in the message", make: person(ada, "x\n\n\x1b]0;x\x07\n"),
			want: "its message has control characters",
		},
		{name: "a long message", make: person(ada, strings.Repeat("x", 70_000)), want: "70"},
		{
			name: "a time before all times", make: person("A <a@example.com> -5 +0000", "x\n"),
			want: "no time that git can keep",
		},
		{
			name: "a time after all times", make: person("A <a@example.com> 1099511627776 +0000", "x\n"),
			want: "no time that git can keep",
		},
		{name: "no time", make: person("A <a@example.com> soon +0000", "x\n"), want: "no time that git can keep"},

		{name: "no operation", make: func(r *rig, base gitstore.OID) gitstore.OID {
			lines := slices.DeleteFunc(r.lines(base), func(l line) bool { return l.name == opFile })
			return r.rawCommit(r.rawTree(lines...), ada, "x\n", base)
		}, want: "it is no operation, and with 1 parents no merge"},
		{name: "an operation on two parents", make: func(r *rig, base gitstore.OID) gitstore.OID {
			a, b := r.forge(base, func(*operation.Operation) {}), r.forge(base, func(*operation.Operation) {})
			return r.rawCommit(r.OID(a.String()+"^{tree}"), ada, "x\n", a, b)
		}, want: "op.json: an operation is made on one parent"},
		{name: "a merge of three", make: func(r *rig, base gitstore.OID) gitstore.OID {
			a, b, c := r.forge(base, func(*operation.Operation) {}), r.forge(base, func(*operation.Operation) {}),
				r.forge(base, func(*operation.Operation) {})
			return r.rawCommit(r.rawTree(), ada, "x\n", a, b, c)
		}, want: "with 3 parents no merge"},
		{name: "a wrong merge", make: func(r *rig, base gitstore.OID) gitstore.OID {
			a, b := r.forge(base, func(*operation.Operation) {}), r.forge(base, func(*operation.Operation) {})
			return r.rawCommit(r.rawTree(line{"100644", tallyFile, r.blob(`{"clock":3,"words":["mine"]}`)}), ada, "x\n", a, b)
		}, want: "its tree is not what its operations make"},
		{name: "too many commits", make: func(r *rig, base gitstore.OID) gitstore.OID {
			r.l.limits.commits = 3
			for range 4 {
				base = r.forge(base, func(*operation.Operation) {})
			}
			return base
		}, want: "more than 3: too large"},
		{name: "too many bytes of operations", make: func(r *rig, base gitstore.OID) gitstore.OID {
			r.l.limits.operations = 300
			return r.forge(r.forge(base, func(*operation.Operation) {}), func(*operation.Operation) {})
		}, want: "the operations have more than 300 bytes"},

		{name: "another record under our name", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.add(refB, Stamp{}, words("else")...)
		}, want: "another record begins here under the same name"},
		{name: "another record joined to ours", make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(r.rawTree(), ada, "x\n", base, r.add(refB, Stamp{}, words("else")...))
		}, want: "another record begins here under the same name"},
		{name: "a record that begins twice", fresh: true, make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.rawCommit(r.rawTree(), ada, "x\n", base, r.add(refB, Stamp{}, words("else")...))
		}, want: "the record begins twice"},
		{name: "a record of another kind", fresh: true, make: func(r *rig, base gitstore.OID) gitstore.OID {
			return r.add(refB, Stamp{}, Draft{Kind: opHold, Payload: wordPayload{Word: "else"}})
		}, want: "op.json: refused: refs/brew/tasks/a begins with hold"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			base := r.add(refA, Stamp{}, words("one", "two")...)
			theirs := row.make(r, base)
			r.Unchecked() // such objects are here now
			ours := base
			if row.fresh {
				ours = gitstore.OID{}
			}
			err := r.accept(ours, theirs)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Fatalf("%v, want %q", err, row.want)
			}
			if text := err.Error(); strings.ContainsAny(text, "\n\x1b\x00") || len(text) > 500 ||
				!strings.Contains(text, "commit ") {
				t.Errorf("not one line that names a commit: %q", text)
			}
			if r.tip(refA) != base {
				t.Error("ours has changed")
			}
		})
	}
}

// What honest programs make is accepted: new, ahead, behind, apart, joined, and
// the same.
func TestAccept_honest(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one", "two")...)
	tips := []gitstore.OID{{}, base}
	r.branch(refB, base)
	a := r.add(refA, Stamp{}, words("three", "four")...)
	r.change(func(ctx context.Context, tx *Tx) error {
		_, err := Append(ctx, tx, tallyLaw(), refB, r.state(base), Stamp{}, text(tx.Blob([]byte("told"))))
		return err
	})
	b := r.tip(refB)
	m, _, err := r.merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	r.branch(refA, m)
	r.branch(refB, m)
	c := r.add(refA, Stamp{}, words("five")...)
	d := r.add(refB, Stamp{}, words("six")...)
	m2, _, err := r.merge(c, d)
	if err != nil {
		t.Fatal(err)
	}
	m3, _, err := r.merge(m2, r.add(refB, Stamp{}, words("seven")...))
	if err != nil {
		t.Fatal(err)
	}
	tips = append(tips, a, b, m, c, d, m2, m3)
	for _, stored := range []string{"loose", "packed"} {
		if stored == "packed" {
			r.Git("gc", "-q")
		}
		for _, ours := range tips {
			for _, theirs := range tips {
				if err := r.accept(ours, theirs); err != nil {
					t.Errorf("%s, ours %s, theirs %s: %v", stored, ours.Short(), theirs.Short(), err)
				}
			}
		}
	}
}

// Whatever a person is called, and whatever stands in a sentence, what is written
// here is accepted elsewhere; what would not be is not written.
func TestAccept_whatWeWrite(t *testing.T) {
	r := newRig(t)
	r.Git("config", "user.name", "A\x1b[2Jda\u0085")
	r.Git("config", "user.email", "a\x07@example.com")
	tip := r.add(refA, Stamp{}, words("one")...)
	if err := r.accept(gitstore.OID{}, tip); err != nil {
		t.Error(err)
	}
	if got := r.Git("log", "-1", "--format=%an %ae", tip.String()); got != "A[2Jda a@example.com" {
		t.Errorf("by %q", got)
	}
	r.change(func(ctx context.Context, tx *Tx) error {
		_, err := tx.Put(ctx, clonesPrefix+"c", map[string][]byte{"x": []byte("x")}, "said \x1b]0;x\x07\xff\n\nmore\n")
		return err
	})
	if err := r.l.AcceptChain(context.Background(), gitstore.OID{}, r.tip(clonesPrefix+"c"), 1,
		func(string) int64 { return 1 }, nil); err != nil {
		t.Error(err)
	}
	for name, stamp := range map[string]Stamp{"a session": {Session: "\x1b"}, "a claim": {Fence: 1, Claim: "a\nb"}} {
		if err := r.tryAdd(refA, stamp, words("two")...); !errors.Is(err, operation.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is new alone is looked at: nothing of ours is read again and judged.
func TestAccept_believesOurs(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	odd := r.with(base, line{"100644", "more", r.blob("x")})
	theirs := r.forge(odd, func(*operation.Operation) {})
	if err := r.accept(base, theirs); err == nil {
		t.Error("taken")
	}
	if err := r.accept(odd, r.forge(base, func(*operation.Operation) {})); err != nil {
		t.Errorf("beside ours: %v", err)
	}
}

// What a newer program wrote is not taken, and called what it is, whatever is made
// on top of it.
func TestAccept_newer(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, base)
	apart := r.add(refB, Stamp{}, words("two")...)
	with := func(schema string) gitstore.OID {
		return r.with(base, line{
			"100644", tallyFile,
			r.blob(`{"clock":2,"mood":"new","schema":"` + schema + `","words":["one"]}`),
		})
	}
	var schema *operation.FormatError
	for name, row := range map[string]struct {
		tip  gitstore.OID
		want func(error) bool
	}{
		"law": {r.forge(base, func(op *operation.Operation) {
			op.Law = operation.Law + 1
		}), func(err error) bool { return errors.Is(err, ErrUnknownLaw) }},
		"minor": {with("1.9.0"), func(err error) bool { return errors.Is(err, ErrUnknownLaw) }},
		"major": {with("2.0.0"), func(err error) bool { return errors.As(err, &schema) }},
	} {
		for _, tip := range []gitstore.OID{row.tip, r.forge(row.tip, func(*operation.Operation) {})} {
			for when, ours := range map[string]gitstore.OID{"new": {}, "forward": base, "apart": apart} {
				if err := r.accept(ours, tip); !row.want(err) {
					t.Errorf("%s, %s: %v", name, when, err)
				}
			}
		}
	}
	// It is no excuse for what a newer program would not do either.
	newer := r.forge(base, func(op *operation.Operation) { op.Law = operation.Law + 1 })
	r.Unchecked()
	link := r.rawCommit(r.rawTree(r.lines(newer, line{"120000", "link", r.blob("x")})...), ada, "x\n", base)
	if err := r.accept(base, link); err == nil || !strings.Contains(err.Error(), "120000") {
		t.Errorf("a link: %v", err)
	}
	same := r.with(base, line{"100644", tallyFile, r.blob(`{"clock":2,"schema":"1.0.0","words":["mine"]}`)})
	if err := r.accept(base, same); err == nil ||
		!strings.Contains(err.Error(), "its tree is not what its operations make") {
		t.Errorf("another state in this format: %v", err)
	}
}

// Nobody goes on from a state that was made under rules which are not known
// here, neither by a change nor behind the back of one.
func TestAppend_onUnknownLaw(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	newer := r.forge(base, func(op *operation.Operation) { op.Law = operation.Law + 1 })
	r.branch(refB, newer)
	for range 2 {
		if err := r.tryAdd(refB, Stamp{}, words("two")...); !errors.Is(err, ErrUnknownLaw) ||
			!strings.Contains(err.Error(), string(refB)) {
			t.Errorf("%v", err)
		}
		made := r.rawCommit(r.OID(newer.String()+"^{tree}"), ada, "a merge\n", base, newer)
		lines := slices.DeleteFunc(r.lines(newer), func(l line) bool { return l.name == opFile })
		made = r.rawCommit(r.rawTree(lines...), ada, "a merge\n", base, made)
		r.branch(refB, made)
	}
	old := r.forge(newer, func(op *operation.Operation) { op.Law = operation.Law })
	for _, ours := range []gitstore.OID{{}, base, newer} {
		if err := r.accept(ours, old); err == nil ||
			!strings.Contains(err.Error(), "its law is 1, and its author had seen 2") {
			t.Errorf("on top of it: %v", err)
		}
	}
}

// A fence decides who held the lock: it is not far above those before it, unless
// the lock itself, which was checked for that, is there.
func TestAccept_fences(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{Fence: 3, Claim: "c"}, words("one")...)
	fenced := func(on gitstore.OID, fence uint64) gitstore.OID {
		return r.forge(on, func(op *operation.Operation) { op.Fence = fence })
	}
	const far = 3 + fenceLeap
	refused := func(when string, ours, theirs gitstore.OID, want string) {
		t.Helper()
		if err := r.accept(ours, theirs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", when, err)
		}
	}
	taken := func(when string, ours, theirs gitstore.OID) {
		t.Helper()
		if err := r.accept(ours, theirs); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	most := fmt.Sprintf("op.json: its fence is %d, far above the 3 that is known", uint64(operation.MaxClock))
	for when, ours := range map[string]gitstore.OID{"new": {}, "forward": base} {
		refused(when+", the highest there is", ours, fenced(base, operation.MaxClock), most)
		refused(when+", too far", ours, fenced(base, far+1), "far above the 3")
		taken(when+", as far as it goes", ours, fenced(base, far))
		taken(when+", and on from there", ours, fenced(fenced(base, far), far+fenceLeap))
	}
	high := fenced(base, far)
	refused("on from ours, too far", high, fenced(high, far+fenceLeap+1), "far above")
	taken("on from ours", high, fenced(high, far+fenceLeap))
	r.change(func(ctx context.Context, tx *Tx) error {
		_, err := tx.Put(ctx, LockRef("a"), map[string][]byte{LockFile: []byte("2000000")}, "claimed\n")
		return err
	})
	taken("under the lock", base, fenced(base, 2_000_000))
	refused("above the lock", base, fenced(base, 2_000_001+fenceLeap), "far above the 2000000")
}

// S-35: of a history that a shallow clone has only the end of, nothing is known.
func TestAccept_S35_shallow(t *testing.T) {
	far := newRig(t)
	base := far.add(refA, Stamp{}, words("one", "two")...)
	near := far.shallow(refA)
	if err := near.accept(gitstore.OID{}, base); !errors.Is(err, ErrShallow) {
		t.Errorf("new: %v", err)
	}
	if err := near.accept(base, near.add(refA, Stamp{}, words("three")...)); err != nil {
		t.Errorf("on top of ours: %v", err)
	}
}
