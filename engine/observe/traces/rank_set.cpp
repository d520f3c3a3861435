// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/rank_set.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "observe/traces/event_parser.h"
#include "observe/traces/roles.h"

namespace trainyard::traces {

namespace {

constexpr std::int64_t kLargestOffset = 1'000'000'000'000'000'000;  ///< ns, 31 years: clocks further apart tell no time
constexpr std::int64_t kClocksAgree = 5'000'000;                    ///< ns

std::uint64_t unsigned_number(std::string_view text) {
    return take_number<std::uint64_t>(text).value_or(0);
}

/// Kineto writes names of dtypes as c10 spells them.
std::uint64_t bytes_of(const std::string& dtype) {
    struct Row {
        const char* name;
        std::uint64_t bytes;
    };
    constexpr std::array kRows{
        Row{"Float", 4},        Row{"Half", 2},           Row{"BFloat16", 2},      Row{"Double", 8},     Row{"Long", 8},
        Row{"Int", 4},          Row{"Short", 2},          Row{"Byte", 1},          Row{"Char", 1},       Row{"Bool", 1},
        Row{"ComplexFloat", 8}, Row{"ComplexDouble", 16}, Row{"Float8_e4m3fn", 1}, Row{"Float8_e5m2", 1}};
    for (const Row& row : kRows)
        if (dtype == row.name)
            return row.bytes;
    return 0;
}

/// The number behind "rank" in a file's name.
std::optional<std::int64_t> rank_in_name(const std::string& name) {
    for (std::size_t at = name.rfind("rank"); at != std::string::npos;
         at = at == 0 ? std::string::npos : name.rfind("rank", at - 1)) {
        std::size_t digit = at + 4;
        while (digit < name.size() && (name[digit] == '-' || name[digit] == '_'))
            ++digit;
        std::string_view rest = std::string_view(name).substr(digit);
        if (const auto value = take_number<std::int64_t>(rest))
            return value;
    }
    constexpr std::string_view kAccelerate = "profile_";  // profile_<rank>.json
    if (name.starts_with(kAccelerate)) {
        std::string_view rest = std::string_view(name).substr(kAccelerate.size());
        return take_number<std::int64_t>(rest);
    }
    return std::nullopt;
}

/// The name of a file without its rank: equal for the ranks of one profile.
std::string profile_name(const std::string& name) {
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
        result += name[i];
        if ((result.ends_with("rank") || result.ends_with("rank-") || result.ends_with("rank_") ||
             result == "profile_")) {
            while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9')
                ++i;
        }
    }
    return result;
}

std::int64_t median_of(std::vector<std::int64_t> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::vector<CollectiveCall> collective_calls(const Trace& trace) {
    std::vector<CollectiveCall> calls;
    const std::vector<Role> roles = roles_of(trace);
    bool on_a_device = false, of_engine = false;
    for (const Slice& slice : trace.slices) {
        const Role role = roles[slice.category];
        of_engine |= role == Role::collective;
        on_a_device |= role == Role::kernel && is_communication(trace.name(slice), role);
    }
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
        const Slice& slice = trace.slices[i];
        const Role role = roles[slice.category];
        // The same collective shows itself as an operator, an annotation and a kernel: the nearest to the wire counts.
        const bool fits = of_engine     ? role == Role::collective
                          : on_a_device ? role == Role::kernel && is_communication(trace.name(slice), role)
                                        : role == Role::annotation && is_communication(trace.name(slice), role);
        if (!fits)
            continue;
        CollectiveCall call;
        call.slice = static_cast<std::uint32_t>(i);
        call.begin = slice.begin;
        call.end = slice.end();
        call.waited = slice.duration;
        call.operation = trace.name(slice);
        std::uint64_t elements = 0, size = 0;
        for (const auto& [key, value] : trace.arguments(slice)) {
            if (key == "Collective name")
                call.operation = value;
            else if (key == "Process Group Name" || key == "group")
                call.group = value;
            else if (key == "In msg nelems")
                elements = unsigned_number(value);
            else if (key == "dtype")
                size = bytes_of(value);
            else if (key == "bytes")
                call.bytes = unsigned_number(value);
            else if (key == "number" || key == "Seq")
                call.number = unsigned_number(value);
            else if (key == "waited_us")
                call.waited = std::clamp<std::int64_t>(nanoseconds(value).value_or(slice.duration), 0, slice.duration);
        }
        if (call.bytes == 0)
            call.bytes = elements * size;
        call.key = call.operation + "|" + call.group;
        calls.push_back(std::move(call));
    }
    std::stable_sort(calls.begin(), calls.end(),
                     [](const CollectiveCall& a, const CollectiveCall& b) { return a.begin < b.begin; });
    std::map<std::string, std::uint64_t> counted;
    for (CollectiveCall& call : calls)
        if (call.number == 0)
            call.number = ++counted[call.key];
    return calls;
}

std::vector<CollectiveRow> collective_table(const std::vector<CollectiveCall>& calls) {
    std::map<std::string, CollectiveRow> rows;
    for (const CollectiveCall& call : calls) {
        CollectiveRow& row = rows[call.key];
        row.operation = call.operation;
        row.group = call.group;
        row.count += 1;
        row.bytes += call.bytes;
        row.total += call.end - call.begin;
    }
    std::vector<CollectiveRow> result;
    for (auto& [key, row] : rows)
        result.push_back(std::move(row));
    std::stable_sort(result.begin(), result.end(),
                     [](const CollectiveRow& a, const CollectiveRow& b) { return a.total > b.total; });
    return result;
}

RankSet join_ranks(std::vector<std::shared_ptr<const Trace>> traces) {
    RankSet set;
    bool walls = true;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        RankTrace one;
        one.trace = std::move(traces[i]);
        const std::string name = std::filesystem::path(one.trace->path).filename().string();
        one.rank = one.trace->rank().value_or(rank_in_name(name).value_or(static_cast<std::int64_t>(i)));
        one.collectives = collective_calls(*one.trace);
        walls &= one.trace->base_time_ns.has_value();
        set.ranks.push_back(std::move(one));
    }
    std::stable_sort(set.ranks.begin(), set.ranks.end(),
                     [](const RankTrace& a, const RankTrace& b) { return a.rank < b.rank; });
    if (set.ranks.empty())
        return set;
    if (walls) {
        set.base_time_ns = *set.ranks[0].trace->base_time_ns;
        for (RankTrace& one : set.ranks)
            if (__builtin_sub_overflow(*one.trace->base_time_ns, set.base_time_ns, &one.offset) ||
                one.offset > kLargestOffset || one.offset < -kLargestOffset)
                one.offset = 0;
    } else if (set.ranks[0].trace->base_time_ns) {
        set.base_time_ns = *set.ranks[0].trace->base_time_ns;
    }
    const RankTrace& first = set.ranks[0];
    std::map<std::pair<std::string, std::uint64_t>, std::int64_t> ends;
    for (const CollectiveCall& call : first.collectives)
        ends.emplace(std::pair(call.key, call.number), call.end + first.offset);
    std::size_t corrected = 0, matched = 0;
    std::int64_t most = 0;
    for (std::size_t i = 1; i < set.ranks.size(); ++i) {
        RankTrace& one = set.ranks[i];
        std::vector<std::int64_t> differences;
        for (const CollectiveCall& call : one.collectives)
            if (const auto found = ends.find({call.key, call.number}); found != ends.end())
                differences.push_back(call.end + one.offset - found->second);
        if (differences.empty())
            continue;
        ++matched;
        const std::int64_t median = median_of(std::move(differences));
        if (std::abs(median) > kClocksAgree && std::abs(median) <= kLargestOffset) {
            one.offset -= median;
            one.correction = -median;
            most = std::max(most, std::abs(median));
            ++corrected;
        }
    }
    if (set.ranks.size() > 1)
        set.alignment =
            corrected > 0 ? Message("aligned by collectives: {} of {} clocks corrected, by at most {}", corrected,
                                    set.ranks.size(), text::duration(static_cast<double>(most) * 1e-9))
            : matched > 0 && walls ? Message("clocks agree within 5 ms, by the ends of collectives")
            : walls                ? Message("aligned by the clocks of the machines")
                    : Message("clocks not comparable: the traces name no wall time and share no collective");
    return set;
}

