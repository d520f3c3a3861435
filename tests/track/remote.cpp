// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of trackers whose service is a server: faults of the server, processes that end, credentials.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "observe/track/unsent.h"
#include "support/failing_disk.h"
#include "track/fake_mlflow.h"
#include "track/fake_services.h"
#include "track/recorded_calls.h"

namespace trainyard::track {
namespace {

namespace fs = std::filesystem;
using test::FakeMlflow;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class RemoteTrackers : public testing::Test {
  protected:
    RemoteTrackers() {
        variables_.set("HOME", folder_.path().string());
        variables_.set("MLFLOW_TRACKING_URI", server_.address());
    }

    std::unique_ptr<Trackers> start(bool continues = false, Values configuration = {}) {
        TrackersOptions options;
        options.project = "run";
        options.logging_dir = folder_.path() / "run";
        options.continues = continues;
        options.configuration = std::move(configuration);
        return Trackers::start({"mlflow"}, options);
    }

    /// Logs `loss` of the steps [begin, end).
    static void log(Trackers& trackers, std::int64_t begin, std::int64_t end) {
        for (std::int64_t step = begin; step < end; ++step)
            trackers.log({{"loss", 1.0 / static_cast<double>(step + 1)}}, step);
    }

    static std::vector<std::int64_t> steps_of(const FakeMlflow::Run& run, const std::string& name = "loss") {
        std::vector<std::int64_t> steps;
        if (const auto found = run.metrics.find(name); found != run.metrics.end())
            for (const auto& [step, value] : found->second)
                steps.push_back(step);
        return steps;
    }

    static std::vector<std::int64_t> range(std::int64_t end) {
        std::vector<std::int64_t> steps;
        for (std::int64_t step = 0; step < end; ++step)
            steps.push_back(step);
        return steps;
    }

    /// Whether a file below the test's folder has this text.
    bool is_stored(const std::string& text) const {
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder_.path()))
            if (file.is_regular_file()) {
                std::ostringstream content;
                content << std::ifstream(file.path(), std::ios::binary).rdbuf();
                if (content.str().find(text) != std::string::npos)
                    return true;
            }
        return false;
    }

    /// Files with records that were not sent.
    std::vector<fs::path> unsent() const {
        std::vector<fs::path> files;
        for (const fs::directory_entry& file : fs::directory_iterator(folder_.path() / "run" / ".trainyard-unsent"))
            if (file.path().extension() == ".jsonl")
                files.push_back(file.path());
        return files;
    }

    test::TemporaryFolder folder_;
    FakeMlflow server_;
    test::Variables variables_;
};

