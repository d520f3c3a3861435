// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks under a real mpirun (Open MPI).

#include "base/file.h"
#include "cluster/cluster.h"

namespace trainyard {
namespace {

using test::Said;
using testing::AllOf;
using testing::HasSubstr;

class Mpi : public test::ClusterTest {
  protected:
    Mpi() {
        ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
        ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
        write_file_atomically(hosts(), "localhost slots=4\n", false);
    }
    fs::path hosts() const { return folder_.path() / "hosts"; }
};

TEST_F(Mpi, AProgramReadsItsVariables) {
    Said said =
        test::trainyard({"launch", "--cpu", "--num_processes", "2", "--mpirun_hostfile", hosts(), "--no_python",
                         script("echo $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $MASTER_ADDR $ACCELERATE_USE_CPU")});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("0/2 127.0.0.1 True\n"), HasSubstr("1/2 127.0.0.1 True\n")));
    ASSERT_EQ(runs().size(), 1u);
    EXPECT_THAT(read_file(runs().at(0).rank_log(0)), HasSubstr("1/2 127.0.0.1"));
}

TEST_F(Mpi, AFailureComesThrough) {
    Said said = test::trainyard({"launch", "--cpu", "--num_processes", "2", "--mpirun_hostfile", hosts(), "--no_python",
                                 script("[ $OMPI_COMM_WORLD_RANK = 1 ] && exit 5; sleep 60")});
    EXPECT_EQ(said.code, 5) << said.err;
}

TEST_F(Mpi, ARecipeWithAHostFile) {
    Said said = test::trainyard({"launch", "--cpu", "--num_processes", "2", "--mpirun_hostfile", hosts(), recipe(10)});
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    ASSERT_EQ(runs().size(), 1u);
    auto state = run::read_state(runs().at(0));
    EXPECT_EQ(state->status, run::Status::finished);
    EXPECT_EQ(state->ranks.size(), 2u);
    EXPECT_EQ(state->progress.step, 10);
}

TEST_F(Mpi, ARecipeUnderSomebodysMpirun) {
    Said said = test::Program({"/usr/bin/env", "mpirun", "-n", "2", TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu",
                               recipe(10)})
                    .wait();
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    ASSERT_EQ(runs().size(), 1u);
    EXPECT_EQ(run::read_state(runs().at(0))->ranks.size(), 2u);
}

}  // namespace
}  // namespace trainyard
