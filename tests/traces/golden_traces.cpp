// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded traces of torch.profiler, synthetic ones in Kineto's form for GPUs, and malformed ones; expected values by another reader.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "observe/traces/rank_set.h"
#include "observe/traces/tables.h"
#include "observe/traces/trace_reader.h"
#include "support/golden.h"

namespace trainyard::traces {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct TraceCase {
    fs::path file;
    Json expected;
};

Json json_file(const fs::path& path) {
    return Json::parse(read_file(path));
}

std::vector<TraceCase> good_cases() {
    std::vector<TraceCase> cases;
    for (const char* kind : {"real", "cuda"}) {
        const fs::path folder = test::golden("traces") / kind;
        if (!fs::exists(folder))
            continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            const Json all = json_file(entry.path() / "expected.json");
            for (const auto& [name, expected] : all.items())
                cases.push_back({entry.path() / name, expected});
        }
    }
    return cases;
}

Json by_name_and_self(const Trace& trace, bool (*roles)(Role)) {
    TableFilter filter;
    filter.roles = roles;
    Json table = Json::object();
    for (const NameRow& row : name_table(trace, filter))
        table[row.category + "|" + row.name] = {row.count, row.total, row.self};
    return table;
}

bool of_operators(Role role) {
    return role == Role::operation || role == Role::annotation;
}

class GoldenTrace : public testing::TestWithParam<TraceCase> {};

TEST_P(GoldenTrace, HasTheValuesOfTheReference) {
    const Json& expected = GetParam().expected;
    const auto read = read_trace(GetParam().file);
    const Trace& trace = *read;
    EXPECT_TRUE(trace.reading.problems.empty()) << testing::PrintToString(trace.reading.problems);
    EXPECT_EQ(trace.reading.entries, expected["events"].get<std::uint64_t>());
    EXPECT_EQ(trace.reading.count(Entry::complete), expected["complete_events"].get<std::uint64_t>());
    EXPECT_EQ(by_name_and_self(trace, of_operators), expected["operators_count_total_self_ns"]);
    EXPECT_EQ(by_name_and_self(trace, on_thread), expected["thread_count_total_self_ns"]);
    Json device = Json::object();
    TableFilter on_devices;
    on_devices.roles = on_device;
    for (const NameRow& row : name_table(trace, on_devices))
        device[row.category + "|" + row.name] = {row.count, row.total};
    EXPECT_EQ(device, expected["device_count_total_ns"]);
    EXPECT_EQ(trace.base_time_ns ? Json(*trace.base_time_ns) : Json(), expected.value("base_time_ns", Json()));
    EXPECT_EQ(trace.distributed_json.empty() ? Json() : Json::parse(trace.distributed_json),
              expected.value("distributed", Json()));

    std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
    std::uint64_t python = 0;
    for (const Slice& slice : trace.slices)
        if (slice.kind == SliceKind::complete) {
            begin = std::min(begin, slice.begin);
            end = std::max(end, slice.end());
            python += trace.category(slice) == "python_function";
        }
    EXPECT_EQ(begin, expected["begin_ns"].get<std::int64_t>());
    EXPECT_EQ(end, expected["end_ns"].get<std::int64_t>());
    EXPECT_EQ(python, expected["python_functions"].get<std::uint64_t>());
}

TEST_P(GoldenTrace, HasTheBusyTimesOfTheReference) {
    const Json& expected = GetParam().expected;
    const auto read = read_trace(GetParam().file);
    const Trace& trace = *read;
    TableFilter filter;
    filter.roles = on_device;
    const Spans all = busy(trace, filter);
    EXPECT_EQ(length(all), expected["device_busy_ns"].get<std::int64_t>());
    Json streams = Json::object();
    for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
        const Track& track = trace.tracks[i];
        filter.slices = [&](const Slice& slice, std::uint32_t) { return slice.track == i; };
        const Spans spans = busy(trace, filter);
        if (track.device && track.stream && !spans.empty())
            streams[std::to_string(*track.device) + "/" + std::to_string(*track.stream)] = length(spans);
    }
    EXPECT_EQ(streams, expected["stream_busy_ns"]);
    TableFilter kernels;
    kernels.roles = [](Role role) { return role == Role::kernel; };
    kernels.slices = [&](const Slice& slice, std::uint32_t) {
        return is_communication(trace.name(slice), Role::kernel);
    };
    const Spans communication = busy(trace, kernels);
    kernels.slices = [&](const Slice& slice, std::uint32_t) {
        return !is_communication(trace.name(slice), Role::kernel);
    };
    const Spans computation = busy(trace, kernels);
    EXPECT_EQ(length(communication), expected["communication_ns"].get<std::int64_t>());
    EXPECT_EQ(length(computation), expected["computation_ns"].get<std::int64_t>());
    EXPECT_EQ(length(common(communication, computation)), expected["overlap_ns"].get<std::int64_t>());
    EXPECT_EQ(length(without(communication, computation)), expected["exposed_communication_ns"].get<std::int64_t>());
    Json steps = Json::array();
    for (const Step& step : trace.steps)
        steps.push_back({{"step", step.number},
                         {"begin_ns", step.begin},
                         {"end_ns", step.end},
                         {"device_busy_ns", length(common(all, {{step.begin, step.end}}))}});
    EXPECT_EQ(steps, expected["steps"]);
}

