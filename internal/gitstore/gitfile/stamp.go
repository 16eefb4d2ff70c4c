package gitfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"time"
)

// clockGrain is how far apart two changes of a file must be to be sure to get
// different times. Kernels stamp files with the time of their last tick.
const clockGrain = 20 * time.Millisecond

// coarseGrain is the same on file systems that keep whole seconds.
const coarseGrain = 2 * time.Second

// Stamp is a file's or directory's stat data. Two equal stamps mean "not
// changed in between", provided that the stamp was settled. The zero value
// stands for a file that does not exist: absence is a state too.
type Stamp struct {
	Mtime int64 // ns since 1970
	Ctime int64 // ns; 0 where the system keeps none
	Size  int64
	Inode uint64 // 0 where the system keeps none
	Dev   uint64
}

// ReadStamp gives the stamp of the file that path leads to.
func ReadStamp(path string) (Stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || IsNotDir(err) {
		return Stamp{}, nil
	}
	if err != nil {
		return Stamp{}, err
	}
	return StampOf(info), nil
}

// DeviceOf is the file system that a file lies on. Where the system doesn't tell, all
// are one.
func DeviceOf(path string) (uint64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return StampOf(info).Dev, nil
}

// Exists tells whether the file was there.
func (s Stamp) Exists() bool { return s != Stamp{} }

// Settled tells whether any change after the instant at must show as another
// stamp. at is a time by the file system's clock, such as the Mtime of a file
// written just then, in ns since 1970.
func (s Stamp) Settled(at int64) bool {
	if !s.Exists() {
		return true
	}
	// ctime can't be set by anyone, so it is the better witness.
	changed := cmp.Or(s.Ctime, s.Mtime)
	grain := clockGrain
	if changed%int64(time.Second) == 0 {
		grain = coarseGrain
	}
	return changed+int64(grain) < at
}

// FileSeen tells a file from what it is after any change. The zero value stands
// for what no file tells: a packed ref, a symbolic one, or any where the system
// keeps no such data.
type FileSeen struct {
	Changed int64  // its ctime, in ns since 1970
	Inode   uint64 // of a file that took its place meanwhile, another one
}

// Settled is f where any change after the instant at, by the file system's clock
// in ns since 1970, must show, the zero value otherwise.
func (f FileSeen) Settled(at int64) FileSeen {
	if (Stamp{Ctime: f.Changed, Inode: f.Inode}).Settled(at) {
		return f
	}
	return FileSeen{}
}
