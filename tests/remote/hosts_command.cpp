// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard hosts`, as a person or a script uses it.

#include <array>
#include <cstdio>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "remote/connected.h"
#include "remote/known_hosts.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using ::testing::HasSubstr;
using Json = nlohmann::json;

struct Said {
    int status = -1;
    std::string text;  ///< both streams
    Json json() const { return Json::parse(text); }
};

class HostsCommand : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { hosts_ = new test::TestHosts({.count = 2, .shares = {}}); }
    static void TearDownTestSuite() { delete hosts_; }
    static test::TestHosts& hosts() { return *hosts_; }

    Said run(const std::string& words) {
        std::string command = "XDG_CONFIG_HOME=" + folder_.path().string() +
                              " TRAINYARD_SSH_CONFIG=" + hosts().ssh_config().string() +
                              " " TRAINYARD_BIN_DIR "/trainyard hosts " + words + " 2>&1 </dev/null";
        FILE* pipe = ::popen(command.c_str(), "r");
        Said said;
        std::array<char, 4096> buffer;
        while (std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
            said.text.append(buffer.data(), size);
        int status = ::pclose(pipe);
        said.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        return said;
    }
    test::TemporaryFolder folder_;

  private:
    static inline test::TestHosts* hosts_ = nullptr;
};

TEST_F(HostsCommand, AddsListsShowsAndForgets) {
    EXPECT_EQ(
        run("set gpu-x address=10.9.8.7 port=2222 user=me max_gpus=2 environment.OMP_NUM_THREADS=3 label='big one'")
            .status,
        0);
    Json all = run("list --json").json();
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0]["name"], "gpu-x");
    EXPECT_EQ(all[0]["target"], "me@10.9.8.7:2222");
    EXPECT_EQ(all[0]["environment.OMP_NUM_THREADS"], "3");
    EXPECT_EQ(all[1]["name"], "host1");
    EXPECT_EQ(all[1]["in_store"], false);
    EXPECT_THAT(run("list").text, HasSubstr("me@10.9.8.7:2222  big one"));
    EXPECT_EQ(run("set gpu-x use=false label=").status, 0);
    EXPECT_THAT(run("list").text, HasSubstr("(not used)"));
    EXPECT_THAT(run("show host1").text, HasSubstr("ssh-ed25519 SHA256:"));
    EXPECT_EQ(run("show host1 --json").json()[0]["known_keys"].size(), 1u);
    for (const char* wrong : {"set gpu-x port=many", "set gpu-x adress=x", "set gpu-x address=gpu_x", "set gpu-x x",
                              "forget host1", "forget nobody"}) {
        Said said = run(wrong);
        EXPECT_EQ(said.status, 2) << wrong << said.text;
        EXPECT_THAT(said.text, HasSubstr("trainyard: ")) << wrong;
    }
    EXPECT_THAT(run("forget gpu-x").text,
                testing::StartsWith("gpu-x: removed from " + (folder_.path() / "trainyard" / "hosts.yaml").string()));
    EXPECT_EQ(run("list --json").json().size(), 2u);
}

TEST_F(HostsCommand, ChecksAllAtOnceAndSaysWhatIsWrong) {
    Said said = run("check");
    EXPECT_EQ(said.status, 0) << said.text;
    EXPECT_THAT(said.text, says("{}: logged in as {} by {} in {}", EndsWith("host1"), _, _, _));
    EXPECT_THAT(said.text, says("{}: logged in as {} by {} in {}", EndsWith("host2"), _, _, _));
    hosts().stop_sshd("host2");
    said = run("check host1 host2 --json --transcript");
    hosts().start_sshd("host2");
    EXPECT_EQ(said.status, 1);
    Json all = said.json();
    EXPECT_EQ(all[0]["ok"], true);
    EXPECT_EQ(all[1]["cause"], "refused");
    EXPECT_FALSE(all[1]["transcript"].empty());
}

