// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_file.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/files/crc32c.h"
#include "base/process.h"
#include "base/protobuf.h"
#include "base/system_call.h"
#include "base/text.h"

namespace trainyard::events {

namespace {

constexpr std::size_t kKept = 1u << 20;  // bytes of a writer's buffer that are kept for the next flush

constexpr std::uint64_t kHeaderBytes = 12;  // length and its checksum
constexpr std::uint64_t kFooterBytes = 4;   // checksum of the payload
constexpr std::uint64_t kLargestRecord = 1ull << 30;
constexpr std::uint64_t kReadPiece = 1u << 20;  // bytes per read: fits in a core's level 2 cache

}  // namespace

EventFileWriter::EventFileWriter(const std::filesystem::path& folder, std::string_view suffix,
                                 std::string_view prefix) {
    double now = wall_seconds();
    // Two writers of one process must not share a file if they are created in the same second.
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
        // The disk is full. flush() has reported it before, and a destructor cannot.
    }
}

void EventFileWriter::add_record(std::string_view payload) {
    std::size_t start = buffer_.size();
    protobuf::append_little_endian(buffer_, payload.size(), 8);
    protobuf::append_little_endian(buffer_, files::masked_crc32c(std::string_view(buffer_).substr(start, 8)), 4);
    buffer_ += payload;
    protobuf::append_little_endian(buffer_, files::masked_crc32c(payload), 4);
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
                                  const std::vector<std::string>& metric_tags, bool ended) {
    for (const std::string& record : encode_hparams(wall_time, parameters, metric_tags, ended))
        add_record(record);
}

void EventFileWriter::add_restart(std::int64_t step, double wall_time) {
    add_record(encode_restart(step, wall_time));
}

void EventFileWriter::flush() {
    while (!buffer_.empty()) {
        const ssize_t n = retry_interrupted([&] { return ::write(file_.get(), buffer_.data(), buffer_.size()); });
        if (n < 0)
            throw_file_error("cannot write", path_, errno);
        buffer_.erase(0, static_cast<std::size_t>(n));
    }
    if (buffer_.capacity() > kKept)
        std::string().swap(buffer_);
}

void EventFileReader::damaged(std::uint64_t at, const char* what) {
    problem_ = Message("{} is damaged at byte {} ({}): what follows cannot be read", path().string(), at, what);
}

bool EventFileReader::poll(const OnRecord& on_record, std::uint64_t limit_bytes) {
    const files::GrowingFile::Poll poll = file_.poll();
    missing_ = poll == files::GrowingFile::Poll::Missing;
    if (poll == files::GrowingFile::Poll::Missing || poll == files::GrowingFile::Poll::Same)
        return false;
    if (poll == files::GrowingFile::Poll::Failed) {
        problem_ = file_.error();
        return false;
    }
    // Damage is checked again after the file has changed: a block may not have been written yet.
    problem_ = {};
    if (poll == files::GrowingFile::Poll::Again) {
        records_ = undecodable_ = skipped_ = 0;
        wanted_ = 0;
    }
    std::unique_ptr<char[]> buffer;
    std::size_t capacity = 0, held = 0;
    const std::uint64_t begin = position();
    bool more = false;
    for (;;) {
        // A record longer than one read is read separately, if the file really contains it.
        const std::uint64_t left = file_.size() > position() ? file_.size() - position() : 0;
        std::uint64_t piece =
            std::min<std::uint64_t>(left, std::max(wanted_, std::clamp(limit_bytes, kHeaderBytes, kReadPiece)));
        if (piece > capacity) {
            auto larger = std::make_unique_for_overwrite<char[]>(piece);
            std::copy_n(buffer.get(), held, larger.get());
            buffer = std::move(larger);
            capacity = piece;
        }
        const ssize_t got = file_.read(buffer.get() + held, capacity - held, position() + held);
        if (got < 0) {
            problem_ = file_.error();
            break;
        }
        held += static_cast<std::size_t>(got);
        const bool first = position() == 0;
        const std::size_t taken = take_records({buffer.get(), held}, on_record);
        if (first && taken > 0)
            ++beginnings_;
        file_.consume(buffer.get(), taken);
        held -= taken;
        std::copy_n(buffer.get() + taken, held, buffer.get());
        if (!problem_.empty())
            break;
        if (taken == 0 && (wanted_ <= held || wanted_ > left))
            break;  // the rest of the record has not been written yet
        if (got == 0 && taken == 0)
            break;  // the file shrank meanwhile
        if (position() - begin >= limit_bytes) {
            more = position() < file_.size();
            break;
        }
        if (position() >= file_.size())
            break;
    }
    file_.close();
    if (more)
        file_.force_poll();
    return more;
}

/// Reads the complete records at the start of `bytes`; returns their length. Sets wanted_ to the length of the first
/// incomplete one.
std::size_t EventFileReader::take_records(std::string_view bytes, const OnRecord& on_record) {
    std::size_t taken = 0;
    wanted_ = 0;
    for (; bytes.size() >= kHeaderBytes;) {
        const std::uint64_t length = protobuf::little_endian(bytes.substr(0, 8));
        if (files::masked_crc32c(bytes.substr(0, 8)) != protobuf::little_endian(bytes.substr(8, 4))) {
            damaged(position() + taken, "length checksum");
            return taken;
        }
        if (length > bytes.size() || bytes.size() - length < kHeaderBytes + kFooterBytes) {
            // A length far beyond any file is damage or a tail that is never completed: wait, as for every partial
            // record.
            if (length <= kLargestRecord)
                wanted_ = kHeaderBytes + length + kFooterBytes;
            return taken;
        }
        const std::string_view payload = bytes.substr(kHeaderBytes, length);
        if (files::masked_crc32c(payload) !=
            protobuf::little_endian(bytes.substr(kHeaderBytes + length, kFooterBytes))) {
            damaged(position() + taken, "data checksum");
            return taken;
        }
        const std::uint64_t at = position() + taken + kHeaderBytes;
        const std::uint64_t whole = kHeaderBytes + length + kFooterBytes;
        bytes.remove_prefix(whole);
        taken += whole;
        ++records_;
        if (!decode_event(payload, record_, &plugins_)) {
            ++undecodable_;
            continue;
        }
        skipped_ += record_.skipped;
        on_record(record_, payload, at);
    }
    return taken;
}

std::vector<Scalar> EventFileReader::poll(std::uint64_t limit_bytes) {
    std::vector<Scalar> scalars;
    poll(
        [&](const EventRecord& record, std::string_view, std::uint64_t) {
            for (const auto& [tag, value] : record.scalars)
                scalars.push_back({record.step, record.wall_time, std::string(tag), value});
        },
        limit_bytes);
    return scalars;
}

}  // namespace trainyard::events
