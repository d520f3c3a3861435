// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/assembly.h"

#include <algorithm>
#include <future>
#include <limits>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"

namespace trainyard::traces {

namespace {

constexpr std::uint16_t kMostCategories = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMostRows = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kSortedAlone = 200'000;  ///< slices; more are sorted by two threads
constexpr std::string_view kStepName = "ProfilerStep#";

bool before(const Slice& a, const Slice& b) {
    if (a.track != b.track)
        return a.track < b.track;
    if (a.begin != b.begin)
        return a.begin < b.begin;
    if (a.duration != b.duration)
        return a.duration > b.duration;
    return a.offset < b.offset;
}

bool in_range(std::int64_t time) {
    return time >= -kLargestTime && time <= kLargestTime;
}

/// Numbers by value, before texts by alphabet.
bool thread_before(const std::string& a, const std::string& b) {
    const auto x = parse_number<std::int64_t>(a), y = parse_number<std::int64_t>(b);
    if (x && y)
        return *x < *y;
    return x.has_value() != y.has_value() ? x.has_value() : a < b;
}

}  // namespace

std::uint32_t Assembly::track_of(std::string_view process, std::string_view thread, const Event* device) {
    if (any_track_ && process == last_process_ && thread == last_thread_) {
        const Track& same = trace_.tracks[last_track_];
        if (device == nullptr || (same.device == device->device && same.stream == device->stream))
            return last_track_;
    }
    const auto look_up = [&] {
        const auto [place, added] = track_numbers_.try_emplace(key_, static_cast<std::uint32_t>(trace_.tracks.size()));
        if (added) {
            Track track;
            track.process = process;
            track.thread = thread;
            trace_.tracks.push_back(std::move(track));
        }
        return place->second;
    };
    key_.assign(process);
    key_ += '\0';
    key_ += thread;
    std::uint32_t number = look_up();
    if (device != nullptr) {
        Track& found = trace_.tracks[number];
        if (!found.device && !found.stream) {
            found.device = device->device;
            found.stream = device->stream;
        } else if (found.device != device->device || found.stream != device->stream) {
            key_ += '\0';
            key_ += fmt::format("{}/{}", device->device.value_or(-1), device->stream.value_or(-1));
            number = look_up();
            trace_.tracks[number].device = device->device;
            trace_.tracks[number].stream = device->stream;
        }
    }
    last_process_ = process;
    last_thread_ = thread;
    last_track_ = number;
    any_track_ = true;
    return number;
}

std::uint32_t Assembly::track(const Event& event) {
    const bool on_device = event.device && event.stream;
    return track_of(event.process, event.thread, on_device ? &event : nullptr);
}

std::uint16_t Assembly::category(std::string_view text) {
    if (any_category_ && text == last_category_)
        return last_category_number_;
    // More categories than fit are the last one: no profiler has a hundred.
    const std::uint32_t number = trace_.categories.size() < kMostCategories
                                     ? trace_.categories.number(text)
                                     : trace_.categories.find(text).value_or(kMostCategories - 1);
    last_category_ = text;
    last_category_number_ = static_cast<std::uint16_t>(number);
    any_category_ = true;
    return last_category_number_;
}

std::uint64_t Assembly::flow_id(std::string_view text) {
    constexpr std::uint64_t kText = std::uint64_t{1} << 63;
    const auto value = parse_number<std::uint64_t>(text, 0, kText - 1);
    const bool number = value && (text.front() != '0' || text.size() == 1);  // 07 and 7 are different texts
    return number ? *value : kText | ids_.number(text);
}

void Assembly::add(EventParser::Outcome outcome, const Event& event, std::uint64_t offset) {
    ++trace_.reading.entries;
    if (outcome != EventParser::Outcome::event)
        return count(outcome == EventParser::Outcome::unreadable ? Entry::unreadable : Entry::not_an_object);
    if (event.repaired)
        count(Entry::repaired);
    if (event.phase == '\0')
        return count(Entry::no_phase);
    if (event.phase == 'M')
        return add_metadata(event);
    if (std::string_view("XBEiIRCstfbenSTFP").find(event.phase) == std::string_view::npos)
        return count(Entry::unknown_phase);
    const std::optional<std::int64_t> time = nanoseconds(event.time);
    if (!time || !in_range(*time)) {
        const bool number =
            !event.time.empty() && (event.time.find_first_not_of("0123456789+-.eE") == std::string_view::npos);
        return count(number ? Entry::time_out_of_range : Entry::no_time);
    }
    if (event.quoted_number)
        count(Entry::quoted_number);
    switch (event.phase) {
        case 'X':
            return add_slice(event, *time, offset, SliceKind::complete);
        case 'B':
        case 'E':
            count(event.phase == 'B' ? Entry::begin : Entry::end);
            marks_.push_back({*time, offset, track(event), trace_.names.number(event.name), category(event.category),
                              event.phase == 'B', 0});
            return;
        case 'C':
            return add_counter(event, *time);
        case 's':
        case 't':
        case 'f':
            count(Entry::flow);
            flow_ends_.push_back({*time, flow_id(event.id), track_of(event.process, event.thread, nullptr),
                                  category(event.category), event.phase == 's'});
            return;
        case 'b':
        case 'e':
        case 'S':
        case 'F': {
            count(Entry::asynchronous);
            const std::uint16_t kind = category(event.category);
            const std::string thread = fmt::format("asynchronous {}", event.category);
            asynchronous_.push_back({*time, offset, track_of(event.process, thread, nullptr),
                                     trace_.names.number(event.name), kind, event.phase == 'b' || event.phase == 'S',
                                     ids_.number(event.id)});
            return;
        }
        default:
            return add_slice(event, *time, offset, SliceKind::instant);
    }
}

void Assembly::add_slice(const Event& event, std::int64_t time, std::uint64_t offset, SliceKind kind) {
    Slice slice;
    slice.begin = time;
    slice.kind = kind;
    if (kind == SliceKind::complete) {
        const std::optional<std::int64_t> duration = nanoseconds(event.duration);
        if (event.duration.empty()) {
            count(Entry::no_duration);
        } else if (!duration || !in_range(*duration) || !in_range(time + *duration)) {
            return count(Entry::time_out_of_range);
        } else if (*duration < 0) {
            count(Entry::negative_duration);
        } else {
            slice.duration = *duration;
        }
        count(Entry::complete);
    } else {
        count(Entry::instant);
    }
    slice.offset = offset;
    slice.correlation = event.correlation;
    slice.track = track(event);
    slice.name = trace_.names.number(event.name);
    slice.category = category(event.category);
    trace_.slices.push_back(slice);
    if (event.allocated && event.name == "[memory]") {
        const std::int64_t type = event.device_type.value_or(0), device = event.device_id.value_or(-1);
        auto found = std::find_if(trace_.memory.begin(), trace_.memory.end(), [&](const MemoryCounter& counter) {
            return counter.device_type == type && counter.device == device;
        });
        if (found == trace_.memory.end())
            found = trace_.memory.insert(found, {type, device, {}});
        found->samples.push_back({time, *event.allocated, event.bytes.value_or(0)});
    }
}

void Assembly::add_counter(const Event& event, std::int64_t time) {
    count(Entry::counter);
    for (const auto& [key, text] : event.arguments) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const auto value = parse_number<double>(text, -kInfinity, kInfinity);
        if (!value) {
            count(Entry::unreadable);
            continue;
        }
        const std::string place = fmt::format("{}\n{}\n{}", event.process, event.name, key);
        const auto [found, added] = counter_numbers_.try_emplace(place, trace_.counters.size());
        if (added)
            trace_.counters.push_back({std::string(event.process), std::string(event.name), std::string(key), {}});
        trace_.counters[found->second].samples.push_back({time, *value});
    }
}

