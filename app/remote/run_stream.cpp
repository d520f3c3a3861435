// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/run_stream.h"

#include <algorithm>
#include <span>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/regular_file.h"
#include "base/untrusted.h"

namespace trainyard::remote {

std::string frame_bytes(StreamFrame kind, std::string_view payload) {
    std::size_t length = payload.size() + 1;
    std::string bytes;
    bytes.reserve(length + 4);
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>((length >> shift) & 0xff);
    bytes += static_cast<char>(kind);
    bytes += payload;
    return bytes;
}

std::optional<StreamMessage> StreamReader::next() {
    if (begin_ > 0 && (begin_ == buffer_.size() || begin_ >= (1u << 20))) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    if (buffer_.size() - begin_ < 4)
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
        length = length << 8 | static_cast<unsigned char>(buffer_[begin_ + i]);
    if (length == 0 || length > kLongestStreamFrame)
        throw UserError("the other end does not speak as `trainyard serve-run` does");
    if (buffer_.size() - begin_ < 4 + length)
        return std::nullopt;
    StreamMessage message{static_cast<StreamFrame>(buffer_[begin_ + 4]), buffer_.substr(begin_ + 5, length - 1)};
    begin_ += 4 + length;
    return message;
}

std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (unsigned char byte : bytes)
        sum = (sum ^ byte) * 0x100000001b3u;
    return sum;
}

std::optional<std::uint64_t> tail_checksum(const fs::path& file, std::uint64_t size) {
    std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(size, kTail));
    std::string bytes(length, '\0');
    const FileDescriptor descriptor = try_open_regular_file(file);
    if (!descriptor || ::pread(descriptor.get(), bytes.data(), length, static_cast<off_t>(size - length)) !=
                           static_cast<ssize_t>(length))
        return std::nullopt;
    return checksum(bytes);
}

namespace {

constexpr std::size_t kDeepestMirrored = 8;  // levels, the file itself included

bool is_number(std::string_view text) {
    return !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// `name`, or what became of it when it was rotated (`name`.1).
bool is_log(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos && is_number(name.substr(dot + 1)))
        name = name.substr(0, dot);
    return name.ends_with(".log");
}

bool is_hang_report(std::string_view name) {
    return name.starts_with("hang-") && name.ends_with(".json") && is_number(name.substr(5, name.size() - 10));
}

bool is_event_file(std::string_view name) {
    return name.find("tfevents") != std::string_view::npos;
}

/// Files of the bundled trackers, and of plug-ins that use the same formats.
bool is_tracker_file(std::string_view name) {
    if (is_event_file(name))
        return true;
    for (const std::string_view ending : {".jsonl", ".csv", ".tsv", ".json", ".yaml", ".md"})
        if (name.ends_with(ending))
            return true;
    return false;
}

bool is_documented(std::span<const SafeFileName> parts) {
    const std::string& folder = parts.front().text();
    const std::string& name = parts.back().text();
    if (parts.size() == 1)
        return name == "run.yaml" || name == "state.json" || name == "generation" || name == "events.jsonl" ||
               name == "queue.json" || name == "estimate.json";
    if (folder == "logs")
        return parts.size() == 2 && (is_log(name) || is_hang_report(name));
    if (folder == "metrics")
        return is_event_file(name);
    if (folder == "trackers")
        return is_tracker_file(name);
    if (folder == "evaluations")
        return parts.size() == 2 && name.starts_with("step-") && name.ends_with(".json");
    if (folder == "checkpoints")
        return parts.size() == 3 && parts[1].text().starts_with("checkpoint_") &&
               is_number(std::string_view(parts[1].text()).substr(11)) && name == "manifest.json";
    if (folder == "requests")
        return parts.size() == 3 && parts[1] == "done" && name.ends_with(".json");
    if (folder == "hosts" && parts.size() > 3)  // of other machines that share the folder
        return (parts[2] == "logs" || parts[2] == "metrics") && is_documented(parts.subspan(2));
    return false;
}

}  // namespace

bool is_mirrored(const fs::path& path) {
    const std::optional<SafePath> safe = SafePath::parse(path.string());
    if (!safe || safe->names().size() > kDeepestMirrored)
        return false;
    for (const SafeFileName& name : safe->names())
        if (name.text().starts_with('.') || name.text().ends_with(".tmp"))
            return false;
    return is_documented(safe->names());
}

bool is_growing(const fs::path& path) {
    std::string suffix = path.extension().string();
    return suffix != ".json" && suffix != ".yaml" && suffix != ".yml" && path != fs::path("generation");
}

}  // namespace trainyard::remote
