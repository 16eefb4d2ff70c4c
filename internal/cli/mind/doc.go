// Package mind has the commands about what is worth remembering, knowledge and the backlog,
// and about what an agent may do here: its mode, and the words that switch it.
package mind