TEST_P(GoldenTrace, HasTheConnectionsOfTheReference) {
    const Json& expected = GetParam().expected;
    const auto read = read_trace(GetParam().file);
    const Trace& trace = *read;
    Json flows = Json::object();
    for (const auto& [category, count] : trace.flow_counts)
        flows[category] = {{"starts", count.starts}, {"ends", count.ends}, {"matched", count.matched}};
    EXPECT_EQ(flows, expected["flows"]);
    const Correlations correlations(trace);
    std::vector<std::int64_t> delays;
    for (std::uint32_t i = 0; i < trace.slices.size(); ++i)
        if (const auto launch = correlations.launch_of(i))
            delays.push_back(trace.slices[i].begin - trace.slices[*launch].begin);
    EXPECT_EQ(Json({{"count", delays.size()},
                    {"sum", std::accumulate(delays.begin(), delays.end(), std::int64_t{0})},
                    {"max", delays.empty() ? 0 : std::ranges::max(delays)}}),
              expected["launch_to_start_ns"]);
    Json collectives = Json::object();
    const std::vector<CollectiveCall> calls = collective_calls(trace);
    for (const CollectiveRow& row : collective_table(calls))
        if (row.bytes > 0)  // the reference takes those whose arguments name the collective
            collectives[row.operation + "|" + row.group] = {row.count, row.bytes, row.total};
    EXPECT_EQ(collectives, expected["collectives_count_inbytes_ns"]);
    Json memory = Json::object();
    for (const MemoryCounter& counter : trace.memory) {
        std::int64_t peak = 0, sum = 0;
        for (const auto& sample : counter.samples) {
            peak = std::max(peak, sample.allocated);
            sum += sample.change;
        }
        memory[std::to_string(counter.device_type) + "/" + std::to_string(counter.device)] = {
            {"events", counter.samples.size()}, {"peak_allocated", peak}, {"sum_bytes", sum}};
    }
    EXPECT_EQ(memory, expected["memory"]);
    Json counters = Json::object();
    for (const Counter& counter : trace.counters)
        for (const auto& sample : counter.samples)
            counters[counter.name + "|" + counter.key].push_back({sample.time, sample.value});
    EXPECT_EQ(counters, expected["counters"]);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenTrace, testing::ValuesIn(good_cases()), [](const auto& row) {
    const fs::path& file = row.param.file;
    return test::case_name(file.parent_path().filename().string() + "_" + file.filename().string(), row.index);
});

std::vector<TraceCase> malformed_cases() {
    std::vector<TraceCase> cases;
    const fs::path folder = test::golden("traces") / "malformed";
    if (!fs::exists(folder))
        return cases;
    const Json all = json_file(folder / "expected.json");
    for (const auto& [name, expected] : all.items())
        cases.push_back({folder / name, expected});
    return cases;
}

class MalformedTrace : public testing::TestWithParam<TraceCase> {};

TEST_P(MalformedTrace, IsReadOrRefusedWithASentence) {
    const Json& expected = GetParam().expected;
    const std::string expect = expected["expect"];
    std::shared_ptr<const Trace> trace;
    std::string refusal;
    try {
        trace = read_trace(GetParam().file);
    } catch (const UserError& error) {
        refusal = error.what();
    }
    if (!trace) {
        const std::set<std::string> refusable{"error", "rejected_or_repaired", "error_or_partial", "no_crash"};
        EXPECT_TRUE(refusable.contains(expect)) << refusal;
        EXPECT_THAT(refusal, testing::HasSubstr(GetParam().file.filename().string()));
        return;
    }
    EXPECT_NE(expect, "error") << expected["why"];
    if (expect == "partial") {
        EXPECT_TRUE(trace->reading.ended_early);
        EXPECT_FALSE(trace->reading.problems.empty());
        if (expected.contains("whole_events")) {
            EXPECT_EQ(trace->reading.entries, expected["whole_events"].get<std::uint64_t>());
        }
    } else if (expect == "error_or_partial") {
        EXPECT_FALSE(trace->reading.problems.empty());
    } else if (expect == "accepted") {
        EXPECT_FALSE(trace->reading.ended_early) << testing::PrintToString(trace->reading.problems);
    } else if (expect == "rejected_or_repaired") {
        EXPECT_GT(trace->reading.count(Entry::repaired) + trace->reading.count(Entry::unreadable) +
                      trace->reading.problems.size() + trace->reading.count(Entry::complete),
                  0U);
    }
    if (expected.contains("operators_count_total_self_ns")) {
        EXPECT_EQ(by_name_and_self(*trace, of_operators), expected["operators_count_total_self_ns"]);
    }
    if (expected.contains("complete_events")) {
        EXPECT_EQ(trace->reading.count(Entry::complete), expected["complete_events"].get<std::uint64_t>());
    }
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedTrace, testing::ValuesIn(malformed_cases()), [](const auto& row) {
    return test::case_name(row.param.file.filename().string(), row.index);
});

}  // namespace
}  // namespace trainyard::traces
