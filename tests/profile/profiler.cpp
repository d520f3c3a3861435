// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/profiler.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <ATen/ops/addmm.h>
#include <ATen/ops/randn.h>

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