void Assembly::add_metadata(const Event& event) {
    count(Entry::metadata);
    using What = TrackName::What;
    struct Row {
        std::string_view name, key;
        What what;
    };
    constexpr Row kRows[] = {{"process_name", "name", What::process_name},
                             {"process_labels", "labels", What::process_label},
                             {"process_sort_index", "sort_index", What::process_order},
                             {"thread_name", "name", What::thread_name},
                             {"thread_sort_index", "sort_index", What::thread_order}};
    for (const Row& row : kRows)
        if (event.name == row.name)
            for (const auto& [key, value] : event.arguments)
                if (key == row.key)
                    track_names_.push_back(
                        {std::string(event.process), std::string(event.thread), row.what, std::string(value)});
}

void Assembly::add_top_level(std::string_view key, std::string_view value) {
    const auto number = [](std::string_view text) { return parse_number<std::int64_t>(text); };
    if (key == "baseTimeNanoseconds") {
        trace_.base_time_ns = parse_number<std::int64_t>(value);
    } else if (key == "distributedInfo") {
        trace_.distributed_json = value;
        trace_.distributed.backend = member_of(value, "backend");
        trace_.distributed.rank = number(member_of(value, "rank")).value_or(-1);
        trace_.distributed.world_size = number(member_of(value, "world_size")).value_or(0);
    } else if (key == "otherData") {
        trace_.holds = member_of(value, "holds");
        if (trace_.distributed.rank < 0)
            trace_.distributed.rank = number(member_of(value, "rank")).value_or(-1);
    } else if (key == "deviceProperties") {
        // A list of objects: their names.
        for (std::size_t at = value.find("\"name\""); at != std::string_view::npos;
             at = value.find("\"name\"", at + 1)) {
            const std::size_t open = value.find('"', value.find(':', at));
            const std::size_t close = open == std::string_view::npos ? open : value.find('"', open + 1);
            if (close != std::string_view::npos)
                trace_.device_names.emplace_back(value.substr(open + 1, close - open - 1));
        }
    }
}

