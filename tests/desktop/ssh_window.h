// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window, and hosts with networks of their own behind real sshd that it knows.

#include <fstream>
#include <map>
#include <optional>

#include "support/hosts.h"
#include "wizard_fixture.h"

namespace trainyard::test {

class SshWindow : public WizardFixture {
  protected:
    void up(int count, int bare = 0) {
        hosts_.emplace(
            TestHosts::Options{.count = count,
                               .bare = bare,
                               .own_networks = true,
                               .shares = {TRAINYARD_BUILD_DIR, TRAINYARD_TORCH_FOLDER, TRAINYARD_TESTS_DIR}});
        ::setenv("TRAINYARD_SSH_CONFIG", hosts_->ssh_config().c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        ::unsetenv("SSH_AUTH_SOCK");
        for (const TestHost& host : hosts_->all()) {
            std::ofstream text(hosts_->home_of(host.name) / "text.txt");
            for (int i = 0; i < 3000; ++i)
                text << "line " << i * 7919 % 3000 << " of a text that repeats itself\n";
        }
        engines({});
        open(cpu());
        window_->engine()->locate(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }, kPatience));
        write("recipe.yaml", "name: far\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\ndata: {path: " +
                                 hosts_->all().front().home +
                                 "/text.txt, sequence_length: 32}\nschedule: {warmup_steps: 3}\n"
                                 "training: {steps: 100000, batch_size: 2}\ncheckpoint: {every: 100000}\n");
    }
    void TearDown() override {
        WizardFixture::TearDown();
        ::unsetenv("TRAINYARD_SSH_CONFIG");
    }

    /// Configures the engines of the hosts: that of this build, or the one given by the test. Bare hosts have none.
    void engines(const std::map<std::string, std::string>& others) {
        const std::filesystem::path folder = folder_.path() / "XDG_CONFIG_HOME" / "trainyard";
        std::filesystem::create_directories(folder);
        std::ofstream list(folder / "hosts.yaml");
        list << "hosts:\n";
        for (const TestHost& host : hosts_->all())
            if (!host.bare)
                list << "  - name: " << host.name << "\n    engine: "
                     << (others.contains(host.name) ? others.at(host.name) : TRAINYARD_BIN_DIR "/trainyard") << '\n';
        list.close();
        std::filesystem::permissions(folder / "hosts.yaml",
                                     std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }

    std::optional<TestHosts> hosts_;
};

}  // namespace trainyard::test
