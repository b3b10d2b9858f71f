/** PO-5: these always ask, unless a rule names the exact command. */
const destructive = new Set([
  ..."rm rmdir unlink shred srm wipe mv rename chmod chown chgrp chattr setfacl dd truncate".split(" "),
  ..."mkfs mke2fs mkswap fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm badblocks".split(" "),
  ..."lvremove vgremove pvremove cryptsetup mdadm zpool zfs mount umount swapoff swapon losetup".split(" "),
  ..."shutdown reboot halt poweroff init telinit systemctl service launchctl kexec".split(" "),
  ..."kill killall killall5 pkill skill userdel groupdel usermod passwd crontab iptables nft ufw".split(" "),
]);

/** By the last part of the path, ignoring case: on some disks `RM` is `rm`. */
export function isDestructive(name: string): boolean {
  const base = baseName(name).toLowerCase();
  return destructive.has(base) || base.startsWith("mkfs.");
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
