// SPDX-License-Identifier: GPL-3.0-or-later
// Compares our profiler with golden/profiler.json: the steps that Accelerate's profile() records on the same schedules,
// and the names of the recorded events.
//
// One difference is intended. If the scope ends while the profiler warms up for another cycle, Accelerate exports that
// cycle, in which nothing was recorded, instead of the previous one. We export the previous one (`steps_in_file` is
// then the last cycle that was ready).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <torch/types.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/accelerator.h>

#include "profile/profiler.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using nlohmann::json;

struct Training {
    std::vector<at::Tensor> parameters{torch::randn({32, 16}), torch::randn({32}), torch::randn({4, 32}),
                                       torch::randn({4})};
    at::Tensor x = torch::randn({8, 16}), y = torch::arange(8) % 4;
    at::Tensor one = torch::scalar_tensor(1, at::kLong);
    Training() {
        one.unsafeGetTensorImpl()->set_wrapped_number(true);  // as Python's 1 is
        for (at::Tensor& parameter : parameters)
            parameter.set_requires_grad(true);
    }

    /// The calls that Python makes: its linear is one operator, where torch::nn::Linear calls addmm; and its first
    /// gradient keeps the format of the loss.
    void operator()() {
        for (at::Tensor& parameter : parameters)
            parameter.mutable_grad() = at::Tensor();
        const at::Tensor hidden = at::linear(x, parameters[0], parameters[1]).relu();
        const at::Tensor loss = at::cross_entropy_loss(at::linear(hidden, parameters[2], parameters[3]), y);
        const at::Tensor mean = loss.div(one);  // Accelerate divides by the number of micro-batches
        mean.backward(at::ones_like(mean));
    }
};

profile::Schedule schedule_of(const json& given) {
    return {.wait = given.value("wait", 0),
            .warmup = given.value("warmup", 0),
            .active = given.at("active"),
            .repeat = given.value("repeat", 0),
            .skip_first = given.value("skip_first", 0)};
}

json read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return json::parse(stream);
}

std::vector<json> slices_of(const json& trace) {
    std::vector<json> slices;
    for (const json& event : trace.at("traceEvents"))
        if (event.value("ph", "") == "X")
            slices.push_back(event);
    return slices;
}

class GoldenProfiler : public ::testing::Test {
  protected:
    json golden = read(test::golden("profiler.json"));
    test::TemporaryFolder folder;
    Accelerator accelerator{{.cpu = true}};
    Training train;

    json record(int loops, profile::ProfileOptions options) {
        options.activities = {"cpu"};
        options.output_trace_dir = folder.path() / "traces";
        std::filesystem::remove_all(options.output_trace_dir);
        auto scope = accelerator.profile(options);
        for (int i = 0; i < loops; ++i) {
            train();
            scope.step();
        }
        scope.finish();
        const auto file = folder.path() / "traces" / "profile_0.json";
        return std::filesystem::exists(file) ? read(file) : json();
    }
};

TEST_F(GoldenProfiler, TheStepsOfEverySchedule) {
    ASSERT_FALSE(golden.at("cases").empty());
    for (const json& each : golden.at("cases")) {
        SCOPED_TRACE(each.at("schedule").dump());
        const profile::Schedule schedule = schedule_of(each.at("schedule"));
        std::vector<std::int64_t> ready;
        std::vector<std::int64_t> last_ready;
        const json trace =
            record(each.at("loops"), {.schedule_option = schedule, .on_trace_ready = [&](profile::Profiler& p) {
                                          ready.push_back(p.step_num());
                                          last_ready = p.recorded_steps();
                                      }});
        EXPECT_EQ(json(ready), each.at("ready_at"));
        std::vector<std::int64_t> expected = each.at("steps_in_file");
        const std::int64_t loops = each.at("loops");
        const bool warming_up = schedule.action(loops) == profile::Action::warmup && !schedule.is_over(loops);
        if (warming_up) {
            EXPECT_TRUE(expected.empty());
            expected = last_ready;
        }
        ASSERT_FALSE(trace.is_null());
        std::vector<std::int64_t> steps;
        std::int64_t products = 0;
        for (const json& slice : slices_of(trace)) {
            const std::string name = slice.at("name");
            if (name.starts_with("ProfilerStep#"))
                steps.push_back(std::stoll(name.substr(13)));
            products += name == "aten::addmm";
        }
        std::sort(steps.begin(), steps.end());
        EXPECT_EQ(steps, expected);
        if (!warming_up) {
            EXPECT_EQ(products, each.at("addmm").get<std::int64_t>());
        }
    }
}

