// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// manifest.json of a checkpoint folder: size and 128-bit XXH3 hash of every file (`xxh128sum` prints the same), who wrote it and where
// training stood. Written last; a folder without it was not written by us (or not to its end). The hash finds damage, it proves no origin: a
// cryptographic one would cost a core as much time as the disk needs.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/file_pieces.h"
#include "base/message.h"

namespace trainyard::checkpoint {

inline constexpr std::size_t kMostNames = 4'000'000;  ///< files of a checkpoint, tensors of a file

struct FileRecord {
    std::uint64_t bytes = 0;
    std::string xxh128;                   ///< 32 hexadecimal digits
    std::optional<std::uint32_t> crc32c;  ///< of manifests of the first version, which have no hash
    /// Of a safetensors file: the same hash of each tensor's bytes, by name, so that damage can be placed. Empty: not known.
    std::map<std::string, std::string> tensors = {};

    void fields(auto& field) const {
        field("bytes", bytes).required();
        field("xxh128", xxh128).written_if([](const FileRecord& file) { return !file.crc32c; });
        field("crc32c", crc32c).omit_if_default();
        field("tensors", tensors).omit_if_default().at_most(kMostNames);
    }
};

struct Manifest {
    std::map<std::string, FileRecord> files;
    std::int64_t number = 0;
    int world_size = 1;
    std::string mesh;
    std::string position;  ///< JSON object, or empty
    std::optional<double> metric;
    /// Why training must not resume from this checkpoint automatically: its weights, or the steps before it, were not
    /// finite. Empty: the checkpoint is good.
    Message not_good;
    std::string attempt;   ///< random; distinguishes two saves of the same name
    std::string saved_at;  ///< UTC, ISO 8601

    void fields(auto& field) const {
        field.constant("format", "trainyard-2");
        field("files", files).required().at_most(kMostNames);
        field("number", number)("world_size", world_size)("mesh", mesh);
        field("position", position).json().omit_if_default();
        field("metric", metric).omit_if_default();
        field("not_good", not_good).omit_if_default();
        field("attempt", attempt)("saved_at", saved_at);
    }
};

/// Throws UserError "<origin> is damaged (...)" if a name leads out of the folder or a file has no checksum.
void check_records(const std::map<std::string, FileRecord>& files, const std::string& origin);

bool has_manifest(const std::filesystem::path& folder);
/// Throws UserError naming the file.
Manifest read_manifest(const std::filesystem::path& folder);
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// A sentence for every file that is missing, of another kind or size.
std::vector<Message> check_sizes(const std::filesystem::path& folder, const Manifest& manifest);

/// Called with a piece of a file and its place, by several threads at a time.
using PieceSink = std::function<void(std::uint64_t, std::span<const std::byte>)>;
/// Reads a file of the recorded size once and compares its hash; `sink` gets the pieces before the hash is known. Returns a sentence when
/// something is wrong; it names the tensors that are damaged where the record tells.
Message check_content(const std::filesystem::path& file, const FileRecord& record, files::Cache cache,
                      const PieceSink& sink = nullptr);

/// Compares sizes, then hashes. Returns a sentence for everything that is wrong; empty: the folder is whole, and its files are likely to be
/// in the page cache for those who read them next.
std::vector<Message> verify(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace trainyard::checkpoint
