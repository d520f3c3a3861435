// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of MPI launchers, and the words of mpirun.

#include "launch/plan/mpi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard::plan {
namespace {

using testing::ElementsAre;

TEST(MpiPlace, IsReadFromAnyOfThem) {
    EXPECT_FALSE(find_mpi_place({}));
    auto open = find_mpi_place({{"OMPI_COMM_WORLD_RANK", "2"},
                                {"OMPI_COMM_WORLD_SIZE", "4"},
                                {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                {"PMIX_NAMESPACE", "123"}});
    ASSERT_TRUE(open);
    EXPECT_EQ(open->rank, 2);
    EXPECT_EQ(open->size, 4);
    EXPECT_EQ(open->local_size, 2);
    EXPECT_GE(open->threads(), 1);
    auto other_job =
        find_mpi_place({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_NAMESPACE", "124"}});
    EXPECT_NE(open->port, other_job->port);
    EXPECT_EQ(find_mpi_place({{"MV2_COMM_WORLD_RANK", "1"}, {"MV2_COMM_WORLD_SIZE", "2"}})->rank, 1);
    EXPECT_EQ(find_mpi_place({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "0"}})->size, 3);
    auto jsrun =
        find_mpi_place({{"JSM_NAMESPACE_RANK", "3"}, {"JSM_NAMESPACE_SIZE", "6"}, {"JSM_NAMESPACE_LOCAL_SIZE", "6"}});
    ASSERT_TRUE(jsrun);
    EXPECT_EQ(jsrun->local_size, 6);
    EXPECT_EQ(jsrun->size_variable, "JSM_NAMESPACE_SIZE");
    EXPECT_EQ(jsrun->rank_variable, "JSM_NAMESPACE_RANK");
}

TEST(MpiPlace, CountsForSeveralProcessesOnly) {
    EXPECT_FALSE(find_mpi_place({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
    EXPECT_FALSE(find_mpi_place({{"PMI_RANK", "-1"}, {"PMI_SIZE", "2"}})) << "negative: not set";
    EXPECT_FALSE(find_mpi_place({{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}));
    EXPECT_FALSE(find_mpi_place({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}))
        << "torchrun's come first";
}

TEST(MpirunWords, OfEachKind) {
    settings::Machine machine;
    EXPECT_THROW(mpirun_words(machine, "hosts", 2, 4), InvalidInput);
    machine.mpi = "openmpi";
    EXPECT_THAT(mpirun_words(machine, "hosts", 2, 4),
                ElementsAre("mpirun", "--hostfile", "hosts", "--npernode", "2", "-n", "4", "--bind-to", "socket"));
    for (const char* kind : {"mpich", "intel", "mvapich"}) {
        machine.mpi = kind;
        machine.mpi_program = "mpiexec";
        EXPECT_THAT(mpirun_words(machine, "hosts", 2, 3),
                    ElementsAre("mpiexec", "-f", "hosts", "-ppn", "2", "-n", "3"));
    }
}

}  // namespace
}  // namespace trainyard::plan
