// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard runs ...` on folders that no run left: it answers soon, says what is wrong, and the terminal obeys none of it.

#include "support/hostile_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "base/printable.h"
#include "base/utf8.h"
#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::says;
using testing::_;
using testing::AllOf;
using testing::AnyOf;
using testing::EndsWith;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

constexpr double kSoon = 20;                  // seconds; the answer of an idle machine takes 0.02
constexpr std::size_t kMostOutput = 100'000;  // bytes on a terminal for one run
constexpr rlim_t kMostMemory = 1u << 30;      // bytes of address space

/// `trainyard` with little memory and no patience. One that is killed has the code -9.
test::Said soon(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TRAINYARD_BIN_DIR "/trainyard");
    test::Program program(std::move(arguments), [] {
        const rlimit memory{kMostMemory, kMostMemory};
        ::setrlimit(RLIMIT_AS, &memory);
    });
    return program.wait(kSoon);
}

bool is_fit_for_a_terminal(const std::string& text) {
    return text::is_utf8(text) && text::printable_lines(text) == text;
}

class HostileRuns : public testing::Test {
  protected:
    HostileRuns() { ::setenv("TRAINYARD_RUNS", runs().c_str(), 1); }
    fs::path runs() const { return folder_.path() / "r"; }

    /// Alone in the runs folder.
    void only(const test::HostileRun& run) {
        std::error_code error;
        fs::remove_all(runs(), error);
        run_ = test::make_hostile_run(runs(), run).string();
    }
    void expect_fit(const test::Said& said, const std::string& command) {
        EXPECT_THAT(said.code, AnyOf(0, 1, 2)) << command << ": " << said.err.substr(0, 500);
        EXPECT_LT(said.out.size() + said.err.size(), kMostOutput) << command;
        EXPECT_TRUE(is_fit_for_a_terminal(said.out)) << command << ": " << said.out.substr(0, 2000);
        EXPECT_TRUE(is_fit_for_a_terminal(said.err)) << command << ": " << said.err.substr(0, 2000);
    }

    test::TemporaryFolder folder_;
    std::string run_;
};

TEST_F(HostileRuns, AreListedAndShownSoonAndHarmlessly) {
    for (const test::HostileRun& run : test::hostile_runs()) {
        SCOPED_TRACE(text::printable(run.name));
        only(run);
        const test::Said list = soon({"runs", "list"});
        expect_fit(list, "list");
        EXPECT_EQ(list.code, 0);
        EXPECT_EQ(list.out.find("unreadable") == std::string::npos, run.readable) << list.out.substr(0, 500);
        const test::Said show = soon({"runs", "show", run_});
        expect_fit(show, "show");
        EXPECT_EQ(show.code, run.readable ? 0 : 2) << show.err.substr(0, 500);
        if (HasFailure())
            break;  // the rest takes its time limits, too
    }
}

TEST_F(HostileRuns, AreJsonForPrograms) {
    for (const test::HostileRun& run : test::hostile_runs()) {
        SCOPED_TRACE(text::printable(run.name));
        only(run);
        const test::Said list = soon({"runs", "list", "--json"});
        EXPECT_EQ(list.code, 0) << list.err.substr(0, 500);
        EXPECT_TRUE(is_fit_for_a_terminal(list.out));
        const Json all = Json::parse(list.out, nullptr, false);
        ASSERT_TRUE(all.is_array() && all.size() == 1) << list.out.substr(0, 500);
        EXPECT_EQ(all[0]["status"] != "unreadable", run.readable);
        if (HasFailure())
            break;
    }
}

TEST_F(HostileRuns, AreFollowedLabelledAndAskedHarmlessly) {
    for (const test::HostileRun& run : test::hostile_runs()) {
        SCOPED_TRACE(text::printable(run.name));
        only(run);
        if (run.readable || run.name == "cut-short" || run.name == "long-status")  // each takes 5 s
            expect_fit(soon({"runs", "follow", run_}), "follow");
        expect_fit(soon({"runs", "label", run_, "--tag", "+mine"}), "label");
        expect_fit(soon({"runs", "pause", run_}), "pause");
        expect_fit(soon({"launch", "--dry-run", "--cpu", run_ + "/run.yaml"}), "launch");
        if (HasFailure())
            break;
    }
}