TEST_F(RemoteTrackers, NothingIsLostByAServerThatFailsHalfOfTheTime) {
    server_.service().fail(0.5);
    auto trackers = start(false, {{"lr", 0.5}});
    log(*trackers, 0, 10'000);
    trackers->finish();
    EXPECT_EQ(trackers->dropped(), 0u);
    const std::vector<Message> problems = trackers->take_problems();
    EXPECT_LE(std::ranges::count_if(problems,
                                    [](const Message& problem) {
                                        return problem.text().find("training continues") != std::string::npos;
                                    }),
              1)
        << "an outage is reported once";
    for (int again = 0; again < 5 && !unsent().empty(); ++again)  // a busy machine may need longer than a run waits
        start(true)->finish();
    ASSERT_THAT(server_.runs(), SizeIs(1));
    EXPECT_EQ(steps_of(server_.runs()[0]), range(10'000));
    EXPECT_EQ(server_.runs()[0].parameters.at("lr"), "0.5");
    EXPECT_EQ(server_.runs()[0].status, "FINISHED");
    EXPECT_EQ(server_.largest_batch(), 1000u);
    EXPECT_GT(server_.service().failed(), 2);
    EXPECT_THAT(unsent(), IsEmpty());
}

TEST_F(RemoteTrackers, WhatAProcessLeavesIsSentByTheNextOne) {
    server_.service().fail(1, 401);
    {
        auto trackers = start();
        log(*trackers, 0, 50);
        trackers->finish();
        EXPECT_THAT(trackers->take_problems(),
                    ElementsAre(HasSubstr("does not accept the credentials (401)"),
                                AllOf(HasSubstr("52 records were not sent"), HasSubstr(unsent().at(0).string()))));
    }
    EXPECT_THAT(server_.runs(), IsEmpty());
    server_.service().fail(0);
    {  // the same run after a restart
        auto trackers = start(true);
        trackers->restart(50);
        log(*trackers, 50, 80);
        trackers->finish();
        EXPECT_THAT(trackers->take_problems(), IsEmpty());
    }
    ASSERT_THAT(server_.runs(), SizeIs(1));
    EXPECT_EQ(steps_of(server_.runs()[0]), range(80));
    EXPECT_THAT(unsent(), IsEmpty());
    {  // it continues once more although all was sent
        auto trackers = start(true);
        log(*trackers, 80, 90);
        trackers->finish();
    }
    ASSERT_THAT(server_.runs(), SizeIs(1));
    EXPECT_EQ(steps_of(server_.runs()[0]), range(90));
    EXPECT_EQ(server_.runs()[0].status, "FINISHED");
}

TEST_F(RemoteTrackers, ANewRunSendsWhatAnEarlierOneLeft) {
    server_.service().fail(1, 403);
    {
        auto trackers = start();
        log(*trackers, 0, 5);
    }
    server_.service().fail(0);
    auto trackers = start();
    log(*trackers, 0, 3);
    for (int i = 0; i < 1000 && unsent().size() > 1; ++i)  // all but that of this run
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    trackers->finish();
    ASSERT_THAT(server_.runs(), SizeIs(2));
    std::vector<std::size_t> sizes{steps_of(server_.runs()[0]).size(), steps_of(server_.runs()[1]).size()};
    std::ranges::sort(sizes);
    EXPECT_THAT(sizes, ElementsAre(3u, 5u));
    EXPECT_THAT(unsent(), IsEmpty());
}

/// The thread that sends also removes the files of sent records: a disk that fails then must not end the program.
TEST_F(RemoteTrackers, ADiskThatFailsWhenSentRecordsAreRemovedEndsNothing) {
    constexpr std::size_t kRuns = 8;
    server_.service().fail(1, 403);
    for (std::size_t run = 0; run < kRuns; ++run)
        log(*start(), 0, 5);
    ASSERT_THAT(unsent(), SizeIs(kRuns));
    server_.service().fail(0);
    std::unique_ptr<Trackers> trackers;
    {
        const test::FailingDisk disk(folder_.path());
        while (trackers == nullptr) {
            try {
                trackers = start();
            } catch (const UserError&) {
                // Its own file could not be written.
            }
        }
        const auto whole = [&] {
            std::size_t count = 0;
            for (const FakeMlflow::Run& run : server_.runs())
                count += steps_of(run).size() >= 5 ? 1 : 0;
            return count;
        };
        for (int i = 0; i < 2000 && whole() < kRuns; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_GE(whole(), kRuns);
        EXPECT_GT(disk.failed(), 0);
    }
    trackers->finish();
}

TEST_F(RemoteTrackers, CredentialsAreSentAndNeverStored) {
    server_.authorization = "Bearer very-secret-token";
    variables_.set("MLFLOW_TRACKING_TOKEN", "very-secret-token");
    auto trackers = start();
    log(*trackers, 0, 3);
    trackers->flush();
    EXPECT_FALSE(is_stored("very-secret-token"));
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    ASSERT_THAT(server_.runs(), SizeIs(1));
    EXPECT_FALSE(is_stored("very-secret-token"));

    // In an address, and in the tool's own file.
    server_.authorization = "Basic c29tZW9uZTpzZWNyZXQtd29yZA==";  // someone:secret-word
    ::unsetenv("MLFLOW_TRACKING_TOKEN");
    const std::string with_login = "http://someone:secret-word@" + server_.address().substr(7);
    variables_.set("MLFLOW_TRACKING_URI", with_login);
    trackers = start();
    log(*trackers, 0, 3);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_FALSE(is_stored("secret-word"));
    variables_.set("MLFLOW_TRACKING_URI", server_.address());
    fs::create_directories(folder_.path() / ".mlflow");
    std::ofstream(folder_.path() / ".mlflow" / "credentials")
        << "[mlflow]\nmlflow_tracking_username = someone\nmlflow_tracking_password = secret-word\n";
    trackers = start();
    log(*trackers, 0, 3);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    fs::remove_all(folder_.path() / ".mlflow");
    std::ofstream(folder_.path() / ".netrc") << "machine 127.0.0.1 login someone password secret-word\n";
    trackers = start();
    log(*trackers, 0, 3);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_THAT(server_.runs(), SizeIs(4));
}

TEST_F(RemoteTrackers, OtherServersAndMissingOnesAreNamedOnce) {
    server_.service().fail(1, 404);
    auto trackers = start();
    log(*trackers, 0, 10);
    trackers->finish();
    std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(2));
    EXPECT_THAT(problems[0].text(), HasSubstr("did not answer as an MLflow server (404 to experiments/search)"));
    EXPECT_THAT(problems[1].text(), HasSubstr("12 records were not sent"));

    variables_.set("MLFLOW_TRACKING_URI", "sqlite:///runs.db");
    EXPECT_THAT([&] { start(); }, testing::ThrowsMessage<UserError>(HasSubstr("mlflow server")));
    variables_.set("MLFLOW_RUN_ID", "unknown");
    variables_.set("MLFLOW_TRACKING_URI", server_.address());
    server_.service().fail(0);
    trackers = start();
    log(*trackers, 0, 2);
    trackers->finish();
    problems = trackers->take_problems();
    ASSERT_THAT(problems, testing::Not(IsEmpty()));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("RESOURCE_DOES_NOT_EXIST"), HasSubstr("training continues")));
}

TEST_F(RemoteTrackers, WhatAServerRefusesIsSavedAndTheRestIsSent) {
    auto trackers = start(false, {{"lr", 1}});
    trackers->flush();
    auto& tracker = trackers->get("mlflow");
    tracker.store_init_configuration({{"lr", 2}});
    tracker.store_init_configuration({{"long", std::string(6001, 'x')}, {"short", "y"}});
    log(*trackers, 0, 4);
    trackers->finish();
    ASSERT_THAT(server_.runs(), SizeIs(1));
    EXPECT_EQ(steps_of(server_.runs()[0]), range(4));
    EXPECT_EQ(server_.runs()[0].parameters, (std::map<std::string, std::string>{{"lr", "1"}, {"short", "y"}}));
    std::size_t saved = 0;
    for (const fs::path& file : unsent())
        if (file.string().ends_with(".refused.jsonl")) {
            std::ifstream lines(file);
            for (std::string line; std::getline(lines, line);)
                ++saved;
        }
    EXPECT_EQ(saved, 2u);
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("Changing param values"), HasSubstr(".refused.jsonl")));
}

