#!/bin/bash
# Both commands of the README on a bare Debian 12: debootstrap into a temporary folder, clone HEAD inside, run
# scripts/demo and scripts/check there, print the times. Needs root and debootstrap; cleans up after itself.
# The mirror is the one this host's apt uses; the proxy of its apt, if any, is taken along.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib
[ "$(id -u)" = 0 ] || fail "tests/bare.sh needs root (chroot and mounts): run it with sudo"
need_packages "to make a bare system" debootstrap git

# The mirror that serves Debian 12's main archive, from either style of apt's source files.
apt_mirror() {
    apt-get indextargets --format '$(SITE) $(RELEASE) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
        awk '$3 == "bookworm" && $1 ~ /debian/ { print $1; exit }'
}

mirror=${MIRROR:-$(apt_mirror)}
[ -n "$mirror" ] || fail "apt has no source for bookworm here: set MIRROR=URL"
root=$(mktemp -d)
cleanup() {
    local mount
    for mount in dev/shm dev proc sys; do
        mountpoint -q "$root/$mount" && umount "$root/$mount"
    done
    # Nothing is removed while something of the host is still mounted below.
    if grep -q " $root/" /proc/mounts; then
        echo "left for you to remove, still mounted: $root" >&2
    else
        rm -rf --one-file-system "$root"
    fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM

began=$SECONDS
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log"; rm -f "$root.log"; fail "debootstrap failed"; }
rm -f "$root.log"
echo "bare Debian 12 in $((SECONDS - began)) s"
# As a system's root is: others than root may pass.
chmod 755 "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sys "$root/sys"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
cp /etc/hosts "$root/etc/hosts" 2>/dev/null || true
apt-config dump | grep -E '^Acquire::(http|https)::Proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
git clone -q --no-hardlinks . "$root/src/purelink"

inside() {
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        ${no_proxy:+no_proxy="$no_proxy"} "$@" </dev/null
}

for command in ${*:-scripts/demo scripts/check}; do
    began=$SECONDS
    inside "/src/purelink/$command" || fail "$command failed on a bare Debian 12"
    echo "bare Debian 12: $command took $((SECONDS - began)) s"
done
