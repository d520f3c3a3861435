// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/remote_event_files.h"

#include <algorithm>
#include <cctype>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/system_call.h"
#include "formats/events/event_layout.h"
#include "launch/supervisor/agent_wire.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kLongestName = 180;  // the name of a host is appended
constexpr std::size_t kOffsetBytes = 8;

/// A file of metrics/ itself, or of a rank's or a host's folder in it.
bool is_sendable_name(std::string_view name) {
    const std::size_t file = name.find('/') + 1;  // 0 without one
    return name.size() <= kLongestName && !name.starts_with('.') && !name.substr(file).starts_with('.') &&
           name.find('\0') == std::string_view::npos && events::event_source(name).has_value();
}

/// A part of a file's name, whatever people call the machine.
std::string plain(const std::string& host) {
    std::string name = host.substr(0, 60);
    for (char& letter : name)
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-' && letter != '.')
            letter = '_';
    return name;
}

}  // namespace

std::string event_part_payload(const EventPart& part) {
    std::string payload(1, static_cast<char>(part.file.size()));
    payload += part.file;
    for (std::size_t i = kOffsetBytes; i-- > 0;)
        payload.push_back(static_cast<char>((part.offset >> (8 * i)) & 0xff));
    return payload + part.bytes;
}

EventPart parse_event_part(std::string_view payload) {
    EventPart part;
    std::size_t length = payload.empty() ? 0 : static_cast<unsigned char>(payload[0]);
    if (payload.size() < 1 + length + kOffsetBytes)
        throw WireError("it sent a part of no file");
    part.file = payload.substr(1, length);
    if (!is_sendable_name(part.file))
        throw WireError("it sent a file that is not an event file");
    for (char byte : payload.substr(1 + length, kOffsetBytes))
        part.offset = part.offset << 8 | static_cast<unsigned char>(byte);
    part.bytes = payload.substr(1 + length + kOffsetBytes);
    return part;
}

EventFileSender::EventFileSender(fs::path metrics, const RemoteFileLimits& limits)
    : metrics_(std::move(metrics)), limits_(limits) {}

void EventFileSender::look() {
    look_in({});
}

void EventFileSender::look_in(const std::string& folder) {
    std::error_code error;
    fs::directory_iterator entry(metrics_ / folder, error), end;
    for (; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().filename().string();
        std::error_code gone;
        if (folder.empty() && entry->is_directory(gone) && !entry->is_symlink(gone)) {
            look_in(name);
            continue;
        }
        if (!folder.empty())
            name = folder + "/" + name;
        if (!is_sendable_name(name) || !entry->is_regular_file(gone))  // of a link: of what it leads to
            continue;
        std::uint64_t size = entry->file_size(gone);
        if (!gone && (sizes_.contains(name) || sizes_.size() < limits_.files))
            sizes_[name] = std::min(size, limits_.bytes);
    }
}

std::optional<EventPart> EventFileSender::next() {
    for (const auto& [name, size] : sizes_) {
        std::uint64_t from = sent_[name];
        if (from >= size)
            continue;
        EventPart part{name, from, std::string(std::min<std::uint64_t>(size - from, kMaxEventPartBytes), '\0')};
        FileDescriptor file(::open((metrics_ / name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        ssize_t n =
            file ? ::pread(file.get(), part.bytes.data(), part.bytes.size(), static_cast<off_t>(part.offset)) : -1;
        if (n > 0) {
            part.bytes.resize(static_cast<std::size_t>(n));
            return part;
        }
        sizes_[name] = from;  // gone, or shorter than it was: the next look knows
        return next();
    }
    return std::nullopt;
}

void EventFileSender::sent(const EventPart& part) {
    sent_[part.file] = part.offset + part.bytes.size();
}

std::uint64_t EventFileSender::unsent() const {
    std::uint64_t bytes = 0;
    for (const auto& [name, size] : sizes_) {
        auto done = sent_.find(name);
        bytes += size - std::min(size, done == sent_.end() ? 0 : done->second);
    }
    return bytes;
}

EventFileReceiver::EventFileReceiver(fs::path metrics, const RemoteFileLimits& limits)
    : metrics_(std::move(metrics)), limits_(limits) {}

std::string EventFileReceiver::take(const std::string& host, const EventPart& part) {
    std::map<std::string, File>& of_host = files_[host];
    auto known = of_host.find(part.file);
    bool fresh = known == of_host.end();
    if (fresh && of_host.size() >= limits_.files)
        return {};
    fs::path path = metrics_ / fmt::format("{}.{}", part.file, plain(host));
    if (fresh) {
        struct stat before {};
        // The file may exist from before a restart of the head: it is then continued at its end.
        std::uint64_t size = ::lstat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode)
                                 ? static_cast<std::uint64_t>(before.st_size)
                                 : 0;
        known = of_host.emplace(part.file, File{size, false}).first;
    }
    File& file = known->second;
    std::uint64_t end = part.offset + part.bytes.size();
    if (fresh && path.parent_path() != metrics_)
        make_private_folder(path.parent_path());
    if (file.given_up || part.offset > file.size || end <= file.size || end > limits_.bytes)
        return {};
    std::string_view rest = std::string_view(part.bytes).substr(file.size - part.offset);
    FileDescriptor out(::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    int problem = out ? 0 : errno;
    while (problem == 0 && !rest.empty()) {
        const ssize_t n = retry_interrupted(
            [&] { return ::pwrite(out.get(), rest.data(), rest.size(), static_cast<off_t>(file.size)); });
        if (n <= 0)
            problem = n < 0 ? errno : EIO;
        file.size += static_cast<std::uint64_t>(std::max<ssize_t>(0, n));
        rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, n)));
    }
    if (problem != 0) {
        file.given_up = true;
        throw_file_error("cannot write", path, problem);
    }
    return fresh ? path.lexically_relative(metrics_).string() : std::string();
}

}  // namespace trainyard::launch
