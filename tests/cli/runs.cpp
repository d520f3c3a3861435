// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard runs ...` with active, finished and lost runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/message_json.h"
#include "cli/program.h"
#include "launch/fake_run.h"
#include "support/says.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::FakeRun;
using test::Said;
using test::says;
using test::trainyard;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Runs, ListAndShow) {
    FakeRun run;
    EXPECT_THAT(trainyard({"runs", "list"}).out, says("No runs in "));
    EXPECT_EQ(Json::parse(trainyard({"runs", "list", "--json"}).out), Json::array());
    run.start(2, "", 10);
    run.wait_until_over();
    std::string id = run.paths->id();
    EXPECT_THAT(trainyard({"runs", "list"}).out, AllOf(HasSubstr(id), HasSubstr("finished"), HasSubstr("10/10")));
    Json all = Json::parse(trainyard({"runs", "list", "--json"}).out);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0]["run_id"], id);
    EXPECT_EQ(all[0]["path"], run.paths->root().string());
    EXPECT_EQ(all[0]["shown_status"], "finished");
    EXPECT_EQ(all[0]["progress"]["step"], 10);

    EXPECT_THAT(trainyard({"runs", "show", "fake"}).out,
                AllOf(HasSubstr(id), HasSubstr("rank 1"), HasSubstr("exit code 0")));
    Json shown = Json::parse(trainyard({"runs", "show", "--json", id.substr(0, 15)}).out);
    EXPECT_EQ(shown["ranks"].size(), 2u);
    Said missing = trainyard({"runs", "show", "fakd"});
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, says("no run '{}' in {}: did you mean '{}'?", _, _, "fake"));
}

