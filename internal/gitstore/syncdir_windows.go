package gitstore

// syncDir does nothing: Windows offers no way to sync a directory, and NTFS
// journals its entries.
func syncDir(string) error { return nil }
