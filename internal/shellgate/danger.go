package shellgate

import (
	"path"
	"strings"
)

// Plain destruction is refused whatever the mode: removing the whole disk or
// home directory, formatting or overwriting a disk, ending every process. Few
// rules, so that a false alarm is rare: a directory below /tmp, or a disk image
// in a file, is nobody's loss.

// ruinous is a row of what destroys: a program with these options (one word of
// letters for each that has to be there) and an operand of this kind.
type ruinous struct {
	names    string
	letters  string // one-letter options; capital R counts as r
	long     string // or this long one
	operands func(string) bool
}

var ruins = []ruinous{
	{"rm", "r", "--recursive", holdsAll},
	{"rm", "r", "--no-preserve-root", holdsAll},
	{"chmod, chown, chgrp", "r", "--recursive", holdsRoot},
	{"mkfs, mkfs.ext2, mkfs.ext3, mkfs.ext4, mkfs.xfs, mkfs.btrfs, mkfs.vfat, mkfs.fat, mkfs.ntfs, mkfs.exfat, mkfs.f2fs, mke2fs, mkdosfs, mkntfs, newfs, newfs_hfs, newfs_apfs", "", "", underDev},
	{"mkswap, wipefs, blkdiscard, shred, sgdisk, sfdisk, tee, pvcreate, cryptsetup, badblocks, zpool", "", "", rawDevice},
	{"format, format.com", "", "", func(o string) bool { return len(o) == 2 && o[1] == ':' }},
}

// systemDirs are directories that a system can't do without.
const systemDirs = "/bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /sbin /sys /usr /var /Applications /Library /System /Users /Volumes /private " +
	"/usr/bin /usr/lib /usr/sbin /usr/share /usr/local /var/lib"

// destroys notes what no mode allows.
func (j *judge) destroys(program string, words []arg, src string) {
	ruined := func() { j.dangerous(problem{reason: Destroys, detail: src, command: src}) }
	if program == "cd" || program == "pushd" {
		j.moved = true
		j.atRoot = len(words) == 0 || holdsAll(words[len(words)-1].text)
		return
	}
	letters, long, operands := looseOptions(words)
	for _, r := range ruins {
		if !listed(r.names, program) || !(strings.Contains(letters, r.letters) && r.letters != "" || has(long, r.long) && r.long != "" || r.letters == "" && r.long == "") {
			continue
		}
		for _, o := range operands {
			if r.operands(o) || program == "rm" && j.atRoot && has("* . ./* .*", o) {
				ruined()
				return
			}
		}
	}
	switch program {
	case "mv":
		for _, o := range operands[:max(0, len(operands)-1)] {
			if holdsAll(o) {
				ruined()
			}
		}
	case "cp":
		if n := len(operands); n > 0 && rawDevice(operands[n-1]) {
			ruined()
		}
	case "dd":
		for _, o := range operands {
			if target, ok := strings.CutPrefix(o, "of="); ok && rawDevice(target) {
				ruined()
			}
		}
	case "diskutil":
		if len(operands) > 0 && has("eraseDisk erasedisk eraseVolume erasevolume reformat partitionDisk partitiondisk zeroDisk secureErase", operands[0]) {
			ruined()
		}
	case "kill":
		if n := len(words); n > 1 && words[n-1].text == "-1" {
			ruined()
		}
	case "find":
		j.findRuins(words, ruined)
	}
}

// looseOptions tells options and operands apart without a row.
func looseOptions(words []arg) (letters, long string, operands []string) {
	ended := false
	for _, w := range words {
		switch t := patternText(w); {
		case t == "--":
			ended = true
		case ended || !strings.HasPrefix(t, "-") || t == "-":
			operands = append(operands, t)
		case strings.HasPrefix(t, "--"):
			long += " " + t
			for _, full := range []string{"--recursive", "--no-preserve-root"} {
				if len(t) > 3 && strings.HasPrefix(full, t) {
					long += " " + full
				}
			}
		default:
			letters += strings.ToLower(t[1:])
		}
	}
	return letters, strings.TrimSpace(long), operands
}

// patternText is a word with its patterns as they were written.
func patternText(w arg) string {
	if w.many && strings.HasSuffix(w.text, string(hole)) && strings.HasSuffix(w.src, "*") {
		return strings.TrimSuffix(w.text, string(hole)) + "*"
	}
	return w.text
}

// findRuins: everything below the root or the home directory, without a choice.
func (j *judge) findRuins(words []arg, ruined func()) {
	all, removes, chooses := false, false, false
	for i, w := range words {
		switch {
		case i == 0 || !strings.HasPrefix(words[0].text, "-") && i < 2:
			all = all || holdsAll(w.text)
		}
		switch w.text {
		case "-delete":
			removes = true
		case "-exec", "-execdir":
			removes = removes || i+1 < len(words) && (words[i+1].text == "rm" || words[i+1].text == "shred")
		case "-name", "-iname", "-path", "-ipath", "-regex", "-newer", "-mtime", "-mmin", "-ctime", "-atime", "-size", "-empty", "-user", "-maxdepth":
			chooses = true
		}
	}
	if all && removes && !chooses {
		ruined()
	}
}

// holdsAll: the root, the home directory, a directory of the system, or all that
// is in one of them.
func holdsAll(operand string) bool {
	if homeDir, ok := strings.CutPrefix(operand, string(home)); ok {
		rest := path.Clean("/" + strings.TrimLeft(homeDir, "/"))
		if strings.HasPrefix(homeDir, "/") || homeDir == "" {
			return has("/ /* /.* /.", rest) || strings.Contains(homeDir, "..") && has("/ /*", rest)
		}
		return false
	}
	return holdsSystem(operand)
}

func holdsSystem(operand string) bool {
	if !strings.HasPrefix(operand, "/") || strings.ContainsAny(operand, unknowns) {
		return len(operand) == 3 && strings.HasSuffix(operand, ":\\")
	}
	clean := path.Clean(operand)
	if has("/ /*", clean) {
		return true
	}
	return has(systemDirs, strings.TrimSuffix(clean, "/*"))
}

// holdsRoot: what a change of owner or rights for all of it makes useless.
func holdsRoot(operand string) bool {
	return strings.HasPrefix(operand, "/") && has("/ /* /bin /boot /dev /etc /lib /sbin /sys /usr", path.Clean(operand))
}

func underDev(operand string) bool {
	return strings.HasPrefix(path.Clean("/"+operand), "/dev/") && strings.HasPrefix(operand, "/")
}

// rawDevice: a disk, whole or in parts, or the memory.
func rawDevice(operand string) bool {
	if !strings.HasPrefix(operand, "/") {
		return false
	}
	name, ok := strings.CutPrefix(path.Clean(operand), "/dev/")
	if !ok {
		return false
	}
	for kind := range strings.FieldsSeq("sd* hd* vd* xvd* nvme* mmcblk* disk* rdisk* md* dm-* mapper/* loop* mem kmem port nbd* zd*") {
		if fits(kind, name) && name != "mdev" && name != "disk-by" {
			return true
		}
	}
	return false
}
