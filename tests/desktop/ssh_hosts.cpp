#include "desktop/wizard/ssh_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

std::vector<std::string> shown(const std::vector<SshHost>& hosts) {
    std::vector<std::string> texts;
    for (const SshHost& host : hosts)
        texts.push_back(host.alias + ">" + host.host_name);
    return texts;
}

TEST(SshHosts, NamesOfTheFileInOrderWithoutPatterns) {
    test::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "config";
    write_file_atomically(file,
                          "# mine\n"
                          "Host gpu-a gpu-b *.cluster !bad\n"
                          "  User me\n"
                          "  HostName 10.0.0.1\n"
                          "host=\"quoted name\"\n"
                          "\tHOSTNAME = other.example\n"
                          "Host *\n  HostName never\n"
                          "Host gpu-a\n  HostName second-block-does-not-count\n"
                          "Match host x\n  HostName neither\n"
                          "Host last # the end\n"
                          "Host\n",
                          false);
    EXPECT_THAT(shown(ssh_hosts(file)),
                testing::ElementsAre("gpu-a>10.0.0.1", "gpu-b>10.0.0.1", "quoted name>other.example", "last>last"));
}

TEST(SshHosts, IncludesAreFollowedAndACircleEnds) {
    test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "conf.d");
    write_file_atomically(folder.path() / "config", "Include conf.d/*\nInclude nothing-here\nHost own\n", false);
    write_file_atomically(folder.path() / "conf.d" / "a", "Host from-a\nInclude ../config\n", false);
    EXPECT_THAT(shown(ssh_hosts(folder.path() / "config")), testing::ElementsAre("from-a>from-a", "own>own"));
}

TEST(SshHosts, NoFileNoHosts) {
    EXPECT_TRUE(ssh_hosts("/nowhere/config").empty());
}

}  // namespace
}  // namespace trainyard::desktop
