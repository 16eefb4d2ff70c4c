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
	switch n := len(operands); program {
	case "mv":
		for _, o := range operands[:max(0, n-1)] {
			if holdsAll(o) {
				ruined()
			}
		}
	case "cp":
		if n > 0 && rawDevice(operands[n-1]) {
			ruined()
		}
	case "dd":
		for _, o := range operands {
			if target, ok := strings.CutPrefix(o, "of="); ok && rawDevice(target) {
				ruined()
			}
		}
	case "diskutil":
		if n > 0 && has("eraseDisk erasedisk eraseVolume erasevolume reformat partitionDisk partitiondisk zeroDisk secureErase", operands[0]) {
			ruined()
		}
	case "kill":
		if m := len(words); m > 1 && words[m-1].text == "-1" {
			ruined()
		}
	case "killall5":
		ruined()
	case "pkill", "killall":
		if endsAll(words) {
			ruined()
		}
	case "find":
		j.findRuins(words, ruined)
	case "xargs": // rm of what comes in, with all of it coming in
		if j.atRoot && n > 0 && operands[0] == "rm" && strings.Contains(letters, "r") {
			ruined()
		}
	}
}

// endsAll reports whether pkill or killall ends every process, or every one of a
// user's: no name chooses among them, or one that fits any.
func endsAll(words []arg) bool {
	ofUser, named := false, false
	for i := 0; i < len(words); i++ {
		switch t := words[i].text; {
		case has("-u -U -G -g -P -t -s --euid --uid --user --group", t):
			ofUser = ofUser || strings.Contains(strings.ToLower(t), "u")
			i++
		case strings.HasPrefix(t, "-u") || strings.HasPrefix(t, "-U") || strings.HasPrefix(t, "--euid=") || strings.HasPrefix(t, "--uid=") || strings.HasPrefix(t, "--user="):
			ofUser = true
		case strings.HasPrefix(t, "-"):
		case has(". .* ^ $ .+", t), t == "" || t == Hole && words[i].src == "*":
			return true
		default:
			named = true
		}
	}
	return ofUser && !named
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

// findRuins judges removing what is below the root, the home directory or one of
// the system's, unless a name or a path chooses among it.
func (j *judge) findRuins(words []arg, ruined func()) {
	all, removes, chooses := len(words) > 0 && j.atRoot && strings.HasPrefix(words[0].text, "-"), false, false
	started := false
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		started = started || strings.HasPrefix(w.text, "-") && !has("-H -L -P", w.text)
		all = all || !started && (holdsAll(w.text) || j.atRoot && has(". ./", w.text))
		switch w.text {
		case "-delete":
			removes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			for _, inner := range words[i+1:] {
				removes = removes || has("rm shred unlink rmdir", path.Base(inner.text)) || strings.HasPrefix(inner.text, "rm ")
			}
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-samefile", "-inum":
			negated := i > 0 && has("! -not", words[i-1].text)
			chooses = chooses || !negated && strings.Trim(next, "*./?"+unknowns) != ""
		}
	}
	if all && removes && !chooses {
		ruined()
	}
}

// holdsAll reports the root, the home directory, a directory of the system, or all that
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
