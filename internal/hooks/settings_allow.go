package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/command"
)

// AllowRules are the client's permission rules for the git brew commands that an agent
// needs at its work, so that it asks about none of them. One that ends in :* allows
// whatever follows, another one the command alone.
func AllowRules() []string {
	var rules []string
	for _, r := range command.Table {
		switch {
		case r.Has(command.Spared):
			rules = append(rules, "Bash(git brew "+strings.TrimSuffix(r.Path, " *")+":*)")
		case r.Has(command.Alone):
			rules = append(rules, "Bash(git brew "+r.Path+")")
		}
	}
	return rules
}

// Allow adds rules to permissions.allow in the text of a settings file, and leaves all
// else byte for byte as it is. Added are those that were not there.
func Allow(data []byte, rules []string) (after []byte, added []string, err error) {
	root, list, err := allowed(data)
	if err != nil {
		return nil, nil, err
	}
	var quoted []string
	for _, rule := range rules {
		if !slices.ContainsFunc(list.elements, func(e span) bool { return e.text(data) == rule }) {
			added, quoted = append(added, rule), append(quoted, `"`+rule+`"`)
		}
	}
	if len(added) == 0 {
		return data, nil, nil
	}
	s := styleOf(data, root)
	member := `"allow": [` + s.line(3) + strings.Join(quoted, ","+s.line(3)) + s.line(2) + "]"
	permissions, found := root.member("permissions")
	switch {
	case !found:
		return addMembers(data, root, s, 1, []string{`"permissions": ` + s.object(2, []string{member})}), added, nil
	case list.kind == 0:
		return addMembers(data, permissions.value, s, 2, []string{member}), added, nil
	}
	for _, rule := range quoted {
		data = addElement(data, list, rule)
		if _, list, err = allowed(data); err != nil {
			return nil, nil, err
		}
	}
	return data, added, nil
}

// Disallow takes rules out that Allow added, and what it had to make around them:
// Disallow(Allow(x)) is x. No data: nothing is left of a file that was made for them.
func Disallow(data []byte, rules []string) ([]byte, error) {
	for len(data) > 0 {
		root, list, err := allowed(data)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list.elements, func(e span) bool { return slices.Contains(rules, e.text(data)) })
		if i < 0 {
			break
		}
		at := slices.IndexFunc(root.members, func(m member) bool { return m.key == "permissions" })
		permissions := root.members[at].value
		in := slices.IndexFunc(permissions.members, func(m member) bool { return m.key == "allow" })
		var start, end int
		switch {
		case len(list.elements) > 1 || !madeHere(data, list, list.elements[0].start):
			start, end = without(elementSpans(list), i)
		case len(permissions.members) > 1 || !madeHere(data, permissions, permissions.members[0].start):
			start, end = without(memberSpans(permissions), in)
		default:
			start, end = fromRoot(data, root, at)
		}
		data = slices.Delete(slices.Clone(data), start, end)
	}
	return data, nil
}

// allowed finds the list permissions.allow; one of kind 0 where there is none.
func allowed(data []byte) (root, list span, err error) {
	if root, err = readSettings(data); err != nil {
		return root, list, err
	}
	permissions, found := root.member("permissions")
	if !found {
		return root, list, nil
	}
	allow, found := permissions.value.member("allow")
	if permissions.value.kind != '{' || found && allow.value.kind != '[' {
		return root, list, fmt.Errorf("%w: \"permissions\" is no object with a list \"allow\"", ErrSettings)
	}
	return root, allow.value, nil
}