TEST_F(RemoteTrackers, PicturesTablesAndArtifacts) {
    auto trackers = start();
    Pictures pictures{"samples/first", 2, 2, 3, 1, std::vector<std::uint8_t>(12, 200)};
    trackers->log_images({{pictures}, 4});
    trackers->log_table({"words", {"word", "score"}, {{"yes", 1.5}, {"größe", 2}}, 4});
    const fs::path checkpoint = folder_.path() / "checkpoint_4";
    fs::create_directories(checkpoint / "inner");
    write_file_atomically(checkpoint / "model.bin", "weights", false);
    write_file_atomically(checkpoint / "inner" / "state.json", "{}", false);
    trackers->log_artifact({checkpoint, "checkpoints/4"});
    trackers->flush();
    fs::remove_all(checkpoint);  // as retention does
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    ASSERT_THAT(server_.runs(), SizeIs(1));
    const FakeMlflow::Run run = server_.runs()[0];
    std::vector<std::string> images;
    for (const auto& [path, content] : run.artifacts)
        if (path.starts_with("images/")) {
            images.push_back(path);
            EXPECT_TRUE(content.starts_with("\x89PNG"));
        }
    EXPECT_THAT(images, SizeIs(2));
    EXPECT_THAT(images.at(0), HasSubstr("samples%23first%25step%254%25timestamp%25"));
    EXPECT_EQ(run.artifacts.at("checkpoints/4/model.bin"), "weights");
    EXPECT_EQ(run.artifacts.at("checkpoints/4/inner/state.json"), "{}");
    const nlohmann::json table = nlohmann::json::parse(run.artifacts.at("words_4.json"));
    EXPECT_EQ(table, nlohmann::json::parse(R"({"columns": ["word", "score"], "data": [["yes", 1.5], ["größe", 2]]})"));
    EXPECT_THAT(run.tags.at("mlflow.loggedArtifacts"), HasSubstr("words_4.json"));
    EXPECT_THAT([&] { trackers->log_artifact({folder_.path() / "missing"}); },
                testing::ThrowsMessage<UserError>(HasSubstr("does not exist")));
}

/// The other trackers with a server.
class EachService : public testing::TestWithParam<std::string> {
  protected:
    EachService() {
        variables_.set("HOME", folder_.path().string());
        server_.set_variables(variables_);
    }
    std::unique_ptr<Trackers> start(bool continues = false) {
        TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder_.path() / "run";
        options.continues = continues;
        options.configuration = {{"lr", 0.5}};
        return Trackers::start({GetParam()}, options);
    }
    bool has_unsent() const {
        std::error_code missing;
        for (const fs::directory_entry& file :
             fs::directory_iterator(folder_.path() / "run" / ".trainyard-unsent", missing))
            if (file.path().extension() == ".jsonl")
                return true;
        return false;
    }

