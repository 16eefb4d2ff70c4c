package transcript

const opening, between, closing = "[\n", ",\n", "\n]\n"

// pack makes chunks of entries, the latest of which come first, and from the
// latest on, so that it is the oldest chunk that is not full.
func pack(latestFirst []entry, cut bool) Share {
	var encoded [][]byte
	for _, e := range latestFirst {
		if data := e.encode(); len(opening)+len(data)+len(closing) <= MaxChunk {
			encoded = append(encoded, data)
		}
	}
	out := Share{Cut: cut}
	for len(encoded) > 0 {
		if len(out.Chunks) == MaxChunks {
			out.Cut = true
			break
		}
		n, size := 0, len(opening)+len(closing)-len(between)
		for n < len(encoded) && size+len(between)+len(encoded[n]) <= MaxChunk {
			size += len(between) + len(encoded[n])
			n++
		}
		chunk := append(make([]byte, 0, size), opening...)
		for i := n - 1; i >= 0; i-- {
			chunk = append(chunk, encoded[i]...)
			if i > 0 {
				chunk = append(chunk, between...)
			}
		}
		out.Chunks = append([][]byte{append(chunk, closing...)}, out.Chunks...)
		encoded = encoded[n:]
	}
	return out
}
