// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of restarts of all ranks after kill -9 and after a hang. Slow ranks and clock changes must not cause a restart.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "fault/real_run.h"
#include "formats/events/scalar_folder.h"
#include "run/journal.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using test::RealRun;
using test::says;
using testing::_;
using testing::AllOf;
using testing::StartsWith;

/// Sets an environment variable of everything that is started while it lives.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
    ~Variable() { ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
};

std::vector<run::Event> events(const RealRun& run, const std::string& kind) {
    std::vector<run::Event> chosen;
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        if (event.kind == kind)
            chosen.push_back(event);
    return chosen;
}

std::vector<std::pair<std::int64_t, double>> loss_curve(const RealRun& run) {
    events::ScalarFolder folder(run.paths->metrics());
    folder.poll();
    std::vector<std::pair<std::int64_t, double>> curve;
    auto found = folder.curves().find("train/loss");
    if (found != folder.curves().end())
        for (const events::CurvePoint& point : found->second)
            curve.emplace_back(point.step, point.value);
    return curve;
}

std::string weights(const RealRun& run, int step) {
    return read_file(run.paths->checkpoints() / ("checkpoint_" + std::to_string(step)) / "model.safetensors");
}

int unused_port() {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    return ntohs(address.sin_port);
}

TEST(Restarts, AfterKillNineTheCurveIsTheSameBitForBit) {
    const std::vector<std::string> flags{"--num_processes",     "4",     "--set",          "training.steps=60", "--set",
                                         "checkpoint.every=10", "--set", "logging.every=1"};
    RealRun undisturbed;
    ASSERT_EQ(undisturbed.start(flags).code, 0);
    run::RunState whole = undisturbed.wait_until_over();
    ASSERT_EQ(whole.status, Status::finished) << whole.message;

    RealRun run;
    std::vector<std::string> again = flags;
    // A port of one's own must be free for the second generation, too.
    again.insert(again.end(), {"--max_restarts", "1", "--main_process_port", std::to_string(unused_port())});
    {
        Variable die("TRAINYARD_FAILPOINT", "phase.2.backward:kill@35");
        ASSERT_EQ(run.start(again).code, 0);
    }
    run::RunState state = run.wait_until_over();
    ASSERT_EQ(state.status, Status::finished) << state.message;
    EXPECT_EQ(state.restarts, 1);
    EXPECT_EQ(state.generation, 2);
    ASSERT_EQ(events(run, "failure").size(), 1u);
    EXPECT_THAT(events(run, "failure")[0].text, AllOf(StartsWith("rank 2 on "), says("signal {} (SIG{})", 9, "KILL")));
    ASSERT_EQ(events(run, "restart").size(), 1u);
    EXPECT_THAT(events(run, "restart")[0].text, says("all ranks start again from the newest checkpoint"));
    // From the restart to the first step after it nothing was trained.
    EXPECT_GT(state.idle_s.value_or(0), 0);
    EXPECT_LT(state.idle_s.value_or(0), *state.ended - events(run, "restart")[0].time);
    EXPECT_EQ(state.idle_since, 0);
    std::vector<std::pair<std::int64_t, double>> curve = loss_curve(run);
    EXPECT_EQ(curve.size(), 60u);
    EXPECT_EQ(curve, loss_curve(undisturbed));
    EXPECT_EQ(weights(run, 60), weights(undisturbed, 60));
}

TEST(Restarts, AStoppedRankGoesOnWhenItIsWokenInTime) {
    RealRun run;
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run::RunState running = run.wait_for_step(5);
    ASSERT_EQ(running.status, Status::running);
    ::kill(running.ranks.at(1).process.pid, SIGSTOP);
    double stopped = monotonic_seconds();
    run.wait_for([&](const run::RunState&) { return !events(run, "warning").empty(); }, 30);
    EXPECT_LT(monotonic_seconds() - stopped, 6) << "two heartbeats, and a busy machine";
    ASSERT_FALSE(events(run, "warning").empty());
    run::Event warning = events(run, "warning")[0];
    EXPECT_EQ(warning.rank, 1);
    EXPECT_THAT(warning.text,
                AllOf(says("rank {} waits in {}", 0, StartsWith("all_reduce #")), says("is stopped (SIGSTOP)")));
    EXPECT_TRUE(fs::exists(run.paths->root() / warning.path)) << warning.path;
    ::kill(running.ranks.at(1).process.pid, SIGCONT);
    run::RunState later = run.wait_for_step(run::read_state(*run.paths)->progress.step + 20);
    EXPECT_EQ(later.status, Status::running) << later.message;
    EXPECT_EQ(later.generation, 1);
    EXPECT_EQ(later.ranks.at(1).process, running.ranks.at(1).process);
}