TEST_F(HostsCommand, CheckStartsTheEngineThatIsSet) {
    EXPECT_EQ(run("set host1 engine=/opt/nowhere/bin").status, 0);
    Said said = run("check host1");
    EXPECT_EQ(said.status, 1);
    EXPECT_THAT(said.text, AllOf(says("{}: engine is {}, which does not start there ({}): name the file `trainyard` of "
                                      "the host, or set an empty engine, so that the one of this machine is copied",
                                      "host1", "/opt/nowhere/bin", _),
                                 HasSubstr("try: trainyard hosts set host1 engine=\n")));
    EXPECT_EQ(run("set host1 engine=").status, 0);
    EXPECT_EQ(run("check host1").status, 0);
}

TEST_F(HostsCommand, TrustsOnlyTheKeyThatWasNamed) {
    std::filesystem::path known = folder_.path() / "known";
    const test::TestHost& host = hosts().named("host1");
    test::append_to(hosts().ssh_config(), "Host fresh\n  HostName " + host.address + "\n  Port " +
                                              std::to_string(host.port) + "\n  User " + host.user +
                                              "\n  IdentityFile " + hosts().key().string() +
                                              "\n  IdentityAgent none\n  UserKnownHostsFile " + known.string() +
                                              "\n  GlobalKnownHostsFile none\n");
    HostKey key;
    std::ifstream(hosts().folder_of("host1") / "host_key.pub") >> key.type >> key.blob;
    Said said = run("check fresh --json");
    EXPECT_EQ(said.status, 1);
    EXPECT_EQ(said.json()[0]["cause"], "host_key_unknown");
    said = run("trust fresh");
    EXPECT_EQ(said.status, 2);
    EXPECT_THAT(said.text, HasSubstr(key.randomart()));
    EXPECT_THAT(said.text, says("{}: this key cannot be confirmed interactively: give it with --fingerprint {}", _, _));
    EXPECT_EQ(run("trust fresh --fingerprint SHA256:" + std::string(43, 'x')).status, 2);
    EXPECT_FALSE(std::filesystem::exists(known));
    said = run("trust fresh --fingerprint " + key.fingerprint());
    EXPECT_EQ(said.status, 0) << said.text;
    EXPECT_TRUE(std::filesystem::exists(known));
    EXPECT_EQ(run("check fresh").status, 0);
    EXPECT_THAT(run("trust fresh").text, HasSubstr("its host key is known"));
    // Another key: no flag leads around it.
    HostKey other;
    std::ifstream(hosts().folder_of("host2") / "host_key.pub") >> other.type >> other.blob;
    std::string known_name = host.port == 22 ? host.address : "[" + host.address + "]:" + std::to_string(host.port);
    std::ofstream(known) << known_hosts_line(known_name, other, false) << "\n";
    said = run("trust fresh --fingerprint " + key.fingerprint());
    EXPECT_NE(said.status, 0);
    EXPECT_THAT(said.text, HasSubstr("THE HOST KEY HAS CHANGED"));
    const std::string remove = "ssh-keygen -R '" + known_name + "' -f " + known.string();
    EXPECT_THAT(said.text, HasSubstr("\n  try: " + remove + "\n"));
    EXPECT_THAT(run("check fresh").text, HasSubstr("\n  try: " + remove + "\n"));
    // Forgetting a host leaves the key, and prints the same command.
    EXPECT_EQ(run("set fresh label=new").status, 0);
    EXPECT_THAT(run("forget fresh").text, AllOf(HasSubstr("fresh: its host key stays in " + known.string() +
                                                          ":1; to remove it: " + remove + "\n"),
                                                HasSubstr("fresh: removed from ")));
    EXPECT_EQ(std::system((remove + " >/dev/null 2>&1").c_str()), 0);
    EXPECT_THAT(run("trust fresh --fingerprint " + key.fingerprint()).text, HasSubstr("remembered in"));
}

}  // namespace

}  // namespace trainyard::remote
