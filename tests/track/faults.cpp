// SPDX-License-Identifier: GPL-3.0-or-later
// Each tracker with a server under each fault: one message, training continues, and nothing that was logged is lost.

#include <chrono>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/track/sqlite_file.h"
#include "observe/track/unsent.h"
#include "track/fake_mlflow.h"
#include "track/fake_services.h"
#include "track/recorded_calls.h"

namespace trainyard::track::faults_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::int64_t kSteps = 20;

/// The servers of all trackers, and a folder for a run.
class World {
  public:
    World() {
        variables.set("HOME", folder.path().string());
        services.set_variables(variables);
        variables.set("MLFLOW_TRACKING_URI", mlflow.address());
        mlflow.authorization = "Bearer mlflow-secret-key";
        variables.set("MLFLOW_TRACKING_TOKEN", "mlflow-secret-key");
    }
    test::FakeService& server_of(const std::string& tracker) {
        return tracker == "mlflow" ? mlflow.service() : services.service();
    }
    std::unique_ptr<Trackers> start(const std::string& tracker) const {
        TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder.path() / "run";
        options.configuration = {{"lr", 0.5}};
        return Trackers::start({tracker}, options);
    }
    static void log(Trackers& trackers) {
        for (std::int64_t step = 0; step < kSteps; ++step)
            trackers.log({{"loss", 1.0 / static_cast<double>(step + 1)}}, step);
    }
    /// Step -> loss, of the only run on the server.
    std::map<std::int64_t, double> curve(const std::string& tracker) const {
        std::map<std::int64_t, double> points;
        if (tracker == "mlflow") {
            for (const test::FakeMlflow::Run& run : mlflow.runs())
                for (const auto& [step, value] : run.metrics.at("loss"))
                    points[step] = value.get<double>();
        } else {
            auto all = services.points();
            for (const auto& [step, value] : all["loss"])
                points[step] = value.get<double>();
        }
        return points;
    }
    void expect_all_steps(const std::string& tracker) const {
        const auto points = curve(tracker);
        ASSERT_THAT(points, SizeIs(kSteps));
        for (const auto& [step, value] : points)
            EXPECT_DOUBLE_EQ(value, 1.0 / static_cast<double>(step + 1)) << step;
    }

    test::TemporaryFolder folder;
    test::FakeMlflow mlflow;
    test::FakeServices services;
    test::Variables variables;
};

/// A fault of the server that ends, and what the message about it has.
struct Fault {
    std::string name;
    int status;
    std::function<std::string(const std::string& tracker)> body;
    std::function<std::string(const std::string& tracker)> says;
};

/// As the servers answer for a project, an experiment, a workspace or a user that does not exist.
std::string unknown_project(const std::string& tracker) {
    if (tracker == "mlflow")
        return R"({"error_code": "RESOURCE_DOES_NOT_EXIST", "message": "it is unknown to this server"})";
    if (tracker == "wandb")
        return R"({"errors": [{"message": "it is unknown to this server", "path": ["upsertBucket"]}], "data": null})";
    if (tracker == "comet_ml")
        return R"({"msg": "it is unknown to this server", "code": 400, "sdk_error_code": 0})";
    if (tracker == "clearml")
        return R"({"meta": {"result_code": 400, "result_msg": "it is unknown to this server"}, "data": {}})";
    return R"({"code": "Not_Found", "message": "it is unknown to this server"})";
}

const std::vector<Fault>& faults() {
    const auto text = [](const std::string& words) { return [words](const std::string&) { return words; }; };
    const auto another_server = [](const std::string& tracker) {
        return std::string("did not answer as a") + (tracker == "mlflow" ? "n MLflow" : "");
    };
    static const std::vector<Fault> all{
        {"WrongCredentials", 401, text("{}"), text("does not accept the credentials (401)")},
        {"ForbiddenProject", 403, text("{}"), text("does not accept the credentials (403)")},
        {"UnknownProject", 404, unknown_project, text("it is unknown to this server")},
        {"RefusedProject", 400, unknown_project, text("it is unknown to this server")},
        {"APageInsteadOfAnAnswer", 200, text("<html>Please update</html>"), another_server},
        {"AnswersOfAnotherVersion", 200, text(R"({"result": {"items": []}})"), another_server},
        {"NoSuchCall", 404, text("<html>not found</html>"), another_server}};
    return all;
}

