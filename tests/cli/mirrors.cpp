// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of runs on other machines: nothing that their files name is executed here, and no connection is made for them
// before the user agrees.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/at_terminal.h"
#include "cli/program.h"
#include "run/folder_record.h"
#include "support/hostile_runs.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kQuestion = "continue the copy? [y/N]";

class Mirrors : public testing::Test {
  protected:
    Mirrors() {
        for (const char* name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HF_HOME"})
            ::setenv(name, (folder_.path() / name).c_str(), 1);
        ::setenv("HOME", folder_.path().c_str(), 1);
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "SLURM_JOB_ID"})
            ::unsetenv(name);
        std::ofstream(program()) << "#!/bin/sh\ntouch '" << executed().string() << "'\n";
        ::chmod(program().c_str(), 0755);
    }
    fs::path runs() const { return folder_.path() / "runs"; }
    fs::path program() const { return folder_.path() / "evil"; }
    fs::path executed() const { return folder_.path() / "executed"; }
    /// The folder of a run of that program.
    fs::path put_program(const char* name) const {
        const fs::path folder = runs() / name;
        fs::create_directories(folder);
        test::put(folder / "run.yaml", "recipe_file: /x/recipe.yaml\nprogram: {command: [" + program().string() +
                                           ", --now]}\nlaunch: {num_processes: 1}\n");
        return folder;
    }
    fs::path put_mirror(const char* name, const std::string& mirror) const {
        const fs::path folder = put_program(name);
        test::put(folder / "state.json", test::plain_state());
        test::put(folder / "mirror.json", mirror);
        return folder;
    }
    static Said launch(const fs::path& spec) { return test::trainyard({"launch", "--cpu", "-q", spec.string()}); }

    test::TemporaryFolder folder_;
};

TEST_F(Mirrors, LaunchRefusesTheProgramOfACopy) {
    const Said own = launch(put_program("own") / "run.yaml");
    EXPECT_EQ(own.code, 0) << own.err;
    ASSERT_TRUE(fs::exists(executed())) << "the program of a run of this machine is started";
    fs::remove(executed());

    const fs::path claimed = put_mirror("claimed", R"({"host": "gpu-a", "path": "/x"})");
    // The file that says so may be missing: the program's own record of the folder counts.
    const fs::path recorded = put_program("recorded");
    run::record_mirror_source(run::RunPaths(recorded), {"gpu-a", "/x", "trainyard"});
    for (const fs::path& folder : {claimed, recorded}) {
        const Said said = launch(folder / "run.yaml");
        EXPECT_EQ(said.code, 2) << folder;
        EXPECT_THAT(said.err, AllOf(HasSubstr((folder / "run.yaml").string()),
                                    says("{} is of a copy of a run on another machine and is not executed on this one: "
                                         "read it, and launch a copy of it outside of that folder",
                                         _),
                                    says("{} is of a copy of a run on another machine and is not executed on this one: "
                                         "read it, and launch a copy of it outside of that folder",
                                         _)));
    }
    EXPECT_FALSE(fs::exists(executed()));
}

TEST_F(Mirrors, LaunchRefusesThePlugInsOfACopy) {
    const std::string recipe =
        "recipe: {name: x, plugins: [/x/evil.so], model: {n_layer: 2, n_embd: 32, n_head: 2}, "
        "training: {steps: 1}}\nlaunch: {num_processes: 1}\n";
    const fs::path folder = put_mirror("copy", R"({"host": "gpu-a", "path": "/x"})");
    test::put(folder / "run.yaml", recipe);
    const Said said = launch(folder / "run.yaml");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, AllOf(says("{} is of a copy of a run on another machine and is not executed on this one: "
                                     "read it, and launch a copy of it outside of that folder",
                                     _),
                                Not(HasSubstr("evil.so"))));
    // Elsewhere the same file gets as far as its plug-in.
    const fs::path other = put_program("other");
    test::put(other / "run.yaml", recipe);
    EXPECT_THAT(launch(other / "run.yaml").err, HasSubstr("evil.so"));
}

