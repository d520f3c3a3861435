// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard runs sync`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "track/fake_mlflow.h"
#include "track/unsent_run.h"

namespace trainyard::runs_sync_test {
namespace {

using Json = nlohmann::json;
using test::Said;
using test::says;
using test::trainyard;
using testing::_;
using testing::HasSubstr;

TEST(RunsSync, SendsWhatARunHasLeft) {
    const test::TemporaryFolder folder;
    test::FakeMlflow server;
    server.authorization = "Bearer very-secret-token";
    const fs::path unsent = test::leave_unsent_steps(folder.path(), server.address());
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

TEST(RunsSync, TheTimeLimitBoundsADeliveryInProgress) {
    const test::TemporaryFolder folder;
    test::FakeMlflow server;
    test::leave_unsent_steps(folder.path(), server.address());
    server.service().stall(true);
    const double begin = monotonic_seconds();
    const Said said = trainyard({"runs", "sync", "--seconds", "0.5", folder.path().string()});
    EXPECT_LT(monotonic_seconds() - begin, 15) << "the client itself gives such a request up after 20 s, four times";
    EXPECT_EQ(said.code, 1);
    EXPECT_THAT(said.err, HasSubstr("could not be sent within 0.5 s"));
    EXPECT_THAT(said.out, HasSubstr("mlflow: 0 records sent, 21 are left in "));
}

}  // namespace
}  // namespace trainyard::runs_sync_test