class FaultsOfServers : public testing::TestWithParam<std::tuple<std::string, std::size_t>> {};

TEST_P(FaultsOfServers, AreOneMessageAndLoseNothing) {
    const auto& [tracker, number] = GetParam();
    const Fault& fault = faults().at(number);
    World world;
    world.server_of(tracker).fail(1, fault.status, fault.body(tracker));
    auto trackers = world.start(tracker);
    EXPECT_NO_THROW(World::log(*trackers));
    trackers->finish();
    EXPECT_EQ(trackers->dropped(), 0u);
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(2));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr(fault.says(tracker)), HasSubstr("training continues")));
    EXPECT_THAT(problems[1].text(), HasSubstr("records were not sent and are saved in"));
    for (const Message& problem : problems)
        EXPECT_THAT(problem.text(), Not(HasSubstr("secret-key")));
    EXPECT_TRUE(has_unsent_records(world.folder.path()));

    world.server_of(tracker).fail(0);
    const std::vector<SentRecords> sent = send_unsent_records(world.folder.path(), 60);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(sent[0].left, 0u);
    EXPECT_THAT(sent[0].problems, IsEmpty());
    world.expect_all_steps(tracker);
}

class FaultsOfMachines : public testing::TestWithParam<std::string> {};

/// A machine without network: logged values are sent once the network is back, in the same run.
TEST_P(FaultsOfMachines, AnOfflineMachineIsOneMessageAndLosesNothing) {
    World world;
    world.server_of(GetParam()).go_offline();
    auto trackers = world.start(GetParam());
    EXPECT_NO_THROW(World::log(*trackers));
    trackers->flush();
    std::vector<Message> problems;
    for (const double end = monotonic_seconds() + 60; problems.empty() && monotonic_seconds() < end;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        problems = trackers->take_problems();
    }
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("does not answer: "), HasSubstr("training continues")));
    world.server_of(GetParam()).go_online();
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_FALSE(has_unsent_records(world.folder.path()));
    world.expect_all_steps(GetParam());
}

/// Without credentials what is logged waits, or becomes a folder that the tool sends.
TEST_P(FaultsOfMachines, MissingCredentialsAreOneMessageAndLoseNothing) {
    const std::string& tracker = GetParam();
    World world;
    struct Row {
        const char *tracker, *variable, *value, *folder_of_tool, *says;
    };
    for (const Row& row :
         {Row{"mlflow", "MLFLOW_TRACKING_TOKEN", "mlflow-secret-key", "", "MLFLOW_TRACKING_TOKEN"},
          Row{"wandb", "WANDB_API_KEY", "", ".wandb", "set WANDB_API_KEY, or log in with `wandb login`"},
          Row{"comet_ml", "COMET_API_KEY", "comet-secret-key", "", "set COMET_API_KEY, or write it to ~/.comet.config"},
          Row{"clearml", "CLEARML_API_SECRET_KEY", "clearml-secret-key", "",
              "set CLEARML_API_ACCESS_KEY and CLEARML_API_SECRET_KEY, or run `clearml-init`"},
          Row{"swanlab", "SWANLAB_API_KEY", "", ".swanlab", "set SWANLAB_API_KEY, or log in with `swanlab login`"}}) {
        if (tracker != row.tracker)
            continue;
        ::unsetenv(row.variable);
        auto trackers = world.start(tracker);
        EXPECT_NO_THROW(World::log(*trackers));
        trackers->finish();
        EXPECT_EQ(trackers->dropped(), 0u);
        const std::vector<Message> problems = trackers->take_problems();
        ASSERT_THAT(problems, Not(IsEmpty()));
        EXPECT_THAT(problems[0].text(), HasSubstr(row.says));
        if (*row.folder_of_tool != '\0') {
            EXPECT_THAT(problems, SizeIs(1));
            EXPECT_THAT(problems[0].text(), HasSubstr(tracker + " sync"));
            std::size_t files = 0;
            for (const fs::directory_entry& file : fs::recursive_directory_iterator(world.folder.path()))
                files += file.path().string().ends_with(row.folder_of_tool) ? 1 : 0;
            EXPECT_EQ(files, 1u);
            return;
        }
        ASSERT_THAT(problems, SizeIs(2));
        world.variables.set(row.variable, row.value);
        const std::vector<SentRecords> sent = send_unsent_records(world.folder.path(), 60);
        ASSERT_THAT(sent, SizeIs(1));
        EXPECT_EQ(sent[0].left, 0u);
        world.expect_all_steps(tracker);
        return;
    }
    FAIL() << "a tracker without a row";
}