void Assembly::pair_marks(std::vector<Mark>& marks, bool asynchronous) {
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> open;  // by track, or by category and id
    const auto key_of = [&](const Mark& mark) {
        return asynchronous ? (mark.id << 16 | mark.category) : std::uint64_t{mark.track};
    };
    const auto place = [&](const Mark& mark, std::int64_t end, SliceKind kind) {
        Slice slice;
        slice.begin = mark.time;
        slice.duration = end - mark.time;
        slice.offset = mark.offset;
        slice.name = mark.name;
        slice.track = mark.track;
        slice.category = mark.category;
        slice.kind = kind;
        trace_.slices.push_back(slice);
    };
    for (std::size_t i = 0; i < marks.size(); ++i) {
        std::vector<std::size_t>& stack = open[key_of(marks[i])];
        if (marks[i].begins) {
            stack.push_back(i);
        } else if (stack.empty()) {
            count(Entry::end_without_begin);
        } else {
            place(marks[stack.back()], marks[i].time, SliceKind::paired);
            stack.pop_back();
        }
    }
    std::int64_t end = marks.empty() ? 0 : marks.back().time;
    for (const Slice& slice : trace_.slices)
        end = std::max(end, slice.end());
    for (const auto& [key, stack] : open)
        for (const std::size_t i : stack) {
            place(marks[i], end, SliceKind::open);
            count(Entry::begin_without_end);
        }
    marks.clear();
}

void Assembly::name_tracks() {
    using What = TrackName::What;
    for (const TrackName& one : track_names_)
        for (Track& track : trace_.tracks) {
            if (track.process != one.process)
                continue;
            const bool thread = track.thread == one.thread;
            switch (one.what) {
                case What::process_name:
                    track.process_name = one.value;
                    break;
                case What::process_label:
                    track.process_label = one.value;
                    break;
                case What::process_order:
                    track.process_order = parse_number<std::int64_t>(one.value).value_or(0);
                    break;
                case What::thread_name:
                    if (thread)
                        track.thread_name = one.value;
                    break;
                case What::thread_order:
                    if (thread)
                        track.thread_order = parse_number<std::int64_t>(one.value).value_or(0);
                    break;
            }
        }
}

