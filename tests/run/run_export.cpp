// SPDX-License-Identifier: GPL-3.0-or-later
// A run as one file: what comes back on another machine is the same run; a damaged or foreign file leaves nothing
// behind.

#include "run/run_export.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/files/file_writer.h"
#include "base/files/zip_writer.h"
#include "base/process.h"
#include "run/listing.h"
#include "run/run_labels.h"
#include "run/spec.h"
#include "run/state.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using test::says;
using testing::_;

class RunExport : public testing::Test {
  protected:
    RunExport() {
        RunSpec spec;
        spec.recipe.name = "small";
        write_file_atomically(run.spec(), to_yaml(spec));
        RunState state;
        state.run_id = run.id();
        state.name = "small";
        state.status = Status::finished;
        state.progress.loss = 0.5;
        write_state(run, state);
        put("metrics/events.out.tfevents.1", std::string("a\0b", 3));
        put("logs/rank-00000.log", "");
        put("checkpoints/checkpoint_0/model.safetensors", std::string(9 << 20, 'w'));
        put("traces/step-1.json", "{}");
        put("requests/1.json", "{}");
        put("queue.json", "{}");
        put(".hidden", "x");
        fs::create_symlink("/etc/passwd", run.root() / "logs/link");
        write_labels(run, {.name = "the best", .tags = {"a"}});
    }
    void put(const std::string& name, const std::string& content) {
        fs::create_directories((run.root() / name).parent_path());
        write_file_atomically(run.root() / name, content);
    }
    static std::map<std::string, std::string> files_in(const fs::path& folder) {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file() && !entry.is_symlink())
                all[entry.path().lexically_relative(folder)] = read_file(entry.path());
        return all;
    }
    /// Nothing is left of an import that failed.
    void expect_refused(const std::string& what) {
        EXPECT_THROW(import_run(file, there, progress), UserError) << what;
        EXPECT_TRUE(!fs::exists(there) || fs::is_empty(there)) << what;
    }

    test::TemporaryFolder folder;
    RunPaths run = create_run_directory(folder.path() / "runs", "small");
    fs::path file = folder.path() / "run.zip", there = folder.path() / "there";
    trainyard::Progress progress;
};

TEST_F(RunExport, ComesBackAsItWas) {
    const ExportedRun exported = export_run(run, file, {}, progress);
    const RunPaths back = import_run(file, there, progress);
    EXPECT_EQ(back.id(), run.id());
    std::map<std::string, std::string> expected = files_in(run.root());
    for (const char* local : {"requests/1.json", "queue.json", ".hidden"})
        EXPECT_EQ(expected.erase(local), 1u);
    EXPECT_EQ(files_in(back.root()), expected);
    EXPECT_EQ(exported.files, expected.size());
    EXPECT_FALSE(fs::exists(back.root() / "logs/link"));
    EXPECT_EQ(fs::status(back.root()).permissions() & fs::perms::others_all, fs::perms::none);
    const std::vector<ListedRun> listed = list_runs(there);
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(shown_name(listed[0]), "the best");
    EXPECT_EQ(listed[0].state->progress.loss, 0.5);
    try {
        import_run(file, there, progress);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.message(), says("run {} is in {} already", run.id(), _));
    }
    EXPECT_EQ(files_in(back.root()), expected);
}

TEST_F(RunExport, LeavesOutWhatIsNotWanted) {
    export_run(run, file, {.checkpoints = false, .traces = false}, progress);
    EXPECT_LT(fs::file_size(file), 100'000u);
    const std::map<std::string, std::string> all = files_in(import_run(file, there, progress).root());
    EXPECT_TRUE(all.contains("metrics/events.out.tfevents.1"));
    for (const auto& [name, content] : all)
        EXPECT_FALSE(name.starts_with("checkpoints/") || name.starts_with("traces/")) << name;
}

TEST_F(RunExport, ARunThatGoesOnIsRefused) {
    RunState state = *read_state(run);
    state.status = Status::running;
    state.supervisor = this_process();
    state.supervisor_host = host_name();
    write_state(run, state);
    try {
        export_run(run, file, {}, progress);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.message(), says("run {} is not over: what it writes meanwhile would be torn; stop it, or "
                                          "wait for its end",
                                          run.id()));
    }
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(RunExport, ADamagedFileLeavesNothing) {
    export_run(run, file, {}, progress);
    const std::string whole = read_file(file);
    for (const std::size_t at : {whole.size() / 2, std::size_t{200}, whole.size() - 30}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        write_file_atomically(file, damaged);
        expect_refused("byte " + std::to_string(at));
    }
    write_file_atomically(file, whole.substr(0, whole.size() / 2));
    expect_refused("half of it");
    write_file_atomically(file, "not an archive");
    expect_refused("text");
}

TEST_F(RunExport, ForeignFilesAreRefused) {
    const std::string spec = read_file(run.spec()), state = read_file(run.state());
    const auto write = [&](const std::string& top, const std::map<std::string, std::string>& entries) {
        files::FileWriter out(file, 1 << 20);
        files::ZipWriter zip(out, top);
        for (const auto& [name, content] : entries)
            zip.add(name, content);
        zip.finish();
        out.finish();
    };
    write(run.id(), {{"data.pkl", "x"}});
    expect_refused("no run");
    write(run.id(), {{"run.yaml", spec}, {"state.json", "{"}});
    expect_refused("no state");
    write("another", {{"run.yaml", spec}, {"state.json", state}});
    expect_refused("the state of another run");
    write(run.id(), {{"run.yaml", "recipe: ["}, {"state.json", state}});
    expect_refused("no description");
    write("..", {{"run.yaml", spec}, {"state.json", state}});
    expect_refused("a folder outside");
    write(run.id(), {{"run.yaml", spec}, {"state.json", state}, {"../../evil", "x"}});
    expect_refused("a file outside");
    EXPECT_FALSE(fs::exists(folder.path() / "evil"));
}

TEST_F(RunExport, CancelledItChangesNothing) {
    trainyard::Progress once([](std::uint64_t done, std::uint64_t total) { return done * 2 < total; });
    EXPECT_THROW(export_run(run, file, {}, once), Cancelled);
    EXPECT_FALSE(fs::exists(file));
    export_run(run, file, {}, progress);
    EXPECT_THROW(import_run(file, there, once), Cancelled);
    EXPECT_TRUE(fs::is_empty(there));
}

}  // namespace
}  // namespace trainyard::run
