// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, messages and text of torch.distributed.pipelining (golden/pipeline_schedules.json).
//
// Where we differ: 1F1B takes fewer micro-batches than stages. torch's class prints a wrong table for 1F1B (`listed`);
// what its step function does (`executed`) is compared.

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "distributed/pipeline/check_schedule.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "distributed/pipeline/simulator.h"
#include "support/golden.h"

namespace trainyard::pipeline {
namespace {

using nlohmann::json;

struct GoldenCase {
    std::string id;
    json input, expected;
};

std::vector<GoldenCase> golden_cases() {
    std::vector<GoldenCase> cases;
    const json file = json::parse(std::ifstream(test::golden("pipeline_schedules.json")));
    for (const json& one : file["cases"])
        cases.push_back({one["id"], one["input"], one["expected"]});
    return cases;
}

std::vector<std::string> rows_of(const Schedule& schedule) {
    std::vector<std::string> rows;
    for (const RankActions& row : schedule.ranks)
        rows.push_back(to_text(row));
    return rows;
}

/// Length of the longest row when a computation and each end of a message take one step.
double steps_of(const Schedule& schedule) {
    double steps = 0;
    for (const SimulatedRank& rank : simulate(schedule, [](const Action&) { return 1.0; }).ranks)
        steps = std::max(steps, rank.timeline.empty() ? 0 : rank.timeline.back().end);
    return steps;
}

void check_schedule_case(const json& input, const json& expected) {
    const std::string name = input["schedule"];
    const PipelineSize size{input["ranks"], input["stages_per_rank"], input["micro_batches"]};
    const bool is_refused = schedule_refusal(name, size).has_value();
    if (expected.contains("error") && name != "1F1B") {
        EXPECT_TRUE(is_refused);
        EXPECT_THROW(make_table(name, size), std::invalid_argument);
        return;
    }
    ASSERT_FALSE(is_refused);
    const Schedule executed = make_schedule(name, size.ranks, size.micro_batches, size.stages_per_rank);
    EXPECT_EQ(schedule_problems(executed), std::vector<std::string>());
    if (expected.contains("executed")) {
        std::vector<std::string> rows = expected["executed"];
        for (std::string& row : rows)
            std::ranges::replace(row, '+', ' ');
        EXPECT_EQ(rows_of(executed), rows);
    }
    const Schedule table = make_table(name, size);
    if (expected.contains("rank_of_stage")) {
        EXPECT_EQ(table.rank_of_stage, expected["rank_of_stage"].get<std::vector<int>>());
    }
    if (expected.contains("compute")) {
        EXPECT_EQ(rows_of(table), expected["compute"].get<std::vector<std::string>>());
    }
    if (expected.contains("lowered")) {
        EXPECT_EQ(rows_of(add_messages(table, true)), expected["lowered"].get<std::vector<std::string>>());
    }
    if (expected.contains("simulated_steps")) {
        EXPECT_EQ(steps_of(add_messages(table, true)), expected["simulated_steps"].get<double>());
    }
}

void expect_action(const Action& action, const json& expected) {
    EXPECT_EQ(action.stage, expected["stage"].get<int>());
    if (!expected["micro_batch"].is_null())
        EXPECT_EQ(action.micro_batch, expected["micro_batch"].get<int>());
    else
        EXPECT_EQ(action.micro_batch, -1);
    EXPECT_EQ(action.kind,
              parse_action(expected["action"] == "OVERLAP_F_B" ? "(0F0;0B0)OVERLAP_F_B"
                                                               : "0" + expected["action"].get<std::string>())
                  .kind);
}

void check_action_case(const json& input, const json& expected) {
    const std::string text = input["text"];
    if (expected.contains("error")) {
        EXPECT_THROW(parse_action(text), std::invalid_argument);
        return;
    }
    const Action action = parse_action(text);
    if (expected.value("empty", false)) {
        EXPECT_EQ(action, Action());
        return;
    }
    expect_action(action, expected);
    EXPECT_EQ(to_text(action), expected["written"].get<std::string>());
    const json parts = expected.value("parts", json::array());
    ASSERT_EQ(action.parts.size(), parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        expect_action(action.parts[i], parts[i]);
}

void check_table_case(const json& input, const json& expected) {
    Schedule table{"of a file", input["stages"], input["micro_batches"], {}, {}};
    table.rank_of_stage.assign(static_cast<std::size_t>(table.stages), -1);
    for (std::string row : input["rows"].get<std::vector<std::string>>()) {
        table.ranks.emplace_back();
        for (row += ','; !row.empty(); row.erase(0, row.find(',') + 1)) {
            const Action action = parse_action(row.substr(0, row.find(',')));
            table.ranks.back().push_back(action);
            if (action.stage >= 0 && table.rank_of_stage.at(static_cast<std::size_t>(action.stage)) < 0)
                table.rank_of_stage[static_cast<std::size_t>(action.stage)] = static_cast<int>(table.ranks.size()) - 1;
        }
    }
    if (expected.contains("error")) {
        EXPECT_THROW(add_messages(table), std::invalid_argument);
        return;
    }
    EXPECT_EQ(table.rank_of_stage, expected["rank_of_stage"].get<std::vector<int>>());
    EXPECT_EQ(rows_of(add_messages(table, true)), expected["lowered"].get<std::vector<std::string>>());
}

class GoldenPipelineSchedules : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenPipelineSchedules, IsThatOfTorch) {
    const json& input = GetParam().input;
    const std::string kind = input["kind"];
    SCOPED_TRACE(GetParam().id);
    if (kind == "schedule")
        check_schedule_case(input, GetParam().expected);
    else if (kind == "action")
        check_action_case(input, GetParam().expected);
    else if (kind == "table")
        check_table_case(input, GetParam().expected);
    else
        ADD_FAILURE() << "unknown kind " << kind;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenPipelineSchedules, ::testing::ValuesIn(golden_cases()),
                         [](const auto& one) { return test::case_name(one.param.id, one.index); });

}  // namespace
}  // namespace trainyard::pipeline
