package question

import "strings"

// Role is what an agent does for a task; it decides which constraints it gets.
type Role string

// The roles. RoleAll is every agent's.
const (
	RoleAll    Role = "ALL"
	RoleDev    Role = "DEV"
	RoleTest   Role = "TEST"
	RoleReview Role = "REVIEW"
)

// PlanConstraints is what a plan says for agents of a role: the text between the
// comments <!-- ROLE --> and <!-- /ROLE -->. It is false where there is none.
func PlanConstraints(plan string, r Role) (string, bool) {
	begin, end := r.marks()
	_, rest, found := strings.Cut(plan, begin)
	if !found {
		return "", false
	}
	text, _, found := strings.Cut(rest, end)
	if !found {
		return "", false
	}
	return text, true
}

// ConstraintLines are the lines of all constraints of a plan, each role's between its
// comments; none where it has no constraints.
func ConstraintLines(plan string) []string {
	var lines []string
	for _, r := range [...]Role{RoleAll, RoleDev, RoleTest, RoleReview} {
		text, found := PlanConstraints(plan, r)
		if !found {
			continue
		}
		begin, end := r.marks()
		lines = append(append(lines, begin), strings.Split(strings.Trim(text, "\n"), "\n")...)
		lines = append(lines, end)
	}
	return lines
}

func (r Role) marks() (begin, end string) {
	return "<!-- " + string(r) + " -->", "<!-- /" + string(r) + " -->"
}
