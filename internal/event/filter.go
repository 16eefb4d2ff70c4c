package event

import "strings"

// Filter chooses events; an empty field chooses all.
type Filter struct {
	// Session and Task match by a beginning, as people type them.
	Session string
	Task    string
	// Hook is the hook's name, in any case of letters.
	Hook string
	Type Type
	// Since and Until are nanoseconds since 1970, Since included.
	Since int64
	Until int64
}

// Match reports whether f chooses e.
func (f Filter) Match(e Event) bool {
	return strings.HasPrefix(e.Session, f.Session) &&
		strings.HasPrefix(e.Task, f.Task) &&
		(f.Hook == "" || strings.EqualFold(e.Hook, f.Hook)) &&
		(f.Type == "" || e.Type == f.Type) &&
		(f.Since == 0 || e.TS >= f.Since) &&
		(f.Until == 0 || e.TS < f.Until)
}
