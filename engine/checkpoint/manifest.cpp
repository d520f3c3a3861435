#include "checkpoint/manifest.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "io/event_file.h"
#include "io/hash.h"

namespace trainyard::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* kName = "manifest.json";
constexpr const char* kFormat = "trainyard-2";

/// A sentence when the file's size or kind is not as recorded.
std::string size_problem(const fs::path& path, const FileRecord& record) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0)
        return path.string() + " is missing";
    if (!S_ISREG(info.st_mode))
        return path.string() + " is not a file";
    if (static_cast<std::uint64_t>(info.st_size) != record.bytes)
        return fmt::format("{} has {} bytes instead of {}", path.string(), info.st_size, record.bytes);
    return {};
}

/// Names that lead out of the folder are nobody's files.
bool is_plain(const std::string& name) {
    fs::path path(name);
    return !name.empty() && path.is_relative() &&
           std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

}  // namespace

bool has_manifest(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / kName, ignored);
}

Manifest read_manifest(const fs::path& folder) {
    fs::path path = folder / kName;
    auto damaged = [&](const std::string& why) {
        return UserError(path.string() + " is damaged (" + why + "): resume from an earlier checkpoint");
    };
    try {
        json object = json::parse(read_file(path));
        Manifest manifest;
        for (const auto& [name, entry] : object.at("files").items()) {
            if (!is_plain(name))
                throw damaged("it names the file '" + name + "'");
            FileRecord& record = manifest.files[name];
            record.bytes = entry.at("bytes").get<std::uint64_t>();
            record.xxh128 = entry.value("xxh128", std::string());
            if (entry.contains("crc32c"))
                record.crc32c = entry["crc32c"].get<std::uint32_t>();
            if (record.xxh128.empty() && !record.crc32c)
                throw damaged("it has no checksum of " + name);
        }
        manifest.mesh = object.value("mesh", std::string());
        if (object.contains("position"))
            manifest.position = object["position"].dump();
        manifest.number = object.contains("number") ? object["number"].get<std::int64_t>()
                                                    : object.value("position", json::object()).value("step", 0);
        manifest.world_size = object.value("world_size", 1);
        if (object.contains("metric") && object["metric"].is_number())
            manifest.metric = object["metric"].get<double>();
        manifest.attempt = object.value("attempt", std::string());
        manifest.saved_at = object.value("saved_at", std::string());
        return manifest;
    } catch (const json::exception& error) {
        throw damaged(error.what());
    }
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
    json object{{"format", kFormat},     {"number", manifest.number},   {"world_size", manifest.world_size},
                {"mesh", manifest.mesh}, {"attempt", manifest.attempt}, {"saved_at", manifest.saved_at}};
    if (!manifest.position.empty())
        object["position"] = json::parse(manifest.position);
    if (manifest.metric)
        object["metric"] = *manifest.metric;
    object["files"] = json::object();
    for (const auto& [name, record] : manifest.files) {
        object["files"][name] = {{"bytes", record.bytes}};
        if (record.crc32c)
            object["files"][name]["crc32c"] = *record.crc32c;
        else
            object["files"][name]["xxh128"] = record.xxh128;
    }
    write_file_atomically(folder / kName, object.dump(2) + "\n");
}

std::vector<std::string> check_sizes(const fs::path& folder, const Manifest& manifest) {
    std::vector<std::string> problems;
    for (const auto& [name, record] : manifest.files)
        if (std::string problem = size_problem(folder / name, record); !problem.empty())
            problems.push_back(std::move(problem));
    return problems;
}

std::string check_content(const fs::path& file, const FileRecord& record, io::Cache cache, const PieceSink& sink) {
    io::Xxh128 hash;
    std::uint32_t crc = 0;
    io::PieceReaders readers;
    readers.side_by_side = sink;
    if (record.crc32c)
        readers.in_order = [&](std::span<const std::byte> piece) {
            crc = io::crc32c({reinterpret_cast<const char*>(piece.data()), piece.size()}, crc);
        };
    else
        readers.in_order = [&](std::span<const std::byte> piece) { hash.add(piece); };
    try {
        io::read_pieces(file, record.bytes, readers, cache);
    } catch (const UserError& error) {
        return error.what();
    }
    bool same = record.crc32c ? crc == *record.crc32c : hash.digest() == record.xxh128;
    return same ? "" : file.string() + " is damaged (its checksum differs)";
}

std::vector<std::string> verify(const fs::path& folder, const Manifest& manifest) {
    std::vector<std::string> problems = check_sizes(folder, manifest);
    if (!problems.empty())
        return problems;
    for (const auto& [name, record] : manifest.files)
        if (std::string problem = check_content(folder / name, record, io::Cache::fill); !problem.empty())
            problems.push_back(std::move(problem));
    return problems;
}

}  // namespace trainyard::checkpoint