    test::TemporaryFolder folder_;
    test::FakeServices server_;
    test::Variables variables_;
};

TEST_P(EachService, LosesNothingWhenHalfOfTheRequestsFail) {
    constexpr std::int64_t kSteps = 1000;
    server_.service().fail(0.5);
    auto trackers = start();
    for (std::int64_t step = 0; step < kSteps; ++step)
        trackers->log({{"loss", 1.0 / static_cast<double>(step + 1)}, {"speed", step}}, step);
    trackers->finish();
    EXPECT_EQ(trackers->dropped(), 0u);
    for (int again = 0; again < 5 && has_unsent(); ++again)  // a busy machine may need longer than a run waits
        start(true)->finish();
    for (const char* name : {"loss", "speed"}) {
        const auto points = server_.points()[name];
        ASSERT_EQ(points.size(), static_cast<std::size_t>(kSteps)) << name;
        EXPECT_EQ(points.begin()->first, 0);
        EXPECT_EQ(points.rbegin()->first, kSteps - 1);
    }
    EXPECT_EQ(server_.points()["loss"][3], 0.25);
    EXPECT_TRUE(server_.has_ended());
    EXPECT_GT(server_.service().failed(), 2);
    EXPECT_FALSE(has_unsent());
}

TEST_P(EachService, StoresPicturesTablesTextsAndArtifacts) {
    auto trackers = start();
    trackers->log_images({{Pictures{"samples", 2, 2, 3, 1, std::vector<std::uint8_t>(12, 200)}}, 4});
    trackers->log_table({"words", {"word", "score"}, {{"yes", 1.5}, {"größe", 2}}, 4});
    trackers->log({{"note", "phase two"}}, 4);
    const fs::path checkpoint = folder_.path() / "checkpoint_4";
    fs::create_directories(checkpoint / "inner");
    const std::string weights(300'000, 'w');
    write_file_atomically(checkpoint / "model.bin", weights, false);
    write_file_atomically(checkpoint / "inner" / "empty", "", false);
    trackers->log_artifact({checkpoint, "checkpoints/4"});
    trackers->flush();
    fs::remove_all(checkpoint);  // as retention does
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    int pictures = 0, artifacts = 0;
    bool has_table = false;
    for (const auto& [name, content] : server_.files()) {
        pictures += content.starts_with("\x89PNG") ? 1 : 0;
        has_table = has_table || content.find("größe") != std::string::npos;
        if (name.ends_with("checkpoints/4/model.bin") || name.ends_with("checkpoints/4/inner/empty")) {
            EXPECT_EQ(content, name.ends_with("empty") ? "" : weights) << name;
            ++artifacts;
        }
    }
    for (const auto& event : server_.events())  // a table of ClearML is a plot
        has_table = has_table || event.dump().find("größe") != std::string::npos;
    // W&B and SwanLab name pictures by their content, which is the same here.
    EXPECT_EQ(pictures, GetParam() == "wandb" || GetParam() == "swanlab" ? 1 : 2);
    EXPECT_EQ(artifacts, 2);
    EXPECT_TRUE(has_table);
    std::vector<std::string> texts;
    for (const auto& [name, text] : server_.texts())
        texts.push_back(name);
    if (GetParam() == "wandb")
        texts.push_back(server_.points()["note"][4]);
    EXPECT_THAT(texts, testing::Contains(GetParam() == "clearml"    ? "note: phase two"
                                         : GetParam() == "comet_ml" ? "note"
                                                                    : "phase two"));
}

TEST_P(EachService, StoresNoCredentials) {
    server_.service().fail(1, 401);
    auto trackers = start();
    trackers->log({{"loss", 1}}, 0);
    trackers->finish();
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(2));
    EXPECT_THAT(problems[0].text(), HasSubstr("does not accept the credentials (401)"));
    for (const Message& problem : problems)
        EXPECT_THAT(problem.text(), testing::Not(HasSubstr("secret-key")));
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder_.path()))
        if (file.is_regular_file()) {
            EXPECT_EQ(read_file(file.path()).find("secret-key"), std::string::npos) << file.path();
        }
}

TEST_P(EachService, AnotherKindOfServerIsNamed) {
    server_.service().fail(1, 404);
    auto trackers = start();
    trackers->log({{"loss", 1}}, 0);
    trackers->finish();
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(2));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr(" server (404 to "), HasSubstr("training continues")));
}

