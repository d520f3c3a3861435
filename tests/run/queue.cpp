// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the order of the queue, its lock, and which runs must wait for others. The run folders are written by this
// process.

#include "run/queue.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Queue : public testing::Test {
  protected:
    RunPaths make(const std::string& name, Status status, const std::string& device = "cpu", int ranks = 1) {
        RunPaths run = create_run_directory_at(folder_.path() / name);
        RunSpec spec;
        spec.recipe.name = name;
        spec.launch.device = device;
        spec.launch.num_processes = ranks;
        write_spec(run, spec, false);
        RunState state;
        state.run_id = run.id();
        state.name = name;
        state.status = status;
        state.supervisor_host = host_name();
        state.supervisor = this_process();
        state.created = wall_seconds();
        if (status == Status::queued)
            enter_queue(run);
        write_state(run, state, false);
        return run;
    }
    static void set(const RunPaths& run, const std::function<void(RunState&)>& change) {
        RunState state = read_state(run).value();
        change(state);
        write_state(run, state, false);
    }
    std::vector<std::string> order() const {
        std::vector<std::string> names;
        for (const RunPaths& run : queued_runs(folder_.path()))
            names.push_back(run.id());
        return names;
    }
    static QueueWatch::Look look(const RunPaths& run, bool at_once = false) {
        QueueWatch watch(run, read_spec(run.spec()));
        return watch.look(at_once, [&] { set(run, [](RunState& state) { state.status = Status::starting; }); });
    }

    test::TemporaryFolder folder_;
};

TEST_F(Queue, TheOneThatCameFirstIsFirst) {
    make("a", Status::queued);
    make("b", Status::queued);
    make("c", Status::queued);
    make("live", Status::running);
    make("old", Status::finished);
    EXPECT_THAT(order(), ElementsAre("a", "b", "c"));
}

TEST_F(Queue, ARunMovesToAnyPlace) {
    RunPaths a = make("a", Status::queued), b = make("b", Status::queued), c = make("c", Status::queued);
    EXPECT_EQ(move_in_queue(c, 1), 1);
    EXPECT_THAT(order(), ElementsAre("c", "a", "b"));
    EXPECT_EQ(move_in_queue(c, 2), 2);
    EXPECT_THAT(order(), ElementsAre("a", "c", "b"));
    EXPECT_EQ(move_in_queue(a, 100), 3) << "beyond the end is the end";
    EXPECT_THAT(order(), ElementsAre("c", "b", "a"));
    EXPECT_EQ(move_in_queue(b, 2), 2);
    EXPECT_THAT(order(), ElementsAre("c", "b", "a"));
}

TEST_F(Queue, ManyMovesIntoTheSameGapKeepTheOrder) {
    // The distance between two queue numbers can be halved about fifty times; then all runs are renumbered.
    make("a", Status::queued);
    RunPaths b = make("b", Status::queued), c = make("c", Status::queued);
    for (int i = 0; i < 120; ++i) {
        move_in_queue(i % 2 == 0 ? c : b, 2);
        ASSERT_THAT(order(), i % 2 == 0 ? ElementsAre("a", "c", "b") : ElementsAre("a", "b", "c")) << i;
    }
}

TEST_F(Queue, ADamagedPlaceIsTheLastOne) {
    RunPaths a = make("a", Status::queued);
    make("b", Status::queued);
    std::ofstream(a.queue()) << "{\"place\": \"fir";
    EXPECT_THAT(order(), ElementsAre("b", "a"));
    move_in_queue(a, 1);
    EXPECT_THAT(order(), ElementsAre("a", "b"));
}

TEST_F(Queue, OneWhoseWaiterIsGoneIsPassedOver) {
    RunPaths a = make("a", Status::queued), b = make("b", Status::queued);
    set(a, [](RunState& state) { ++state.supervisor.start_time; });  // the number is used again, by another process
    EXPECT_THAT(order(), ElementsAre("b"));
    EXPECT_TRUE(look(b).started);
    try {
        move_in_queue(a, 1);
        FAIL() << "it does not wait";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says("run {} does not wait in the queue of {}", "a", _));
    }
    RunState state = read_state(a).value();
    EXPECT_EQ(shown_status(state, wall_seconds() + 60), "abandoned");
    EXPECT_THAT(shown_message(state, wall_seconds() + 60),
                says("queued, but the process that waited for its turn has ended: queue it again"));
}

