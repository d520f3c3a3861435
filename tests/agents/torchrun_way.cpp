// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard launch` on each machine, as with torchrun: no SSH, the machines find each other.

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

class TorchrunWay : public testing::Test {
  protected:
    static void SetUpTestSuite() { cluster_ = new Cluster(2); }
    static void TearDownTestSuite() {
        delete cluster_;
        cluster_ = nullptr;
    }

    /// Runs `launch` with these words on a host; what it said, and "code N" at the end.
    std::string launch(std::size_t host, const std::string& words, const std::string& secret = "s3cret") {
        const std::string& name = cluster.hosts[host].name;
        cluster.hosts.run(name, {"sh", "-c",
                                 "cd; export OMP_NUM_THREADS=1; [ -z \"$1\" ] || export TRAINYARD_RUN_SECRET=\"$1\"; " +
                                     std::string("(\"$0\" launch --cpu --num_machines 2 --main_process_ip ") +
                                     cluster.hosts[0].address + " " + words + "; echo code $?) >said.txt 2>&1",
                                 TRAINYARD_BIN_DIR "/trainyard", secret});
        return read_file(cluster.home(name) / "said.txt");
    }
    /// On both, the second a moment earlier.
    std::pair<std::string, std::string> launch_both(const std::string& first, const std::string& second) {
        std::string said;
        std::thread other([&] { said = launch(1, second); });
        ::usleep(200'000);
        std::string head = launch(0, first);
        other.join();
        return {head, said};
    }

    static Cluster* cluster_;
    Cluster& cluster = *cluster_;
};
Cluster* TorchrunWay::cluster_ = nullptr;

TEST_F(TorchrunWay, RecipesTrainByNumberAndTheOthersMayBeEarlier) {
    for (std::size_t host : {0, 1})
        std::ofstream(cluster.home(cluster.hosts[host].name) / "recipe.yaml")
            << "name: far\n"
               "model: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 16}\n"
               "data: {path: text.txt, sequence_length: 16}\n"
               "training: {steps: 5, batch_size: 2}\n";
    auto [head, other] = launch_both("--num_processes 3 --main_process_port 29610 --machine_rank 0 recipe.yaml",
                                     "--num_processes 3 --main_process_port 29610 --machine_rank 1 recipe.yaml");
    EXPECT_THAT(head, HasSubstr("code 0")) << other;
    EXPECT_THAT(other, HasSubstr("code 0")) << head;
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(TorchrunWay, ProgramsGetTheRanksOfAllMachinesAndTheirOwnExitCodeComesThrough) {
    std::string program =
        "--no_python sh -c 'echo rank $RANK of $WORLD_SIZE, machine $GROUP_RANK, at $MASTER_ADDR:$MASTER_PORT secret "
        "[$TRAINYARD_RUN_SECRET]; sleep 0.3; exit $((RANK == 1 ? 7 : 0))'";
    auto [head, other] = launch_both("--num_processes 2 --main_process_port 29611 --machine_rank 0 " + program,
                                     "--num_processes 2 --main_process_port 29611 --machine_rank 1 " + program);
    EXPECT_THAT(head, HasSubstr("rank 0 of 2, machine 0, at " + cluster.hosts[0].address + ":29611 secret []"));
    EXPECT_THAT(other, HasSubstr("rank 1 of 2, machine 1, at " + cluster.hosts[0].address + ":29611 secret []"));
    EXPECT_THAT(head, HasSubstr("code 7"));
    EXPECT_THAT(other, HasSubstr("code 7"));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(TorchrunWay, ByArrivalWithoutNumbers) {
    std::string words =
        "--num_processes 2 --main_process_port 29612 --rdzv_backend c10d --same_network=false --no_python sh "
        "-c 'echo rank $RANK of $WORLD_SIZE'";
    auto [head, other] = launch_both(words, words);
    EXPECT_THAT(head, HasSubstr("rank 0 of 2"));
    EXPECT_THAT(other, HasSubstr("rank 1 of 2"));
    EXPECT_THAT(head, HasSubstr("code 0"));
    EXPECT_THAT(other, HasSubstr("code 0"));
}

TEST_F(TorchrunWay, WrongSecretsAndMissingMachinesAreSentences) {
    std::string words = "--num_processes 2 --main_process_port 29613 --rdzv_conf join_timeout=3 ";
    std::string said;
    std::thread other([&] { said = launch(1, words + "--machine_rank 1 --no_python true", "another"); });
    std::string head = launch(0, words + "--machine_rank 0 --no_python true");
    other.join();
    EXPECT_THAT(said, says("this machine was given another secret than the head of the run: set the same "
                           "TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines"));
    EXPECT_THAT(said, HasSubstr("code 2"));
    EXPECT_THAT(head, says("{} did not join within {}", _, StartsWith("3.00 s")));
    EXPECT_THAT(head, Not(HasSubstr("code 0")));
    EXPECT_THAT(
        launch(0, "--num_processes 2 --main_process_port 29614 --rdzv_backend etcd --machine_rank 0 --no_python true"),
        says("{} needs a server beside the run, which Trainyard does not: give static (with --machine_rank) or c10d "
             "(without)",
             EndsWith("etcd")));
    EXPECT_EQ(cluster.leftovers(), "");
}

}  // namespace
