// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/manifest.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/files/crc32c.h"
#include "base/files/hash.h"
#include "base/files/mapped_file.h"
#include "checkpoint/files/optimizer_file.h"
#include "formats/weights/safetensors.h"

namespace trainyard::checkpoint {

namespace {

constexpr const char* kName = "manifest.json";

/// The part of a manifest's position that is read here.
struct StepOfPosition {
    std::int64_t step = 0;
    void fields(auto& field) const { field("step", step); }
};

/// A sentence when the file's size or kind is not as recorded.
Message size_problem(const fs::path& path, const FileRecord& record) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0)
        return Message("{} is missing", path.string());
    if (!S_ISREG(info.st_mode))
        return Message("{} is not a file", path.string());
    if (static_cast<std::uint64_t>(info.st_size) != record.bytes)
        return Message("{} has {} bytes instead of {}", path.string(), info.st_size, record.bytes);
    return {};
}

/// Names that lead out of the folder are nobody's files.
bool is_plain(const std::string& name) {
    fs::path path(name);
    return !name.empty() && path.is_relative() &&
           std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

UserError damaged_manifest(const std::string& origin, const Message& why) {
    return UserError("{} is damaged ({}): resume from an earlier checkpoint", origin, why);
}

/// Hashes of a file's tensors as they are.
std::map<std::string, std::string> tensor_hashes(const fs::path& file) {
    std::map<std::string, std::string> hashes;
    auto add = [&](const std::string& name, std::span<const std::byte> bytes) {
        files::Xxh128 hash;
        hash.add(bytes);
        hashes[name] = hash.digest();
    };
    if (file.extension() == ".bin") {
        const files::MappedFile content(file);
        for (const OptimizerTensor& tensor : tensors_of_optimizer(content.bytes(), file.string()))
            add(tensor.name, content.bytes().subspan(tensor.begin, tensor.end - tensor.begin));
    } else {
        const weights::SafetensorsFile content(file);
        for (const weights::TensorInfo& tensor : content.tensors())
            add(tensor.name, content.bytes(tensor));
    }
    return hashes;
}

/// Returns which part of a tensor file of the recorded size is damaged, as the end of a sentence; empty if the record
/// has no hashes of tensors.
Message damaged_tensors(const fs::path& file, const FileRecord& record) {
    constexpr std::size_t kNamed = 3;
    if (record.tensors.empty())
        return {};
    try {
        const std::map<std::string, std::string> found = tensor_hashes(file);
        std::vector<std::string> names;
        for (const auto& [name, hash] : found) {
            auto saved = record.tensors.find(name);
            if (saved == record.tensors.end() || saved->second != hash)
                names.push_back(name);
        }
        if (names.empty() || found.size() != record.tensors.size())
            return "in its header";
        if (names.size() == 1)
            return Message("in tensor {}", names.front());
        const std::size_t named = std::min(names.size(), kNamed);
        const std::string shown =
            fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
        return names.size() > named ? Message("in tensors {} and {} more", shown, names.size() - named)
                                    : Message("in tensors {}", shown);
    } catch (const UserError&) {  // its own words would only say what the damage leads to
        return "in its header";
    }
}

}  // namespace

void check_records(const std::map<std::string, FileRecord>& files, const std::string& origin) {
    for (const auto& [name, record] : files) {
        if (!is_plain(name))
            throw damaged_manifest(origin, Message("it names the file '{}'", name));
        if (record.xxh128.empty() && !record.crc32c)
            throw damaged_manifest(origin, Message("it has no checksum of {}", name));
    }
}

bool has_manifest(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / kName, ignored);
}

Manifest read_manifest(const fs::path& folder) {
    const fs::path path = folder / kName;
    const fields::Json object = read_json(read_file(path));
    Manifest manifest;
    fields::Reading in;
    fields::read(in, object, manifest);
    if (!in.problems().empty())
        throw damaged_manifest(path.string(), problem_text(in.problems().front()));
    check_records(manifest.files, path.string());
    if (!object.contains("number") && !manifest.position.empty())  // of the first version
        manifest.number = fields::from_json<StepOfPosition>(object["position"], path.string()).step;
    return manifest;
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
    write_file_atomically(folder / kName, fields::to_text(manifest, 2) + "\n");
}

std::vector<Message> check_sizes(const fs::path& folder, const Manifest& manifest) {
    std::vector<Message> problems;
    for (const auto& [name, record] : manifest.files)
        if (Message problem = size_problem(folder / name, record); !problem.empty())
            problems.push_back(std::move(problem));
    return problems;
}

Message check_content(const fs::path& file, const FileRecord& record, files::Cache cache, const PieceSink& sink) {
    files::Xxh128 hash;
    std::uint32_t crc = 0;
    files::PieceReaders readers;
    readers.side_by_side = sink;
    if (record.crc32c)
        readers.in_order = [&](std::span<const std::byte> piece) {
            crc = files::crc32c({reinterpret_cast<const char*>(piece.data()), piece.size()}, crc);
        };
    else
        readers.in_order = [&](std::span<const std::byte> piece) { hash.add(piece); };
    try {
        files::read_pieces(file, record.bytes, readers, cache);
    } catch (const UserError& error) {
        return error.message();
    }
    bool same = record.crc32c ? crc == *record.crc32c : hash.digest() == record.xxh128;
    if (same)
        return {};
    const Message damaged("{} is damaged (its checksum differs)", file.string());
    const Message where = damaged_tensors(file, record);
    return where.empty() ? damaged : Message("{} {}", damaged, where);
}

std::vector<Message> verify(const fs::path& folder, const Manifest& manifest) {
    std::vector<Message> problems = check_sizes(folder, manifest);
    if (!problems.empty())
        return problems;
    for (const auto& [name, record] : manifest.files)
        if (Message problem = check_content(folder / name, record, files::Cache::fill); !problem.empty())
            problems.push_back(std::move(problem));
    return problems;
}

}  // namespace trainyard::checkpoint