TEST_F(Queue, OnlyTheFirstStartsAndOnlyOnAFreeMachine) {
    RunPaths live = make("live", Status::running);
    RunPaths a = make("a", Status::queued), b = make("b", Status::queued);
    EXPECT_EQ(look(a).waits_for, "waits for live on " + host_name());
    EXPECT_EQ(look(a).place, 1);
    EXPECT_THAT(look(b).waits_for, says_only("waits for {} on {}, {} before it", "live", host_name(), 1));
    set(live, [](RunState& state) { state.status = Status::finished; });
    EXPECT_THAT(look(b).waits_for, says_only("waits for {} on {}, {} before it", "a", host_name(), 1));
    EXPECT_TRUE(look(a).started);
    EXPECT_EQ(look(b).waits_for, "waits for a on " + host_name());
    EXPECT_TRUE(look(b, true).started) << "a run that is started by request must not wait";
}

TEST_F(Queue, ARunThatCannotBeReadAnyMoreIsNotWaitedForAndAMirrorNeither) {
    RunPaths live = make("live", Status::running), far = make("far", Status::running);
    RunPaths a = make("a", Status::queued);
    MirrorState mirror;
    mirror.host = "gpu-a";
    write_mirror(far, mirror);
    EXPECT_THAT(look(a).waits_for, HasSubstr("waits for live"));
    std::filesystem::remove_all(live.root());
    EXPECT_TRUE(look(a).started);
}

TEST_F(Queue, GpusAreWaitedForOneByOne) {
    auto demand = [](const std::string& device, int ranks, const std::string& visible = "") {
        RunSpec spec;
        spec.launch.device = device;
        spec.launch.num_processes = ranks;
        if (!visible.empty()) {
            spec.program.emplace();
            spec.program->environment["CUDA_VISIBLE_DEVICES"] = visible;
        }
        return demand_of(spec);
    };
    EXPECT_THAT(demand("cuda", 2).gpus, ElementsAre("0", "1"));
    EXPECT_THAT(demand("cuda", 2, "3,1,2").gpus, ElementsAre("1", "3"));
    EXPECT_TRUE(must_wait(demand("cuda", 2), demand("cuda", 1)));
    EXPECT_FALSE(must_wait(demand("cuda", 2, "2,3"), demand("cuda", 2)));
    EXPECT_FALSE(must_wait(demand("cuda", 1), demand("cpu", 4)));
    EXPECT_TRUE(must_wait(demand("cpu", 1), demand("cuda", 1)));
    EXPECT_TRUE(must_wait(demand("cpu", 1), demand("cpu", 1)));

    make("gpus", Status::running, "cuda", 2);
    EXPECT_THAT(look(make("cpu", Status::queued)).waits_for, says("waits for {} on {}", StartsWith("gpus"), _));
}

TEST_F(Queue, ManyThatLookAtOnceStartOne) {
    std::vector<RunPaths> runs;
    for (int i = 0; i < 6; ++i)
        runs.push_back(make("run" + std::to_string(i), Status::queued));
    // Uses processes as in production, because exclusion between threads of one process would not prove anything. Each
    // polls until it has started or the limit is reached, and must see a run that another process has started.
    std::vector<pid_t> children;
    for (const RunPaths& run : runs) {
        pid_t child = ::fork();
        if (child == 0) {
            QueueWatch watch(run, read_spec(run.spec()));
            bool started = false;
            // Place 0 means that another process holds the lock of the queue; such attempts are not counted.
            const double until = monotonic_seconds() + 60;
            for (int looks = 0; looks < 50 && !started && monotonic_seconds() < until;) {
                const auto look = watch.look(false, [&] {
                    RunState state = read_state(run).value();
                    ::usleep(20'000);  // other processes must not see a free machine meanwhile
                    state.status = Status::starting;
                    write_state(run, state, false);
                });
                started = look.started;
                if (look.place > 0)
                    ++looks;
                else
                    ::usleep(1000);
            }
            ::_exit(started ? 1 : 0);
        }
        children.push_back(child);
    }
    int started = 0;
    for (pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFEXITED(status));
        started += WEXITSTATUS(status);
    }
    EXPECT_EQ(started, 1);
    EXPECT_EQ(read_state(runs.front())->status, Status::starting);
    EXPECT_EQ(order().size(), 5u);
}

}  // namespace
}  // namespace trainyard::run
