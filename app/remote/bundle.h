#pragma once
// The engine for a host that has nothing but sshd and glibc: trainyard, trainyard-worker, its plug-ins and every shared library they
// need but glibc's own.
//
// On the host, under ${XDG_CACHE_HOME:-~/.cache}/trainyard:
//   store/<sha256>           each file once, whatever bundles it belongs to; whole and verified, or absent
//   store/incoming/          files under way, one for each sender; an interrupted copy goes on where it stopped
//   bundles/<hash>/bin, lib  hard links into the store; appears by rename, complete
// Bundles that no process runs from go when they are not among the last two used, and then files that no bundle has.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "remote/session.h"

namespace trainyard::remote {

struct BundleFile {
    std::filesystem::path source;
    std::string path;  ///< inside the bundle: bin/trainyard, lib/libc10.so
    std::uint64_t size = 0;
    std::string sha256;  ///< hexadecimal
};

struct Bundle {
    std::string hash;       ///< of the list of its files: 64 hexadecimal digits
    std::string machine;    ///< x86_64
    std::string c_library;  ///< lowest glibc it runs on, "2.34"
    std::vector<BundleFile> files;
    std::vector<std::string> left_out;  ///< sentences: plug-ins whose libraries are not on this machine
    std::uint64_t size() const;
};

/// The bundle of the running program (or of the `trainyard` in `bin`); `with_cuda`: with what NVIDIA GPUs need, too (some gigabytes). Files are hashed once, then remembered by size, time and inode
/// in the cache folder. Throws UserError when a library cannot be found.
Bundle this_bundle(const std::filesystem::path& bin = {}, bool with_cuda = false);
/// A random name that this account keeps for itself, so that its files under way on a host are told from those of others.
std::string client_name();
/// ${XDG_CACHE_HOME:-~/.cache}/trainyard of this machine.
std::filesystem::path cache_folder();
/// Of any files; for tests. `source`, `path` are given; the rest is computed.
Bundle bundle_of(std::vector<BundleFile> files);

struct CopyProgress {
    std::uint64_t done = 0;   ///< bytes; those that were there already count
    std::uint64_t total = 0;  ///< bytes
    std::string file;         ///< under way; empty: checking
};

struct InstalledBundle {
    std::string folder;        ///< on the host
    std::string program;       ///< folder/bin/trainyard
    std::uint64_t copied = 0;  ///< bytes sent; 0: it was there
};

/// Sees to it that the bundle is on the host. Throws ConnectionError: other processor or too old a glibc (command_missing), no_space
/// before anything is copied, cancelled (`on_progress` said false; what came stays and is used by the next copy). Two copies at the same
/// time do not disturb each other.
InstalledBundle install(Session& session, const Bundle& bundle,
                        const std::function<bool(const CopyProgress&)>& on_progress = {});

/// Takes away what an interrupted copy of this account has left on the host; whole files stay.
void discard_copy(Session& session);

/// A shared library's or program's needs, read from the file itself (System V ABI, generic ELF specification).
struct ElfNeeds {
    std::string machine;                 ///< x86_64 | aarch64
    std::vector<std::string> libraries;  ///< DT_NEEDED
    std::vector<std::string> run_path;   ///< DT_RPATH, DT_RUNPATH; $ORIGIN resolved
    std::string c_library;               ///< highest GLIBC_x.y that it wants; empty: none
};
/// Throws UserError for a file that is no 64-bit little-endian ELF file, or is damaged.
ElfNeeds read_elf_needs(const std::filesystem::path& file);
/// Compares "2.4" with "2.36" by numbers.
bool version_less(const std::string& one, const std::string& other);

}  // namespace trainyard::remote
