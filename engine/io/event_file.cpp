#include "io/event_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "io/event_record.h"
#include "io/protobuf.h"

namespace trainyard::io {

namespace {

constexpr std::size_t kHeaderBytes = 12;  // length, its checksum
constexpr std::size_t kFooterBytes = 4;   // checksum of the payload
constexpr std::uint64_t kLargestRecord = 1ull << 30;

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
}

}  // namespace

EventFileWriter::EventFileWriter(const std::filesystem::path& folder, std::string_view suffix,
                                 std::string_view prefix) {
    double now = wall_seconds();
    // Two writers of one process within a second must not share a file.
    for (int attempt = 0; !file_; ++attempt) {
        std::string unique = attempt == 0 ? "" : fmt::format(".{}", attempt);
        path_ = folder / fmt::format("{}events.out.tfevents.{}.{}.{}{}{}", prefix, static_cast<std::int64_t>(now),
                                     host_name(), ::getpid(), unique, suffix);
        file_ = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
        if (!file_ && (errno != EEXIST || attempt == 1000))
            throw_file_error("cannot write", path_, errno);
    }
    add_record(encode_version(now));
    flush();
}

EventFileWriter::~EventFileWriter() {
    try {
        flush();
    } catch (const UserError&) {
        // The disk is full and nobody is left to tell; flush() has told before.
    }
}

void EventFileWriter::add_record(std::string_view payload) {
    std::size_t start = buffer_.size();
    protobuf::append_little_endian(buffer_, payload.size(), 8);
    protobuf::append_little_endian(buffer_, masked_crc32c(std::string_view(buffer_).substr(start, 8)), 4);
    buffer_ += payload;
    protobuf::append_little_endian(buffer_, masked_crc32c(payload), 4);
}

void EventFileWriter::add_scalars(std::int64_t step, double wall_time,
                                  const std::vector<std::pair<std::string, double>>& scalars) {
    add_record(encode_scalars(step, wall_time, scalars));
}

void EventFileWriter::add_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text) {
    add_record(encode_text(step, wall_time, tag, text));
}

void EventFileWriter::add_image(std::int64_t step, double wall_time, std::string_view tag, std::int64_t height,
                                std::int64_t width, std::int64_t channels, std::string_view encoded) {
    add_record(encode_image(step, wall_time, tag, height, width, channels, encoded));
}

void EventFileWriter::add_histogram(std::int64_t step, double wall_time, std::string_view tag,
                                    const Histogram& histogram) {
    add_record(encode_histogram(step, wall_time, tag, histogram));
}

void EventFileWriter::add_hparams(double wall_time, const HyperParameters& parameters,
                                  const std::vector<std::string>& metric_tags) {
    for (const std::string& record : encode_hparams(wall_time, parameters, metric_tags))
        add_record(record);
}

void EventFileWriter::add_restart(std::int64_t step, double wall_time) {
    add_record(encode_restart(step, wall_time));
}

void EventFileWriter::flush() {
    while (!buffer_.empty()) {
        ssize_t n = ::write(file_.get(), buffer_.data(), buffer_.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw_file_error("cannot write", path_, errno);
        buffer_.erase(0, static_cast<std::size_t>(n));
    }
}

void EventFileReader::begin_again() {
    position_ = 0;
    records_ = undecodable_ = 0;
    problem_.clear();
}

std::vector<Scalar> EventFileReader::poll(std::uint64_t limit_bytes) {
    std::vector<Scalar> scalars;
    restarts_.clear();
    FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) {
        if (errno != ENOENT)
            problem_ = fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno));
        return scalars;
    }
    if (!S_ISREG(info.st_mode)) {
        problem_ = fmt::format("{} is not a file", path_.string());
        return scalars;
    }
    auto size = static_cast<std::uint64_t>(info.st_size);
    bool same = info.st_dev == device_ && info.st_ino == inode_;
    if (!same || size < position_)
        begin_again();
    device_ = info.st_dev;
    inode_ = info.st_ino;
    if (size <= position_ || !problem_.empty())
        return scalars;
    const bool at_start = position_ == 0;

    std::string bytes;
    std::uint64_t wanted = std::min(size - position_, std::max<std::uint64_t>(limit_bytes, kHeaderBytes));
    for (;;) {
        bytes.resize(wanted);
        ssize_t n = ::pread(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(position_));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            problem_ = fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno));
            return scalars;
        }
        bytes.resize(static_cast<std::size_t>(n));
        std::uint64_t missing = read_records(bytes, scalars);
        if (at_start && position_ > 0)
            ++beginnings_;
        // A record longer than the limit is fetched alone, when the file really holds it.
        if (missing == 0 || missing <= wanted || missing > size - position_)
            return scalars;
        wanted = missing;
    }
}

/// Takes the whole records at the start of `bytes`. Returns 0, or, when not even one was whole, the size it has.
std::uint64_t EventFileReader::read_records(std::string_view bytes, std::vector<Scalar>& scalars) {
    EventRecord record;
    bool first = true;
    auto damaged = [&](const char* what) {
        problem_ =
            fmt::format("{} is damaged at byte {} ({}): what follows cannot be read", path_.string(), position_, what);
        return 0;
    };
    while (bytes.size() >= kHeaderBytes) {
        std::uint64_t length = little_endian(bytes.substr(0, 8));
        if (masked_crc32c(bytes.substr(0, 8)) != little_endian(bytes.substr(8, 4)))
            return damaged("length checksum");
        if (length > bytes.size() || bytes.size() - length < kHeaderBytes + kFooterBytes) {
            // Far beyond any file this is either damage or a tail that never comes: wait, as for every torn tail.
            return first && length <= kLargestRecord ? kHeaderBytes + length + kFooterBytes : 0;
        }
        std::string_view payload = bytes.substr(kHeaderBytes, length);
        if (masked_crc32c(payload) != little_endian(bytes.substr(kHeaderBytes + length, kFooterBytes)))
            return damaged("data checksum");
        std::uint64_t whole = kHeaderBytes + length + kFooterBytes;
        bytes.remove_prefix(whole);
        position_ += whole;
        ++records_;
        first = false;
        if (!decode_event(payload, record)) {
            ++undecodable_;
            continue;
        }
        if (record.restart)
            restarts_.push_back({record.step, scalars.size()});
        for (auto& [tag, value] : record.scalars)
            scalars.push_back({record.step, record.wall_time, std::move(tag), value});
    }
    return 0;
}

}  // namespace trainyard::io
