// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/record_scanner.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/tables/json_list.h"

namespace trainyard::formats {

namespace {

constexpr std::size_t kPiece = 1 << 20;
constexpr std::size_t kFirstPiece = 32 << 10;  // after a seek, often only one short record is needed
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::uint64_t kChunk = 8 << 20;

const char* find(const char* begin, const char* end, char wanted) {
    if (begin == end)
        return nullptr;
    return static_cast<const char*>(std::memchr(begin, wanted, static_cast<std::size_t>(end - begin)));
}

/// The end of the line (its `line_end`) outside of quotes, with `quoted` as the state at `begin`; nullptr if there is
/// none, and then `quoted` is the state at `end`.
const char* find_line_end(const char* begin, const char* end, bool& quoted, char line_end) {
    const char* newline = find(begin, end, line_end);
    const char* at = begin;
    for (;;) {
        const char* stop = newline != nullptr ? newline : end;
        for (const char* quote = find(at, stop, '"'); quote != nullptr; quote = find(quote + 1, stop, '"'))
            quoted = !quoted;
        if (newline == nullptr || !quoted)
            return newline;
        at = newline;
        newline = find(newline + 1, end, line_end);
    }
}

/// Calls `use(piece)` for all bytes of [begin, end).
template <class Use>
void for_each_piece(const SourceFile& file, std::uint64_t begin, std::uint64_t end, Use use) {
    std::vector<char> buffer(std::min<std::uint64_t>(kPiece, end - begin));
    while (begin < end) {
        std::size_t size = std::min<std::uint64_t>(buffer.size(), end - begin);
        file.read(begin, std::as_writable_bytes(std::span(buffer.data(), size)));
        if (!use(std::string_view(buffer.data(), size), begin))
            return;
        begin += size;
    }
}

/// Runs `work(i)` for 0 <= i < count in several threads; rethrows the first exception.
template <class Work>
void run_parallel(std::size_t count, int threads, Work work) {
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures(count);
    auto body = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> workers;
        for (int i = 1; i < std::min<int>(threads, static_cast<int>(std::min<std::size_t>(count, 64))); ++i)
            workers.emplace_back(body);
        body();
    }
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

}  // namespace

TextLayout text_layout(const SourceFile& file, RecordKind kind) {
    std::uint64_t most = std::min<std::uint64_t>(file.size(), kPiece);
    TextLayout layout;
    std::string head(std::min<std::uint64_t>(most, text::kHeadBytes), '\0');
    file.read(0, std::as_writable_bytes(std::span(head)));
    if (const char* encoding = text::foreign_encoding(head))
        throw UserError("{}: {}", file.path().string(), text::describe_encoding(encoding));
    layout.begin = text::mark_bytes(head);
    // Line ends inside of quotes do not count. The first "\n" decides; a carriage return alone does if none comes after
    // it.
    bool quoted = false, alone = false;
    std::vector<char> piece(kFirstPiece);
    for (std::uint64_t at = layout.begin; at < most; at += piece.size()) {
        piece.resize(std::min<std::uint64_t>(piece.size(), most - at));
        file.read(at, std::as_writable_bytes(std::span(piece)));
        for (const char letter : piece) {
            if (letter == '"' && kind == RecordKind::csv)
                quoted = !quoted;
            if (letter == '\n' && !quoted)
                return layout;
            alone = alone || (letter == '\r' && !quoted);
        }
    }
    if (alone)
        layout.line_end = '\r';
    return layout;
}

RecordScanner::RecordScanner(const SourceFile& file, RecordKind kind, std::uint64_t limit, std::uint64_t begin,
                             char line_end)
    : file_(file), kind_(kind), limit_(limit), line_end_(line_end) {
    seek(begin);
}

void RecordScanner::seek(std::uint64_t byte) {
    if (byte > file_.size())
        throw UserError("{} has {} bytes, but reading would continue at byte {}: the position belongs to another file",
                        file_.path().string(), file_.size(), byte);
    if (byte >= buffer_begin_ && byte <= buffer_begin_ + filled_) {
        at_ = static_cast<std::size_t>(byte - buffer_begin_);
    } else {
        buffer_begin_ = byte;
        filled_ = at_ = 0;
        piece_ = kFirstPiece;
    }
}

/// Reads more of the file; the incomplete record moves to the front of the buffer. False at the end of the file.
bool RecordScanner::fill() {
    std::uint64_t place = buffer_begin_ + filled_;
    if (place >= file_.size())
        return false;
    std::size_t kept = filled_ - at_;
    check_size({buffer_.data() + at_, kept});
    // For a record longer than one read, the size doubles, so that the total copying is linear.
    std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(piece_, kept), file_.size() - place));
    piece_ = std::min(piece_ * 2, kPiece);
    if (kept > 0 && at_ > 0)
        std::memmove(buffer_.data(), buffer_.data() + at_, kept);
    buffer_begin_ += at_;
    at_ = 0;
    if (buffer_.size() < kept + wanted + kPadding)
        buffer_.resize(kept + wanted + kPadding);
    file_.read(place, std::as_writable_bytes(std::span(buffer_.data() + kept, wanted)));
    filled_ = kept + wanted;
    return true;
}

