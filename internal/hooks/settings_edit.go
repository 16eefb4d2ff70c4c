package hooks

import (
	"slices"
	"strings"
)

// style is how a settings file is written.
type style struct {
	newline string // empty: all on one line
	unit    string // one step of indentation
}

// styleOf takes the style from what stands before the first member.
func styleOf(data []byte, root span) style {
	if len(root.members) == 0 {
		return style{newline: "\n", unit: "  "}
	}
	blank := string(data[root.start+1 : root.members[0].start])
	i := strings.LastIndexByte(blank, '\n')
	switch {
	case i < 0:
		return style{}
	case i > 0 && blank[i-1] == '\r':
		return style{newline: "\r\n", unit: blank[i+1:]}
	}
	return style{newline: "\n", unit: blank[i+1:]}
}

// line is what goes before something at this depth. It is never empty: that is
// how containers that were made here are known again.
func (s style) line(depth int) string {
	if s.newline == "" {
		return " "
	}
	return s.newline + strings.Repeat(s.unit, depth)
}

// object writes one whose members stand at depth.
func (s style) object(depth int, members []string) string {
	return "{" + s.line(depth) + strings.Join(members, ","+s.line(depth)) + s.line(depth-1) + "}"
}

// addMembers adds members to an object at depth: behind the last, in its way of
// writing, or directly behind the bracket of an empty one.
func addMembers(data []byte, object span, s style, depth int, members []string) []byte {
	if len(members) == 0 {
		return data
	}
	n := len(object.members)
	if n == 0 {
		return slices.Insert(slices.Clone(data), object.start+1, []byte(strings.Join(members, ","+s.line(depth)))...)
	}
	between := "," + string(data[object.start+1:object.members[0].start])
	if between == "," {
		between = ", "
	}
	return slices.Insert(slices.Clone(data), object.members[n-1].value.end,
		[]byte(between+strings.Join(members, between))...)
}

// addElement adds an element to an array, likewise.
func addElement(data []byte, array span, element string) []byte {
	n := len(array.elements)
	if n == 0 {
		return slices.Insert(slices.Clone(data), array.start+1, []byte(element)...)
	}
	between := "," + string(data[array.start+1:array.elements[0].start])
	if between == "," {
		between = ", "
	}
	return slices.Insert(slices.Clone(data), array.elements[n-1].end, []byte(between+element)...)
}

// Uninstall takes git brew's hooks and status line out of the text of a
// settings file, and what Install had to make around them; no data: there is no
// file, or nothing is left of one that Install made.
func Uninstall(data []byte) ([]byte, error) {
	for len(data) > 0 {
		root, err := readSettings(data)
		if err != nil {
			return nil, err
		}
		start, end, found := findOurs(data, root)
		if !found {
			break
		}
		data = slices.Delete(slices.Clone(data), start, end)
	}
	return data, nil
}

// findOurs returns the place of the next thing to take out.
func findOurs(data []byte, root span) (start, end int, found bool) {
	for i, m := range root.members {
		if m.key == "statusLine" && ourStatusLine(data, m.value) {
			start, end = fromRoot(data, root, i)
			return start, end, true
		}
	}
	at := slices.IndexFunc(root.members, func(m member) bool {
		last, _ := root.member("hooks")
		return m.key == "hooks" && m.start == last.start
	})
	if at < 0 {
		return 0, 0, false
	}
	hooks := root.members[at].value
	for i, event := range hooks.members {
		for j, g := range event.value.elements {
			list, _ := g.member("hooks")
			handlers := list.value.elements
			k := slices.IndexFunc(handlers, func(h span) bool { return ours(data, h) })
			switch {
			case k < 0:
				continue
			case slices.ContainsFunc(handlers, func(h span) bool { return !ours(data, h) }):
				start, end = without(elementSpans(list.value), k)
			case len(event.value.elements) > 1 || !madeHere(data, event.value, g.start):
				start, end = without(elementSpans(event.value), j)
			case len(hooks.members) > 1 || !madeHere(data, hooks, event.start):
				start, end = without(memberSpans(hooks), i)
			default:
				start, end = fromRoot(data, root, at)
			}
			return start, end, true
		}
	}
	return 0, 0, false
}

// fromRoot takes a member out of the file, or the file away.
func fromRoot(data []byte, root span, i int) (start, end int) {
	if len(root.members) == 1 && madeHere(data, root, root.members[0].start) {
		return 0, len(data)
	}
	return without(memberSpans(root), i)
}

// madeHere reports whether Install made the container whose only part starts at
// first.
func madeHere(data []byte, container span, first int) bool {
	return isBlank(data[container.start+1]) && first > container.start+1
}

// without returns what to delete so that part i of a container is gone, with
// one comma.
func without(parts [][2]int, i int) (start, end int) {
	switch {
	case i > 0:
		return parts[i-1][1], parts[i][1]
	case len(parts) > 1:
		return parts[0][0], parts[1][0]
	}
	return parts[0][0], parts[0][1]
}

func memberSpans(object span) [][2]int {
	parts := make([][2]int, len(object.members))
	for i, m := range object.members {
		parts[i] = [2]int{m.start, m.value.end}
	}
	return parts
}

func elementSpans(array span) [][2]int {
	parts := make([][2]int, len(array.elements))
	for i, e := range array.elements {
		parts[i] = [2]int{e.start, e.end}
	}
	return parts
}
