package knowledge

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

func op(n int, kind operation.Kind, payload any) operation.Operation {
	raw, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	return operation.Operation{ID: ids(n)[0], Kind: kind, Clock: uint64(n), Law: operation.Law, Payload: raw}
}

func applyAll(ops ...operation.Operation) State {
	var s State
	for _, o := range ops {
		s, _ = Apply(s, o)
	}
	return s
}

func TestApply_entries(t *testing.T) {
	add := op(1, OpAdd, Entry{TS: "2026-01-01T00:00:00Z", T: Avoid, Txt: "int ids", Src: "dev", Paths: []string{"a"}})
	s, changed := Apply(State{}, add)
	want := Entry{ID: ids(1)[0], TS: "2026-01-01T00:00:00Z", T: Avoid, Txt: "int ids", Src: "dev", Paths: []string{"a"}}
	if !changed || s.Clock != 1 || len(s.Entries) != 1 || !reflect.DeepEqual(s.Entries[0], want) {
		t.Fatalf("add: %+v", s)
	}
	if again, changed := Apply(s, add); changed || len(again.Entries) != 1 {
		t.Errorf("added twice: %+v", again)
	}
	gone, changed := Apply(s, op(5, OpRemove, RemovePayload{IDs: ids(1, 77)}))
	if !changed || len(gone.Entries) != 0 || gone.Clock != 5 {
		t.Errorf("removed: %+v", gone)
	}
	if len(s.Entries) != 1 || s.Entries[0].Txt != "int ids" {
		t.Errorf("the state given is now %+v", s)
	}
	if again, changed := Apply(gone, op(6, OpRemove, RemovePayload{IDs: ids(1)})); changed || again.Clock != 6 {
		t.Errorf("removed twice: %+v", again)
	}
}

// Two states that grow from one never write into each other.
func TestApply_noSharedArray(t *testing.T) {
	s := applyAll(op(1, OpAdd, Entry{T: Fact, Txt: "a"}), op(2, OpAdd, Entry{T: Fact, Txt: "b"}),
		op(3, OpAdd, Entry{T: Fact, Txt: "c"}))
	one, _ := Apply(s, op(4, OpAdd, Entry{T: Fact, Txt: "one"}))
	other, _ := Apply(s, op(5, OpAdd, Entry{T: Fact, Txt: "other"}))
	if one.Entries[3].Txt != "one" || other.Entries[3].Txt != "other" {
		t.Errorf("%v, %v", texts(one.Entries), texts(other.Entries))
	}
}

func TestApply_backlog_BR37(t *testing.T) {
	s := applyAll(
		op(1, OpBacklogAdd, Item{TS: "t", Txt: "tidy", Src: "dev", Task: "add-jwt-1234567"}),
		op(2, OpBacklogAdd, Item{Txt: "rename"}),
		op(3, OpBacklogDone, BacklogItemPayload{Item: ids(1)[0]}),
		op(4, OpBacklogPromote, BacklogItemPayload{Item: ids(2)[0], Task: "rename-abcdefg"}),
		// What no longer applies changes nothing.
		op(5, OpBacklogPromote, BacklogItemPayload{Item: ids(2)[0], Task: "other-abcdefg"}),
		op(6, OpBacklogPromote, BacklogItemPayload{Item: ids(1)[0], Task: "other-abcdefg"}),
		op(7, OpBacklogDone, BacklogItemPayload{Item: ids(99)[0]}),
	)
	want := []Item{
		{ID: ids(1)[0], TS: "t", Txt: "tidy", Src: "dev", Task: "add-jwt-1234567", Done: true},
		{ID: ids(2)[0], Txt: "rename", PromotedTo: "rename-abcdefg"},
	}
	if !reflect.DeepEqual(s.Backlog, want) || s.Clock != 7 {
		t.Errorf("backlog: %+v", s)
	}
	if s.Backlog[0].Open() || s.Backlog[1].Open() {
		t.Error("both items are closed")
	}
}

func TestApply_hostile(t *testing.T) {
	for name, o := range map[string]operation.Operation{
		"control":       op(1, OpAdd, Entry{T: Fact, Txt: "a\x1b[31m"}),
		"line":          op(1, OpAdd, Entry{T: Fact, Txt: "a\nb"}),
		"hidden":        op(1, OpAdd, Entry{T: Fact, Txt: "a\U000E0041"}),
		"long":          op(1, OpAdd, Entry{T: Fact, Txt: strings.Repeat("x", MaxText+1)}),
		"kind":          op(1, OpAdd, Entry{T: "root", Txt: "a"}),
		"empty":         op(1, OpAdd, Entry{T: Fact}),
		"path":          op(1, OpAdd, Entry{T: Fact, Txt: "a", Paths: []string{"\n"}}),
		"source":        op(1, OpAdd, Entry{T: Fact, Txt: "a", Src: "\u202e"}),
		"type":          op(1, OpAdd, map[string]any{"txt": 7}),
		"null":          {ID: ids(1)[0], Kind: OpAdd, Clock: 1, Payload: json.RawMessage(`null`)},
		"no payload":    {ID: ids(1)[0], Kind: OpAdd, Clock: 1},
		"unknown":       op(1, "knowledge.burn", nil),
		"backlog":       op(1, OpBacklogAdd, Item{Txt: "\x00"}),
		"promote":       op(1, OpBacklogPromote, 7),
		"remove":        op(1, OpRemove, []int{1}),
		"backlog empty": op(1, OpBacklogAdd, nil),
	} {
		s, changed := Apply(State{}, o)
		if changed || len(s.Entries)+len(s.Backlog) != 0 || s.Clock != 1 {
			t.Errorf("%s: %+v", name, s)
		}
		if sub := Subject(State{}, o); sub != invisible.Line(sub) || len(sub) > 300 {
			t.Errorf("%s: subject %q", name, sub)
		}
	}
}

