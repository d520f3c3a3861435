// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/profiler.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>
#include <tuple>

#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/accelerator.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/traces/roles.h"
#include "observe/traces/trace_reader.h"
#include "profile/marks.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using profile::ProfileOptions;
using profile::Profiler;
using test::says;
using testing::_;
using testing::EndsWith;
using ::testing::HasSubstr;
using testing::StartsWith;

void work() {
    static const at::Tensor a = at::randn({32, 32});
    at::addmm(a, a, a);
}

std::string failure_of(const ProfileOptions& options) {
    try {
        Profiler profiler(options);
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

class Recording : public ::testing::Test {
  protected:
    test::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "profile_0.json";
};

TEST_F(Recording, ACycleThatIsTooLongEndsAndWhatIsRecordedStays) {
    std::vector<std::vector<std::int64_t>> written;
    std::vector<bool> full;
    Profiler profiler({.schedule_option = profile::Schedule{.wait = 1, .active = 50, .repeat = 2},
                       .on_trace_ready =
                           [&](Profiler& one) {
                               written.push_back(one.recorded_steps());
                               full.push_back(one.is_full());
                           },
                       .most_operators = 25});
    profiler.start();
    for (int step = 0; step < 110; ++step) {
        for (int i = 0; i < 10; ++i)
            work();
        profiler.step();
    }
    profiler.stop();
    using Steps = std::vector<std::int64_t>;
    // At least ten operators a step: three steps at most, and the next cycle is not concerned.
    ASSERT_EQ(written.size(), 2U);
    for (const Steps& steps : written) {
        EXPECT_GE(steps.size(), 1U);
        EXPECT_LE(steps.size(), 3U);
    }
    EXPECT_EQ(written[0].front(), 1);
    EXPECT_EQ(written[1].front(), 52);
    EXPECT_EQ(full, (std::vector<bool>{true, true}));
    profiler.export_chrome_trace(file);
    EXPECT_GT(traces::read_trace(file)->slices.size(), 10U);
}

TEST_F(Recording, MarksAreRowsOfTheTraceOnKinetosClock) {
    Profiler profiler({}, {.rank = 1, .world_size = 2, .backend = "gloo"});
    profiler.start();
    const double begin = monotonic_seconds();
    {
        const profile::Scope scope([] { return profile::phase_mark("forward"); });
        work();
    }
    const double end = monotonic_seconds();
    profile::add_mark(profile::step_mark(12, begin, end));
    // Two that overlap, and one that lies within the first.
    const auto collective = [&](const char* name, double from, double to) {
        profile::add_mark({profile::Row::collectives, "collective", name, begin + from * 1e-3, begin + to * 1e-3,
                           "\"bytes\": 4096, \"number\": 7"});
    };
    collective("all_reduce \"a\"\n", 0, 2);
    collective("all_reduce b", 1, 3);
    collective("inside", 0.5, 0.75);
    profiler.stop();
    EXPECT_FALSE(profile::marking());
    const Profiler::Written written = profiler.export_chrome_trace(file);
    EXPECT_EQ(written.bytes, std::filesystem::file_size(file));
    EXPECT_EQ(std::filesystem::status(file).permissions() & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_TRUE(nlohmann::json::accept(text.str()));

    const auto trace = traces::read_trace(file);
    EXPECT_EQ(trace->rank(), 1);
    EXPECT_EQ(trace->overlapping(), 0U);
    EXPECT_EQ(trace->reading.unplaced(), 0U) << trace->reading.unplaced_words();
    ASSERT_EQ(trace->steps.size(), 1U);
    EXPECT_EQ(trace->steps[0].number, 12);
    const auto found = [&](std::string_view name) -> const traces::Slice& {
        const auto it = std::find_if(trace->slices.begin(), trace->slices.end(),
                                     [&](const traces::Slice& slice) { return trace->name(slice) == name; });
        if (it == trace->slices.end())
            throw std::runtime_error("no slice " + std::string(name));
        return *it;
    };
    const traces::Slice &forward = found("forward"), &product = found("aten::addmm");
    constexpr std::int64_t kSlack = 20'000;  // ns; two clocks are read one after the other
    EXPECT_GE(product.begin, forward.begin - kSlack);
    EXPECT_LE(product.end(), forward.end() + kSlack);
    EXPECT_EQ(traces::role_of(trace->category(forward)), traces::Role::phase);
    const traces::Slice &first = found("all_reduce \"a\"\n"), &second = found("all_reduce b"),
                        &inside = found("inside");
    EXPECT_EQ(first.duration, 2'000'000);
    EXPECT_NEAR(static_cast<double>(second.begin - first.begin), 1e6, 1) << "both are rounded to a nanosecond";
    EXPECT_NE(first.track, second.track);
    EXPECT_EQ(first.track, inside.track);
    const auto arguments = trace->arguments(second);
    EXPECT_THAT(arguments, ::testing::Contains(::testing::Pair("bytes", "4096")));
    // A second export is the same file.
    const auto again = folder.path() / "again" / "trace.json";
    EXPECT_EQ(profiler.export_chrome_trace(again).bytes, written.bytes);
    EXPECT_EQ(std::filesystem::file_size(again), written.bytes);
}

TEST_F(Recording, OnlyOneAtATimeAndTheNextAfterIt) {
    Profiler first({.schedule_option = profile::Schedule{.wait = 0, .warmup = 1, .active = 1}});
    first.start();
    Profiler second({});
    EXPECT_THROW(second.start(), UserError);
    first.step();
    work();
    first.stop();
    EXPECT_EQ(first.recorded_steps(), std::vector<std::int64_t>{1});
    Profiler third({});
    third.start();
    work();
    third.stop();
    EXPECT_TRUE(third.has_trace());
    {
        Profiler left_open({});
        left_open.start();
    }
    Profiler fourth({});
    EXPECT_NO_THROW(fourth.start());
}

TEST_F(Recording, WhatCannotBeIsRefusedWithItsReason) {
    EXPECT_THAT(failure_of({.activities = {"cuda"}}),
                says("activities: cuda has nothing to record, this run does not compute on a CUDA device"));
    EXPECT_THAT(failure_of({.activities = {"xpu"}}),
                says("activities: this build has no {}: it records cpu and cuda", StartsWith("xpu")));
    EXPECT_THAT(failure_of({.activities = {"cpuu", "gpu"}}),
                says("activities: {} is not known: use cpu, xpu, mtia, hpu or cuda{}", EndsWith("cpuu"), _));
    EXPECT_THAT(failure_of({.schedule_option = profile::Schedule{.wait = -1, .active = 0}}),
                ::testing::AllOf(says("{} is {}: it must be {} or more", EndsWith("wait"), StartsWith("-1"), _),
                                 says("{} is {}: it must be {} or more", EndsWith("active"), StartsWith("0"), _)));
    Profiler never({.schedule_option = profile::Schedule{.wait = 5, .active = 1}});
    never.start();
    never.step();
    never.stop();
    EXPECT_FALSE(never.has_trace());
    EXPECT_THROW(never.export_chrome_trace(file), UserError);
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Recording, KeyAveragesCountEveryCall) {
    Profiler profiler({.with_flops = true});
    profiler.start();
    for (int i = 0; i < 5; ++i)
        work();
    profiler.stop();
    const std::vector<profile::KeyAverage> averages = profiler.key_averages();
    const auto product = std::find_if(averages.begin(), averages.end(),
                                      [](const profile::KeyAverage& one) { return one.key == "aten::addmm"; });
    ASSERT_NE(product, averages.end());
    EXPECT_EQ(product->count, 5);
    EXPECT_GT(product->self, 0);
    EXPECT_LE(product->self, product->total);
    EXPECT_EQ(product->flops, 5U * 2 * 32 * 32 * 32);
    EXPECT_THAT(profile::table_of(averages), HasSubstr("aten::addmm"));
}

/// Products of two shapes, and tensors that are freed within: what torch 2.11 prints of the same calls is in the tests.
at::Tensor shaped_work() {
    static const at::Tensor a = at::randn({32, 16}), w1 = at::randn({64, 16}), b1 = at::randn({64}),
                            w2 = at::randn({8, 64});
    at::Tensor hidden, rectified, out;
    for (int i = 0; i < 3; ++i) {
        hidden = at::addmm(b1, a, w1.t());
        rectified = at::relu(hidden);
        out = at::mm(rectified, w2.t());
    }
    const at::Tensor square = at::mm(out.t(), out);
    return square.clone();
}

std::vector<profile::KeyAverage> shaped_averages(bool group_by_input_shape) {
    shaped_work();
    Profiler profiler({.record_shapes = true, .profile_memory = true, .with_flops = true});
    profiler.start();
    const at::Tensor keep = shaped_work();
    profiler.stop();
    return profiler.key_averages(group_by_input_shape);
}

using Figures = std::tuple<std::int64_t, std::uint64_t, std::int64_t, std::int64_t>;

TEST_F(Recording, CallsOperationsAndBytesAreTorchs) {
    std::map<std::string, Figures> found;
    for (const profile::KeyAverage& one : shaped_averages(false))
        found[one.key] = {one.count, one.flops, one.memory, one.self_memory};
    const std::map<std::string, Figures> expected{{"aten::addmm", {3, 196'608, 24'576, 24'576}},
                                                  {"aten::relu", {3, 0, 24'576, 0}},
                                                  {"aten::clamp_min", {3, 0, 24'576, 24'576}},
                                                  {"aten::mm", {4, 102'400, 3'328, 3'328}},
                                                  {"aten::clone", {1, 0, 256, 0}},
                                                  {"aten::empty_strided", {1, 0, 256, 256}},
                                                  {"aten::t", {7, 0, 0, 0}},
                                                  {"aten::expand", {3, 0, 0, 0}},
                                                  {"[memory]", {10, 0, -52'480, -52'480}}};
    for (const auto& [name, figures] : expected)
        EXPECT_EQ(found[name], figures) << name;
    // The bytes of all are those that the memory meter has at the end: one tensor of [8, 8].
    std::int64_t left = 0;
    for (const auto& [name, figures] : found)
        left += std::get<3>(figures);
    EXPECT_EQ(left, 8 * 8 * 4);
}

TEST_F(Recording, CallsWithOtherShapesAreApart) {
    std::map<std::string, Figures> found;
    for (const profile::KeyAverage& one : shaped_averages(true))
        if (one.key == "aten::mm" || one.key == "aten::t")
            found[one.key + " " + one.input_shapes] = {one.count, one.flops, one.memory, one.self_memory};
    EXPECT_EQ(found, (std::map<std::string, Figures>{{"aten::mm [[32, 64], [64, 8]]", {3, 98'304, 3'072, 3'072}},
                                                     {"aten::mm [[8, 32], [32, 8]]", {1, 4'096, 256, 256}},
                                                     {"aten::t [[64, 16]]", {3, 0, 0, 0}},
                                                     {"aten::t [[8, 64]]", {3, 0, 0, 0}},
                                                     {"aten::t [[32, 8]]", {1, 0, 0, 0}}}));
}

TEST_F(Recording, TablesHaveTheOrderOfAColumn) {
    const std::vector<profile::KeyAverage> averages = shaped_averages(false);
    const auto first = [&](const std::string& order, std::size_t place = 0) {
        return profile::sorted_by(averages, order).at(place).key;
    };
    EXPECT_EQ(first("flops"), "aten::addmm");
    EXPECT_EQ(first("flops", 1), "aten::mm");
    EXPECT_EQ(first("count"), "aten::resolve_conj");
    EXPECT_EQ(first("cpu_memory_usage", 3), "aten::mm");
    EXPECT_EQ(first("self_cpu_memory_usage", 2), "aten::mm");
    EXPECT_EQ(first("self_cpu_memory_usage", averages.size() - 1), "[memory]");
    for (const auto& [order, value] : std::map<std::string, std::int64_t profile::KeyAverage::*>{
             {"self_cpu_time_total", &profile::KeyAverage::self},
             {"cpu_time_total", &profile::KeyAverage::total},
             {"self_cuda_memory_usage", &profile::KeyAverage::self_device_memory}})
        EXPECT_TRUE(std::ranges::is_sorted(profile::sorted_by(averages, order), std::ranges::greater(), value))
            << order;
    const std::string table = profile::table_of(averages, {.sort_by = "flops", .row_limit = 2});
    EXPECT_THAT(table, testing::ContainsRegex("aten::addmm[^\n]*\naten::mm[^\n]*\nSelf CPU time total:"));
    EXPECT_THAT(table, HasSubstr("Memory at the end: 256 B"));
    EXPECT_THAT(table, HasSubstr("FLOPs total: 299 k"));
    EXPECT_THAT([&] { profile::table_of(averages, {.sort_by = "beauty"}); },
                testing::ThrowsMessage<UserError>(
                    says("sort_by '{}' is not a column of the profiler's table: choose one of {}", "beauty", _)));
}

TEST_F(Recording, AScopeThatAnExceptionLeavesWritesNothing) {
    Accelerator accelerator({.cpu = true, .profile = {.output_trace_dir = folder.path()}});
    EXPECT_THROW(
        {
            auto scope = accelerator.profile();
            work();
            throw std::runtime_error("training failed");
        },
        std::runtime_error);
    EXPECT_FALSE(std::filesystem::exists(file));
    {
        auto scope = accelerator.profile();
        work();
    }
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(Marks, NobodyKeepsThemWhileNobodyRecords) {
    bool asked = false;
    {
        const profile::Scope scope([&] {
            asked = true;
            return profile::phase_mark("forward");
        });
    }
    profile::add_mark(profile::phase_mark("forward", 1, 2));
    EXPECT_FALSE(asked);
    profile::begin_marks();
    EXPECT_TRUE(profile::take_marks().empty());
}

}  // namespace
}  // namespace trainyard
