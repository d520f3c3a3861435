#include "checkpoint/manifest.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "io/event_file.h"
#include "io/hash.h"

namespace trainyard::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* kName = "manifest.json";
constexpr const char* kFormat = "trainyard-2";
constexpr std::size_t kPiece = 4u << 20;

struct Sums {
    std::string xxh128;
    std::uint32_t crc32c = 0;
};

/// Read piece by piece: a checkpoint may be larger than the memory that is left.
Sums sums_of(const fs::path& path, bool with_crc) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file)
        throw_file_error("cannot read", path, errno);
    std::vector<char> piece(kPiece);
    io::Xxh128 hash;
    Sums sums;
    for (;;) {
        ssize_t n = ::read(file.get(), piece.data(), piece.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw_file_error("cannot read", path, errno);
        if (n == 0)
            break;
        std::string_view part(piece.data(), static_cast<std::size_t>(n));
        if (with_crc)
            sums.crc32c = io::crc32c(part, sums.crc32c);
        else
            hash.add(std::as_bytes(std::span(part)));
    }
    sums.xxh128 = hash.digest();
    return sums;
}

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

std::string hash_problem(const fs::path& path, const FileRecord& record) {
    try {
        Sums sums = sums_of(path, record.crc32c.has_value());
        bool same = record.crc32c ? sums.crc32c == *record.crc32c : sums.xxh128 == record.xxh128;
        return same ? "" : path.string() + " is damaged (its checksum differs)";
    } catch (const UserError& error) {
        return error.what();
    }
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

std::vector<std::string> verify(const fs::path& folder, const Manifest& manifest) {
    std::vector<std::string> problems;
    std::vector<std::pair<fs::path, const FileRecord*>> files;
    for (const auto& [name, record] : manifest.files) {
        files.emplace_back(folder / name, &record);
        if (std::string problem = size_problem(folder / name, record); !problem.empty())
            problems.push_back(std::move(problem));
    }
    if (!problems.empty())
        return problems;
    // Large files first, so that the threads end together.
    std::sort(files.begin(), files.end(),
              [](const auto& a, const auto& b) { return a.second->bytes > b.second->bytes; });
    std::vector<std::string> found(files.size());
    std::atomic<std::size_t> next{0};
    auto work = [&] {
        for (std::size_t i = next++; i < files.size(); i = next++)
            found[i] = hash_problem(files[i].first, *files[i].second);
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < std::min<std::size_t>({files.size(), std::thread::hardware_concurrency(), 8}); ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
    std::copy_if(found.begin(), found.end(), std::back_inserter(problems),
                 [](const std::string& p) { return !p.empty(); });
    return problems;
}

}  // namespace trainyard::checkpoint