Span RankSet::step(std::int64_t number) const {
    Span span{};
    bool any = false;
    for (const RankTrace& one : ranks)
        for (const Step& step : one.trace->steps)
            if (step.number == number) {
                const Span own{step.begin + one.offset, step.end + one.offset};
                span = any ? Span{std::min(span.begin, own.begin), std::max(span.end, own.end)} : own;
                any = true;
            }
    return span;
}

std::vector<std::int64_t> RankSet::step_numbers() const {
    std::set<std::int64_t> numbers;
    for (const RankTrace& one : ranks)
        for (const Step& step : one.trace->steps)
            numbers.insert(step.number);
    return {numbers.begin(), numbers.end()};
}

Span RankSet::whole() const {
    Span span{};
    bool any = false;
    for (const RankTrace& one : ranks) {
        if (one.trace->slices.empty())
            continue;
        const Span own{one.trace->begin + one.offset, one.trace->end + one.offset};
        span = any ? Span{std::min(span.begin, own.begin), std::max(span.end, own.end)} : own;
        any = true;
    }
    return span;
}

std::vector<Wait> RankSet::waits(const Span& range) const {
    struct Come {
        std::size_t rank;
        std::int64_t begin, end, stood_from;
    };
    std::map<std::pair<std::string, std::uint64_t>, std::vector<Come>> calls;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (const CollectiveCall& call : ranks[i].collectives) {
            const std::int64_t begin = call.begin + ranks[i].offset, end = call.end + ranks[i].offset;
            if (begin < range.end && end > range.begin)
                calls[{call.key, call.number}].push_back({i, begin, end, end - call.waited});
        }
    std::vector<Wait> waits(ranks.size());
    for (const auto& [key, come] : calls) {
        if (come.size() < 2)
            continue;
        const Come& last =
            *std::max_element(come.begin(), come.end(), [](const Come& a, const Come& b) { return a.begin < b.begin; });
        Wait& wait = waits[last.rank];
        wait.collectives += 1;
        for (const Come& one : come) {
            const std::int64_t waited = std::max<std::int64_t>(0, std::min(last.begin, one.end) - one.stood_from);
            wait.waited += waited;
            wait.longest = std::max(wait.longest, waited);
        }
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        waits[i].rank = ranks[i].rank;
        waits[i].rank_index = static_cast<std::uint32_t>(i);
    }
    std::erase_if(waits, [](const Wait& wait) { return wait.collectives == 0; });
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) { return a.waited > b.waited; });
    return waits;
}

