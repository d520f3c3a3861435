// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/excerpt.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/utf8.h"
#include "observe/traces/event_parser.h"

namespace trainyard::traces {

namespace {

constexpr std::uint64_t kBetweenTold = 1024;  ///< slices

/// As it was written: a number, or a text.
std::string json_number_or_words(const std::string& text) {
    const auto number = parse_number<std::int64_t>(text);
    if (number && std::to_string(*number) == text)
        return text;
    // Escapes in the string are kept as they are in the file.
    const std::string as_written = '"' + text + '"';
    return is_json(as_written) ? as_written : quoted_json(text);
}

/// Microseconds with three decimals.
std::string micros(std::int64_t ns) {
    const auto size = ns < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

bool touches(const Slice& slice, const Span& range) {
    return slice.begin < range.end && slice.end() >= range.begin;
}

class ExcerptWriter {
  public:
    ExcerptWriter(const Trace& trace, const Span& range, const std::filesystem::path& file)
        : trace_(trace), range_(range), file_(file), part_(file.string() + ".part") {
        out_.open(part_, std::ios::binary | std::ios::trunc);
        check();
    }
    ~ExcerptWriter() {
        std::error_code ignored;
        if (!done_)
            std::filesystem::remove(part_, ignored);
    }
    ExcerptWriter(const ExcerptWriter&) = delete;
    ExcerptWriter& operator=(const ExcerptWriter&) = delete;

    /// False: `progress` has ended it.
    bool write(const std::function<bool(std::uint64_t slices)>& progress) {
        write_head();
        for (const Track& track : trace_.tracks)
            if (!write_track(track, progress))
                return false;
        write_arrows();
        write_counters();
        out_ << "\n]}\n";
        check();
        out_.close();
        check();
        std::error_code error;
        std::filesystem::rename(part_, file_, error);
        if (error)
            throw UserError("{}: the trace cannot be written: {}", file_.string(), error.message());
        done_ = true;
        return true;
    }
    Excerpt excerpt() const { return excerpt_; }

  private:
    void check() const {
        if (!out_)
            throw UserError(
                "{}: the trace cannot be written: the folder is not there, is not "
                "writable, or has no room",
                file_.string());
    }
    void add(const std::string& event) {
        out_ << (first_ ? "\n" : ",\n") << event;
        first_ = false;
    }
    static std::string of_track(const Track& track) {
        return fmt::format("\"pid\": {}, \"tid\": {}", json_number_or_words(track.process),
                           json_number_or_words(track.thread));
    }

    void write_head() {
        out_ << "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\"";
        if (trace_.base_time_ns)
            out_ << ", \"baseTimeNanoseconds\": " << *trace_.base_time_ns;
        if (is_json(trace_.distributed_json))
            out_ << ", \"distributedInfo\": " << trace_.distributed_json;
        nlohmann::json devices = nlohmann::json::array(), other = nlohmann::json::object();
        for (const std::string& name : trace_.device_names)
            devices.push_back({{"name", text::to_utf8(name)}});
        if (!devices.empty())
            out_ << ", \"deviceProperties\": " << json_text(devices);
        if (!trace_.holds.empty())
            other["holds"] = text::to_utf8(trace_.holds);
        if (trace_.distributed.rank >= 0)
            other["rank"] = trace_.distributed.rank;
        if (!other.empty())
            out_ << ", \"otherData\": " << json_text(other);
        out_ << ", \"traceEvents\": [";
    }

    void write_names(const Track& track) {
        const auto metadata = [&](const char* what, const char* key, const std::string& value) {
            add(fmt::format(R"({{"ph": "M", "name": "{}", {}, "args": {{"{}": {}}}}})", what, of_track(track), key,
                            value));
        };
        if (!track.process_name.empty())
            metadata("process_name", "name", quoted_json(track.process_name));
        if (!track.process_label.empty())
            metadata("process_labels", "labels", quoted_json(track.process_label));
        if (track.process_order != 0)
            metadata("process_sort_index", "sort_index", std::to_string(track.process_order));
        if (!track.thread_name.empty())
            metadata("thread_name", "name", quoted_json(track.thread_name));
        if (track.thread_order != 0)
            metadata("thread_sort_index", "sort_index", std::to_string(track.thread_order));
    }

    bool write_track(const Track& track, const std::function<bool(std::uint64_t)>& progress) {
        bool named = false;
        for (const Slice& slice : trace_.slices_of(track)) {
            if (++looked_ % kBetweenTold == 0 && !progress(looked_))
                return false;
            if (!touches(slice, range_))
                continue;
            if (!std::exchange(named, true))
                write_names(track);
            write_slice(track, slice);
        }
        return true;
    }

    void write_slice(const Track& track, const Slice& slice) {
        const std::string event = trace_.event_text(slice);
        if (event.empty() || member_of(event, "name") != trace_.name(slice))
            throw UserError(
                "{}: the file, which has the arguments of the slices, has been changed or removed since it was read: "
                "open it again",
                trace_.path);
        std::string text = fmt::format(
            "{{\"ph\": \"{}\", \"cat\": {}, \"name\": {}, {}, \"ts\": {}", slice.kind == SliceKind::instant ? 'i' : 'X',
            quoted_json(trace_.category(slice)), quoted_json(trace_.name(slice)), of_track(track), micros(slice.begin));
        text +=
            slice.kind == SliceKind::instant ? std::string(", \"s\": \"t\"") : ", \"dur\": " + micros(slice.duration);
        const std::string arguments = arguments_of(member_of(event, "args"));
        add(text + (arguments.empty() ? "}" : ", \"args\": " + arguments + "}"));
        ++excerpt_.slices;
    }

    /// Returns the arguments as in the file; values that are not valid JSON become strings.
    static std::string arguments_of(const std::string& raw) {
        if (raw.empty() || is_json(raw))
            return raw;
        std::string all = "{";
        for (const auto& [key, value] : members_of(raw))
            all +=
                (all.size() > 1 ? ", " : "") + quoted_json(key) + ": " + (is_json(value) ? value : quoted_json(value));
        return all + "}";
    }

    /// A time at which this slice is the innermost one of its track, so that the arrow finds it again.
    std::int64_t point_of(std::uint32_t number) const {
        const Slice& slice = trace_.slices[number];
        const auto fits = [&](std::int64_t time) { return trace_.innermost(slice.track, time) == number; };
        if (fits(slice.begin))
            return slice.begin;
        constexpr std::uint32_t kLooked = 64;  // children
        const Track& track = trace_.tracks[slice.track];
        for (std::uint32_t i = number + 1; i < std::min<std::size_t>(track.first + track.count, number + 1 + kLooked);
             ++i)
            if (trace_.slices[i].end() < slice.end() && fits(trace_.slices[i].end()))
                return trace_.slices[i].end();
        return slice.duration > 0 && fits(slice.end() - 1) ? slice.end() - 1 : slice.begin;
    }

    void write_arrows() {
        for (const Flow& flow : trace_.flows) {
            const Slice &from = trace_.slices[flow.from], &to = trace_.slices[flow.to];
            if (!touches(from, range_) || !touches(to, range_))
                continue;
            ++excerpt_.arrows;
            const std::string kind = quoted_json(trace_.categories[flow.category]);
            for (const bool begins : {true, false}) {
                const std::uint32_t number = begins ? flow.from : flow.to;
                add(fmt::format(R"({{"ph": "{}", "id": {}, {}, "ts": {}, "cat": {}, "name": {}{}}})",
                                begins ? 's' : 'f', excerpt_.arrows,
                                of_track(trace_.tracks[trace_.slices[number].track]), micros(point_of(number)), kind,
                                kind, begins ? "" : R"(, "bp": "e")"));
            }
        }
    }

    void write_counters() {
        for (const Counter& counter : trace_.counters)
            for (const Counter::Sample& sample : counter.samples)
                if (sample.time >= range_.begin && sample.time < range_.end) {
                    ++excerpt_.samples;
                    add(fmt::format(R"({{"ph": "C", "name": {}, "pid": {}, "ts": {}, "args": {{{}: {}}}}})",
                                    quoted_json(counter.name), json_number_or_words(counter.process),
                                    micros(sample.time), quoted_json(counter.key), sample.value));
                }
    }

    const Trace& trace_;
    Span range_;
    std::filesystem::path file_, part_;
    std::ofstream out_;
    Excerpt excerpt_{file_};
    std::uint64_t looked_ = 0;
    bool first_ = true, done_ = false;
};

std::filesystem::path file_of_rank(const std::filesystem::path& file, std::int64_t rank) {
    std::filesystem::path stem = file;
    stem.replace_extension();
    return fmt::format("{}-rank-{}.json", stem.string(), rank);
}

}  // namespace

std::vector<Excerpt> write_excerpt(const RankSet& set, const Span& range, std::optional<std::size_t> rank,
                                   const std::filesystem::path& file, const std::function<bool(double)>& progress) {
    std::vector<std::size_t> chosen;
    std::uint64_t all = 0, done = 0;
    const auto own_range = [&](const RankTrace& one) {
        const auto own = [&](std::int64_t time) {
            return time == kWhole.begin || time == kWhole.end ? time : time - one.offset;
        };
        return Span{own(range.begin), own(range.end)};
    };
    bool any = false;
    for (std::size_t i = 0; i < set.ranks.size(); ++i)
        if (!rank || *rank == i) {
            chosen.push_back(i);
            const std::vector<Slice>& slices = set.ranks[i].trace->slices;
            all += slices.size();
            const Span part = own_range(set.ranks[i]);
            any = any || std::any_of(slices.begin(), slices.end(),
                                     [&part](const Slice& slice) { return touches(slice, part); });
        }
    if (!any)
        throw UserError("there is no slice in this range: select a longer one");
    std::vector<Excerpt> written;
    for (const std::size_t i : chosen) {
        const RankTrace& one = set.ranks[i];
        ExcerptWriter writer(*one.trace, own_range(one), chosen.size() == 1 ? file : file_of_rank(file, one.rank));
        const bool whole = writer.write([&](std::uint64_t slices) {
            return !progress ||
                   progress(static_cast<double>(done + slices) / static_cast<double>(std::max<std::uint64_t>(1, all)));
        });
        if (!whole)
            return written;
        done += one.trace->slices.size();
        written.push_back(writer.excerpt());
    }
    return written;
}

}  // namespace trainyard::traces
