package mind

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Whoever reads the file meanwhile has the old text or the new one, whole.
func TestWriteFile_wholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be replaced")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := writeFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if before, err := io.ReadAll(reader); err != nil || string(before) != "old" {
		t.Errorf("who had it open reads %q, %v", before, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != "new" {
		t.Errorf("the file holds %q, %v", after, err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("its mode is %s, %v", info.Mode(), err)
	}
	if err := writeFile(filepath.Join(dir, "fresh"), []byte("x")); err != nil {
		t.Error(err)
	}
	if err := writeFile(dir, nil); err == nil {
		t.Error("a directory was written to")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
