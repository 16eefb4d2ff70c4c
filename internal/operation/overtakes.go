package operation

// Overtakes reports whether a was made under a later authority than b: a higher
// fence, or at equal ones a lower claim id. Where no operation overtakes another
// that had seen it, what is void among some does not depend on what all of them
// had seen.
func Overtakes(a, b Operation) bool { return authorityOf(a).later(authorityOf(b)) }
