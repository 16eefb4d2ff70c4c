package gitfile

// SyncDir does nothing: Windows offers no way to sync a directory, and NTFS
// journals its entries.
func SyncDir(string) error { return nil }
