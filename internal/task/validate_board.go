package task

import "slices"

func validateBoards(t Task) error {
	if !validReviewers(t.Reviewers) {
		return corrupt("a reviewer")
	}
	if len(t.Boards) > maxBoards || len(t.Remarks) > maxRemarks {
		return corrupt("%d boards, %d remarks", len(t.Boards), len(t.Remarks))
	}
	seen := map[string]bool{}
	for _, b := range t.Boards {
		bad := !t.validBoard(b.On) || seen[string(b.On)] || b.Round < 1 || b.Round > MaxRounds || b.Work < 0 || b.Others < 0 || !emptyOrOID(b.Text) || len(b.Voices) > maxVoices ||
			slices.ContainsFunc(b.Voices, func(v Voice) bool { return !validName(v.Reviewer) || !v.Seat.valid() }) ||
			b.Waived != nil && (!paragraph(b.Waived.Reason, maxSaid) || !times(b.Waived.At))
		if bad {
			return corrupt("board on %q", clip(string(b.On), maxName))
		}
		seen[string(b.On)] = true
	}
	for _, r := range t.Remarks {
		bad := !r.UID.Valid() || seen[string(r.UID)] || !r.valid() || !t.validBoard(r.On) || !seen[string(r.On)] || r.Round < 1 || r.Round > MaxRounds ||
			!times(r.At) || r.Ruling != "" && r.Ruling != Accepted && r.Ruling != Rejected || !paragraph(r.Reason, maxSaid) || len(r.Votes) > maxVoices ||
			slices.ContainsFunc(r.Votes, func(v Vote) bool { return !validName(v.Reviewer) || !v.Seat.valid() || !paragraph(v.Against, maxSaid) })
		if bad {
			return corrupt("remark %q", clip(string(r.UID), maxName))
		}
		seen[string(r.UID)] = true
	}
	return nil
}

func validateDecisions(t Task) error {
	if len(t.Decisions) > maxDecisions {
		return corrupt("%d decisions", len(t.Decisions))
	}
	seen := map[UID]bool{}
	for _, d := range t.Decisions {
		bad := !d.UID.Valid() || seen[d.UID] || !d.valid() || !times(d.At) || !slices.Contains(decisionStatuses, d.Status) ||
			d.Phase != "" && t.phaseIndex(d.Phase) < 0 || d.By != "" && !d.By.Valid() || d.Supersedes != "" && !d.Supersedes.Valid()
		if bad {
			return corrupt("decision %q", clip(string(d.UID), maxName))
		}
		seen[d.UID] = true
	}
	return nil
}
