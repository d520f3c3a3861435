// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard runs sync`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "track/fake_mlflow.h"

namespace trainyard::runs_sync_test {
namespace {

using Json = nlohmann::json;
using test::Said;
using test::says;
using test::trainyard;
using testing::_;
using testing::HasSubstr;

/// What a run that was killed has left: 20 steps, of which none was sent.
fs::path make_unsent(const fs::path& run, const std::string& address) {
    const fs::path folder = run / "trackers" / ".trainyard-unsent";
    fs::create_directories(folder);
    std::string lines = Json{{"open",
                              {{"project", "yard"},
                               {"arguments", nullptr},
                               {"settings", {{"address", address}, {"experiment", "yard"}}}}},
                             {"time", 1.7e9}}
                            .dump() +
                        "\n";
    for (int step = 0; step < 20; ++step)
        lines += Json{{"values", {{"loss", 0.5 * step}}}, {"step", step}, {"time", 1.7e9 + step}}.dump() + "\n";
    write_file_atomically(folder / "mlflow-20261128-120000-abcdef.jsonl", lines, false);
    write_file_atomically(folder / "mlflow-20261128-120000-abcdef.state.json", R"({"delivered": 0, "memory": {}})",
                          false);
    return folder;
}

TEST(RunsSync, SendsWhatARunHasLeft) {
    const test::TemporaryFolder folder;
    test::FakeMlflow server;
    server.authorization = "Bearer very-secret-token";
    const fs::path unsent = make_unsent(folder.path(), server.address());
    Said said = trainyard({"runs", "sync", folder.path().string()});
    EXPECT_EQ(said.code, 1);
    EXPECT_THAT(said.out, HasSubstr("mlflow: 0 records sent, 21 are left in " + unsent.string()));
    EXPECT_THAT(
        said.err,
        says("{} does not accept the credentials ({}): check {}", server.address(), 401, _).after("trainyard: "));
    ::setenv("MLFLOW_TRACKING_TOKEN", "very-secret-token", 1);
    server.service().fail(0.5);
    said = trainyard({"runs", "sync", "--json", folder.path().string()});
    EXPECT_EQ(said.code, 0) << said.err;
    const Json results = Json::parse(said.out);
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0]["tracker"], "mlflow");
    EXPECT_EQ(results[0]["sent"], 21);
    EXPECT_EQ(results[0]["left"], 0);
    ASSERT_EQ(server.runs().size(), 1u);
    EXPECT_EQ(server.runs()[0].metrics.at("loss").size(), 20u);
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder.path()))
        if (file.is_regular_file()) {
            EXPECT_EQ(read_file(file.path()).find("very-secret"), std::string::npos) << file.path();
        }
    said = trainyard({"runs", "sync", folder.path().string()});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.out, HasSubstr("has no records that were not sent"));
    ::unsetenv("MLFLOW_TRACKING_TOKEN");
}

}  // namespace
}  // namespace trainyard::runs_sync_test