/// Position of the line end that ends the record at at_, or the end of the file. kNone: no further record.
std::size_t RecordScanner::find_end() {
    std::size_t searched = 0;
    bool quoted = false;
    for (;;) {
        const char* begin = buffer_.data() + at_ + searched;
        const char* end = buffer_.data() + filled_;
        const char* found =
            kind_ == RecordKind::csv ? find_line_end(begin, end, quoted, line_end_) : find(begin, end, line_end_);
        if (found != nullptr)
            return static_cast<std::size_t>(found - buffer_.data());
        searched = filled_ - at_;
        if (!fill())
            return searched == 0 ? kNone : filled_;
    }
}

/// The first byte that is not white space, `from` bytes after at_ or later, counted from at_ too. kNone at the end of
/// the file.
std::size_t RecordScanner::find_filled(std::size_t from) {
    for (;;) {
        const std::string_view rest(buffer_.data() + at_, filled_ - at_);
        const std::size_t found = rest.find_first_not_of(kJsonBlanks, from);
        if (found != std::string_view::npos)
            return found;
        from = rest.size();
        if (!fill())
            return kNone;
    }
}

/// The next element of a list; at_ is then after its comma, or at the end of the list.
bool RecordScanner::next_element(std::string_view& record) {
    const auto unclosed = [&] {
        return UserError("{}: the list has no end: the file is not complete, or a bracket or quote in it is not closed",
                         file_.path().string());
    };
    const std::size_t begin = find_filled(0);
    if (begin == kNone)
        throw unclosed();
    at_ += begin;
    if (buffer_[at_] == ']') {
        if (const std::size_t more = find_filled(1); more != kNone)
            throw UserError("{}: there is more after the end of the list, at byte {}: a JSON file has one list",
                            file_.path().string(), byte() + more);
        return false;
    }
    record_begin_ = byte();
    JsonElementEnd element;
    std::size_t searched = 0, size = kNone;
    while (size == kNone) {
        const std::size_t found =
            element.find(std::string_view(buffer_.data() + at_ + searched, filled_ - at_ - searched));
        if (found != std::string_view::npos) {
            size = searched + found;
        } else {
            searched = filled_ - at_;
            if (!fill())
                throw unclosed();
        }
    }
    const std::size_t next = find_filled(size);
    if (next == kNone)
        throw unclosed();
    const char separator = buffer_[at_ + next];
    if (size == 0 || (separator != ',' && separator != ']'))
        throw UserError("{}: byte {} is neither the comma after an element of the list nor the end of the list",
                        file_.path().string(), byte() + next);
    record = {buffer_.data() + at_, size};
    check_size(record);
    at_ += separator == ',' ? next + 1 : next;
    return true;
}

void RecordScanner::check_size(std::string_view record) const {
    if (record.size() > limit_)
        throw UserError(
            "{}: the record at byte {} is longer than {}: raise record_limit unless "
            "the file is damaged",
            file_.path().string(), byte(), text::file_size(limit_));
}

bool RecordScanner::next(std::string_view& record) {
    if (kind_ == RecordKind::json_list)
        return next_element(record);
    for (;;) {
        std::size_t end = find_end();
        if (end == kNone)
            return false;
        record = {buffer_.data() + at_, end - at_};
        check_size(record);
        record_begin_ = byte();
        at_ = std::min(end + 1, filled_);
        if (line_end_ == '\n' && record.ends_with('\r'))
            record.remove_suffix(1);
        if (line_end_ == '\r' && record.starts_with('\n')) {  // the rest of a "\r\n" among carriage returns alone
            record.remove_prefix(1);
            ++record_begin_;
        }
        const char* skipped = kind_ == RecordKind::csv ? " " : " \t\r\n";
        if (kind_ == RecordKind::lines || record.find_first_not_of(skipped) != std::string_view::npos)
            return true;
    }
}

