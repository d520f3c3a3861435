// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of batch scripts: golden texts, and quoting of special characters.

#include "launch/supervisor/slurm_script.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using test::says;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Returns the script without the version, which is not compared.
std::string script_of(const SlurmJob& job) {
    std::string text = slurm_script(job);
    std::size_t at = text.find("# Written by Trainyard ");
    std::size_t end = text.find('\n', at);
    return text.erase(at, end - at + 1);
}

SlurmJob usual() {
    SlurmJob job;
    job.name = "gpt2";
    job.command = {"/opt/trainyard/bin/trainyard", "launch", "/home/me/runs/a/run.yaml"};
    job.directory = "/home/me";
    job.log = "/home/me/runs/a/logs/slurm-%j.log";
    return job;
}

TEST(SlurmScript, OneNode) {
    EXPECT_EQ(script_of(usual()), R"(#!/bin/bash
#SBATCH --job-name=gpt2
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --chdir="/home/me"
#SBATCH --output="/home/me/runs/a/logs/slurm-%j.log"
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
set -u

run() {
    exec /opt/trainyard/bin/trainyard launch /home/me/runs/a/run.yaml
}

run &
launcher=$!
trap 'kill -USR1 "$launcher" 2>/dev/null' USR1
trap 'kill -TERM "$launcher" 2>/dev/null' TERM
while :; do
    wait "$launcher"
    code=$?
    kill -0 "$launcher" 2>/dev/null || break
done
if [ "$code" -eq 75 ]; then  # stopped with a checkpoint
    scontrol requeue "$SLURM_JOB_ID" && sleep 60  # SLURM ends the script
fi
exit "$code"
)");
}

TEST(SlurmScript, SeveralNodesWithEverythingSaid) {
    SlurmJob job = usual();
    job.nodes = 4;
    job.tasks_per_node = 8;
    job.cpus_per_task = 6;
    job.partition = "gpu,long";
    job.account = "proj-1";
    job.qos = "high";
    job.time = "1-12:00:00";
    job.gres = "gpu:a100:8";
    job.constraint = "ib&hbm";
    job.nodelist = "node[01-04]";
    job.more = {"--exclusive", "--mail-type=END"};
    job.requeue = false;
    job.warning_s = 0;
    std::string text = script_of(job);
    EXPECT_TRUE(text.starts_with(R"(#!/bin/bash
#SBATCH --job-name=gpt2
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=6
#SBATCH --partition=gpu,long
#SBATCH --account=proj-1
#SBATCH --qos=high
#SBATCH --time=1-12:00:00
#SBATCH --gres=gpu:a100:8
#SBATCH --constraint=ib&hbm
#SBATCH --nodelist=node[01-04]
#SBATCH --chdir="/home/me"
#SBATCH --output="/home/me/runs/a/logs/slurm-%j.log"
#SBATCH --open-mode=append
#SBATCH --no-requeue
#SBATCH --exclusive
#SBATCH --mail-type=END
set -u

run() {
    exec srun --kill-on-bad-exit=1 --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 --cpu-bind=none \
        /opt/trainyard/bin/trainyard launch /home/me/runs/a/run.yaml
}
)")) << text;
    EXPECT_THAT(text, Not(HasSubstr("scontrol")));
}

TEST(SlurmScript, NothingGetsOutOfItsWord) {
    for (const char* word :
         {"", "a b", "it's", "$(touch gone)", "`touch gone`", "a;touch gone", "-x\\", "\"", "*", "~", "ä", "!!", "#"}) {
        test::TemporaryFolder folder;
        std::string line = "cd '" + folder.path().string() + "' && printf %s " + text::shell_word(word) + " > said";
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
        EXPECT_EQ(read_file(folder.path() / "said"), word);
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "gone"));
    }
}

TEST(SlurmScript, WhatNoScriptCanSayIsRefusedAtOnce) {
    SlurmJob job = usual();
    job.partition = "gpu\n#SBATCH --uid=root";
    job.account = "a b";
    job.nodes = 0;
    job.more = {"rm -rf", "--ok", "word"};
    job.directory = "/home/a\"b";
    job.command.push_back("two\nlines");
    try {
        slurm_script(job);
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("--partition"), HasSubstr("--account"), HasSubstr("--nodes"),
                                        says("'{}' is not an sbatch option: write --name=value", "word"),
                                        says("the working folder"), HasSubstr("line end")));
    }
    job = usual();
    job.name = "my run; rm";
    EXPECT_THAT(slurm_script(job), HasSubstr("#SBATCH --job-name=my-run--rm\n"));
}

/// The script itself, with an scontrol of our own: the code of the launcher is the script's, also after a signal.
TEST(SlurmScript, HandsSignalsOnAndPutsTheJobBack) {
    test::TemporaryFolder folder;
    auto program = [&](const char* name, const std::string& text) {
        std::ofstream(folder.path() / name) << "#!/bin/bash\n" << text;
        std::filesystem::permissions(folder.path() / name, std::filesystem::perms::owner_all);
    };
    program("scontrol", "echo \"$@\" > " + (folder.path() / "requeued").string() + "\nkill -TERM $PPID; sleep 1\n");
    program("launcher", "trap 'sleep 0.2; exit 75' USR1\ntouch " + (folder.path() / "ready").string() +
                            "\nwhile :; do sleep 0.05; done\n");
    SlurmJob job = usual();
    job.command = {(folder.path() / "launcher").string()};
    program("job", slurm_script(job));
    std::string line =
        "cd '" + folder.path().string() +
        "' && export SLURM_JOB_ID=42 PATH=\"$PWD:$PATH\" && { ./job & job=$!; for i in $(seq 200); do [ -e ready ] && "
        "break; "
        "sleep 0.05; done; kill -USR1 $job; for i in $(seq 200); do [ -s requeued ] && break; sleep 0.05; done; "
        "kill -KILL $job; wait $job; } 2>/dev/null; exit 0";
    std::string words = "bash -c " + text::shell_word(line);
    ASSERT_EQ(std::system(words.c_str()), 0);
    EXPECT_EQ(read_file(folder.path() / "requeued"), "requeue 42\n");
    program("launcher", "exit 3\n");
    words = "SLURM_JOB_ID=42 " + text::shell_word((folder.path() / "job").string());
    EXPECT_EQ(WEXITSTATUS(std::system(words.c_str())), 3);
}

}  // namespace
}  // namespace trainyard::launch
