package stats

import (
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Histogram counts values by size: each below 64 for itself, larger ones in
// ranges of a 32nd of a power of two. So two histograms add up, and a quantile is
// off by less than 2 per cent. The zero Histogram is empty.
type Histogram map[int]int

// exactBits is how many leading bits of a value tell its range.
const exactBits = 6

func rangeOf(v int64) int {
	v = max(v, 0)
	shift := max(0, bits.Len64(uint64(v))-exactBits)
	return shift<<(exactBits-1) + int(v>>shift)
}

// middle is the value that stands for a range.
func middle(r int) int64 {
	const half = 1 << (exactBits - 1)
	if r < 2*half {
		return int64(r)
	}
	shift := r/half - 1
	return int64(r-shift*half)<<shift + int64(1)<<shift/2
}

// add counts a value.
func (h *Histogram) add(v int64) {
	if *h == nil {
		*h = Histogram{}
	}
	(*h)[rangeOf(v)]++
}

// merge adds other to h.
func (h *Histogram) merge(other Histogram) {
	if *h == nil && len(other) > 0 {
		*h = Histogram{}
	}
	for r, n := range other {
		(*h)[r] += n
	}
}

// Quantile is the value that a share q of all values is not above; 0 of none.
func (h Histogram) Quantile(q float64) int64 {
	total := 0
	for _, n := range h {
		total += n
	}
	rank := max(1, int(math.Ceil(q*float64(total))))
	for _, r := range slices.Sorted(maps.Keys(h)) {
		if rank -= h[r]; rank <= 0 {
			return middle(r)
		}
	}
	return 0
}
