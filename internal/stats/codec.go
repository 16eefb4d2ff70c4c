package stats

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrNoSum says that text is no sum that this program wrote.
var ErrNoSum = errors.New("no sum of events")

// Encode gives a sum as lines of fields parted by tabs. Names in events hold no
// control characters.
func (s *Sum) Encode() []byte {
	var l lines
	for _, k := range slices.SortedFunc(maps.Keys(s.cells), compareKeys) {
		c := s.cells[k]
		l.begin("c").text(k.Day).text(k.Task).text(k.Session).number(c.First).number(c.Last)
		for _, n := range c.list() {
			l.number(int64(*n))
		}
		l.histogram(c.Hooks).end()
		for _, mode := range slices.Sorted(maps.Keys(c.Modes)) {
			l.begin("m").text(mode).number(int64(c.Modes[mode])).end()
		}
		for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
			t := c.Tools[name]
			l.begin("t").text(name).number(int64(t.Calls)).number(int64(t.Failed)).number(int64(t.Denied)).histogram(t.Took).end()
		}
		for _, id := range slices.Sorted(maps.Keys(c.Phases)) {
			l.begin("p").text(id).end()
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.last)) {
		m := s.last[id]
		l.begin("s").text(id).number(s.first[id]).number(m.ts).text(m.mode).text(m.key.Day).text(m.key.Task).end()
	}
	return l.b
}

// list names the counts in the order that they are written in.
func (c *Counts) list() [8]*int {
	return [...]*int{&c.Events, &c.Prompts, &c.Denials, &c.Asked, &c.Kept, &c.Compactions, &c.Agents, &c.Switches}
}

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Session, b.Session))
}

// Decode reads what Encode gave.
func Decode(text []byte) (*Sum, error) {
	s := &Sum{}
	var c *Cell
	for line := range bytes.Lines(text) {
		f := fields{rest: strings.TrimSuffix(string(line), "\n")}
		kind := f.text()
		if c == nil && kind != "c" && kind != "s" {
			return nil, ErrNoSum
		}
		switch kind {
		case "c":
			c = s.cell(Key{Day: f.text(), Task: f.text(), Session: f.text()})
			c.First, c.Last = f.number(), f.number()
			for _, n := range c.list() {
				*n = int(f.number())
			}
			c.Hooks = f.histogram()
		case "m":
			c.Modes[f.text()] = time.Duration(f.number())
		case "t":
			t := c.tool(f.text())
			t.Calls, t.Failed, t.Denied = int(f.number()), int(f.number()), int(f.number())
			t.Took = f.histogram()
		case "p":
			c.Phases[f.text()] = true
		case "s":
			id := f.text()
			s.ready()
			s.first[id] = f.number()
			s.last[id] = mark{ts: f.number(), mode: f.text(), key: Key{Day: f.text(), Task: f.text(), Session: id}}
		default:
			return nil, ErrNoSum
		}
		if f.bad || !f.done {
			return nil, ErrNoSum
		}
	}
	return s, nil
}

// lines writes lines of fields.
type lines struct{ b []byte }

func (l *lines) begin(kind string) *lines {
	l.b = append(l.b, kind...)
	return l
}

func (l *lines) text(s string) *lines {
	l.b = append(l.b, '\t')
	l.b = append(l.b, s...)
	return l
}

func (l *lines) number(n int64) *lines {
	l.b = strconv.AppendInt(append(l.b, '\t'), n, 10)
	return l
}

func (l *lines) histogram(h Histogram) *lines {
	l.b = h.appendTo(append(l.b, '\t'))
	return l
}

func (l *lines) end() { l.b = append(l.b, '\n') }

// fields reads them.
type fields struct {
	rest      string
	bad, done bool
}

func (f *fields) text() string {
	if f.done {
		f.bad = true
	}
	field, rest, more := strings.Cut(f.rest, "\t")
	f.rest, f.done = rest, !more
	return field
}

func (f *fields) number() int64 {
	n, err := strconv.ParseInt(f.text(), 10, 64)
	f.bad = f.bad || err != nil
	return n
}

func (f *fields) histogram() Histogram {
	h, err := parseHistogram(f.text())
	f.bad = f.bad || err != nil
	return h
}