func TestSubject(t *testing.T) {
	s := applyAll(op(1, OpAdd, Entry{T: Avoid, Txt: "int ids"}),
		op(2, OpBacklogAdd, Item{Txt: "tidy up"}))
	for _, c := range []struct {
		op   operation.Operation
		want string
	}{
		{
			op(3, OpAdd, Entry{T: Avoid, Txt: "token ids are strings, never ints"}),
			`knowledge: avoid "token ids are strings, never ints"`,
		},
		{op(3, OpRemove, RemovePayload{IDs: ids(1), Reason: "exported"}), `knowledge: removed 1: exported`},
		{op(3, OpRemove, RemovePayload{IDs: ids(8, 9)}), `knowledge: removed 2`},
		{op(3, OpBacklogAdd, Item{Txt: "later"}), `backlog: "later"`},
		{op(3, OpBacklogDone, BacklogItemPayload{Item: ids(2)[0]}), `backlog: done "tidy up"`},
		{
			op(3, OpBacklogPromote, BacklogItemPayload{Item: ids(2)[0], Task: "tidy-1234567"}),
			`backlog: "tidy up" becomes task tidy-1234567`,
		},
		{op(3, "new.kind", nil), "new.kind"},
	} {
		if got := Subject(s, c.op); got != c.want {
			t.Errorf("Subject = %s, want %s", got, c.want)
		}
	}
}

// S-9 for the record: order and repetition of operations make no difference,
// and the fold is Apply in order.
func TestFold_S9_orderAndDuplication(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "operations")
		ops := make([]operation.Operation, n)
		for i := range ops {
			some := func(label string) operation.ID { return ids(rapid.IntRange(0, n).Draw(t, label))[0] }
			var o operation.Operation
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0, 1:
				o = op(i, OpAdd, Entry{T: Fact, Txt: fmt.Sprint("text ", i)})
			case 2:
				o = op(i, OpRemove, RemovePayload{IDs: []operation.ID{some("a"), some("b")}})
			case 3:
				o = op(i, OpBacklogAdd, Item{Txt: fmt.Sprint("item ", i)})
			case 4:
				o = op(i, OpBacklogDone, BacklogItemPayload{Item: some("done")})
			case 5:
				o = op(i, OpBacklogPromote, BacklogItemPayload{Item: some("item"), Task: fmt.Sprint("task-", i)})
			}
			o.Clock = rapid.Uint64Range(1, 5).Draw(t, "clock")
			ops[i] = o
		}
		nodes := func(ops []operation.Operation) []operation.Node {
			all := make([]operation.Node, len(ops))
			for i, o := range ops {
				all[i] = operation.Node{Op: o}
			}
			return all
		}
		want := Fold(nodes(ops))
		ordered, _ := operation.Ordered(nodes(ops), operation.Rules{}, nil)
		if got := applyAll(ordered...); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("applied: %+v\nfolded:  %+v", got, want)
		}
		mixed := rapid.Permutation(ops).Draw(t, "order")
		mixed = append(mixed, mixed[:rapid.IntRange(0, n).Draw(t, "again")]...)
		got := Fold(nodes(mixed))
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("in another order: %+v\nwant: %+v", got, want)
		}
		files, err := Encode(got)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(files)
		if err != nil || fmt.Sprintf("%+v", back) != fmt.Sprintf("%+v", want) {
			t.Fatalf("written and read: %+v, %v", back, err)
		}
	})
}

// Fold is how the ledger folds a record of this law: Apply on each operation
// that counts, in order.
func Fold(nodes []operation.Node) State {
	var s State
	ops, _ := operation.Ordered(nodes, operation.Rules{}, nil)
	for _, op := range ops {
		s, _ = Apply(s, op)
	}
	return s
}

func TestApply_backlog_BR37_phase(t *testing.T) {
	item, phase, other := ids(1)[0], ids(5)[0], ids(6)[0]
	promote := func(clock uint64, p BacklogItemPayload) operation.Operation {
		p.Item = item
		return op(int(clock), OpBacklogPromote, p)
	}
	added := op(1, OpBacklogAdd, Item{Txt: "tidy"})
	became := promote(2, BacklogItemPayload{Task: "add-jwt-1234567", Phase: phase})
	is := Item{PromotedTo: "add-jwt-1234567", Phase: phase}
	ops := func(payloads ...BacklogItemPayload) (all []operation.Operation) {
		for i, p := range payloads {
			all = append(all, promote(uint64(3+i), p))
		}
		return all
	}
	for name, c := range map[string]struct {
		ops  []operation.Operation
		want Item
	}{
		"becomes a phase":       {nil, is},
		"the first one says":    {ops(BacklogItemPayload{Task: "x", Phase: other}), is},
		"another phase is gone": {ops(BacklogItemPayload{Phase: other}), is},
		"nothing is gone":       {ops(BacklogItemPayload{}), is},
		"the phase is gone":     {ops(BacklogItemPayload{Phase: phase}), Item{}},
		"a phase once more": {
			ops(BacklogItemPayload{Phase: phase}, BacklogItemPayload{Task: "y", Phase: other}),
			Item{PromotedTo: "y", Phase: other},
		},
	} {
		c.want.ID, c.want.Txt = item, "tidy"
		if s := applyAll(append([]operation.Operation{added, became}, c.ops...)...); s.Backlog[0] != c.want {
			t.Errorf("%s: %+v", name, s.Backlog[0])
		}
	}
	if s := applyAll(added, promote(2, BacklogItemPayload{Task: "x", Phase: "../x"})); !s.Backlog[0].Open() {
		t.Errorf("a phase that is no id: %+v", s.Backlog[0])
	}
}
