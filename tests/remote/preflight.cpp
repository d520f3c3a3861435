// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/preflight.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/listen_socket.h"
#include "base/run_program.h"
#include "base/text.h"
#include "config/recipe/recipe.h"
#include "launch/supervisor/disk_room.h"
#include "launch/supervisor/prepare.h"
#include "remote/launch_checks.h"
#include "support/says.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using namespace trainyard::remote;
using State = CheckResult::State;

namespace {

CheckResult ended(State state) {
    CheckResult result;
    result.state = state;
    return result;
}

const CheckResult& result_of(const std::vector<CheckResult>& results, const std::string& check) {
    for (const CheckResult& result : results)
        if (result.check == check)
            return result;
    throw std::runtime_error("no check " + check);
}

class LocalSteps : public testing::Test {
  protected:
    LocalTask task() {
        LocalTask task;
        task.place = folder_.path() / "runs";
        task.worker = "/bin/true";
        return task;
    }
    LocalTask recipe(const std::string& data) {
        std::ofstream(folder_.path() / "r.yaml")
            << "name: r\nmodel: {n_layer: 2, n_head: 2, n_embd: 32, n_positions: 32}\ndata: {path: " << data
            << ", sequence_length: 32}\ntraining: {steps: 4, batch_size: 2}\n";
        LocalTask made = task();
        made.recipe = folder_.path() / "r.yaml";
        return made;
    }
    std::vector<CheckResult> check(const LocalTask& task, bool passes) {
        Preflight preflight("localhost", local_steps(task));
        EXPECT_EQ(preflight.run(), passes);
        return preflight.results();
    }
    test::TemporaryFolder folder_;
};

}  // namespace

TEST(Preflight, WhatNeedsAnotherWaitsAndIsSkippedWhenThatFails) {
    int again = 0;
    State first = State::failed;
    Preflight preflight("here", {{"a",
                                  {},
                                  [&](int) {
                                      ++again;
                                      return ended(first);
                                  }},
                                 {"b", {"a"}, [](int) { return ended(State::passed); }},
                                 {"c", {}, [](int) -> CheckResult { throw std::runtime_error("broken"); }}});
    std::vector<std::string> told;
    preflight.on_check = [&](const CheckResult& result) {
        told.push_back(result.check + " " + name_of(result.state));
        EXPECT_EQ(result.host, "here");
    };
    EXPECT_FALSE(preflight.run());
    EXPECT_EQ(result_of(preflight.results(), "b").state, State::skipped);
    EXPECT_EQ(result_of(preflight.results(), "c").text, "broken");
    EXPECT_EQ(told.front(), "b waiting") << "it says so before anything runs";
    // Once more: only what has not passed.
    first = State::passed;
    EXPECT_FALSE(preflight.run()) << "c is still broken";
    EXPECT_EQ(result_of(preflight.results(), "b").state, State::passed);
    EXPECT_EQ(again, 2);
    EXPECT_FALSE(preflight.run());
    EXPECT_EQ(again, 2);
}

TEST(Preflight, CancelEndsAProgramThatHangs) {
    LocalTask task;
    task.program = {"/bin/true"};
    std::vector<Preflight::Step> steps{{"hangs", {}, [](int cancelled) {
                                            run_program({"/bin/sleep", "60"}, {}, 60, cancelled);
                                            return ended(State::passed);
                                        }}};
    Preflight preflight("here", steps);
    std::thread stop([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        preflight.cancel();
    });
    EXPECT_FALSE(preflight.run());
    stop.join();
    EXPECT_EQ(preflight.results().front().state, State::waiting);
}

TEST_F(LocalSteps, ARecipeThatIsFinePassesAndWritesNothing) {
    std::ofstream(folder_.path() / "text.txt") << std::string(20000, 'a');
    const std::vector<CheckResult> results = check(recipe((folder_.path() / "text.txt").string()), true);
    EXPECT_EQ(results.size(), 7u);
    EXPECT_EQ(result_of(results, "formats").state, State::passed) << "fp32 is everywhere";
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "runs"));
    EXPECT_THAT(result_of(results, "disk").text.text(), test::says("{} free, needs {}", testing::_, testing::_));
    EXPECT_FALSE(result_of(results, "disk").command.empty());
}

TEST_F(LocalSteps, ARecipeIsCheckedAsTheSettingsTrainIt) {
    std::ofstream(folder_.path() / "text.txt") << std::string(20000, 'a');
    std::ofstream(folder_.path() / "settings.yaml")
        << "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nuse_cpu: true\nnum_machines: 1\n"
           "num_processes: 1\ndeepspeed_config:\n  zero_stage: 1\n";
    LocalTask task = recipe((folder_.path() / "text.txt").string());
    task.settings_file = folder_.path() / "settings.yaml";
    check(task, true);
    std::ofstream(task.recipe, std::ios::app) << "parallel: {zero_stage: 2}\n";
    EXPECT_THROW(local_steps(task), InvalidInput) << "stages 1 and 2 contradict";
}

