package clone

// Rehearse makes all that the service does a dry run: every change decides as it
// would, refuses what it would refuse, answers with what would be, and writes
// nothing. No branch is checked out, no remote asked, no event recorded.
func (s *Clone) Rehearse() { s.Ledger.Rehearses = true }

// Rehearses reports whether nothing is written.
func (s *Clone) Rehearses() bool { return s.Ledger.Rehearses }
