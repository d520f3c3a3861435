// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of the engine that a host needs if it has only sshd and glibc: trainyard, trainyard-worker, its plug-ins and
// all shared libraries they depend on, except those of glibc.
//
// On the host, under ${XDG_CACHE_HOME:-~/.cache}/trainyard:
//   store/<sha256>           each file once, shared by all bundles; either complete and verified, or absent
//   store/incoming/          incomplete uploads, one per sender; an interrupted copy is resumed
//   bundles/<hash>/bin, lib  hard links into the store; created by rename. Files that were deleted since are put back
//                            before the next use.
// Bundles that no process uses are deleted unless they are among the last two used; then files that no bundle uses are
// deleted.

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
    std::string hash;       ///< hash of the list of files: 64 hexadecimal digits
    std::string machine;    ///< x86_64
    std::string c_library;  ///< lowest required version of glibc, "2.34"
    std::vector<BundleFile> files;
    std::vector<std::string> left_out;  ///< messages about plug-ins whose libraries are not on this machine
    std::uint64_t size() const;
};

/// The bundle of the running program (or of the `trainyard` in `bin`). `with_cuda` adds the libraries for NVIDIA GPUs
/// (some gigabytes). Hashes of files are cached by size, time and inode in the cache folder. Throws UserError if a
/// library cannot be found.
Bundle this_bundle(const std::filesystem::path& bin = {}, bool with_cuda = false);
/// A random name, stored for this account, that distinguishes its incomplete uploads on a host from those of other
/// accounts.
std::string client_name();
/// ${XDG_CACHE_HOME:-~/.cache}/trainyard of this machine.
std::filesystem::path cache_folder();
/// A bundle of any files, for tests. `source` and `path` must be set; the other fields are computed.
Bundle bundle_of(std::vector<BundleFile> files);

struct CopyProgress {
    std::uint64_t done = 0;   ///< bytes, including those already on the host
    std::uint64_t total = 0;  ///< bytes
    std::string file;         ///< the file being copied; empty: checking
    bool checkpoint = false;  ///< files of a checkpoint, not of the engine
};

struct InstalledBundle {
    std::string folder;        ///< on the host
    std::string program;       ///< folder/bin/trainyard
    std::uint64_t copied = 0;  ///< bytes sent; 0: it was already installed
};

/// Installs the bundle on the host unless it is already there. Throws ConnectionError with cause command_missing for
/// another processor or too old a glibc, no_space before anything is copied, or cancelled if `on_progress` returned
/// false; a later copy then resumes with the uploaded files. Concurrent copies do not interfere.
InstalledBundle install(Session& session, const Bundle& bundle,
                        const std::function<bool(const CopyProgress&)>& on_progress = {});

/// Removes the remains of an interrupted copy of this account from the host; complete files stay.
void discard_copy(Session& session);

/// The dependencies of a shared library or program, read from the file itself (System V ABI, generic ELF
/// specification).
struct ElfNeeds {
    std::string machine;                 ///< x86_64 | aarch64
    std::vector<std::string> libraries;  ///< DT_NEEDED
    std::vector<std::string> run_path;   ///< DT_RPATH, DT_RUNPATH; $ORIGIN resolved
    std::string c_library;               ///< highest required GLIBC_x.y; empty: none
};
/// Throws UserError if the file is damaged or not a 64-bit little-endian ELF file.
ElfNeeds read_elf_needs(const std::filesystem::path& file);
/// Compares versions such as "2.4" and "2.36" numerically.
bool version_less(const std::string& one, const std::string& other);

}  // namespace trainyard::remote
