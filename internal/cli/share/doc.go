// Package share has the commands about this clone: setting git brew up and taking it away,
// settings, trust, the exchange with a remote, and the doctor.
package share
