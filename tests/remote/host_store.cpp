// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_store.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::says;
using test::says_only;
using testing::_;
using ::testing::HasSubstr;

class Store : public ::testing::Test {
  protected:
    std::filesystem::path file() const { return folder_.path() / "trainyard" / "hosts.yaml"; }
    void write(const std::string& text) {
        std::filesystem::create_directories(file().parent_path());
        std::ofstream(file()) << text;
    }
    test::TemporaryFolder folder_;
};

TEST_F(Store, KeepsEverythingAndItsOrder) {
    HostStore store = HostStore::load(file());
    EXPECT_TRUE(store.hosts().empty());
    StoredHost full;
    full.name = "gpu-b";
    full.label = "the \"big\" one: #1 'x' \\";
    full.address = "10.0.0.7";
    full.user = "trainer";
    full.port = 2222;
    full.identity_file = "~/.ssh/id_b";
    full.jump = "me@bastion:22,second";
    full.runs_folder = "/data/my runs";
    full.engine = "~/trainyard/bin/trainyard";
    full.interpreter = "/opt/python/bin/python3";
    full.environment = {{"OMP_NUM_THREADS", "4"}, {"EMPTY", ""}, {"ODD", "yes: [x]"}};
    full.max_gpus = 0;
    full.use = false;
    StoredHost alias;
    alias.name = "gpu_alias";
    store.put(full);
    store.put(alias);
    store.save();
    EXPECT_EQ(std::filesystem::status(file()).permissions(), std::filesystem::perms(0600));
    HostStore again = HostStore::load(file());
    ASSERT_EQ(again.hosts().size(), 2u);
    EXPECT_EQ(again.hosts()[0], full);
    EXPECT_EQ(again.hosts()[1], alias);
    again.set_order({"gpu_alias", "gpu-b"});
    full.label = "new";
    again.put(full);
    again.save();
    HostStore third = HostStore::load(file());
    EXPECT_EQ(third.hosts()[0].name, "gpu_alias");
    EXPECT_EQ(third.find("gpu-b")->label, "new");
    EXPECT_TRUE(third.forget("gpu-b"));
    EXPECT_FALSE(third.forget("gpu-b"));
    third.save();
    EXPECT_EQ(HostStore::load(file()).hosts().size(), 1u);
}

TEST_F(Store, DoesNotWriteOverWhatAnotherProgramWrote) {
    HostStore one = HostStore::load(file()), two = HostStore::load(file());
    StoredHost host;
    host.name = "a";
    one.put(host);
    one.save();
    EXPECT_THROW(two.save(), UserError);
    EXPECT_EQ(HostStore::load(file()).hosts().size(), 1u);
}

TEST_F(Store, SaysAllThatIsWrongWithPlaces) {
    write(
        "hosts:\n"
        "  - name: a\n"
        "    adress: x\n"
        "    port: many\n"
        "  - name: b\n"
        "    use: perhaps\n"
        "    max_gpus: 5000\n"
        "  - name: c\n"
        "    address: gpu_c\n"
        "    port: 70000\n"
        "    runs_folder: relative\n"
        "    jump: 'a,,b'\n"
        "    environment: {'A B': 1}\n"
        "  - name: c\n"
        "  - label: nameless\n"
        "extra: 1\n");
    try {
        HostStore::load(file());
        FAIL();
    } catch (const InvalidInput& error) {
        std::string text = error.what();
        for (const char* part :
             {"hosts.yaml:3:5: adress: unknown key 'adress': did you mean 'address'?",
              "hosts.yaml:4:", "a whole number", "hosts.yaml:6:", "true or false", "did you mean gpu-c?", "70000",
              "has to begin with / or ~/", "cannot be the name of an environment variable",
              "the host 'c' is there twice", "a host needs a name", "unknown key 'extra'"})
            EXPECT_THAT(text, HasSubstr(part));
    }
    for (const char* bad :
         {"- a\n", "hosts: 3\n", "hosts: [1]\n", "hosts: [{name: [a]}]\n", "hosts: [{name: a, name: b}]\n"}) {
        write(bad);
        EXPECT_THROW(HostStore::load(file()), InvalidInput) << bad;
    }
    write("");
    EXPECT_TRUE(HostStore::load(file()).hosts().empty());
}

