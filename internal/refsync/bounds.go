package refsync

// defaultNew is how many new records of a kind one exchange takes over, in some
// ten seconds. Few projects have so many, but whoever may push can make them.
const defaultNew = 10_000

// maxNew is how many new records of a kind one exchange takes over.
func (x *exchange) maxNew() int {
	if x.o.MaxNew > 0 {
		return x.o.MaxNew
	}
	return defaultNew
}

// tooMany tells whether more are new than one exchange takes.
func (x *exchange) tooMany(batch []*item) bool {
	n := 0
	for _, it := range batch {
		if it.isNew() {
			n++
		}
	}
	return n > x.maxNew()
}

// later leaves a new record to the next exchange, where enough of its kind came.
func (x *exchange) later(it *item) bool {
	if !it.isNew() {
		return false
	}
	delete(x.items, it.ref)
	x.left++
	return true
}