TEST_F(Mirrors, CheckpointsThatWereNotFetchedAreNamedWithTheirHost) {
    const fs::path folder = put_mirror("copy", R"({"host": "gpu-a", "path": "/x"})");
    const fs::path checkpoints = folder / "checkpoints";
    for (const std::string step : {"5", "12"}) {
        fs::create_directories(checkpoints / ("checkpoint_" + step));
        test::put(checkpoints / ("checkpoint_" + step) / "manifest.json",
                  R"({"format": "trainyard-2", "number": )" + step +
                      R"(, "files": {"model.safetensors": {"bytes": 9, )"
                      R"("xxh128": "00000000000000000000000000000000"}}})");
    }
    const auto fetch = [](const std::string& name) {
        return says("{} of run {} is on {}: `trainyard runs fetch {} {}` copies it to this machine", name, "copy",
                    "gpu-a", "copy", name);
    };
    const Said list = test::trainyard({"checkpoints", "list", "copy"});
    EXPECT_EQ(list.code, 0) << list.err;
    EXPECT_THAT(list.out, AllOf(HasSubstr("  on gpu-a\n"), Not(HasSubstr("broken")), fetch("checkpoint_5")));
    EXPECT_THAT(test::trainyard({"checkpoints", "list", "copy", "--json"}).out,
                AllOf(HasSubstr("\"remote\""), HasSubstr("\"gpu-a\"")));
    const std::vector<std::vector<std::string>> looks{{"show", "copy"},
                                                      {"verify", "copy"},
                                                      {"export", "copy", (folder_.path() / "out").string()},
                                                      {"show", (checkpoints / "checkpoint_12").string()},
                                                      {"show", checkpoints.string() + "/"}};
    for (const std::vector<std::string>& words : looks) {
        std::vector<std::string> all{"checkpoints"};
        all.insert(all.end(), words.begin(), words.end());
        const Said said = test::trainyard(all);
        EXPECT_EQ(said.code, 2) << words[0];
        EXPECT_THAT(said.err, fetch("checkpoint_12")) << words[0];
    }
    EXPECT_THAT(test::trainyard({"checkpoints", "show", "copy@5"}).err, fetch("checkpoint_5"));
    EXPECT_THAT(test::trainyard({"checkpoints", "prune", "copy", "--keep_last", "1", "--broken"}).out,
                HasSubstr("(on gpu-a)"));
    EXPECT_TRUE(fs::exists(checkpoints / "checkpoint_5"));

    // Before a start, here and on hosts, none of which is contacted.
    test::put(folder_.path() / "text.txt", std::string(20'000, 'x'));
    const std::string recipe = (folder_.path() / "recipe.yaml").string();
    test::put(recipe,
              "name: on\nmodel: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 32}\n"
              "data: {path: text.txt, sequence_length: 32}\ntraining: {steps: 2}\n");
    const std::vector<std::vector<std::string>> launches{
        {"--cpu"}, {"--hosts", "gpu-a.invalid:1"}, {"--hosts", "gpu-a.invalid:1", "--check"}};
    for (const std::vector<std::string>& words : launches) {
        std::vector<std::string> all{"launch", recipe, "--set", "checkpoint.resume_from=" + folder.string()};
        all.insert(all.end(), words.begin(), words.end());
        const Said said = test::trainyard(all);
        EXPECT_EQ(said.code, 2) << words[0];
        EXPECT_THAT(said.err, AllOf(HasSubstr("checkpoint.resume_from"), fetch("checkpoint_12"),
                                    Not(HasSubstr("gpu-a.invalid"))));
    }
    // One that was fetched is read as usual.
    test::put(checkpoints / "checkpoint_5" / "model.safetensors", "123456789");
    EXPECT_THAT(test::trainyard({"checkpoints", "list", "copy"}).out, AllOf(HasSubstr("on gpu-a"), HasSubstr("whole")));
}

TEST_F(Mirrors, ConnectsToTheHostOfACopyAfterAQuestionOnly) {
    const std::string mirror = R"({"host": "gpu-a.invalid", "path": "/data/x", "program": "/bin/evil", )"
                               R"("connected": false, "complete": false})";
    const fs::path refused = put_mirror("refused", mirror);
    const std::string cli = TRAINYARD_BIN_DIR "/trainyard";

    // The question needs a terminal.
    const Said silent = test::trainyard({"runs", "fetch", "refused"});
    EXPECT_NE(silent.code, 0);
    EXPECT_THAT(silent.err, AllOf(HasSubstr("gpu-a.invalid:/data/x"), HasSubstr("not followed"),
                                  HasSubstr("runs attach"), Not(HasSubstr(kQuestion))));
    EXPECT_FALSE(run::is_refused_mirror(run::RunPaths(refused))) << "it was not the user who refused";
    {
        test::AtTerminal terminal({cli, "runs", "fetch", "refused"});
        ASSERT_TRUE(terminal.see(kQuestion)) << terminal.screen();
        EXPECT_THAT(terminal.screen(),
                    AllOf(HasSubstr("gpu-a.invalid:/data/x"),
                          says("{} says that it is a copy of {}:{}, but this account did not make it", _, _, _)));
        EXPECT_THAT(terminal.screen(), Not(HasSubstr("/bin/evil")));
        terminal.type("n");
        EXPECT_NE(terminal.wait(), 0);
        EXPECT_THAT(terminal.screen(), says("run {} was not copied by this account: {} continues the copy", _, _));
    }
    EXPECT_TRUE(run::is_refused_mirror(run::RunPaths(refused)));
    EXPECT_FALSE(run::mirror_source(run::RunPaths(refused)));
    {
        test::AtTerminal terminal({cli, "runs", "fetch", "refused"});
        EXPECT_NE(terminal.wait(), 0);
        EXPECT_THAT(terminal.screen(), Not(HasSubstr(kQuestion))) << "asked once";
    }
    // Agreed to, but the host does not exist: nothing is recorded, and the user is asked again.
    const fs::path agreed = put_mirror("agreed", mirror);
    for (int i = 0; i < 2; ++i) {
        test::AtTerminal terminal({cli, "runs", "fetch", "agreed"});
        ASSERT_TRUE(terminal.see(kQuestion)) << terminal.screen();
        terminal.type("y");
        EXPECT_NE(terminal.wait(), 0);
        EXPECT_THAT(terminal.screen(), HasSubstr("gpu-a.invalid"));
    }
    EXPECT_FALSE(run::mirror_source(run::RunPaths(agreed)));
    EXPECT_FALSE(run::is_refused_mirror(run::RunPaths(agreed)));
    EXPECT_FALSE(fs::exists(executed()));

    // A text that is not a host name is not asked about.
    put_mirror("odd", R"({"host": "-oProxyCommand=x", "path": "/data/x"})");
    test::AtTerminal terminal({cli, "runs", "fetch", "odd"});
    EXPECT_NE(terminal.wait(), 0);
    EXPECT_THAT(terminal.screen(), AllOf(HasSubstr("not followed"), Not(HasSubstr(kQuestion))));
}

}  // namespace
}  // namespace trainyard
