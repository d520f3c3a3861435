// SPDX-License-Identifier: GPL-3.0-or-later
// Event files of programs that know nothing of a run folder.

#include "launch/supervisor/event_files.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;

/// A program that waits in a folder until it is ended.
class Program {
  public:
    explicit Program(const fs::path& directory, const fs::path& keeps_open = {}) {
        pid_ = ::fork();
        if (pid_ == 0) {
            if (::chdir(directory.c_str()) != 0)
                ::_exit(1);
            if (!keeps_open.empty())
                ::open(keeps_open.c_str(), O_WRONLY | O_CREAT, 0600);
            ::execlp("sleep", "sleep", "60", nullptr);
            ::_exit(1);
        }
        for (int i = 0; i < 1000 && name() != "sleep"; ++i)
            ::usleep(5000);
    }
    ~Program() { end(); }
    void end() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        pid_ = 0;
    }
    pid_t pid() const { return pid_; }

  private:
    std::string name() const {
        std::ifstream file(fmt::format("/proc/{}/comm", pid_));
        std::string text;
        std::getline(file, text);
        return text;
    }
    pid_t pid_ = 0;
};

fs::path write_events(const fs::path& folder, pid_t pid) {
    fs::create_directories(folder);
    fs::path file = folder / fmt::format("events.out.tfevents.1795287765.vm.{}.0", pid);
    write_file_atomically(file, "events", false);
    return file;
}

class EventFilesTest : public testing::Test {
  protected:
    fs::path work() const { return folder_.path() / "work"; }
    fs::path metrics() const { return folder_.path() / "run" / "metrics"; }
    void SetUp() override {
        fs::create_directories(work());
        fs::create_directories(metrics());
    }
    test::TemporaryFolder folder_;
};

TEST_F(EventFilesTest, AreFoundByTheProcessThatWroteThemAndLinked) {
    Program program(work());
    EventFiles files(metrics(), work(), {"python3", "train.py"});
    EXPECT_TRUE(files.due(0.5));
    EXPECT_THAT(files.look({program.pid()}, 0.5), IsEmpty());
    EXPECT_FALSE(files.due(0.6));
    fs::path mine = write_events(work() / "runs" / "Nov21", program.pid());
    write_events(work() / "runs" / "before", program.pid() + 1);  // of another program
    EXPECT_THAT(files.look({program.pid()}, 5), ElementsAre(mine));
    EXPECT_THAT(files.look({program.pid()}, 9), IsEmpty());
    EXPECT_EQ(fs::read_symlink(metrics() / mine.filename()), mine);
    EXPECT_EQ(std::distance(fs::directory_iterator(metrics()), fs::directory_iterator()), 1);
}

TEST_F(EventFilesTest, AreFoundAfterTheProgramHasEnded) {
    Program program(work());
    pid_t pid = program.pid();
    EventFiles files(metrics(), work(), {});
    files.look({pid}, 1);
    program.end();
    fs::path file = write_events(work() / "logs", pid);
    EXPECT_THAT(files.look({}, 2), ElementsAre(file));
}

TEST_F(EventFilesTest, TablesThatChangeAfterTheStartAreLinkedBesides) {
    const fs::path tables = folder_.path() / "run" / "trackers";
    const auto write = [&](const fs::path& file) {
        fs::create_directories(file.parent_path());
        write_file_atomically(file, "{\"step\": 1, \"loss\": 2}\n", false);
    };
    write(work() / "old.jsonl");
    fs::last_write_time(work() / "old.jsonl", fs::file_time_type::clock::now() - std::chrono::hours(1));
    Program program(work());
    EventFiles files(metrics(), work(), {}, {}, tables);
    files.look({program.pid()}, 1);
    write(work() / "out" / "m.jsonl");
    write(work() / "again" / "m.jsonl");
    write(work() / "wandb" / "run-1.wandb");
    fs::create_directories(work() / "mlruns" / "1" / "abc" / "metrics");
    write(work() / "mlruns" / "1" / "meta.yaml");  // of an experiment
    write(work() / "mlruns" / "1" / "abc" / "meta.yaml");
    write(work() / "other" / "run.yaml");
    write(work() / "other" / "events.jsonl");
    write(work() / "other" / "deeper" / "x.csv");
    EXPECT_THAT(files.look({program.pid()}, 2), IsEmpty()) << "event files alone";
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(tables))
        names.insert(entry.path().filename().string());
    EXPECT_THAT(names, testing::UnorderedElementsAre("m.jsonl", AnyOf("again-m.jsonl", "out-m.jsonl"), "run-1.wandb",
                                                     "meta.yaml"))
        << "tables in folders of runs are of other programs";
}

TEST_F(EventFilesTest, AreFoundWhereAnArgumentSays) {
    fs::path elsewhere = folder_.path() / "elsewhere";
    Program program(work());
    EventFiles files(metrics(), work(), {"python3", "train.py", "--logging_dir=" + elsewhere.string(), "--flag"});
    fs::path file = write_events(elsewhere / "a" / "b", program.pid());
    EXPECT_THAT(files.look({program.pid()}, 1), ElementsAre(file));
}

TEST_F(EventFilesTest, AreFoundWhereAProcessKeepsThemOpen) {
    fs::path far = folder_.path() / "far";
    fs::create_directories(far);
    fs::path file = far / "events.out.tfevents.1.cpp";  // written by a library that names no pid
    Program program(work(), file);
    EventFiles files(metrics(), work(), {});
    EXPECT_THAT(files.look({program.pid()}, 1), ElementsAre(file));
}

TEST_F(EventFilesTest, ALookIsBounded) {
    for (int i = 0; i < 300; ++i)
        write_file_atomically(work() / fmt::format("file{}", i), "x", false);
    Program program(work());
    write_events(work() / "runs" / "deep" / "deeper", program.pid());
    EventFiles shallow(metrics(), work(), {}, {.depth = 1, .entries = 4000});
    EXPECT_THAT(shallow.look({program.pid()}, 1), IsEmpty());
    EventFiles few(metrics(), work(), {}, {.depth = 5, .entries = 2});
    EXPECT_THAT(few.look({program.pid()}, 1), IsEmpty());
}

TEST_F(EventFilesTest, LooksBecomeRare) {
    EventFiles files(metrics(), work(), {});
    double now = 0;
    int looks = 0;
    for (; now < 600; now += 0.5)
        if (files.due(now)) {
            files.look({}, now);
            ++looks;
        }
    EXPECT_LE(looks, 50);
    EXPECT_GE(looks, 40);
}

}  // namespace
}  // namespace trainyard::launch