TEST_F(Store, NamesThatAShellWouldInterpretAreRefused) {
    for (const char* field : {"name", "address", "user", "jump"})
        for (const char* value : {"$(id)", "a;id", "`id`", "a|b", "-oProxyCommand=id", "a&b"}) {
            write(std::string("hosts:\n  - ") + (std::string(field) == "name" ? "" : "name: a\n    ") + field + ": '" +
                  value + "'\n");
            EXPECT_THROW(HostStore::load(file()), InvalidInput) << field << " " << value;
        }
    EXPECT_NE(host_name_problem("fe80::1%$(id)"), "");
    EXPECT_EQ(host_name_problem("fe80::1%eth0"), "");
}

TEST_F(Store, NamesOfHosts) {
    EXPECT_THAT(host_name_problem("gpu_b"),
                says_only("host {}: a host name may not contain `_`: did you mean {}?", "gpu_b", "gpu-b"));
    EXPECT_THAT(host_name_problem("me@gpu"),
                says("host {}: a host name may not contain `@`: the user is a field of its own", _));
    EXPECT_THAT(host_name_problem("gpu:22"),
                says("host {}: a host name may not contain `:`: a port is a field of its own", _));
    EXPECT_THAT(host_name_problem("a b"), HasSubstr("blanks"));
    EXPECT_NE(host_name_problem("-x"), "");
    EXPECT_NE(host_name_problem(""), "");
    for (const char* good : {"gpu-b", "10.0.0.1", "fe80::1%eth0", "a.b.example"})
        EXPECT_EQ(host_name_problem(good), "") << good;
}

TEST_F(Store, ListsAndSettingsOfBothSources) {
    const std::filesystem::path config_file = folder_.path() / "ssh_config";
    std::ofstream(config_file) << "Host gpu-a gpu-b\n  User config\n  HostName 10.0.0.1\nHost *.lab\n  Port 99\n";
    const SshConfig config(config_file, "/nonexistent");
    HostStore store = HostStore::load(file());
    StoredHost own, over;
    own.name = "mine";
    own.address = "x.lab";
    own.user = "me";
    own.jump = "gpu-a";
    over.name = "gpu-b";
    over.port = 2222;
    store.put(own);
    store.put(over);
    std::vector<KnownHost> hosts = list_hosts(store, config);
    ASSERT_EQ(hosts.size(), 3u);
    EXPECT_EQ(hosts[0].name, "mine");
    EXPECT_EQ(hosts[0].config_place, "");
    EXPECT_EQ(hosts[1].name, "gpu-b");
    EXPECT_EQ(hosts[1].config_place, config_file.string() + ":1");
    EXPECT_TRUE(hosts[1].in_store);
    EXPECT_EQ(hosts[2].name, "gpu-a");
    EXPECT_FALSE(hosts[2].in_store);
    HostSettings mine = settings_for("mine", store, config);
    EXPECT_EQ(mine.alias, "mine");
    EXPECT_EQ(mine.target(), "me@x.lab:99");
    ASSERT_EQ(mine.jumps.size(), 1u);
    EXPECT_EQ(mine.jumps[0].host, "gpu-a");
    EXPECT_EQ(settings_for("gpu-b", store, config).target(), "config@10.0.0.1:2222");
    EXPECT_EQ(settings_for("elsewhere", store, config).host_name, "elsewhere");
}

TEST_F(Store, SettingsOfManyHostsAreInTheirOrder) {
    const std::filesystem::path config_file = folder_.path() / "ssh_config";
    std::ofstream lines(config_file);
    for (int i = 0; i < 40; ++i)
        lines << "Host h" << i << "\n  Port " << 1000 + i << "\n";
    lines << "Host shell\n  ProxyCommand nc %h %p | tee log\n" << std::flush;
    const SshConfig config(config_file, "/nonexistent");
    const HostStore store = HostStore::load(file());
    const std::vector<KnownHost> hosts = list_hosts(store, config);
    const std::vector<ResolvedHost> resolved = settings_of_all(hosts, store, config);
    ASSERT_EQ(resolved.size(), 41u);
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(resolved[i].settings) << resolved[i].problem;
        EXPECT_EQ(resolved[i].settings->alias, hosts[i].name);
        EXPECT_EQ(resolved[i].settings->port, 1000 + i);
    }
    EXPECT_FALSE(resolved[40].settings);
    EXPECT_NE(resolved[40].problem.text().find("needs a shell"), std::string::npos);
}

}  // namespace

}  // namespace trainyard::remote
