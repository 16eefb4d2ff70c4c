package refs

// Synced brings a directory to the disk, as a move of a ref does in the end.
func Synced(dir string) error { return synced(dir) }