TEST_P(EachService, WhatARunLeavesIsSentAfterItsEnd) {
    server_.service().fail(1, 401);
    {
        auto trackers = start();
        trackers->log({{"loss", 0.5}}, 7);
        const auto of_active = send_unsent_records(folder_.path(), 0);
        ASSERT_THAT(of_active, SizeIs(1));
        EXPECT_THAT(of_active[0].problems.at(0).text(), HasSubstr("in use by another process"));
    }
    EXPECT_TRUE(has_unsent_records(folder_.path()));
    auto results = send_unsent_records(folder_.path(), 60);
    ASSERT_THAT(results, SizeIs(1));
    EXPECT_EQ(results[0].tracker, GetParam());
    EXPECT_EQ(results[0].sent, 0u);
    EXPECT_GE(results[0].left, 3u);
    EXPECT_THAT(results[0].problems.at(0).text(), HasSubstr("does not accept the credentials (401)"));
    server_.service().fail(0.5);
    results = send_unsent_records(folder_.path(), 60);
    ASSERT_THAT(results, SizeIs(1));
    EXPECT_EQ(results[0].left, 0u);
    EXPECT_THAT(results[0].problems, IsEmpty());
    EXPECT_EQ(server_.points()["loss"][7], 0.5);
    EXPECT_TRUE(server_.has_ended());
    EXPECT_FALSE(has_unsent_records(folder_.path()));
    EXPECT_THAT(send_unsent_records(folder_.path(), 60), IsEmpty());
}

TEST_P(EachService, ATimeLimitEndsADeliveryInProgress) {
    server_.service().fail(1, 401);
    {
        auto trackers = start();
        trackers->log({{"loss", 0.5}}, 7);
    }
    server_.service().fail(0);
    server_.service().stall(true);  // clients give such a request up after 20 s
    const double begin = monotonic_seconds();
    std::vector<SentRecords> results = send_unsent_records(folder_.path(), 0.3);
    EXPECT_LT(monotonic_seconds() - begin, 10);
    ASSERT_THAT(results, SizeIs(1));
    EXPECT_GE(results[0].left, 3u);
    ASSERT_THAT(results[0].problems, SizeIs(1));
    EXPECT_THAT(results[0].problems[0].text(), HasSubstr("could not be sent within 0.3 s"));
    server_.service().stall(false);
    results = send_unsent_records(folder_.path(), 60);
    ASSERT_THAT(results, SizeIs(1));
    EXPECT_EQ(results[0].left, 0u);
    EXPECT_EQ(server_.points()["loss"][7], 0.5);
}

TEST(ClearmlEvents, WhatTheServerRefusesOfABatchIsSavedAndReportedOnce) {
    test::TemporaryFolder folder;
    test::Variables variables;
    test::FakeServices server;
    variables.set("HOME", folder.path().string());
    server.set_variables(variables);
    server.refused_metric = "far";
    TrackersOptions options;
    options.project = "yard";
    options.logging_dir = folder.path() / "run";
    auto trackers = Trackers::start({"clearml"}, options);
    for (std::int64_t step = 0; step < 100; ++step) {
        Values values{{"loss", step}, {"note", fmt::format("step {}", step)}};
        if (step == 10 || step == 55)
            values.push_back({"far", 1});
        trackers->log(std::move(values), step);
    }
    trackers->finish();
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("refuses 1 of "), HasSubstr("Iteration number should not exceed"),
                                          HasSubstr(".refused.jsonl")));
    EXPECT_THAT(server.points()["loss"], SizeIs(100));
    EXPECT_TRUE(server.has_ended());
    std::map<std::string, int> lines;
    for (const nlohmann::json& event : server.events())
        if (event.at("type") == "log")
            ++lines[event.at("msg").get<std::string>()];
    EXPECT_THAT(lines, SizeIs(98)) << "those of the two entries are saved";
    for (const auto& [line, count] : lines)
        EXPECT_EQ(count, 1) << line;
    std::size_t saved = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(folder.path() / "run" / ".trainyard-unsent"))
        if (file.path().string().ends_with(".refused.jsonl"))
            saved = static_cast<std::size_t>(std::ranges::count(read_file(file.path()), '\n'));
    EXPECT_EQ(saved, 2u);
}

INSTANTIATE_TEST_SUITE_P(Trackers, EachService, testing::Values("wandb", "comet_ml", "clearml", "swanlab"),
                         [](const auto& about) { return about.param; });

}  // namespace
}  // namespace trainyard::track
