#include "remote/run_stream.h"

#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/regular_file.h"
#include "remote/far_name.h"

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

bool is_mirrored(const fs::path& path) {
    std::vector<std::string> parts;
    for (const fs::path& part : path)
        parts.push_back(part.string());
    if (parts.empty() || path.is_absolute())
        return false;
    for (const std::string& part : parts)
        if (part.starts_with('.') || !FarName::of(part))
            return false;
    const std::string& name = parts.back();
    if (name.ends_with(".tmp") || (parts.size() == 1 && (name == "mirror.json" || name == "mirror-files.json")))
        return false;
    const std::string& folder = parts.front();
    if (folder == "checkpoints")
        return parts.size() == 3 && name == "manifest.json";
    if (folder == "requests")
        return parts.size() == 3 && parts[1] == "done" && name.ends_with(".json");
    return folder != "traces";
}

bool is_growing(const fs::path& path) {
    std::string suffix = path.extension().string();
    return suffix != ".json" && suffix != ".yaml" && suffix != ".yml" && path != fs::path("generation");
}

}  // namespace trainyard::remote
