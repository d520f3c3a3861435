// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/trace.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "observe/traces/event_parser.h"
#include "observe/traces/trace_text.h"

namespace trainyard::traces {

namespace {

constexpr std::size_t kNameBlock = 64 << 10;
constexpr std::size_t kLargestEvent = 1 << 20;  ///< of which arguments are shown

struct EntryWords {
    Entry entry;
    const char *one, *many;
};

constexpr std::array kUnplaced{
    EntryWords{Entry::unknown_phase, "event of an unknown phase", "events of unknown phases"},
    EntryWords{Entry::no_phase, "event without a phase", "events without a phase"},
    EntryWords{Entry::not_an_object, "entry that is not an event", "entries that are not events"},
    EntryWords{Entry::no_time, "event without a time", "events without a time"},
    EntryWords{Entry::time_out_of_range, "time beyond 64-bit nanoseconds", "times beyond 64-bit nanoseconds"},
    EntryWords{Entry::unreadable, "event that cannot be read", "events that cannot be read"},
    EntryWords{Entry::end_without_begin, "end without a begin", "ends without a begin"},
    EntryWords{Entry::half_flow, "arrow without its other end", "arrows without their other end"},
};

constexpr std::array kRemarks{
    EntryWords{Entry::repaired, "event with characters that are not valid JSON, repaired",
               "events with characters that are not valid JSON, repaired"},
    EntryWords{Entry::quoted_number, "number in quotes, read as a number", "numbers in quotes, read as numbers"},
    EntryWords{Entry::negative_duration, "negative duration, shown as 0", "negative durations, shown as 0"},
    EntryWords{Entry::no_duration, "event without a duration, shown as 0", "events without a duration, shown as 0"},
    EntryWords{Entry::begin_without_end, "begin without an end, shown until the end of the trace",
               "begins without an end, shown until the end of the trace"},
};

template <std::size_t n>
Message entry_words(const Reading& reading, const std::array<EntryWords, n>& table) {
    std::vector<Message> words;
    for (const EntryWords& row : table)
        if (const std::uint64_t count = reading.count(row.entry); count > 0)
            words.push_back(Message("{} {}", text::grouped(static_cast<std::int64_t>(count)),
                                    Message::table_text(count == 1 ? row.one : row.many)));
    return Message::joined(words, ", ");
}

}  // namespace

std::uint64_t Reading::unplaced() const {
    std::uint64_t sum = 0;
    for (const EntryWords& row : kUnplaced)
        sum += count(row.entry);
    return sum;
}

Message Reading::unplaced_words() const {
    return entry_words(*this, kUnplaced);
}

Message Reading::remark_words() const {
    return entry_words(*this, kRemarks);
}

Names::Names(const Names& other) {
    for (const std::string_view text : other.texts_)
        number(text);
}

std::uint32_t Names::number(std::string_view text) {
    if (const auto found = numbers_.find(text); found != numbers_.end())
        return found->second;
    char* place = nullptr;
    if (text.size() > kNameBlock / 4) {  // a block of its own
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(text.size()));
        place = blocks_.back().get();
    } else {
        if (left_ < text.size()) {
            blocks_.push_back(std::make_unique_for_overwrite<char[]>(kNameBlock));
            next_ = blocks_.back().get();
            left_ = kNameBlock;
        }
        place = next_;
        next_ += text.size();
        left_ -= text.size();
    }
    if (!text.empty())
        std::memcpy(place, text.data(), text.size());
    bytes_ += text.size();
    const std::uint32_t number = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(place, text.size());
    numbers_.emplace(texts_.back(), number);
    return number;
}

std::optional<std::uint32_t> Names::find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::string Track::title() const {
    if (!thread_name.empty())
        return thread_name;
    if (stream)
        return fmt::format("stream {}", *stream);
    return thread.empty() ? "thread" : fmt::format("thread {}", thread);
}

std::optional<std::int64_t> Trace::rank() const {
    return distributed.rank >= 0 ? std::optional(distributed.rank) : std::nullopt;
}

std::string Trace::event_text(const Slice& slice) const {
    if (!text)
        return {};
    std::string event;
    try {
        for (std::size_t want = 4096; want <= kLargestEvent; want *= 4) {
            event.resize(want);
            event.resize(text->read(event.data(), want, slice.offset));
            std::int64_t depth = 0;
            bool in_string = false;
            for (std::size_t i = 0; i < event.size(); ++i) {
                const char c = event[i];
                if (in_string) {
                    if (c == '\\')
                        ++i;
                    else
                        in_string = c != '"';
                } else if (c == '"') {
                    in_string = true;
                } else if (c == '{' || c == '[') {
                    ++depth;
                } else if ((c == '}' || c == ']') && --depth == 0) {
                    event.resize(i + 1);
                    return event;
                }
            }
            if (event.size() < want)
                break;
        }
    } catch (const UserError&) {  // the file has gone
    }
    return {};
}