void Assembly::sort_slices() {
    std::vector<Track>& tracks = trace_.tracks;
    std::vector<Slice>& slices = trace_.slices;
    std::vector<std::uint32_t> order(tracks.size()), place(tracks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Track &x = tracks[a], &y = tracks[b];
        if (x.process_order != y.process_order)
            return x.process_order < y.process_order;
        if (x.process != y.process)
            return thread_before(x.process, y.process);
        if (x.thread_order != y.thread_order)
            return x.thread_order < y.thread_order;
        return thread_before(x.thread, y.thread);
    });
    std::vector<Track> sorted;
    sorted.reserve(tracks.size());
    for (const std::uint32_t old : order) {
        place[old] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(tracks[old]));
    }
    tracks = std::move(sorted);
    for (Slice& slice : slices)
        slice.track = place[slice.track];
    for (FlowEnd& end : flow_ends_)
        end.track = place[end.track];
    if (!std::is_sorted(slices.begin(), slices.end(), before)) {
        if (slices.size() > kSortedAlone) {
            const auto middle = slices.begin() + static_cast<std::ptrdiff_t>(slices.size() / 2);
            std::nth_element(slices.begin(), middle, slices.end(), before);
            auto first = std::async(std::launch::async, [&] { std::sort(slices.begin(), middle, before); });
            std::sort(middle, slices.end(), before);
            first.get();
        } else {
            std::sort(slices.begin(), slices.end(), before);
        }
    }
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
        tracks[i].first = at;
        while (at < slices.size() && slices[at].track == i)
            ++at;
        tracks[i].count = at - tracks[i].first;
    }
}

void Assembly::place_in_rows() {
    std::vector<std::int64_t> ends;  // of each row, so far
    bool any = false;
    for (Track& track : trace_.tracks) {
        ends.clear();
        for (std::size_t i = track.first; i < track.first + track.count; ++i) {
            Slice& slice = trace_.slices[i];
            while (!ends.empty() && ends.back() <= slice.begin)
                ends.pop_back();
            constexpr std::size_t kLooked = 16;  // rows that are compared: nesting rarely is deeper
            for (std::size_t k = 0; k < std::min(kLooked, ends.size()); ++k) {
                const std::int64_t end = ends[ends.size() - 1 - k];
                if (end > slice.begin && end < slice.end()) {
                    ++track.overlapping;
                    break;
                }
            }
            slice.row = static_cast<std::uint16_t>(std::min(ends.size(), kMostRows - 1));
            ends.push_back(slice.end());
            track.rows = std::max<std::uint16_t>(track.rows, static_cast<std::uint16_t>(slice.row + 1));
            trace_.begin = any ? std::min(trace_.begin, slice.begin) : slice.begin;
            trace_.end = any ? std::max(trace_.end, slice.end()) : slice.end();
            any = true;
        }
    }
    trace_.block_ends.assign((trace_.slices.size() + Trace::kBlock - 1) / Trace::kBlock,
                             std::numeric_limits<std::int64_t>::min());
    for (std::size_t i = 0; i < trace_.slices.size(); ++i) {
        std::int64_t& end = trace_.block_ends[i / Trace::kBlock];
        end = std::max(end, trace_.slices[i].end());
    }
}

