package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	// warmBlob is the size, in bytes, of the largest blobs that Warm reads.
	warmBlob = 64 << 10
	// warmBytes bounds what it keeps.
	warmBytes = 64 << 20
	// warmFew is how many histories are read as quickly without it.
	warmFew = 16
)

// Warm reads what histories hold, and those up to others do not, in a pass of
// two processes, and keeps it in memory until cool is called: many records that
// are read one after the other ask git some ten times each. It is a
// convenience: what it can't read, or keep, is read when it is asked for. One at
// a time; a second one takes the place of the first.
func (r *Repo) Warm(ctx context.Context, tips, without []OID) (cool func()) {
	cool = func() { r.warm.Store(nil) }
	var revs strings.Builder
	many := 0
	for _, id := range tips {
		if !id.IsZero() && !slices.Contains(without, id) {
			revs.WriteString(id.String() + "\n")
			many++
		}
	}
	if many < warmFew || r.Partial(ctx) {
		return cool // in a partial clone nothing is read that nobody asked for
	}
	for _, id := range without {
		if !id.IsZero() {
			revs.WriteString("^" + id.String() + "\n")
		}
	}
	// What it lists before it meets something damaged is worth having.
	out, _ := r.asStored(ctx, []byte(revs.String()), "rev-list", "--objects", "--no-object-names", "--missing=allow-any",
		fmt.Sprintf("--filter=blob:limit=%d", warmBlob), "--stdin")
	var ids []OID
	for line := range strings.Lines(string(out)) {
		if id, err := ParseOID(strings.TrimSpace(line)); err == nil {
			ids = append(ids, id)
		}
	}
	kept, size := make(map[OID]rawObject, len(ids)), 0
	for chunk := range slices.Chunk(ids, bulk) {
		err := r.objects(ctx, chunk, func(n int, k kind, data []byte, err error) {
			if size += len(data); err == nil && size <= warmBytes {
				kept[chunk[n]] = rawObject{kind: k, data: data}
			}
		})
		if err != nil || size > warmBytes {
			break
		}
	}
	r.warm.Store(&kept)
	return cool
}

// warmed gives an object that Warm read.
func (r *Repo) warmed(id OID) (o rawObject, known bool) {
	if kept := r.warm.Load(); kept != nil {
		o, known = (*kept)[id]
	}
	return o, known
}