TEST(Restarts, AStoppedRankIsReplacedAfterTheTimeOut) {
    RealRun run;
    run.use_spec({{"hang_timeout_s", "3"}, {"max_restarts", "1"}},
                 {"--num_processes", "2", "--set", "checkpoint.every=20", "--set", "checkpoint.keep_last=2"});
    ASSERT_EQ(run.start({}).code, 0);
    run::RunState running = run.wait_for_step(30);
    ASSERT_EQ(running.status, Status::running);
    ::kill(running.ranks.at(1).process.pid, SIGSTOP);
    run::RunState later = run.wait_for([&](const run::RunState& s) {
        return run::is_over(s.status) || (s.generation == 2 && s.status == Status::running && s.ranks.at(1).step > 20);
    });
    EXPECT_EQ(later.status, Status::running) << later.message;
    EXPECT_EQ(later.restarts, 1);
    EXPECT_FALSE(is_alive(running.ranks.at(1).process));
    ASSERT_EQ(events(run, "failure").size(), 1u);
    EXPECT_EQ(events(run, "failure")[0].rank, 1);
    EXPECT_THAT(events(run, "failure")[0].text, says("it hangs, nothing has moved for {}: {}", _, _));
}

TEST(Restarts, ASlowRankIsToldWithinThreeStepsAndIsNoHang) {
    RealRun run;
    Variable slow("TRAINYARD_FAILPOINT", "phase.1.forward:sleep@20+");
    ASSERT_EQ(run.start({"--num_processes", "2"}).code, 0);
    run.wait_for([&](const run::RunState& s) { return run::is_over(s.status) || !events(run, "straggler").empty(); },
                 60);
    std::vector<run::Event> told = events(run, "straggler");
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told[0].rank, 1);
    EXPECT_LE(told[0].step, 22) << "it is slow from step 20 on";
    EXPECT_THAT(told[0].text, says("rank {} holds up the others: it takes {} for a step, the others {}", 1, _, _));
    EXPECT_TRUE(events(run, "warning").empty()) << events(run, "warning")[0].text;
    EXPECT_EQ(run::read_state(*run.paths)->status, Status::running);
}

TEST(Restarts, AClockThatIsSetChangesNothing) {
    RealRun run;
    fs::path stepped = run.root() / "stepped";
    Variable clock("TRAINYARD_CLOCK_STEPPED_WHILE", stepped.string());
    run.use_spec({{"hang_timeout_s", "20"}, {"max_restarts", "1"}}, {"--num_processes", "2"});
    ASSERT_EQ(run.start({}).code, 0);
    run::RunState before = run.wait_for_step(20);
    for (bool ahead : {true, false}) {
        if (ahead)
            std::ofstream(stepped) << "x";
        else
            fs::remove(stepped);
        ::usleep(400'000);
        run::RunState now = run::read_state(*run.paths).value();
        EXPECT_EQ(now.status, Status::running) << now.message;
        EXPECT_FALSE(run::is_lost(now, wall_seconds() + 3600)) << "its supervisor is alive, independent of the clock";
        run::RunState later = run.wait_for_step(now.progress.step + 20);
        EXPECT_EQ(later.status, Status::running) << later.message;
        ASSERT_TRUE(later.progress.eta_s.has_value());
        EXPECT_LT(*later.progress.eta_s, 1e6);
    }
    EXPECT_EQ(run::read_state(*run.paths)->restarts, 0);
    EXPECT_TRUE(events(run, "warning").empty()) << events(run, "warning")[0].text;
    (void)before;
}

}  // namespace
}  // namespace trainyard
