// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of alarms of real runs without a window: what is sent, that a webhook that does not answer holds nothing up,
// and that a supervisor that was killed is reported.

#include <csignal>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "alarms/targets.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "cli/program.h"
#include "run/journal.h"
#include "run/listing.h"
#include "support/fake_service.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::FakeService;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

class AlarmRuns : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
        ::setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 3000; ++i)
            text << "line " << i * 7919 % 3000 << " of a text that repeats itself\n";
        alarms::Target target;
        target.name = "chat";
        target.address = service_.address() + "/hook";
        settings_.targets = {target};
        alarms::save_settings(settings_);
    }
    run::RunPaths launch(int steps) {
        std::ofstream(folder_.path() / "recipe.yaml")
            << "name: small\nmodel: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 16}\n"
               "data: {path: text.txt, sequence_length: 16}\ntraining: {steps: "
            << steps << ", batch_size: 4, evaluate_batches: 1}\ncheckpoint: {every: 100000}\n";
        const test::Said said =
            test::trainyard({"launch", "--cpu", "--detach", (folder_.path() / "recipe.yaml").string()});
        EXPECT_EQ(said.code, 0) << said.err;
        return run::list_runs(folder_.path() / "runs").front().paths;
    }
    template <class Holds>
    static bool wait(Holds holds, double seconds = 90) {
        for (const double until = monotonic_seconds() + seconds; !holds(); ::usleep(20'000))
            if (monotonic_seconds() > until)
                return false;
        return true;
    }
    /// Whether the process that sends the alarms of the run ends.
    static bool ends_watch(const run::RunPaths& run) {
        return wait([&] {
            const FileDescriptor lock(::open((run.root() / "alarms.lock").c_str(), O_RDWR | O_CLOEXEC));
            return lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
        });
    }
    std::vector<std::string> kinds() const {
        std::vector<std::string> kinds;
        for (const FakeService::Request& request : service_.requests())
            kinds.push_back(Json::parse(request.body)["kind"]);
        return kinds;
    }

    test::TemporaryFolder folder_;
    FakeService service_{[](const FakeService::Request&) { return FakeService::Answer{}; }};
    alarms::Settings settings_;
};

TEST_F(AlarmRuns, AMetricBeyondItsLimitAndTheEndAreSentWithoutAWindow) {
    settings_.rules.metrics = alarms::parse_metric_rules("train/loss>0.001, train/loss<0.001");
    alarms::save_settings(settings_);
    const run::RunPaths run = launch(100'000);
    ASSERT_TRUE(wait([&] { return !kinds().empty(); }));
    EXPECT_EQ(kinds().front(), "metric");
    EXPECT_EQ(test::trainyard({"runs", "stop", run.id()}).code, 0);
    // On a busy machine others may come between: the throughput falls.
    ASSERT_TRUE(wait([&] { return kinds().back() == "finished"; }));
    const Json last = Json::parse(service_.requests().back().body);
    EXPECT_EQ(last["run"], run.id());
    EXPECT_EQ(last["folder"], run.root().string());
    EXPECT_THAT(last["title"].get<std::string>(), HasSubstr("small"));
    const std::vector<std::string> sent = kinds();
    EXPECT_EQ(std::set(sent.begin(), sent.end()).size(), sent.size()) << "each rule once";
    EXPECT_TRUE(ends_watch(run));
    // Another process does not send them again, nor does this one for a run that is over.
    EXPECT_EQ(test::trainyard({"alarms", "test", "chat"}).code, 0);
    EXPECT_EQ(kinds().back(), "test");
}

TEST_F(AlarmRuns, AWebhookThatDoesNotAnswerHoldsNothingUp) {
    service_.stall(true);
    const run::RunPaths run = launch(20);
    ASSERT_TRUE(wait([&] {
        const auto state = run::read_state(run);
        return state && run::is_over(state->status);
    })) << "the run does not wait for the webhook";
    EXPECT_EQ(run::read_state(run)->status, run::Status::finished);
    const auto warnings = [&] {
        int found = 0;
        for (const run::Event& event : run::JournalReader(run.journal()).poll())
            found += event.text.text().find("was not sent to chat") != std::string::npos;
        return found;
    };
    ASSERT_TRUE(wait([&] { return warnings() == 1; })) << "one message";
    service_.stall(false);
    ASSERT_TRUE(wait([&] { return !kinds().empty() && kinds().back() == "finished"; })) << "nothing is lost";
    EXPECT_EQ(warnings(), 1);
    EXPECT_TRUE(ends_watch(run));
}

TEST_F(AlarmRuns, ASupervisorThatWasKilledIsReported) {
    const run::RunPaths run = launch(100'000);
    ASSERT_TRUE(wait([&] {
        const auto state = run::read_state(run);
        return state && state->progress.step > 1;
    }));
    const run::RunState state = *run::read_state(run);
    ASSERT_EQ(::kill(static_cast<pid_t>(state.supervisor.pid), SIGKILL), 0);
    ASSERT_TRUE(wait([&] { return !kinds().empty(); }));
    EXPECT_EQ(kinds().back(), "lost");
    EXPECT_TRUE(ends_watch(run));
}

TEST_F(AlarmRuns, TheCommandLineShowsTestsAndKeepsSecrets) {
    settings_.targets.front().headers = {"Authorization: Bearer {secret}"};
    alarms::save_settings(settings_);
    test::Said said = test::trainyard({"alarms", "show"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("its secret is missing"));
    said = test::trainyard({"alarms", "test"});
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, HasSubstr("trainyard alarms secret chat"));
    test::Program secret({"/bin/sh", "-c", "echo abc | " TRAINYARD_BIN_DIR "/trainyard alarms secret chat"});
    EXPECT_EQ(secret.wait().code, 0);
    said = test::trainyard({"alarms", "test"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(service_.requests().back().headers.at("authorization"), "Bearer abc");
    EXPECT_NE(test::trainyard({"alarms", "test", "unknown"}).code, 0);
}

}  // namespace
}  // namespace trainyard
