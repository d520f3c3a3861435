// SPDX-License-Identifier: GPL-3.0-or-later
// What `trainyard launch` starts beside what Accelerate 1.15 starts, for every case of launch_env.json, and for those of
// launch_env_more.json, which were written for this test and answered by Accelerate, too.

#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "plan/launch_rules.h"
#include "support/golden.h"

namespace trainyard {
namespace {

using test::Json;
using test::LaunchInput;

Json load(const std::string& topic) {
    std::ifstream in(test::golden(topic));
    return Json::parse(in);
}

/// The end of a pod's command is what its workers run.
Json with_remote(Json answer) {
    if (answer.value("launcher", "") != "tpu_pod")
        return answer;
    std::vector<std::string> command = answer["command"];
    auto at = std::find(command.begin(), command.end(), "--");
    answer["remote"] = std::vector<std::string>(at == command.end() ? at : at + 1, command.end());
    return answer;
}

void judge(const std::string& topic) {
    std::map<std::string, int> used;
    const Json golden = load(topic);
    ASSERT_FALSE(golden["cases"].empty());
    for (const Json& one : golden["cases"]) {
        SCOPED_TRACE(topic + " " + one["id"].get<std::string>());
        LaunchInput input = LaunchInput::from(one["input"]);
        std::vector<std::string> applied;
        Json expected = test::judged(input, one["expected"], applied);
        Json answer = with_remote(test::with_facts(test::answer(input)));
        std::string difference = test::difference(expected, answer);
        std::string by = testing::PrintToString(applied);
        EXPECT_EQ(difference, "") << one["input"].dump() << "\nrules: " << by << "\nanswer: " << answer.dump();
        if (expected.contains("remote")) {
            EXPECT_EQ(expected["remote"], answer["remote"]);
        }
        for (const std::string& rule : applied)
            ++used[rule];
    }
    for (const auto& [rule, times] : used)
        std::printf("%4d x %s\n", times, rule.c_str());
}

TEST(LaunchEnvironment, IsWhatAccelerateSets) {
    judge("launch_env.json");
}

TEST(LaunchEnvironment, IsWhatAccelerateSetsInMoreCases) {
    judge("launch_env_more.json");
}

/// Every difference from Accelerate must be documented for users in engine/launch/plan/README.md.
TEST(LaunchEnvironment, EachDifferenceIsDocumented) {
    std::ifstream in(TRAINYARD_SOURCE_DIR "/engine/launch/plan/README.md");
    std::string readme(std::istreambuf_iterator<char>(in), {});
    std::set<std::string> names;
    for (const test::Rule& rule : test::rules()) {
        EXPECT_NE(readme.find(std::string("| ") + rule.name + " |"), std::string::npos) << rule.name;
        EXPECT_TRUE(names.insert(rule.name).second) << rule.name << " is there twice";
        EXPECT_FALSE(std::string(rule.reason).empty());
    }
}

}  // namespace
}  // namespace trainyard