void Assembly::join_flows() {
    // Numbers of them are sorted: that needs the least memory.
    std::vector<std::uint32_t> order(flow_ends_.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto same = [&](std::size_t a, std::size_t b) {
        const FlowEnd &x = flow_ends_[order[a]], &y = flow_ends_[order[b]];
        return x.category == y.category && x.id == y.id;
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const FlowEnd &x = flow_ends_[a], &y = flow_ends_[b];
        return std::tie(x.category, x.id, a) < std::tie(y.category, y.id, b);
    });
    trace_.flows.reserve(flow_ends_.size() / 2);
    for (std::size_t i = 0; i < order.size();) {
        const std::uint16_t category = flow_ends_[order[i]].category;
        std::size_t next = i;
        std::optional<FlowEnd> start;
        std::size_t ends = 0;
        for (; next < order.size() && same(i, next); ++next) {
            if (flow_ends_[order[next]].starts)
                start = flow_ends_[order[next]];  // of equal ones the last counts
            else
                ++ends;
        }
        FlowCount& counts = trace_.flow_counts[std::string(trace_.categories[category])];
        counts.starts += start ? 1 : 0;
        counts.ends += ends;
        counts.matched += start ? ends : 0;
        std::size_t joined = 0;
        const auto from = start ? trace_.innermost(start->track, start->time) : std::nullopt;
        for (std::size_t k = i; from && k < next; ++k) {
            const FlowEnd& end = flow_ends_[order[k]];
            if (end.starts)
                continue;
            if (const auto to = trace_.innermost(end.track, end.time)) {
                trace_.flows.push_back({*from, *to, category});
                ++joined;
            }
        }
        const std::size_t lost = (start && joined == 0 ? 1 : 0) + (ends - joined);
        trace_.reading.counts[static_cast<std::size_t>(Entry::half_flow)] += lost;
        i = next;
    }
    order = {};
    flow_ends_ = {};
    trace_.flows.shrink_to_fit();
    trace_.arrivals = trace_.flows;
    std::sort(trace_.flows.begin(), trace_.flows.end(),
              [](const Flow& a, const Flow& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
    std::sort(trace_.arrivals.begin(), trace_.arrivals.end(),
              [](const Flow& a, const Flow& b) { return std::tie(a.to, a.from) < std::tie(b.to, b.from); });
}

void Assembly::find_steps() {
    const auto annotation = trace_.categories.find("user_annotation");
    if (!annotation)
        return;
    std::unordered_map<std::uint32_t, std::int64_t> numbers;  // by name
    for (std::uint32_t i = 0; i < trace_.names.size(); ++i) {
        const std::string_view name = trace_.names[i];
        if (name.starts_with(kStepName))
            if (const auto number = parse_number<std::int64_t>(name.substr(kStepName.size())))
                numbers.emplace(i, *number);
    }
    if (numbers.empty())
        return;
    for (const Slice& slice : trace_.slices)
        if (slice.category == *annotation && slice.kind != SliceKind::instant)
            if (const auto found = numbers.find(slice.name); found != numbers.end())
                trace_.steps.push_back({found->second, slice.begin, slice.end()});
    std::stable_sort(trace_.steps.begin(), trace_.steps.end(),
                     [](const Step& a, const Step& b) { return a.begin < b.begin; });
}

Trace Assembly::finish() {
    pair_marks(marks_, false);
    pair_marks(asynchronous_, true);
    name_tracks();
    sort_slices();
    place_in_rows();
    join_flows();
    find_steps();
    for (Counter& counter : trace_.counters)
        std::stable_sort(counter.samples.begin(), counter.samples.end(),
                         [](const auto& a, const auto& b) { return a.time < b.time; });
    for (MemoryCounter& counter : trace_.memory)
        std::stable_sort(counter.samples.begin(), counter.samples.end(),
                         [](const auto& a, const auto& b) { return a.time < b.time; });
    // Tracks without a slice (ends of arrows only) go; they lie anywhere, so slices keep their numbers by a second pass.
    std::vector<std::uint32_t> place(trace_.tracks.size());
    std::vector<Track> kept;
    for (std::size_t i = 0; i < trace_.tracks.size(); ++i) {
        place[i] = static_cast<std::uint32_t>(kept.size());
        if (trace_.tracks[i].count > 0)
            kept.push_back(std::move(trace_.tracks[i]));
    }
    if (kept.size() != trace_.tracks.size())
        for (Slice& slice : trace_.slices)
            slice.track = place[slice.track];
    trace_.tracks = std::move(kept);
    return std::move(trace_);
}

Trace Assembly::preview() const {
    return Assembly(*this).finish();
}

}  // namespace trainyard::traces
