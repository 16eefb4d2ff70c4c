package shellgate

// systemTable: looking at the machine.
var systemTable = []row{
	{"uname, whoami, id, groups, who, w, users, last, tty, nproc, free, uptime, vmstat, iostat, lscpu, lsblk, lsusb, " +
		"lsmod, lsns, ps, pgrep, pstree, pwdx, locale, getconf, sw_vers, system_profiler, vm_stat, hostid, lsb_release, " +
		"netstat, logname, mpstat, lsipc, lslocks, dpkg-query, findmnt", 0, "*", ""},
	{"date, gdate", 0, "-uRj -d: -r: -v: -I? --utc --date: --version", "+*"},
	{"hostname", 0, "-fiIsdA --short", "0"},
	{"mount", 0, "-l", "0"},
	{"journalctl", anywhere, "-#afexrqkm -u: -n? -p: -g: -S: -U: -t: -o: -b? -D: --unit: --lines? --priority: --since: " +
		"--until: --output: --no-pager --follow", ""},
	{"systemctl", stops | group | bare, "--user --no-pager --failed --all -a --version --type: --state: -t: -p:", ""},
	{"systemctl status, systemctl show, systemctl cat, systemctl list-units, systemctl list-unit-files, " +
		"systemctl list-timers, systemctl is-active, systemctl is-enabled, systemctl is-failed, " +
		"systemctl list-dependencies, systemctl list-sockets", anywhere, "-alq --user --no-pager --all --type: --state: " +
		"--lines: --output: --failed --quiet -t: -p: -n: -o:", ""},
	{"crontab -l", 0, "-u:", "0"},
	{"ip addr, ip address, ip a, ip link, ip route, ip r, ip neigh, ip rule", 0, "", "=show,list,get,ls"},
	{"ip", stops | group | dashed, "-4 -6 -br -brief -c -color -d -s -j -json -p -o -h -V", ""},
	{"ss", known, "-tulnpaxsemioHrO46 -f: --numeric --all --summary", ""},
	{"lsof", known, "-PnatlbwVUO -i? -p: -u: -c: -d: -s? -F? +D", ""},
	{"top", 0, "!-b -Hci -n: -o: -p: -u: -w? -d:", "0"},
	{"apt list, apt show, apt search, apt policy, apt-cache policy, apt-cache show, apt-cache search, " +
		"apt-cache depends", anywhere, "-an --installed --all-versions", ""},
	{"dpkg", 0, "!-l !-L !-s !-S !--list !--listfiles !--status !--search !--print-architecture !--version", ""},
	{"docker", stops | group, "-v --version --help", ""},
}