TEST(Runs, LabelsArchiveDeleteAndRestore) {
    FakeRun run;
    run.start(1, "", 100'000);
    run.wait_for_step(1);
    EXPECT_THAT(trainyard({"runs", "delete", "fake"}).err, says("run {} is {}: stop it before it is deleted", _, _));
    EXPECT_EQ(trainyard({"runs", "stop", "fake"}).code, 0);
    const std::string id = run.paths->id();
    Said said =
        trainyard({"runs", "label", id, "--tag", "+lr-sweep", "--tag", "x", "--note", "a note", "--name", "best"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("name: best"), HasSubstr("tags: lr-sweep x"), HasSubstr("note: a note")));
    EXPECT_THAT(trainyard({"runs", "label", "best", "--tag=-x"}).out, HasSubstr("tags: lr-sweep  "));
    EXPECT_THAT(trainyard({"runs", "list"}).out, HasSubstr("best #lr-sweep"));
    EXPECT_THAT(trainyard({"runs", "label", "best", "--color", "-3"}).err,
                says("--color {} is not a run colour: give 1 to 40, or 0 for the automatic one", _));

    EXPECT_EQ(trainyard({"runs", "archive", "best"}).code, 0);
    EXPECT_THAT(trainyard({"runs", "list"}).out, AllOf(testing::Not(HasSubstr(id)), HasSubstr("1 archived")));
    EXPECT_THAT(trainyard({"runs", "list", "--all"}).out, HasSubstr(id));
    EXPECT_EQ(Json::parse(trainyard({"runs", "list", "--json", "--all"}).out)[0]["labels"]["archived"], true);
    EXPECT_EQ(trainyard({"runs", "archive", "--undo", "best"}).code, 0);

    EXPECT_THAT(trainyard({"runs", "delete", "best", "nobody"}).err,
                says("no run '{}' in {}: `trainyard runs list` names them", "nobody", _));
    EXPECT_THAT(trainyard({"runs", "list"}).out, HasSubstr(id)) << "a refused command must not delete any run";
    EXPECT_EQ(trainyard({"runs", "delete", "best"}).code, 0);
    EXPECT_THAT(trainyard({"runs", "list"}).out, says("No runs in "));
    EXPECT_THAT(trainyard({"runs", "trash"}).out, HasSubstr(id));
    EXPECT_EQ(trainyard({"runs", "restore", id}).code, 0);
    EXPECT_THAT(trainyard({"runs", "list"}).out, HasSubstr("best #lr-sweep"));
    EXPECT_EQ(trainyard({"runs", "restore", id}).code, 2);
}

TEST(Runs, StopWaitsUntilItIsOver) {
    FakeRun run;
    run.start(2, "", 100'000);
    run.wait_for_step(5);
    Said said = trainyard({"runs", "stop", run.paths->id()});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, testing::StartsWith("stopped: stopped at step "));
    EXPECT_EQ(run.state()->status, run::Status::stopped);
    EXPECT_FALSE(test::any_alive(*run.state()));
    EXPECT_EQ(trainyard({"runs", "stop", run.paths->id()}).code, 0) << "it is over already";
}

TEST(Runs, StopNowDoesNotAskTheRanks) {
    FakeRun run;
    run.start(2, "*:still:5", 100'000);
    run.wait_for([](const run::RunState& state) { return state.ranks[1].step == 5; });
    Json state = Json::parse(trainyard({"runs", "stop", "--now", "--json", "fake"}).out);
    EXPECT_EQ(state["status"], "stopped");
    EXPECT_EQ(state["ranks"][1]["signal"], 9);
}

TEST(Runs, ARunIsAskedAndAnswersInOneSentence) {
    FakeRun run;
    run.start(1, "", 100'000);
    run.wait_for_step(2);
    for (const char* kind : {"pause", "resume", "evaluate", "checkpoint"}) {
        Said said = trainyard({"runs", kind, "fake"});
        EXPECT_EQ(said.code, 0) << kind << ": " << said.err;
        EXPECT_EQ(said.out, std::string("done: ") + kind + " taken\n");
    }
    Said said = trainyard({"runs", "set", "--json", "fake", "lr=0.0003"});
    EXPECT_EQ(said.code, 0) << said.err;
    Json answer = Json::parse(said.out);
    EXPECT_EQ(answer["kind"], "set");
    EXPECT_EQ(answer["values"], (Json{{"lr", "0.0003"}}));
    EXPECT_EQ(answer["from"], "terminal");
    EXPECT_EQ(answer["outcome"], "done");
    EXPECT_EQ(trainyard({"runs", "stop", "fake"}).code, 0);
    Said late = trainyard({"runs", "pause", "fake"});
    EXPECT_EQ(late.code, 2);
    EXPECT_THAT(late.err, HasSubstr("is over: stopped at step "));
    EXPECT_TRUE(run::pending_requests(*run.paths).empty()) << "no request must be left";
}

TEST(Runs, ARefusalIsAnError) {
    FakeRun run;
    run.start(1, "0:refuse:0", 100'000);
    run.wait_for_step(2);
    Said said = trainyard({"runs", "evaluate", "fake"});
    EXPECT_EQ(said.code, 1);
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(said.err, "refused: this worker cannot evaluate\n");
    said = trainyard({"runs", "evaluate", "--json", "fake"});
    EXPECT_EQ(said.code, 1);
    EXPECT_EQ(Json::parse(said.out)["outcome"], "refused");
}

TEST(Runs, WhatCannotBeSetIsSaidBeforeTheRunIsAsked) {
    FakeRun run;
    run.start(1, "", 100'000);
    run.wait_for_step(2);
    for (auto [word, sentence] :
         {std::pair("lr", "'lr' is not of the form key=value"), std::pair("lr=", "'lr=' is not of the form key=value"),
          std::pair("steps=5", "cannot change 'steps': it takes lr")}) {
        Said said = trainyard({"runs", "set", "fake", word});
        EXPECT_EQ(said.code, 2) << word;
        EXPECT_THAT(said.err, HasSubstr(sentence));
    }
    EXPECT_THAT(trainyard({"runs", "set", "fake", "lr=1", "lr=2"}).err, says("'{}' is given twice: keep one", "lr"));
    EXPECT_EQ(trainyard({"runs", "set", "fake"}).code, 2);
    EXPECT_TRUE(fs::is_empty(run.paths->requests_done()));
}

TEST(Runs, AnAnswerThatARunTakesWithItIsNotWaitedFor) {
    FakeRun run;
    run.start(1, "0:still:3", 100'000);
    run.wait_for([](const run::RunState& state) { return state.ranks[0].step == 3; });
    test::Program asking({TRAINYARD_BIN_DIR "/trainyard", "runs", "pause", "fake"});
    run.wait_for([&](const run::RunState&) { return !run::pending_requests(*run.paths).empty(); });
    run.ask("kill");
    Said said = asking.wait();
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.err, testing::StartsWith("failed: killed at step "));
}

TEST(Runs, HelpAndCompletionKnowTheRequests) {
    std::string help = trainyard({"runs", "--help"}).out, script = trainyard({"completion", "bash"}).out;
    for (const char* kind : {"pause", "resume", "evaluate", "checkpoint", "set"}) {
        EXPECT_THAT(help, testing::ContainsRegex(std::string("\n  ") + kind + " "));
        EXPECT_THAT(script, HasSubstr(std::string("runs ") + kind));
    }
}

TEST(Runs, FollowReplaysWhatWas) {
    FakeRun run;
    run.start(2, "1:signal:5:11", 1000);
    run.ask("note", {{"text", "remember this"}});
    run::RunState state = run.wait_until_over();
    Said said = trainyard({"runs", "follow", "fake"});
    EXPECT_EQ(said.code, 1);
    EXPECT_THAT(said.out, says("started {} on {} ({}), {} thread each", "2 ranks", _, _, _));
    EXPECT_THAT(said.err, testing::StartsWith(state.first_failure->message.text() + "\n"));
}

TEST(Runs, ARestartHasItsCauseAndAFailedRunTheWayToResume) {
    FakeRun run;
    run.adjust = [](run::LaunchSpec& launch) { launch.max_restarts = 1; };
    run.start(1, "0:fail:5", 1000);
    EXPECT_EQ(run.wait_until_over().restarts, 1);
    const std::string cause = run.events("failure").at(0).text.text();
    const Said followed = trainyard({"runs", "follow", "fake"});
    EXPECT_THAT(followed.out, testing::ContainsRegex("failure: .*the loss is not a number\n[^\n]*restart: "));
    EXPECT_THAT(followed.err, AllOf(StartsWith(cause), Not(HasSubstr("checkpoint.resume_from"))));
    const Said shown = trainyard({"runs", "show", "fake"});
    EXPECT_THAT(shown.out, AllOf(says("restart {} of {}: {}", "1", "1", _), HasSubstr(" after: " + cause + "\n")));
    // A run with a checkpoint can be resumed.
    fs::create_directories(run.paths->checkpoints() / "checkpoint_2");
    std::ofstream(run.paths->checkpoints() / "checkpoint_2" / "manifest.json") << "{}";
    const std::string resume = "trainyard launch " + run.paths->spec().string() +
                               " --set checkpoint.resume_from=" + run.paths->root().string();
    EXPECT_THAT(trainyard({"runs", "follow", "fake"}).err, HasSubstr("`" + resume + "` resumes it"));
    EXPECT_THAT(trainyard({"runs", "show", "fake"}).out, HasSubstr(resume));
    EXPECT_THAT(trainyard({"runs", "list"}).out, Not(HasSubstr(resume))) << "one line for each run";
}

TEST(Runs, ANoteIsATextOrAMessage) {
    FakeRun run;
    run.start(1, "", 100'000);
    run.wait_for_step(2);
    run.wait_for_answer(run.ask("note", {{"text", "remember {}"}}));
    run.wait_for_answer(run.ask("note", {{"text", message_to_json(Message("alarm: {}", "no step for 5 s"))}}));
    run.ask("stop");
    run.wait_until_over();
    const std::vector<run::Event> notes = run.events("note");
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0].text, "remember {}");
    EXPECT_EQ(notes[0].text.form(), "");
    EXPECT_EQ(notes[1].text, "alarm: no step for 5 s");
    EXPECT_EQ(notes[1].text.form(), "alarm: {}");
}

TEST(Runs, StoppedRunsTellWhetherTheyCanBeResumed) {
    FakeRun run;
    run.start(1, "", 100'000);
    run.wait_for_step(2);
    run.ask("stop");
    run.wait_until_over();
    EXPECT_EQ(trainyard({"runs", "follow", "fake"}).code, 130);
    fs::create_directories(run.paths->checkpoints() / "checkpoint_2");
    std::ofstream(run.paths->checkpoints() / "checkpoint_2" / "manifest.json") << "{}";
    EXPECT_EQ(trainyard({"runs", "follow", "fake"}).code, 75);
}

TEST(Runs, ALostRunIsSaidToBeLost) {
    FakeRun run;
    run.start(1, "", 10);
    run::RunState state = run.wait_until_over();
    state.status = run::Status::running;
    state.ended.reset();
    state.supervisor.start_time = 1;
    state.heartbeat = 1000;
    write_file_atomically(run.paths->state(), run::to_json(state));  // as a killed supervisor leaves it
    EXPECT_EQ(Json::parse(trainyard({"runs", "list", "--json"}).out)[0]["shown_status"], "lost");
    Said followed = trainyard({"runs", "follow", "fake"});
    EXPECT_EQ(followed.code, 1);
    EXPECT_THAT(followed.err, says("the supervisor of {} (pid {} on {})", _, _, _).after("lost: "));
    Said stopped = trainyard({"runs", "stop", "fake"});
    EXPECT_EQ(stopped.code, 2);
    EXPECT_THAT(stopped.err, says("run {} is {}: {}; `{}` {}", _, StartsWith("lost"), _, _, _));
}

/// The output of the commands that show a run.
struct Looks {
    std::string list = trainyard({"runs", "list"}).out, show = trainyard({"runs", "show", "fake"}).out;
    Json json = Json::parse(trainyard({"runs", "show", "--json", "fake"}).out);
};

TEST(Runs, AStoppedSupervisorIsSaidToBeSilentUntilItGoesOn) {
    FakeRun run;
    run.start(1, "", 100'000);
    const run::RunState running = run.wait_for_step(2);
    EXPECT_EQ(Looks().json["status"], "running");
    EXPECT_LT(Looks().json["age_s"], 10);
    ASSERT_EQ(::kill(running.supervisor.pid, SIGSTOP), 0);
    test::Program following({TRAINYARD_BIN_DIR "/trainyard", "runs", "follow", "fake"});
    following.read_until([](const Said& said) { return said.out.find("silent") != std::string::npos; }, 60);
    const std::string pid = std::to_string(running.supervisor.pid);
    EXPECT_THAT(following.said().out, AllOf(says("the supervisor of {} (pid {} on {})", _, _, _).after("silent: "),
                                            says("the supervisor of {} (pid {} on {})", _, StartsWith(pid), _),
                                            says("{} is stopped and has said nothing for {}", _, _),
                                            HasSubstr("`kill -CONT " + pid + "` lets it continue")));
    const Looks looks;
    EXPECT_THAT(looks.list, AllOf(HasSubstr("silent"), HasSubstr("kill -CONT " + pid), Not(HasSubstr(" left"))));
    EXPECT_THAT(looks.show,
                AllOf(testing::ContainsRegex("status +silent"), testing::ContainsRegex("last word +[0-9]+ s ago"),
                      testing::ContainsRegex("rank 0 .* [0-9]+ s ago"), HasSubstr("kill -CONT " + pid)));
    EXPECT_EQ(looks.json["status"], "silent");
    EXPECT_EQ(looks.json["recorded_status"], "running");
    EXPECT_GT(looks.json["age_s"], 10);
    EXPECT_EQ(looks.json["way_out"], "kill -CONT " + pid);
    ASSERT_EQ(::kill(running.supervisor.pid, SIGCONT), 0);
    following.read_until([](const Said& said) { return said.out.find("reports again") != std::string::npos; }, 60);
    EXPECT_THAT(following.said().out, says(": it reports again").after("running"));
    EXPECT_EQ(Looks().json["status"], "running");
}

TEST(Runs, AKilledSupervisorMakesEveryFieldSayLost) {
    FakeRun run;
    run.start(1, "", 100'000);
    const run::RunState running = run.wait_for_step(2);
    ASSERT_EQ(::kill(running.supervisor.pid, SIGKILL), 0);
    for (double until = monotonic_seconds() + 30; is_alive(running.supervisor) && monotonic_seconds() < until;)
        ::usleep(10'000);
    EXPECT_THAT(Looks().show, testing::ContainsRegex("supervisor +pid [0-9]+ on .*, gone"))
        << "before its heartbeat is old";
    const Said followed = trainyard({"runs", "follow", "fake"});
    EXPECT_EQ(followed.code, 1);
    const std::string command = "trainyard launch " + run.paths->spec().string();
    EXPECT_THAT(followed.err, AllOf(says("the supervisor of {} (pid {} on {})", _, _, _).after("lost: "),
                                    says("starts it again").after("`" + command + "` ")));
    fs::create_directories(run.paths->checkpoints() / "checkpoint_2");
    std::ofstream(run.paths->checkpoints() / "checkpoint_2" / "manifest.json") << "{}";
    const std::string resume = command + " --set checkpoint.resume_from=" + run.paths->root().string();
    const Looks looks;
    EXPECT_THAT(looks.list, AllOf(HasSubstr("lost"), says("{} is gone, its last word is {} old", _, _),
                                  HasSubstr(resume), Not(HasSubstr("running"))));
    EXPECT_THAT(looks.show,
                AllOf(testing::ContainsRegex("status +lost"), HasSubstr("rank 0       lost on "), HasSubstr(resume),
                      says("resumes it from its last checkpoint"), Not(HasSubstr("running")), HasSubstr("no process")));
    EXPECT_EQ(looks.json["status"], "lost");
    EXPECT_EQ(looks.json["recorded_status"], "running");
    EXPECT_EQ(looks.json["ranks"][0]["state"], "lost");
    EXPECT_EQ(looks.json["ranks"][0]["pid"], 0);
    EXPECT_EQ(looks.json["way_out"], resume);
    EXPECT_THAT(looks.json["message"], says("{} is gone, its last word is {} old", _, _));
    EXPECT_THAT(trainyard({"runs", "stop", "fake"}).err,
                AllOf(says("run {} is {}: {}; `{}` {}", _, "lost", _, _, _), HasSubstr(resume)));
}

}  // namespace
}  // namespace trainyard
