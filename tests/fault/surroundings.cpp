// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of invalid recipes, missing and unreadable data, a full disk, and a port in use: each must give one clear
// message, and no partly started run.

#include <algorithm>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "fault/real_run.h"
#include "run/journal.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using test::Program;
using test::RealRun;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Expects exit code 2, one line of output, and no run folder.
void expect_one_sentence(const RealRun& run, const Said& said) {
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    EXPECT_TRUE(run.has_no_runs());
}

/// File permissions bind root as well once these are gone, over exec too.
void give_up_root_over_files() {
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
}

Said launch_as_nobody_special(const RealRun& run) {
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", run.recipe()},
                    give_up_root_over_files);
    return program.wait();
}

TEST(Surroundings, APortThatIsTaken) {
    RealRun run;
    FileDescriptor other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(other.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(other.get(), 1), 0);
    ASSERT_EQ(::getsockname(other.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    std::string port = std::to_string(ntohs(address.sin_port));
    Said said = run.start({"--num_processes", "2", "--main_process_port", port});
    expect_one_sentence(run, said);
    EXPECT_THAT(said.err,
                AllOf(says("port {} of {} is in use by another program: give another one, or 0 for a free one", port,
                           "127.0.0.1"),
                      says("port {} of {} is in use by another program: give another one, or 0 for a free one", _, _)));
}

TEST(Surroundings, ABadRecipe) {
    RealRun run;
    std::ofstream(run.recipe(), std::ios::app) << "optimiser: {lr: 1}\n";
    Said said = run.start({});
    expect_one_sentence(run, said);
    EXPECT_THAT(said.err, AllOf(HasSubstr("recipe.yaml:5:1"), says(": did you mean '{}'?", "optimizer")));
}

TEST(Surroundings, MissingData) {
    RealRun run;
    fs::remove(run.root() / "text.txt");
    Said said = run.start({});
    expect_one_sentence(run, said);
    EXPECT_THAT(said.err, HasSubstr((run.root() / "text.txt").string()));
}

TEST(Surroundings, DataForFewerRanksThanThereAre) {
    RealRun run;
    std::ofstream(run.root() / "text.txt", std::ios::trunc) << std::string(100, 'x');
    Said said = run.start({"--num_processes", "4"});
    expect_one_sentence(run, said);
    EXPECT_THAT(said.err, says("the text has {} of {} bytes to train on, too few for one batch of {} on {}: "
                               "add text, lower training.batch_size or data.validation_fraction",
                               _, _, 2, StartsWith("4 ranks")));
}

TEST(Surroundings, TooLittleMemory) {
    RealRun run;
    // A step needs far more than the limit, which the libraries alone stay well below; nothing of it is ever touched.
    std::ofstream(run.recipe(), std::ios::trunc)
        << "name: fault\nmodel: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16, vocab_size: 256}\n"
           "data: {path: text.txt, sequence_length: 16}\n"
           "training: {steps: 5, batch_size: 30000}\n";
    constexpr rlim_t kLimit = 1'200'000'000;
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", run.recipe()}, [] {
        rlimit limit{kLimit, kLimit};
        ::setrlimit(RLIMIT_AS, &limit);
    });
    ASSERT_EQ(program.wait().code, 0);
    run.paths = run::list_runs(run.runs()).front().paths;
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message,
                AllOf(says("out of memory: this rank held {} at most, its address space is limited to {} (ulimit -v): "
                           "make training.batch_size or data.sequence_length smaller, or raise the limit",
                           _, _),
                      says("out of memory: this rank held {} at most, its address space is limited to {} (ulimit -v): "
                           "make training.batch_size or data.sequence_length smaller, or raise the limit",
                           _, "1.2 GB")));
}

TEST(Surroundings, TooLittleMemoryToLoadTheProgram) {
    RealRun run;
    constexpr rlim_t kLimit = 250'000'000;  // the libraries need more
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", run.recipe()}, [] {
        rlimit limit{kLimit, kLimit};
        ::setrlimit(RLIMIT_AS, &limit);
    });
    ASSERT_EQ(program.wait().code, 0) << program.said().err;
    run.paths = run::list_runs(run.runs()).front().paths;
    run::RunState state = run.wait_until_over();
    EXPECT_EQ(state.status, Status::failed);
    EXPECT_THAT(state.message,
                AllOf(HasSubstr("rank 0 on "), says("its program could not be loaded: {}", _),
                      says("{}; its address space is limited to {} (ulimit -v): raise the limit", _, "250.0 MB")));
}

