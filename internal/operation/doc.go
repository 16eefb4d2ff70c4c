// Package operation defines the unit of change of everything git brew keeps:
// an operation, and the order in which operations are folded into a state.
//
// A record (a task, the project's knowledge, the shared configuration) is a
// history of operations. Its state is a fold: the operations in Less order,
// void ones left out, each applied to the state before it. Nothing here knows
// what an operation means, or where it is stored.
//
// Glossary
//
//	operation   one recorded change, immutable once it has an id
//	id          128 random bits; two machines never make the same one
//	clock       Lamport clock: greater than every clock its author had seen
//	law         the version of the fold's rules that the operation was made under
//	fence       the fence of the lock that its author held, 0 for none
//	claim       the commit that acquired that lock
//	void        ignored by the fold, kept in history
package operation