/// A web server in front of the tracker's that takes short requests only: records arrive in several.
TEST_P(FaultsOfMachines, WhatIsTooLongForOneRequestIsSentInSeveral) {
    constexpr std::int64_t kManySteps = 200;
    constexpr std::size_t kLongest = 4000;
    World world;
    test::FakeService& server = world.server_of(GetParam());
    server.limit_bodies(kLongest);
    server.go_offline();  // until everything waits
    auto trackers = world.start(GetParam());
    for (std::int64_t step = 0; step < kManySteps; ++step)
        trackers->log({{"loss", 1.0 / static_cast<double>(step + 1)}}, step);
    trackers->flush();
    server.go_online();
    trackers->finish();
    EXPECT_GT(server.too_long(), 0);
    for (const Message& problem : trackers->take_problems())
        EXPECT_THAT(problem.text(), HasSubstr("does not answer: "));
    EXPECT_FALSE(has_unsent_records(world.folder.path()));
    EXPECT_THAT(world.curve(GetParam()), SizeIs(kManySteps));
}

const std::vector<std::string>& trackers_with_servers() {
    static const std::vector<std::string> names{"mlflow", "wandb", "comet_ml", "clearml", "swanlab"};
    return names;
}

std::vector<std::size_t> numbers_of_faults() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < faults().size(); ++i)
        numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Pairs, FaultsOfServers,
                         testing::Combine(testing::ValuesIn(trackers_with_servers()),
                                          testing::ValuesIn(numbers_of_faults())),
                         [](const auto& about) {
                             return std::get<0>(about.param) + faults().at(std::get<1>(about.param)).name;
                         });
INSTANTIATE_TEST_SUITE_P(Trackers, FaultsOfMachines, testing::ValuesIn(trackers_with_servers()),
                         [](const auto& about) { return about.param; });

/// The database of another version of Trackio is refused before the training, not when its first row does not fit.
TEST(FaultsOfFiles, ADatabaseOfAnotherTrackioIsRefusedAtTheStart) {
    for (const char* table : {"CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step "
                              "INTEGER, metrics TEXT)",
                              "CREATE TABLE metrics (id INTEGER PRIMARY KEY, run_id TEXT, timestamp TEXT, run_name "
                              "TEXT, step INTEGER, metrics TEXT, space TEXT NOT NULL)"}) {
        World world;
        world.variables.set("TRACKIO_DIR", world.folder.path().string());
        SqliteFile(world.folder.path() / "yard.db").run(table);
        try {
            world.start("trackio");
            FAIL() << table;
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(),
                        AllOf(HasSubstr("yard.db"), HasSubstr("another version of Trackio"), HasSubstr("TRACKIO_DIR")));
        }
    }
}

}  // namespace
}  // namespace trainyard::track::faults_test