TEST_F(LocalSteps, EachFailureIsThatCheckAlone) {
    std::ofstream(folder_.path() / "text.txt") << std::string(20000, 'a');
    const std::string text = (folder_.path() / "text.txt").string();
    auto failed = [&](const LocalTask& task) {
        std::string names;
        for (const CheckResult& result : check(task, false))
            if (result.state == State::failed) {
                names += result.check + ' ';
                EXPECT_FALSE(result.mend.empty()) << result.text;
            }
        return names;
    };
    EXPECT_EQ(failed(recipe("/nowhere/at/all")), "data ");
    LocalTask broken = recipe(text);
    broken.worker = "/nowhere/trainyard-worker";
    EXPECT_EQ(failed(broken), "engine ");
    LocalTask place = recipe(text);
    place.place = folder_.path() / "text.txt" / "runs";
    EXPECT_EQ(failed(place), "output ");
    LocalTask port = recipe(text);
    const FileDescriptor taken = listen_on("127.0.0.1", port.port);
    EXPECT_EQ(failed(port), "port ");
}

TEST_F(LocalSteps, WhatStopsALaunchIsWhatALaunchRefuses) {
    std::ofstream(folder_.path() / "text.txt") << std::string(20000, 'a');
    const std::string text = (folder_.path() / "text.txt").string();
    const auto refused = [&](const LocalTask& task) {
        launch::LaunchOptions options;
        options.file = task.recipe;
        options.main_process_port = task.port;
        options.device.cpu = true;
        options.run_dir = task.place.empty() ? std::filesystem::path() : task.place / "run";
        try {
            launch::check_launch(options);
        } catch (const UserError&) {
            return true;
        }
        return false;
    };
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    const auto is_the_same = [&](const LocalTask& task) {
        for (const CheckResult& result : check(task, false))
            if (result.state == State::failed) {
                EXPECT_TRUE(stops_launch(result.check)) << result.check;
                EXPECT_TRUE(refused(task)) << result.check;
            }
    };
    is_the_same(recipe("/nowhere/at/all"));
    LocalTask place = recipe(text);
    EXPECT_FALSE(refused(place));
    place.place = folder_.path() / "text.txt" / "runs";
    is_the_same(place);
    ::unsetenv("TRAINYARD_WORKER");
    for (const char* forecast : {"memory", "torch", "script", "gpus", "driver", "clock", "network"})
        EXPECT_FALSE(stops_launch(forecast)) << forecast;
}

TEST_F(LocalSteps, TheDiskIsAskedForTheRoomThatALaunchNeeds) {
    std::ofstream(folder_.path() / "text.txt") << std::string(20000, 'a');
    const LocalTask task = recipe((folder_.path() / "text.txt").string());
    const std::uint64_t room = launch::disk_room(config::load_recipe(task.recipe));
    EXPECT_GT(room, launch::kRoomOfLogs);
    const std::vector<CheckResult> results = check(task, true);
    EXPECT_EQ(result_of(results, "disk").text.values().at(1).text(), text::file_size(room));
}

TEST_F(LocalSteps, ProgramsAndScripts) {
    LocalTask program = task();
    program.program = {"/bin/true", "--lr", "1"};
    check(program, true);
    program.program = {"surely-not-there"};
    EXPECT_EQ(result_of(check(program, false), "program").state, State::failed);
    LocalTask script = task();
    script.is_script = true;
    script.program = {"/nowhere/python3", (folder_.path() / "train.py").string()};
    const std::vector<CheckResult> results = check(script, false);
    EXPECT_EQ(result_of(results, "interpreter").state, State::failed);
    EXPECT_EQ(result_of(results, "torch").state, State::skipped);
    EXPECT_EQ(result_of(results, "script").state, State::failed);
}

TEST(RemoteMessages, KeepLiteralAndValuesFromHostToHost) {
    const Message full("the disk of {} is too full: {}", "/data", Message("{} free, needs {}", "1 GB", "2 GB"));
    CheckResult found = ended(State::failed);
    found.text = full;
    CheckAnswer answer;
    answer.problems.push_back({"disk", full});
    answer.found.push_back(found);
    const CheckAnswer read = parse_check_answer(to_json(answer));
    EXPECT_EQ(read.problems.at(0).text.values().at(1).form(), "{} free, needs {}");
    EXPECT_EQ(read.found.at(0).text.form(), full.form());

    const ConnectionError lost(Cause::connection_lost, "gpu-a",
                               Message("{}: the connection is lost: {}", "gpu-a", Message::verbatim("a\x1b[2J")));
    EXPECT_EQ(lost.message().form(), "{}: the connection is lost: {}");
    EXPECT_EQ(std::string(lost.what()).find('\x1b'), std::string::npos) << "what a host says is made printable";
}