TEST_F(GoldenProfiler, TheOperatorsAndHowOftenTheyRan) {
    std::map<std::string, std::int64_t> names;
    for (const json& slice : slices_of(record(golden.at("unscheduled").at("loops"), {})))
        if (slice.at("cat") == "cpu_op")
            ++names[slice.at("name")];
    EXPECT_EQ(json(names), golden.at("unscheduled").at("operators"));
}

TEST_F(GoldenProfiler, EveryOptionRecordsItsArguments) {
    const std::map<std::string, profile::ProfileOptions> options{{"plain", {}},
                                                                 {"shapes", {.record_shapes = true}},
                                                                 {"memory", {.profile_memory = true}},
                                                                 {"flops", {.with_flops = true}}};
    for (const auto& [name, expected] : golden.at("options").items()) {
        SCOPED_TRACE(name);
        profile::ProfileOptions chosen = options.at(name);
        chosen.schedule_option = {.wait = 0, .warmup = 1, .active = 1, .repeat = 1};
        const json trace = record(2, chosen);
        const std::vector<json> slices = slices_of(trace);
        const auto product = std::find_if(slices.begin(), slices.end(),
                                          [](const json& slice) { return slice.at("name") == "aten::addmm"; });
        ASSERT_NE(product, slices.end());
        std::set<std::string> keys;
        for (const auto& [key, value] : product->at("args").items())
            keys.insert(key);
        EXPECT_EQ(json(keys), expected.at("addmm_arguments"));
        std::set<std::string> top;
        for (const char* key : {"profile_memory", "record_shapes", "with_flops"})
            if (trace.contains(key))
                top.insert(key);
        for (const std::string key : expected.at("top_level"))
            EXPECT_TRUE(top.contains(key)) << key;
        bool memory = false;
        for (const json& event : trace.at("traceEvents"))
            memory |= event.value("name", "") == "[memory]";
        EXPECT_EQ(memory, expected.at("memory").get<bool>());
    }
}

/// golden/profiler_tables.json: the averages of torch.profiler, and the order in which its table prints them.
TEST(GoldenTables, EveryOrderIsTorchs) {
    const json golden = read(test::golden("profiler_tables.json"));
    const std::size_t limit = golden.at("limit");
    for (const auto& [name, group] : golden.at("groups").items()) {
        std::vector<profile::KeyAverage> averages;
        std::int64_t self = 0;
        for (const json& row : group.at("rows")) {
            averages.push_back({.key = row.at("key"),
                                .input_shapes = row.at("shapes"),
                                .count = row.at("count"),
                                .total = row.at("total"),
                                .self = row.at("self"),
                                .memory = row.at("memory"),
                                .self_memory = row.at("self_memory"),
                                .flops = row.at("flops")});
            self += averages.back().self;
        }
        EXPECT_EQ(self, group.at("self_total").get<std::int64_t>()) << name;
        ASSERT_GE(group.at("orders").size(), 6U);
        for (const auto& [order, places] : group.at("orders").items()) {
            SCOPED_TRACE(name + " by " + order);
            const std::vector<profile::KeyAverage> sorted = profile::sorted_by(averages, order);
            ASSERT_EQ(sorted.size(), places.size());
            for (std::size_t i = 0; i < sorted.size(); ++i) {
                const profile::KeyAverage& expected = averages.at(places[i].get<std::size_t>());
                EXPECT_EQ(sorted[i].key, expected.key) << "row " << i;
                EXPECT_EQ(sorted[i].input_shapes, expected.input_shapes) << "row " << i;
            }
            std::istringstream table(profile::table_of(averages, {.sort_by = order, .row_limit = limit}));
            std::string line;
            std::getline(table, line);  // the titles
            for (std::size_t i = 0; i < limit; ++i) {
                std::getline(table, line);
                EXPECT_EQ(line.rfind(sorted[i].key.substr(0, 47), 0), 0U) << line;
            }
            std::getline(table, line);
            EXPECT_EQ(line.rfind("Self CPU time total:", 0), 0U) << line;
        }
    }
}

}  // namespace
}  // namespace trainyard