std::vector<std::pair<std::size_t, std::size_t>> RankSet::partners(std::size_t rank, std::size_t call) const {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    const CollectiveCall& own = ranks[rank].collectives[call];
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (std::size_t k = 0; k < ranks[i].collectives.size(); ++k) {
            const CollectiveCall& other = ranks[i].collectives[k];
            if (i != rank && other.number == own.number && other.key == own.key)
                result.emplace_back(i, k);
        }
    return result;
}

std::size_t RankSet::last_to_come(std::size_t rank, std::size_t call) const {
    std::size_t last = rank;
    std::int64_t begin = ranks[rank].collectives[call].begin + ranks[rank].offset;
    for (const auto& [other, number] : partners(rank, call))
        if (const std::int64_t at = ranks[other].collectives[number].begin + ranks[other].offset; at > begin) {
            begin = at;
            last = other;
        }
    return last;
}

RankSet only_rank(const RankSet& set, std::size_t index) {
    RankSet one;
    one.ranks.push_back(set.ranks.at(index));
    one.base_time_ns = set.base_time_ns;
    one.alignment = set.alignment;
    return one;
}

bool looks_like_trace(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    const bool json = name.ends_with(".json") || name.ends_with(".json.gz") || name.ends_with(".json.zst");
    return json && (name.find("trace") != std::string::npos || name.find("rank") != std::string::npos ||
                    name.find("profile") != std::string::npos);
}