TEST_F(HostileRuns, AMessageIsCutAndItsLengthSaid) {
    for (const test::HostileRun& run : test::hostile_runs()) {
        if (run.name != "long-message")
            continue;
        only(run);
        // Of a message 4,000 bytes are read (run/state.h), of which a table shows 200 and a page 1,000.
        EXPECT_THAT(soon({"runs", "list"}).out, HasSubstr("mmm... (3.8 kB more)"));
        EXPECT_THAT(soon({"runs", "show", run_}).out, HasSubstr("mmm... (3.0 kB more)"));
    }
}

TEST_F(HostileRuns, OrdersToTheTerminalAreShownAsText) {
    for (const test::HostileRun& run : test::hostile_runs()) {
        if (run.name != "terminal-orders")
            continue;
        only(run);
        const std::string shown = soon({"runs", "show", run_}).out;
        EXPECT_THAT(shown, HasSubstr(R"(\x1b]0;owned\x07\x1b[2Jred\r\nstatus  finished\u009b2J \u202egnp.exe\x00)"));
        EXPECT_THAT(shown, Not(HasSubstr("\nstatus  finished"))) << "no line is forged";
    }
}

/// All texts of a received run: those of state.json, events.jsonl, run.yaml, labels.json, mirror.json and requests.
test::HostileRun received_run(const std::string& status, bool mirror) {
    return {"received-" + status,
            [=](const fs::path& folder) {
                test::put(
                    folder / "state.json",
                    test::plain_state(
                        R"("run_id":"@","name":"@","message":"@","status":")" + status +
                        R"(","first_failure":{"rank":0,"host":"@","phase":"@","message":"@","last_collective":"@",)"
                        R"("log":["@","@"]},"machines":[{"host":"@","ranks":1,"state":"@"}],)"
                        R"("ranks":[{"rank":0,"host":"@","device":"@","state":"@","phase":"@","last_collective":"@"}],)"
                        R"("supervisor":{"host":"@","pid":7,"start_time":1})"));
                test::put(folder / "events.jsonl",
                          R"({"time":"2026-11-21T07:45:14.000Z","step":1,"kind":"@","text":"@","path":"@"})"
                          "\n");
                test::put(folder / "labels.json", R"({"name":"@","note":"@","tags":["@"]})");
                test::put(folder / "run.yaml", "recipe: {name: \"" + test::kHostileJsonText + "\", data: {path: \"" +
                                                   test::kHostileJsonText + "\"}}\nlaunch: {device: \"" +
                                                   test::kHostileJsonText + "\"}\n");
                fs::create_directories(folder / "logs");
                test::put(folder / "logs" / "rank-00000.log", "\x1b]0;owned\x07\xc2\x9b\xe2\x80\xae\xff\n");
                if (mirror)
                    test::put(folder / "mirror.json", R"({"host":")" + test::kHostileJsonText + R"(","path":"/)" +
                                                          test::kHostileJsonText + R"(","message":")" +
                                                          test::kHostileJsonText + R"(","connected":false})");
            },
            true};
}

TEST_F(HostileRuns, TextsOfReceivedRunsAreHarmlessInEveryCommand) {
    // Whether a command prints such a text at all: else the test would say nothing.
    const std::vector<std::pair<std::vector<std::string>, bool>> commands = {
        {{"runs", "list"}, true},
        {{"runs", "list", "--all"}, true},
        {{"runs", "list", "--json"}, true},
        {{"runs", "show", "RUN"}, true},
        {{"runs", "show", "--json", "RUN"}, true},
        {{"runs", "follow", "RUN"}, true},
        {{"runs", "follow", "--json", "RUN"}, true},
        {{"runs", "stop", "RUN"}, true},
        {{"runs", "stop", "--json", "RUN"}, true},
        {{"runs", "stop", "--now", "RUN"}, true},
        {{"runs", "pause", "RUN"}, true},
        {{"runs", "resume", "RUN"}, true},
        {{"runs", "evaluate", "RUN"}, true},
        {{"runs", "checkpoint", "RUN"}, true},
        {{"runs", "profile", "RUN"}, true},
        {{"runs", "move", "RUN", "1"}, true},
        {{"runs", "start", "RUN"}, true},
        {{"runs", "set", "RUN", "lr=1e-4"}, true},
        {{"runs", "label", "RUN"}, true},
        {{"runs", "label", "RUN", "--tag", "+mine"}, false},
        {{"runs", "fetch", "RUN"}, false},
        {{"runs", "show", "no such run"}, false},
        {{"launch", "--dry-run", "--cpu", "RUN/run.yaml"}, false},
        {{"launch", "--check", "--cpu", "RUN/run.yaml"}, false},
        {{"checkpoints", "list", "RUN"}, false},
        {{"trace", "summary", "RUN"}, false},
        {{"generate", "RUN", "--prompt", "x"}, false},
        {{"mirror", "RUN"}, false},
    };
    for (const bool mirror : {false, true}) {
        only(received_run("failed", mirror));
        for (const auto& [words, prints] : commands) {
            std::vector<std::string> arguments;
            std::string command;
            for (const std::string& word : words) {
                arguments.push_back(word.starts_with("RUN") ? run_ + word.substr(3) : word);
                command += word + " ";
            }
            const test::Said said = soon(arguments);
            expect_fit(said, command);
            EXPECT_TRUE(!prints || (said.out + said.err).find("owned") != std::string::npos)
                << command << ": " << said.out << said.err;
        }
    }
    // Runs that have not ended are listed and shown.
    for (const char* status : {"running", "queued", "paused"})
        for (const bool mirror : {false, true}) {
            only(received_run(status, mirror));
            for (const char* command : {"list", "show"}) {
                std::vector<std::string> words{"runs", command};
                if (words[1] == "show")
                    words.push_back(run_);
                expect_fit(soon(words), std::string(command) + " " + status);
            }
        }
}

