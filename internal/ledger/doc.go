// Package ledger keeps records in git: it is the only place that knows the
// names under refs/brew/ and the shape of a commit there.
//
// A record is a ref whose tip's tree is the record's state. Three shapes:
//
//   - a chain of operations (a task, the project's knowledge, the shared
//     configuration): one commit an operation, op.json in its tree;
//   - a chain of states (a lock, this clone's own record): one commit a change,
//     no operation, a single writer or a compare-and-swap decides;
//   - the notes, see package notes: git's own format, a view of the tasks.
//
// Every change is a Tx: objects first, made durable, then all refs at once from
// the values that were read. Whoever loses a race reads again.
//
// Snapshots under <common dir>/brew are caches: each is believed only for the
// tip that its ref has now.
//
// Ledger knows that records exist, not what is in them: a Law tells it how a
// state is folded and stored. It never prints, and never reaches the network.
package ledger