RecordIndex::RecordIndex(const SourceFile& file, RecordKind kind, std::uint64_t limit, std::uint64_t begin, int threads,
                         char line_end) {
    if (threads <= 0)
        threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
    std::uint64_t size = file.size();
    // Lists have one chunk: the begin of an element is only found after the elements before it.
    const std::uint64_t length = kind == RecordKind::json_list ? std::max<std::uint64_t>(size - begin, 1) : kChunk;
    std::size_t count = begin < size ? static_cast<std::size_t>((size - begin + length - 1) / length) : 0;
    auto begin_of = [&](std::size_t chunk) { return std::min(begin + chunk * length, size); };

    // Whether a chunk starts inside quotes is known once all quotes before it are counted. A record starts after a line
    // end, so a chunk searches for its first record from the byte before it.
    std::vector<std::uint8_t> quoted(count + 1, 0);
    if (kind == RecordKind::csv && count > 1)
        run_parallel(count - 1, threads, [&](std::size_t chunk) {
            std::uint64_t from = chunk == 0 ? begin : begin_of(chunk) - 1;
            bool odd = false;
            for_each_piece(file, from, begin_of(chunk + 1) - 1, [&](std::string_view piece, std::uint64_t) {
                if (std::count(piece.begin(), piece.end(), '"') % 2 != 0)
                    odd = !odd;
                return true;
            });
            quoted[chunk + 1] = odd ? 1 : 0;
        });
    for (std::size_t chunk = 1; chunk < count; ++chunk)
        quoted[chunk] ^= quoted[chunk - 1];

    chunks_.resize(count);
    run_parallel(count, threads, [&](std::size_t number) {
        std::uint64_t first = begin, stop = begin_of(number + 1);
        if (number > 0) {
            bool inside = quoted[number] != 0, found = false;
            for_each_piece(file, begin_of(number) - 1, stop - 1, [&](std::string_view piece, std::uint64_t place) {
                const char* last = piece.data() + piece.size();
                const char* end = kind == RecordKind::csv ? find_line_end(piece.data(), last, inside, line_end)
                                                          : find(piece.data(), last, line_end);
                if (end == nullptr)
                    return true;
                first = place + static_cast<std::uint64_t>(end - piece.data()) + 1;
                found = true;
                return false;
            });
            if (!found)
                return;  // inside one long record
        }
        Chunk& chunk = chunks_[number];
        RecordScanner scanner(file, kind, limit, first, line_end);
        std::string_view record;
        while (scanner.byte() < stop && scanner.next(record)) {
            if (scanner.record_begin() >= stop)
                break;  // empty lines were skipped
            if (chunk.rows++ % kStride == 0)
                chunk.places.push_back(scanner.record_begin());
        }
        chunk.places.shrink_to_fit();
    });
    std::erase_if(chunks_, [](const Chunk& chunk) { return chunk.rows == 0; });
    for (Chunk& chunk : chunks_) {
        chunk.first_row = count_;
        count_ += chunk.rows;
    }
}

RecordIndex::Place RecordIndex::before(std::int64_t row) const {
    auto chunk = std::upper_bound(chunks_.begin(), chunks_.end(), row,
                                  [](std::int64_t value, const Chunk& other) { return value < other.first_row; });
    --chunk;
    std::int64_t local = (row - chunk->first_row) / kStride;
    return {chunk->first_row + local * kStride, chunk->places[static_cast<std::size_t>(local)]};
}

LinePlace line_of(const SourceFile& file, std::uint64_t byte, const LinePlace& known, char line_end) {
    LinePlace place = known.byte <= byte ? known : LinePlace{};
    for_each_piece(file, place.byte, std::min(byte, file.size()), [&](std::string_view piece, std::uint64_t) {
        place.line += std::count(piece.begin(), piece.end(), line_end);
        return true;
    });
    place.byte = byte;
    return place;
}

}  // namespace trainyard::formats