TEST(Surroundings, OutputThatCannotBeWrittenIsAFailure) {
    RealRun run;
    auto into_full = [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); };
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"launch", "--cpu", "--no_python", "echo", "said"},
          {"launch", "--cpu", "--dry-run", run.recipe()},
          {"runs", "list"},
          {"--help"},
          {"env", "--json"}}) {
        std::vector<std::string> command{TRAINYARD_BIN_DIR "/trainyard"};
        command.insert(command.end(), words.begin(), words.end());
        EXPECT_EQ(Program(command).wait().code, 0) << words.front();
        Program program(command, into_full);
        EXPECT_EQ(program.wait().code, 1) << words.front();
        EXPECT_THAT(program.said().err, HasSubstr("standard output could not be written")) << words.front();
    }
}

TEST(Surroundings, DataThatMayNotBeRead) {
    RealRun run;
    fs::create_directories(run.root() / "closed");
    fs::rename(run.root() / "text.txt", run.root() / "closed" / "text.txt");
    std::ofstream(run.recipe(), std::ios::trunc) << "data: {path: closed}\n";
    ::chmod((run.root() / "closed").c_str(), 0);
    Said said = launch_as_nobody_special(run);
    ::chmod((run.root() / "closed").c_str(), 0700);
    expect_one_sentence(run, said);
    EXPECT_THAT(said.err, AllOf(HasSubstr((run.root() / "closed").string()), HasSubstr("Permission denied")));
}

TEST(Surroundings, ARunsFolderThatMayNotBeWritten) {
    RealRun run;
    fs::create_directories(run.runs());
    ::chmod(run.runs().c_str(), 0500);
    Said said = launch_as_nobody_special(run);
    ::chmod(run.runs().c_str(), 0700);
    expect_one_sentence(run, said);
    EXPECT_THAT(said.err,
                AllOf(HasSubstr(run.runs().string()), HasSubstr("Permission denied"), HasSubstr("TRAINYARD_RUNS")));
}

TEST(Surroundings, AFileInThePlaceOfTheRunsFolder) {
    RealRun run;
    ::setenv("TRAINYARD_RUNS", (run.root() / "text.txt" / "runs").c_str(), 1);
    Said said = run.start({});
    expect_one_sentence(run, said);
    EXPECT_THAT(
        said.err,
        says("the run cannot be kept in {}: {} is not a folder: choose another place with --run_dir or TRAINYARD_RUNS",
             _, EndsWith("text.txt")));
}

class FullDisk : public testing::Test {
  protected:
    FullDisk() {
        ::setenv("FULL_DISK_AT", run_.root().c_str(), 1);
        ::setenv("LD_PRELOAD", TRAINYARD_BIN_DIR "/../tests/trainyard_full_disk.so", 1);
        ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    }
    ~FullDisk() override {
        for (const char* name : {"FULL_DISK_AT", "FULL_DISK_WHILE", "LD_PRELOAD", "ASAN_OPTIONS"})
            ::unsetenv(name);
    }
    RealRun run_;
};

TEST_F(FullDisk, BeforeTheStart) {
    Said said = run_.start({});
    expect_one_sentence(run_, said);
    EXPECT_THAT(said.err, AllOf(says("the disk of {} is full: {} free, checkpoints and logs need {}: make room, "
                                     "or choose another place with --run_dir or TRAINYARD_RUNS",
                                     run_.runs().string(), _, _),
                                HasSubstr("0 B free"), HasSubstr("make room")));
}

TEST_F(FullDisk, InMidRunNothingIsLostThatWasSaved) {
    fs::path full = run_.root() / "full";
    ::setenv("FULL_DISK_WHILE", full.c_str(), 1);
    ASSERT_EQ(run_.start({"--set", "checkpoint.every=50"}).code, 0);
    run::RunState running = run_.wait_for_step(120);
    ASSERT_EQ(running.status, Status::running) << running.message;
    std::ofstream(full) << "x";
    ::usleep(1'500'000);
    EXPECT_TRUE(is_alive(running.supervisor));
    EXPECT_TRUE(is_alive(running.ranks[0].process)) << "a checkpoint that cannot be saved does not end the run";
    EXPECT_TRUE(run::has_checkpoint(*run_.paths)) << "the earlier ones are whole";
    fs::remove(full);
    run::RunState later = run_.wait_for_step(running.progress.step + 1000);
    EXPECT_EQ(later.status, Status::running) << later.message;
    run::JournalReader journal(run_.paths->journal());
    std::string warning;
    for (int look = 0; look < 3000 && warning.empty(); ++look) {
        for (const run::Event& event : journal.poll())
            if (event.kind == "warning")
                warning = event.text;
        ::usleep(10'000);
    }
    // The warning about the full disk could not be written at first, and must be written now.
    EXPECT_THAT(warning, AllOf(HasSubstr(run_.root().string()), HasSubstr("0 B free")));
    EXPECT_EQ(test::trainyard({"runs", "stop", "fault"}).code, 0);
    EXPECT_TRUE(run::has_checkpoint(*run_.paths));
}

}  // namespace
}  // namespace trainyard
