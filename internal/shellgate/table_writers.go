package shellgate

// writerTable: what is there to change things. They are known, so that a
// refusal says what they do.
var writerTable = []rule{
	{
		names: "as, rdmd, rm, mv, cp, ln, mkdir, rmdir, touch, install, truncate, shred, unlink, link, mktemp, mkfifo, mknod, fallocate, rename, prename, mmv, trash, trash-put, gio, ditto, srm, rmtrash, sponge, ex, ed, patch, merge, dos2unix, unix2dos, recode, zip, compress, uncompress, lzma, unlzma, xdelta, bsdiff, bspatch, gdd, pdftk, exiv2, jpegoptim, optipng, rclone, restic, borg, duplicity, unison, aunpack, unar, cabextract, rpm2cpio, pax, shar, uudecode, uuencode, pdftoppm, gs, m4, bison, flex, yacc, lex, indent, astyle, clang-format, sqlite, makeinfo, msgfmt, xgettext, strip, objcopy, ranlib, patchelf, install_name_tool, dlltool",
		as:    refuses, why: Changes,
	},
	{
		names: "chmod, chown, chgrp, chattr, setfacl, setfattr, xattr, chflags, restorecon, chcon, setcap, umount, losetup, mkfs, mkswap, swapoff, wipefs, blkdiscard, hdparm, lvcreate, lvremove, vgcreate, pvcreate, cryptsetup, mdadm, zfs, zpool, btrfs, e2fsck, fsck, tune2fs, resize2fs, sgdisk, sfdisk, mkfs.ext4, mkfs.ext3, mkfs.ext2, mkfs.xfs, mkfs.btrfs, mkfs.vfat, mke2fs, sync, fstrim, badblocks, format, newfs",
		as:    refuses, why: ChangesHost,
	},
	{
		names: "pkill, killall, killall5, skill, snice, renice, reboot, shutdown, halt, poweroff, init, telinit, useradd, userdel, usermod, groupadd, groupdel, passwd, chpasswd, chsh, chfn, visudo, adduser, deluser, insmod, rmmod, modprobe, depmod, hwclock, ntpdate, loadkeys, setterm, stty, ldconfig, update-rc.d, chkconfig, adb, fastboot, scselect, networksetup, nvram, csrutil, spctl, tmutil, hdiutil, installer, pkgutil, dscl, ufw, firewall-cmd, nft, tc, ethtool, iw, iwconfig, nmcli, wg, wpa_cli, brctl, ifup, ifdown, dhclient, certbot, a2ensite, apachectl, httpd, rsyslogd, logger, wall, write, mesg, newgrp, sg, disown, bg, fg, suspend, setxkbmap, xset, xrandr, gsettings, dconf, kwriteconfig5, notify-send, say, pbcopy, xclip, xsel, wl-copy, wmctrl, xdotool, emerge, aptitude, dpkg-reconfigure, dpkg-deb, alien, makepkg, yay, paru, choco, winget, scoop",
		as:    refuses, why: ChangesHost,
	},
	{
		names: "vi, vim, nvim, view, vimdiff, nano, pico, emacs, emacsclient, micro, joe, mcedit, kak, hx, helix, gedit, kate, mousepad, ne, jed, neovide, ranger, nnn, mc, lf, vifm, fzf, sk, dialog, whiptail, gum, zenity",
		as:    refuses, why: Waits,
	},
	{names: "ssh-agent, ssh-copy-id, pass, age, age-keygen, sops, vault, security, secret-tool", as: refuses, why: ChangesHost},
}
