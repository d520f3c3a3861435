// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A profiler trace in memory: slices (events with a begin and a duration) by track, counters, memory, arrows between
// slices. Times are whole nanoseconds, because a double cannot hold the microseconds of an epoch with three decimals.
// Arguments of events are not kept: a slice stores the offset of its event in the text (Trace::arguments).
//
// Format: Trace Event Format (Chrome), as Kineto writes it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/message.h"

namespace trainyard::traces {

class TraceText;

enum class SliceKind : std::uint8_t {
    complete,  ///< one event with a duration
    paired,    ///< a begin and an end
    open,      ///< a begin without an end: lasts until the end of the trace
    instant,
};

/// 48 bytes: what is kept of an event.
struct Slice {
    std::int64_t begin = 0, duration = 0;  ///< ns
    std::uint64_t offset = 0;              ///< of the event in the text, after decompression
    std::uint64_t correlation = 0;         ///< connects a runtime call with the work on the device; 0: none
    std::uint32_t name = 0;                ///< index of Trace::names
    std::uint32_t track = 0;
    std::uint16_t category = 0;
    std::uint16_t row = 0;  ///< nesting row within the track
    SliceKind kind = SliceKind::complete;

    std::int64_t end() const { return begin + duration; }
};
static_assert(sizeof(Slice) == 48);

/// A thread of a process, or a stream of a device.
struct Track {
    std::string process, thread;  ///< pid and tid as written
    std::string process_name, process_label, thread_name;
    std::int64_t process_order = 0, thread_order = 0;
    std::optional<std::int64_t> device, stream;  ///< of work on a device
    std::size_t first = 0, count = 0;            ///< range of Trace::slices
    std::uint16_t rows = 0;
    std::size_t overlapping = 0;  ///< slices on an extra row because they cross another one

    std::string title() const;
};

struct Counter {
    std::string process, name, key;
    struct Sample {
        std::int64_t time = 0;
        double value = 0;
    };
    std::vector<Sample> samples;  ///< by time
};

/// Allocations of a device, as `[memory]` events tell them.
struct MemoryCounter {
    std::int64_t device_type = 0, device = 0;
    struct Sample {
        std::int64_t time = 0, allocated = 0, change = 0;  ///< bytes
    };
    std::vector<Sample> samples;  ///< by time
};

/// An arrow, e.g. from a runtime call to its kernel.
struct Flow {
    std::uint32_t from = 0, to = 0;  ///< slices
    std::uint16_t category = 0;
};

struct FlowCount {
    std::size_t starts = 0, ends = 0, matched = 0;
};

struct Step {
    std::int64_t number = 0, begin = 0, end = 0;
};

/// Kinds of entries in a trace. Every entry is counted under one of them, so that skipped entries are reported.
enum class Entry : std::uint8_t {
    complete,
    begin,
    end,
    instant,
    counter,
    flow,
    asynchronous,
    metadata,
    // Not placed:
    unknown_phase,
    no_phase,
    not_an_object,
    no_time,
    time_out_of_range,
    unreadable,
    end_without_begin,
    half_flow,
    // Placed, with a remark:
    repaired,
    quoted_number,
    negative_duration,
    no_duration,
    begin_without_end,
    count_,
};
inline constexpr std::size_t kEntryKinds = static_cast<std::size_t>(Entry::count_);

/// How reading went.
struct Reading {
    std::uint64_t file_bytes = 0, text_bytes = 0;
    double seconds = 0;
    std::uint64_t entries = 0;  ///< of the list of events
    std::array<std::uint64_t, kEntryKinds> counts{};
    std::vector<Message> problems;  ///< sentences; the first tells where the file ends early
    bool ended_early = false;
    bool complete = false;  ///< false in a picture made while reading

    std::uint64_t count(Entry entry) const { return counts[static_cast<std::size_t>(entry)]; }
    std::uint64_t unplaced() const;
    /// "3 events without a time, 1 unreadable event"; empty where all could be placed.
    Message unplaced_words() const;
    /// The same of what was placed with a remark.
    Message remark_words() const;
};

/// Strings under numbers, in the order of their first appearance.
class Names {
  public:
    Names() = default;
    Names(const Names& other);
    Names(Names&&) = default;
    Names& operator=(Names&&) = default;
    ~Names() = default;

    std::uint32_t number(std::string_view text);
    std::optional<std::uint32_t> find(std::string_view text) const;
    std::string_view operator[](std::size_t number) const { return texts_[number]; }
    std::size_t size() const { return texts_.size(); }
    std::size_t bytes() const { return bytes_; }

  private:
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t left_ = 0, bytes_ = 0;
    char* next_ = nullptr;
    std::vector<std::string_view> texts_;
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

struct Distributed {
    std::string backend;
    std::int64_t rank = -1, world_size = 0;
};

struct Trace {
    std::string path;           ///< as given, for messages
    std::vector<Slice> slices;  ///< by track, then begin, then the longer first, then as in the file
    static constexpr std::size_t kBlock = 256;
    std::vector<std::int64_t> block_ends;  ///< the largest end of every kBlock slices: what innermost() may skip
    std::vector<Track> tracks;             ///< by process order, then thread order
    std::vector<Counter> counters;
    std::vector<MemoryCounter> memory;
    std::vector<Flow> flows;                       ///< by `from`
    std::vector<Flow> arrivals;                    ///< the same by `to`
    std::map<std::string, FlowCount> flow_counts;  ///< by category
    std::vector<Step> steps;                       ///< by begin
    Names names, categories;
    Distributed distributed;
    std::string distributed_json;              ///< as in the file; empty: none
    std::optional<std::int64_t> base_time_ns;  ///< wall time of 0, ns since 1970
    std::vector<std::string> device_names;
    std::string holds;  ///< what a trace of the engine says about its content
    Reading reading;
    std::int64_t begin = 0, end = 0;  ///< ns, of all slices
    std::shared_ptr<const TraceText> text;

    std::string_view name(const Slice& slice) const { return names[slice.name]; }
    std::string_view category(const Slice& slice) const { return categories[slice.category]; }
    std::span<const Slice> slices_of(const Track& track) const { return {slices.data() + track.first, track.count}; }
    /// Rank in a distributed training; nothing where the file does not tell.
    std::optional<std::int64_t> rank() const;
    /// Returns the JSON text of the event; empty if the file can no longer be read.
    std::string event_text(const Slice& slice) const;
    /// Arguments in the order of the file, values as JSON text (strings without quotes). Empty where the file has changed or gone.
    std::vector<std::pair<std::string, std::string>> arguments(const Slice& slice) const;
    std::size_t overlapping() const;
    /// Bytes of memory that are kept, without the text.
    std::size_t retained_bytes() const;
    /// Returns the innermost slice of a track at a time; empty if no slice covers it.
    std::optional<std::uint32_t> innermost(std::size_t track, std::int64_t time) const;
    /// Innermost slice of the same track that contains this one whole.
    std::optional<std::uint32_t> parent(std::uint32_t slice) const;
};

/// Times and durations beyond this many ns (79 years) are out of range: sums and differences of two of them fit into 64 bits.
inline constexpr std::int64_t kLargestTime = 2'500'000'000'000'000'000;

/// Converts a number of microseconds as written ("12.345", "1e3") to whole nanoseconds; empty if it is not a number or
/// beyond 64 bits.
std::optional<std::int64_t> nanoseconds(std::string_view microseconds);

}  // namespace trainyard::traces
