// SPDX-License-Identifier: GPL-3.0-or-later
// Host files of DeepSpeed's kind.

#include "launch/plan/hostfile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::plan {
namespace {

using test::says;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

TEST(HostFile, HostsInTheirOrder) {
    std::vector<HostRanks> hosts =
        parse_hostfile("# cluster\nworker-1 slots=4\n\n  worker-2   slots=2  # slow\ngpu.example\n", "hosts");
    ASSERT_EQ(hosts.size(), 3u);
    EXPECT_EQ(hosts[0].host, "worker-1");
    EXPECT_EQ(hosts[0].ranks, 4);
    EXPECT_EQ(hosts[1].ranks, 2);
    EXPECT_EQ(hosts[2].host, "gpu.example");
    EXPECT_EQ(hosts[2].ranks, 0) << "0 means one rank for each device";
}

TEST(HostFile, EverythingWrongAtOnceWithItsLine) {
    try {
        parse_hostfile("a slots=2\nb slots=none\na slots=1\n-x slots=1\nc slots=1 more\nd slots=0\n", "hosts");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_EQ(error.problems().size(), 5u);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("hosts:2"), HasSubstr("hosts:3"),
                                        says("{} is already in line {}: give its slots once", EndsWith("a"), 1),
                                        HasSubstr("hosts:4"), HasSubstr("hosts:5"), HasSubstr("hosts:6")));
    }
    EXPECT_THROW(parse_hostfile("# nothing\n", "hosts"), InvalidInput);
    for (const char* bad : {"a|id", "a&id", "(a)", "{a}", "<a", "a>b", "-a"})
        EXPECT_THROW(parse_hostfile(std::string(bad) + " slots=2\n", "hosts"), InvalidInput) << bad;
}

TEST(HostFile, HostsOfMpirunOnceInBothForms) {
    test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "hosts";
    write_file_atomically(file, "# cluster\na slots=4 max_slots=8\nb:2\n\na\ngpu.example # slow\n");
    EXPECT_EQ(read_mpi_hosts(file), (std::vector<std::string>{"a", "b", "gpu.example"}));
    write_file_atomically(file, "a\n-x\n:4\n");
    try {
        read_mpi_hosts(file);
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_EQ(error.problems().size(), 2u);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("hosts:2"), says("'{}' is not a host name", "-x"),
                                        HasSubstr("hosts:3"), says("'{}' is not a host name", "")));
    }
    write_file_atomically(file, "# nobody\n");
    EXPECT_THROW(read_mpi_hosts(file), UserError);
}

TEST(HostFile, AMarkIsSkippedAndOtherEncodingsAreRefused) {
    test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "hosts";
    write_file_atomically(file, "\xef\xbb\xbfgpu-1 slots=2\r\n");
    EXPECT_EQ(read_hostfile(file).at(0).host, "gpu-1");
    for (const std::string& text : {std::string("\xff\xfeg\0\n\0", 6), std::string("gpu-1 slots=2 # caf\xe9\n")}) {
        write_file_atomically(file, text);
        EXPECT_THROW(read_hostfile(file), InvalidInput);
    }
}

}  // namespace
}  // namespace trainyard::plan
