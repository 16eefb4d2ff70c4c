// Package transcript cuts out of a session's transcript what a sub-agent is to
// be handed (BW-39): what was said and done since the first edit, without the
// model's thoughts, results of tools only as summaries, secrets taken out, in
// chunks that an agent can read at once. It opens and writes no file: a reader
// comes in, chunks go out.
//
// A transcript is a file of JSON lines that the client writes, in a form of its
// own, while it is read here. Nothing in it is believed: what is not understood
// is passed over, what is long is cut, and only what is known to be harmless is
// taken over. It may be hundreds of MB: what is read of it is bounded.
//
// Glossary
//
//	line    one JSON object of the transcript
//	entry   what is kept of a line: a role, and parts
//	part    a text, a call of a tool, or the summary of a result
//	edit    a call of a tool that changes a file; with the first one the work
//	        begins, and what a discussion before it said belongs to nobody else
//	window  the end of a transcript, which is all that is taken apart
//	chunk   a JSON array of entries, as large as an agent reads at once
package transcript