bool is_trace(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    if (name.ends_with(".json.gz") || name.ends_with(".json.zst"))
        return true;
    constexpr std::size_t kHead = 64 << 10;  // the members before the events: properties of devices, of the ranks
    std::string head(kHead, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    const std::size_t first = head.find_first_not_of("\xef\xbb\xbf \t\r\n");
    if (first == std::string::npos)
        return false;
    if (head[first] == '{')
        return head.find("\"traceEvents\"") != std::string::npos;
    return head[first] == '[' && head.find("\"ph\"") != std::string::npos;
}

std::vector<std::vector<std::filesystem::path>> profiles_of(const std::vector<ListedTrace>& files) {
    struct Profile {
        double newest = 0;
        std::vector<std::filesystem::path> files;
    };
    std::map<std::string, Profile> profiles;
    for (const ListedTrace& file : files) {
        Profile& profile = profiles[(file.path.parent_path() / profile_name(file.path.filename().string())).string()];
        profile.newest = profile.files.empty() ? file.modified : std::max(profile.newest, file.modified);
        profile.files.push_back(file.path);
    }
    std::vector<Profile> sorted;
    for (auto& [name, profile] : profiles) {
        std::sort(profile.files.begin(), profile.files.end(), [](const auto& a, const auto& b) {
            const std::string x = a.filename().string(), y = b.filename().string();
            const auto p = rank_in_name(x), q = rank_in_name(y);
            return p && q && *p != *q ? *p < *q : x < y;
        });
        sorted.push_back(std::move(profile));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Profile& a, const Profile& b) { return a.newest > b.newest; });
    std::vector<std::vector<std::filesystem::path>> result;
    for (Profile& profile : sorted)
        result.push_back(std::move(profile.files));
    return result;
}

std::vector<std::vector<std::filesystem::path>> profiles_in(const std::filesystem::path& folder) {
    std::vector<ListedTrace> files;
    const auto look = [&](const std::filesystem::path& where, int depth, const auto& again) -> void {
        std::error_code error;
        for (std::filesystem::directory_iterator it(where, error), end; !error && it != end; it.increment(error)) {
            std::error_code ignored;
            const std::filesystem::path& path = it->path();
            if (it->is_directory(ignored)) {
                if (depth > 0)
                    again(path, depth - 1, again);
                continue;
            }
            if (it->is_regular_file(ignored) && looks_like_trace(path))
                files.push_back(
                    {path, std::chrono::duration<double>(it->last_write_time(ignored).time_since_epoch()).count()});
        }
    };
    look(folder, 0, look);
    look(folder / "traces", 2, look);
    return profiles_of(files);
}

std::vector<std::filesystem::path> ranks_beside(const std::filesystem::path& file) {
    for (std::vector<std::filesystem::path>& profile : profiles_in(file.parent_path()))
        if (std::find(profile.begin(), profile.end(), file) != profile.end())
            return std::move(profile);
    return {file};
}

std::vector<std::filesystem::path> rank_files(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error))
        return {path};
    auto profiles = profiles_in(path);
    if (profiles.empty())
        throw UserError(
            "{}: there is no trace in it or in its folder traces; `trainyard runs profile` records "
            "one of a running run",
            path.string());
    return std::move(profiles.front());
}

}  // namespace trainyard::traces
