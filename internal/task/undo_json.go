package task

import (
	"reflect"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// same compares values that were decoded from JSON.
func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// items are the elements of a list; none of nothing.
func items(v any) []any {
	list, _ := v.([]any)
	return list
}

// idOf is a field that names an element; the element itself where that is a text.
func idOf(v any, field string) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		id, _ := v[field].(string)
		return id
	}
	return ""
}

// byID are the elements of a list by their ids.
func byID(list any, field string) map[string]any {
	all := make(map[string]any, len(items(list)))
	for _, v := range items(list) {
		all[idOf(v, field)] = v
	}
	return all
}

// listed: nothing, or a list of things with uids of their own.
func listed(v any) bool {
	if v == nil {
		return true
	}
	list, ok := v.([]any)
	return ok && len(byID(v, "uid")) == len(list) &&
		!slices.ContainsFunc(list, func(item any) bool { return !operation.ID(idOf(item, "uid")).Valid() })
}
