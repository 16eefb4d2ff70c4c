package overlap

import (
	"context"
	"encoding/json"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/history"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

// answer is how the merge of a pair comes out.
type answer struct {
	Is      bool     `json:"is,omitempty"`
	Paths   []string `json:"paths,omitempty"`
	More    int      `json:"more,omitempty"`
	Unknown bool     `json:"unknown,omitempty"` // git could not tell, or took too long
}

const (
	// answersFile keeps answers, maxKept of them and what one look adds.
	answersFile = "overlaps"
	maxKept     = 1000
	// patience is how long git may look. What it did not come to, the next look does.
	patience = 2 * time.Second
)

// answers says how the merges of pairs come out, as far as it is known. It can't change for two
// commits, so it is kept.
func (s *Radar) answers(ctx context.Context, pairs []history.Pair, branches []branch) map[history.Pair]answer {
	if len(pairs) == 0 {
		return nil
	}
	kept := map[string]answer{}
	piece, _ := s.Clone.Repo.Cache.GetPiece(answersFile, statcache.Watch{})
	_ = json.Unmarshal([]byte(piece), &kept) // it is only a cache
	known := map[history.Pair]answer{}
	var missing []history.Pair
	for _, p := range pairs {
		if a, is := kept[keyOf(p)]; is {
			known[p] = a
		} else {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return known
	}
	s.look(ctx, missing, known, branches)
	s.keep(kept, known)
	return known
}

// look asks git of pairs, as long as there is patience. It asks of more and more at once: a git that
// is ended, or breaks down, keeps to itself what it has found by then.
func (s *Radar) look(ctx context.Context, missing []history.Pair, known map[history.Pair]answer, branches []branch) {
	looking, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for at, many := 0, 1; at < len(missing) && looking.Err() == nil; {
		some := missing[at:min(at+many, len(missing))]
		said, err := s.Clone.Repo.History.Conflicts(looking, some)
		for i, c := range said {
			known[some[i]] = s.answerOf(ctx, c, some[i], branches)
		}
		if err != nil && len(some) == 1 && ctx.Err() == nil && (at == 0 || looking.Err() == nil) {
			known[some[0]] = answer{Unknown: true} // the others' turn comes without it
			return
		}
		if at += len(said); err == nil {
			many *= 2
		} else {
			many = 1
		}
	}
}

// answerOf is what is kept of a conflict. A branch that nothing was committed to yet has none of
// its own: the other one's is with the branch that it came from.
func (s *Radar) answerOf(ctx context.Context, c history.Conflict, p history.Pair, branches []branch) answer {
	a := answer{Is: c.Is, Paths: c.Paths[:min(len(c.Paths), maxPaths)], More: max(0, len(c.Paths)-maxPaths)}
	for _, b := range branches {
		if !a.Is || b.tip != p[0] && b.tip != p[1] {
			continue
		}
		if brief, _, err := s.Records.Brief(ctx, b.ID); err == nil && brief.Task.BaseCommit == b.tip.String() {
			return answer{}
		}
	}
	return a
}

// keep keeps answers, the older ones while there is room.
func (s *Radar) keep(kept map[string]answer, known map[history.Pair]answer) {
	if len(kept) > maxKept {
		kept = map[string]answer{}
	}
	for p, a := range known {
		kept[keyOf(p)] = a
	}
	if data, err := json.Marshal(kept); err == nil {
		s.Clone.Repo.Cache.PutPiece(answersFile, statcache.Watch{}, data)
	}
}

func keyOf(p history.Pair) string { return p[0].String() + " " + p[1].String() }