TEST_F(HostileRuns, APlaceForRunsThatIsNoFolderIsSaidToBeNone) {
    test::put(folder_.path() / "file", "x");
    ::setenv("TRAINYARD_RUNS", (folder_.path() / "file").c_str(), 1);
    for (const char* command : {"list", "show"}) {
        std::vector<std::string> words{"runs", command};
        if (words[1] == "show")
            words.push_back("x");
        const test::Said said = soon(words);
        EXPECT_EQ(said.code, 2);
        EXPECT_THAT(
            said.err,
            AllOf(
                says("the place for runs, {}, is not a folder: set TRAINYARD_RUNS to a folder, or remove what is there",
                     EndsWith("/file")),
                HasSubstr("TRAINYARD_RUNS")));
    }
    ::setenv("TRAINYARD_RUNS", "/proc/foo", 1);
    test::put(folder_.path() / "text.txt", std::string(200'000, 'x'));
    test::put(folder_.path() / "recipe.yaml", "name: fake\ndata: {path: text.txt}\ntraining: {steps: 1}\n");
    const test::Said said = soon({"launch", "--cpu", (folder_.path() / "recipe.yaml").string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, AllOf(says("the run cannot be kept in {}: {} takes no new folders: {}: choose another place "
                                     "with --run_dir or TRAINYARD_RUNS",
                                     "/proc/foo", "/proc", _),
                                Not(HasSubstr("full"))));
}

TEST_F(HostileRuns, DeepYamlIsSaidToBeTooDeep) {
    test::put(folder_.path() / "deep.yaml", "name: " + test::nested(200'000) + "\n");
    const test::Said said = soon({"launch", "--cpu", (folder_.path() / "deep.yaml").string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, AllOf(says("nested deeper than 64 levels"), Not(HasSubstr("bad file"))));
}

TEST_F(HostileRuns, TextThatIsNotUtf8DoesNotGetIntoRunYaml) {
    test::put(folder_.path() / "text.txt", std::string(200'000, 'x'));
    const std::string plain = (folder_.path() / "plain.yaml").string(), bad = (folder_.path() / "bad.yaml").string();
    test::put(plain, "name: fake\ndata: {path: text.txt}\ntraining: {steps: 1}\n");
    test::put(bad, "data: {path: text.txt}\ntraining: {steps: 1}\nname: caf\xe9\n");
    const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
        {{"launch", "--cpu", bad}, "is not valid UTF-8"},
        {{"launch", "--cpu", "--dry-run", bad}, "is not valid UTF-8"},
        {{"launch", "--cpu", "--set", "name=caf\xe9", plain}, "is not valid UTF-8"},
        {{"launch", "--cpu", "--no_python", "/bin/echo", "caf\xe9"}, "not text in UTF-8"}};
    for (const auto& [words, sentence] : commands) {
        const test::Said said = soon(words);
        EXPECT_EQ(said.code, 2) << said.out.substr(0, 500);
        EXPECT_THAT(said.err, HasSubstr(sentence));
        EXPECT_TRUE(is_fit_for_a_terminal(said.err)) << said.err;
        EXPECT_EQ(said.err.find(sentence), said.err.rfind(sentence)) << "said once: " << said.err;
    }
    EXPECT_FALSE(fs::exists(runs())) << "nothing was made";
}

}  // namespace
}  // namespace trainyard
