package shellgate

import (
	"path"
	"slices"
	"strings"
)

// ruins is plain destruction, which no mode allows: programs, and which operand each takes
// for that. Few rules, so that a false alarm is rare: a directory below /tmp, or a disk
// image in a file, is nobody's loss.
var ruins = []struct {
	names   string
	operand func(string) bool
}{
	{"rm mv", holdsAll},
	{"chmod chown chgrp", holdsRoot},
	{"mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs " +
		"mkdosfs mkntfs newfs newfs_hfs newfs_apfs", underDev},
	{"mkswap wipefs blkdiscard shred sgdisk sfdisk tee pvcreate cryptsetup badblocks zpool cp", rawDevice},
	{"dd", func(o string) bool { return strings.HasPrefix(o, "of=") && rawDevice(o[3:]) }},
	{"format format.com", func(o string) bool { return len(o) == 2 && o[1] == ':' }},
	{"diskutil", func(o string) bool {
		return has("erasedisk erasevolume reformat partitiondisk zerodisk secureerase", strings.ToLower(o))
	}},
}

// systemDirs are directories that a system can't do without.
const systemDirs = "/bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /sbin /sys /usr /var " +
	"/Applications /Library /System /Users /Volumes /private /usr/bin /usr/lib /usr/sbin /usr/share /usr/local /var/lib"

// destroys notes what no mode allows.
func (j *judge) destroys(program string, words []arg, src string) {
	operands := looseOperands(words)
	for i, o := range operands {
		if rest, ok := strings.CutPrefix(o, j.o.Home); ok && j.o.Home != "" && (rest == "" || rest[0] == '/') {
			operands[i] = string(home) + rest
		}
	}
	switch last := max(0, len(operands)-1); program { // from here to there
	case "cp":
		operands = operands[last:]
	case "mv":
		operands = operands[:last]
	}
	ruined := program == "killall5"
	for _, r := range ruins {
		ruined = ruined || has(r.names, program) && slices.ContainsFunc(operands, func(o string) bool {
			return r.operand(o) || program == "rm" && j.atRoot && (has("* . ./* .*", o) || has(systemDirs, "/"+o))
		})
	}
	switch n := len(words); program {
	case "kill":
		ruined = ruined || n > 1 && words[n-1].text == "-1"
	case "pkill", "killall":
		ruined = ruined || endsAll(words)
	case "find":
		ruined = ruined || findRuins(words, j.atRoot)
	}
	if ruined {
		j.dangerous(problem{reason: Destroys, detail: src, command: src})
	}
}

// looseOperands are what is no option, without a row.
func looseOperands(words []arg) []string {
	var operands []string
	ended := false
	for _, w := range words {
		t := patternText(w)
		if ended || !strings.HasPrefix(t, "-") || t == "-" {
			operands = append(operands, t)
		}
		ended = ended || t == "--"
	}
	return operands
}

// patternText is a word with its patterns as they were written.
func patternText(w arg) string {
	if w.many && strings.HasSuffix(w.text, Hole) && strings.HasSuffix(w.src, "*") {
		return strings.TrimSuffix(w.text, Hole) + "*"
	}
	return w.text
}

// endsAll reports whether pkill or killall ends every process, or every one of a
// user's: no name chooses among them, or one that fits any.
func endsAll(words []arg) bool {
	ofUser := slices.ContainsFunc(words, func(w arg) bool {
		t := strings.ToLower(w.text)
		return strings.HasPrefix(t, "-u") || fits("--*u*id*", t) || fits("--user*", t)
	})
	named := false
	for i, w := range words {
		valued := i > 0 && has("-u -U -G -g -P -t -s --euid --uid --user --group", words[i-1].text)
		switch {
		case valued, strings.HasPrefix(w.text, "-"):
		case w.text == "", has(". .* ^ $ .+", w.text):
			return true
		default:
			named = true
		}
	}
	return ofUser && !named
}

// findRuins reports whether find removes what is below the root, the home directory
// or one of the system's, and no name or path chooses among it.
func findRuins(words []arg, atRoot bool) bool {
	all, started, removes, chooses := false, false, false, false
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		started = started || strings.HasPrefix(w.text, "-") && !has("-H -L -P", w.text)
		all = all || !started && (holdsAll(w.text) || atRoot && has(". ./", w.text)) || atRoot && started && i == 0
		switch w.text {
		case "-delete":
			removes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			removes = removes || slices.ContainsFunc(words[i+1:], func(a arg) bool {
				return has("rm shred unlink rmdir", path.Base(a.text)) || strings.HasPrefix(a.text, "rm ")
			})
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-samefile", "-inum":
			chooses = chooses || (i == 0 || !has("! -not", words[i-1].text)) && strings.Trim(next, "*./?"+unknowns) != ""
		}
	}
	return all && removes && !chooses
}

// holdsAll reports the root, the home directory, one of the system, or all in one of them.
func holdsAll(operand string) bool {
	if below, ok := strings.CutPrefix(operand, string(home)); ok {
		rest := path.Clean("/" + strings.TrimLeft(below, "/"))
		return (below == "" || below[0] == '/') && has("/ /* /.* /.", rest) ||
			strings.Contains(below, "..") && has("/ /*", rest)
	}
	if !strings.HasPrefix(operand, "/") || strings.ContainsAny(operand, unknowns) {
		return len(operand) == 3 && strings.HasSuffix(operand, ":\\") || strings.HasPrefix(operand, "/"+Hole)
	}
	clean := strings.TrimSuffix(path.Clean(operand), "/*")
	inHomes := (strings.HasPrefix(clean, "/home/") || strings.HasPrefix(clean, "/Users/")) &&
		strings.Count(clean, "/") == 2
	return clean == "" || clean == "/" || inHomes || has(systemDirs, clean)
}

// holdsRoot reports what a change of owner or rights for all of it makes useless.
func holdsRoot(operand string) bool {
	return strings.HasPrefix(operand, "/") && has("/ /* /bin /boot /dev /etc /lib /sbin /sys /usr", path.Clean(operand))
}

func underDev(operand string) bool { return strings.HasPrefix(path.Clean(operand), "/dev/") }

// rawDevice reports a disk, whole or in parts, or the memory.
func rawDevice(operand string) bool {
	name, ok := strings.CutPrefix(path.Clean(operand), "/dev/")
	const disks = "sd* hd* vd* xvd* nvme* mmcblk* disk* rdisk* md* dm-* mapper/* loop* nbd* zd*"
	return ok && fitsAny(disks+" mem kmem port", name)
}
