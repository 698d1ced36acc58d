#!/bin/bash
# make install puts everything where it belongs, the examples build against what was installed, the shared library
# exports nothing but purelink_*, and make uninstall leaves no file.
set -eu
dir=$1
stage=$dir/stage
install() {
    make -s -C "$ROOT" "$@" BUILD="$BUILD" PREFIX=/usr DESTDIR="$stage"
}
check() {
    [ -e "$stage/usr/$1" ] || { echo "make install left out $1"; exit 1; }
}

install install
for file in bin/purelink include/purelink.h lib/libpurelink.a lib/libpurelink.so lib/pkgconfig/purelink.pc; do
    check "$file"
done
for page in "$ROOT"/man/*.[137]; do
    check "share/man/man${page##*.}/$(basename "$page")"
done
for unit in "$ROOT"/packaging/*.service; do
    check "lib/systemd/system/$(basename "$unit")"
    grep -q '^ExecStart=/usr/bin/purelink ' "$stage/usr/lib/systemd/system/$(basename "$unit")" ||
        { echo "$(basename "$unit") does not start what was installed"; exit 1; }
done
"$stage/usr/bin/purelink" --help | grep -q serve

foreign=$(nm -D --defined-only "$stage/usr/lib/libpurelink.so" | awk '$2 != "A" { print $3 }' | grep -v '^purelink_' || true)
[ -z "$foreign" ] || { echo "libpurelink.so exports $foreign"; exit 1; }
nm -D --defined-only "$stage/usr/lib/libpurelink.so" | grep -q ' purelink_' || { echo "libpurelink.so exports nothing"; exit 1; }
# The header stands alone, in C and in C++ (where a compiler is at hand).
echo '#include <purelink.h>' >"$dir/alone.c"
gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$stage/usr/include" -c -o "$dir/alone.o" "$dir/alone.c"

export PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_LIBDIR=$stage/usr/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config)
built=0
for example in "$ROOT"/examples/*.c; do
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046
    gcc -std=c11 -Wall -Wextra -Werror -o "$dir/$name" "$example" $(pkg-config --cflags --libs purelink)
    LD_LIBRARY_PATH=$stage/usr/lib ldd "$dir/$name" | grep -q "libpurelink.so.* => $stage" || { echo "$name does not use it"; exit 1; }
    built=$((built + 1))
done
[ "$built" -ge 2 ] || { echo "$built examples were built; two are promised"; exit 1; }

install uninstall
left=$(find "$stage" ! -type d)
[ -z "$left" ] || { echo "make uninstall left: $left"; exit 1; }