std::vector<std::pair<std::string, std::string>> Trace::arguments(const Slice& slice) const {
    const std::string event = event_text(slice);
    // The file may have been replaced: the name has to be the slice's.
    if (event.empty() || member_of(event, "name") != name(slice))
        return {};
    return members_of(member_of(event, "args"));
}

std::size_t Trace::overlapping() const {
    std::size_t sum = 0;
    for (const Track& track : tracks)
        sum += track.overlapping;
    return sum;
}

std::size_t Trace::retained_bytes() const {
    std::size_t sum = slices.size() * sizeof(Slice) + (flows.size() + arrivals.size()) * sizeof(Flow) +
                      tracks.size() * sizeof(Track) + block_ends.size() * sizeof(std::int64_t) +
                      steps.size() * sizeof(Step);
    constexpr std::size_t kOfAName = sizeof(std::string_view) + 56;  // entry of the table, and its node
    sum += names.bytes() + names.size() * kOfAName;
    for (const Counter& counter : counters)
        sum += sizeof counter + counter.samples.size() * sizeof(Counter::Sample);
    for (const MemoryCounter& counter : memory)
        sum += sizeof counter + counter.samples.size() * sizeof(MemoryCounter::Sample);
    return sum;
}

std::optional<std::uint32_t> Trace::innermost(std::size_t track, std::int64_t time) const {
    const std::span<const Slice> part = slices_of(tracks[track]);
    const auto next = std::upper_bound(part.begin(), part.end(), time,
                                       [](std::int64_t at, const Slice& slice) { return at < slice.begin; });
    // Going back from the last one that has begun: the first that still lasts is the innermost. Blocks that have ended as a whole are
    // skipped, so that short slices below a long one do not make it slow.
    const std::size_t first = tracks[track].first;
    std::size_t i = first + static_cast<std::size_t>(next - part.begin());
    while (i > first) {
        if (i % kBlock == 0 && block_ends[i / kBlock - 1] < time) {
            i = std::max(first, i - kBlock);
            continue;
        }
        const Slice& slice = slices[--i];
        if (slice.end() > time || (slice.duration == 0 && slice.begin == time))
            return static_cast<std::uint32_t>(i);
        if (slice.row == 0 && tracks[track].overlapping == 0)
            break;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> Trace::parent(std::uint32_t number) const {
    const Slice& slice = slices[number];
    const std::size_t first = tracks[slice.track].first;
    for (std::size_t i = number; i > first;) {
        // Blocks that have ended as a whole before the slice ends hold no parent.
        if (i % kBlock == 0 && block_ends[i / kBlock - 1] < slice.end()) {
            i = std::max(first, i - kBlock);
            continue;
        }
        --i;
        if (slices[i].row < slice.row && slices[i].end() >= slice.end() && slices[i].kind != SliceKind::instant)
            return static_cast<std::uint32_t>(i);
        if (slices[i].row == 0 && tracks[slice.track].overlapping == 0)
            break;
    }
    return std::nullopt;
}

std::optional<std::int64_t> nanoseconds(std::string_view number) {
    std::size_t i = 0;
    const bool negative = !number.empty() && number[0] == '-';
    i += negative ? 1 : 0;
    if (i == number.size() || number[i] < '0' || number[i] > '9')
        return std::nullopt;
    std::int64_t value = 0;
    int decimals = -1;  // behind the point so far
    bool half_or_more = false, more_than_half = false;
    for (; i < number.size(); ++i) {
        const char c = number[i];
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (c >= '0' && c <= '9') {
            if (decimals >= 3) {  // below a nanosecond: rounded to the nearest, halves to even
                if (decimals == 3)
                    half_or_more = c >= '5', more_than_half = c > '5';
                else if (c != '0')
                    more_than_half = half_or_more;
                ++decimals;
                continue;
            }
            if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
                __builtin_add_overflow(value, static_cast<std::int64_t>(c - '0'), &value))
                return std::nullopt;
            decimals += decimals >= 0 ? 1 : 0;
        } else if (c == 'e' || c == 'E') {
            long double real = 0;
            const std::string copy(number);
            char* end = nullptr;
            real = std::strtold(copy.c_str(), &end) * 1000.0L;
            constexpr long double kMost = static_cast<long double>(std::numeric_limits<std::int64_t>::max());
            if (end != copy.c_str() + copy.size() || !(std::fabs(real) < kMost))
                return std::nullopt;
            return static_cast<std::int64_t>(std::nearbyint(real));
        } else {
            return std::nullopt;
        }
    }
    for (int k = std::max(decimals, 0); k < 3; ++k)
        if (__builtin_mul_overflow(value, std::int64_t{10}, &value))
            return std::nullopt;
    if (more_than_half || (half_or_more && value % 2 == 1))
        if (__builtin_add_overflow(value, std::int64_t{1}, &value))
            return std::nullopt;
    return negative ? -value : value;
}

}  // namespace trainyard::traces
