#!/bin/sh
# Installs desc: program, completions and manual pages, below ~/.local.
#
#     sh install.sh [--version 0.1.0] [--to FOLDER] [--program-only]
#
# FOLDER (default: ~/.local) receives bin/desc, share/man and the shells' completions. DESC_DOWNLOAD is the folder of the archives, as
# a URL (default: the release's page); file:///... works as well. Needs curl or wget, tar, and sha256sum or shasum.
set -eu

version=@VERSION@
repository=@REPOSITORY@
folder=${HOME:-}/.local
whole=yes

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
        --version) version=${2:?--version needs a value}; shift 2 ;;
        --to) folder=${2:?--to needs a folder}; shift 2 ;;
        --program-only) whole=no; shift ;;
        *) fail "unknown option $1" ;;
    esac
done
version=${version#v}

# The faster program needs glibc 2.35 or later; the static one (musl) runs on every Linux.
library() {
    found=$(getconf GNU_LIBC_VERSION 2> /dev/null | cut -d' ' -f2)
    case $found in
        2.3[5-9] | 2.[4-9][0-9] | 2.[1-9][0-9][0-9]) echo gnu ;;
        *) echo musl ;;
    esac
}

# The name of this platform.
platform() {
    system=$(uname -s)
    case $(uname -m) in
        x86_64 | amd64) processor=x86_64 ;;
        arm64 | aarch64) processor=aarch64 ;;
        *) fail "no program for the processor $(uname -m): build it with 'cargo install deslang'" ;;
    esac
    case $system in
        Linux) echo "$processor-unknown-linux-$(library)" ;;
        Darwin) echo "$processor-apple-darwin" ;;
        *) fail "no program for $system: on Windows use install.ps1, elsewhere 'cargo install deslang'" ;;
    esac
}

download() {
    if command -v curl > /dev/null; then
        curl --fail --silent --show-error --location --output "$2" "$1"
    elif command -v wget > /dev/null; then
        wget --quiet --output-document="$2" "$1"
    else
        fail "neither curl nor wget is installed"
    fi
}

checksum() {
    if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

target=${DESC_TARGET:-$(platform)}
name=deslang-v$version-$target
source=${DESC_DOWNLOAD:-$repository/releases/download/v$version}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

download "$source/$name.tar.gz" "$scratch/$name.tar.gz" || fail "cannot download $source/$name.tar.gz"
download "$source/$name.tar.gz.sha256" "$scratch/sum" || fail "cannot download the checksum of $name.tar.gz"
[ "$(cut -d' ' -f1 < "$scratch/sum")" = "$(checksum "$scratch/$name.tar.gz")" ] || fail "$name.tar.gz is damaged: its checksum differs"
tar -xzf "$scratch/$name.tar.gz" -C "$scratch"

put() {
    mkdir -p "$folder/$2"
    cp "$scratch/$name/$1" "$folder/$2/$3"
}

# WHY first beside its place: a program that is running cannot be overwritten, but it can be replaced.
put desc bin desc.new
chmod 755 "$folder/bin/desc.new"
mv "$folder/bin/desc.new" "$folder/bin/desc"
if [ $whole = yes ]; then
    mkdir -p "$folder/share/man/man1"
    cp "$scratch/$name"/man/man1/*.1 "$folder/share/man/man1"
    put completions/desc.bash share/bash-completion/completions desc
    put completions/_desc share/zsh/site-functions _desc
    put completions/desc.fish share/fish/vendor_completions.d desc.fish
fi

echo "installed $("$folder/bin/desc" --version) as $folder/bin/desc"
case :$PATH: in
    *:"$folder/bin":*) ;;
    *) echo "add $folder/bin to PATH: export PATH=\"$folder/bin:\$PATH\"" ;;
esac
