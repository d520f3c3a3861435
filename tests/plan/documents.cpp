// SPDX-License-Identifier: GPL-3.0-or-later
// Settings files of Accelerate's documents (documents.json): each loads, and gives the plan that the document describes,
// or the message about what is wrong with it.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "launch/plan/deepspeed_config.h"
#include "plan/launch_input.h"
#include "support/temporary_folder.h"

namespace trainyard::test {
namespace {

using testing::HasSubstr;

TEST(Documents, EverySettingsFileIsPlanned) {
    const Json cases = Json::parse(std::ifstream(TRAINYARD_TESTS_DIR "/plan/documents.json"));
    ASSERT_GE(cases.size(), 20u);
    for (const Json& each : cases) {
        SCOPED_TRACE(each["place"].get<std::string>());
        LaunchInput input;
        input.config = each["config"];
        input.has_config = true;
        input.flags = each["flags"].get<std::vector<std::string>>();
        input.files = each.value("files", Json::object());
        input.machine = {{"device_count", 8}};
        const Json found = answer(input), expected = each["expect"];
        if (expected.contains("error")) {
            ASSERT_TRUE(found.contains("error")) << found.dump(1);
            EXPECT_THAT(found["error"]["message"].get<std::string>(), HasSubstr(expected["error"].get<std::string>()));
            continue;
        }
        ASSERT_FALSE(found.contains("error")) << found.dump(1);
        EXPECT_EQ(found["launcher"], expected["launcher"]);
        if (expected.contains("ranks")) {
            EXPECT_EQ(found["torchrun"]["nproc_per_node"], std::to_string(expected["ranks"].get<int>()));
        }
        const Json environment = expected.value("env", Json::object());
        for (const auto& [name, value] : environment.items())
            EXPECT_EQ(found["env"].value(name, "(not set)"), value.get<std::string>()) << name;
        if (expected.contains("log")) {
            EXPECT_THAT(found["log"].dump(), HasSubstr(expected["log"].get<std::string>()));
        }
    }
}

TEST(Documents, CommasTooManyAreNamedWithTheirPlace) {
    const Json cases = Json::parse(std::ifstream(TRAINYARD_TESTS_DIR "/plan/documents.json"));
    int wrong = 0;
    for (const Json& each : cases) {
        SCOPED_TRACE(each["place"].get<std::string>());
        const Json files = each.value("files", Json::object());
        for (const auto& [name, text] : files.items()) {
            const TemporaryFolder folder;
            const std::string file = folder.path() / name;
            std::ofstream(file) << text.get<std::string>();
            if (!each.contains("comma_before_line")) {
                EXPECT_NO_THROW(plan::DeepspeedConfig::read(file));
                continue;
            }
            ++wrong;
            try {
                plan::DeepspeedConfig::read(file);
                ADD_FAILURE() << "a comma too many is accepted";
            } catch (const InvalidInput& error) {
                const Problem& problem = error.problems().front();
                EXPECT_EQ(problem.file, file);
                EXPECT_LE(each["comma_before_line"].get<int>() - problem.line, 1) << problem.text();
                EXPECT_GE(each["comma_before_line"].get<int>(), problem.line) << problem.text();
                EXPECT_GT(problem.column, 0);
            }
        }
    }
    EXPECT_EQ(wrong, 2);
}

}  // namespace
}  // namespace trainyard::test
