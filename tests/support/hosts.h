// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Creates hosts that a test reaches over SSH: tests/hosts/README.md. They are removed with the object, or when the test
// program dies.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.h"

namespace trainyard::test {

struct TestHost {
    std::string name;  ///< alias in ssh_config()
    std::string address;
    int port = 22;
    std::string user;
    std::string home;  ///< as the host sees it
    bool bare = false;
    bool behind = false;  ///< reached through a bastion
    int init = 0;         ///< process 1 of the host, in the caller's PID namespace; 0: on a loopback address
};

class TestHosts {
  public:
    struct Options {
        int count = 1;
        int behind = 0;  ///< number of hosts, at the end, that are reached through the first one, `bastion`
        int bare = 0;    ///< this many of the last hosts
        bool loopback = false;
        bool own_networks = false;  ///< required: throws if only loopback addresses are possible
        std::vector<std::filesystem::path>
            shares;  ///< what hosts that are not bare can access of the caller's home and /tmp
    };

    explicit TestHosts(const Options& options) {
        std::vector<std::string> words{"up", state().string(), std::to_string(options.count), "--owner",
                                       std::to_string(::getpid())};
        auto add = [&words](const std::string& flag, int number) {
            if (number > 0)
                words.insert(words.end(), {flag, std::to_string(number)});
        };
        add("--bastion", options.behind);
        add("--bare", options.bare);
        if (options.loopback)
            words.push_back("--loopback");
        for (const std::filesystem::path& share : options.shares)
            words.insert(words.end(), {"--share", share.string()});
        script(words);
        std::ifstream mode(state() / "mode");
        mode >> mode_;
        if (options.own_networks && !namespaces()) {
            script({"down", state().string()});
            throw std::runtime_error("hosts with networks of their own are made by root only: run this test as root");
        }
        std::ifstream list(state() / "hosts.txt");
        for (std::string line; std::getline(list, line);) {
            TestHost host;
            std::string kind, behind;
            std::istringstream words_of(line);
            words_of >> host.name >> host.address >> host.port >> host.user >> host.home >> kind >> behind >> host.init;
            host.bare = kind == "bare";
            host.behind = behind == "yes";
            hosts_.push_back(host);
        }
        if (hosts_.size() != static_cast<std::size_t>(options.count))
            throw std::runtime_error("the test hosts are not all there");
    }
    explicit TestHosts(int count) : TestHosts(Options{.count = count, .shares = {}}) {}
    ~TestHosts() {
        try {
            script({"down", state().string()});
        } catch (const std::exception&) {
        }
    }
    TestHosts(const TestHosts&) = delete;
    TestHosts& operator=(const TestHosts&) = delete;

    const std::vector<TestHost>& all() const { return hosts_; }
    const TestHost& operator[](std::size_t index) const { return hosts_.at(index); }
    const TestHost& named(const std::string& name) const {
        for (const TestHost& host : hosts_)
            if (host.name == name)
                return host;
        throw std::runtime_error("no test host " + name);
    }
    /// True: separate network namespaces (needs root). False: sshd on loopback addresses.
    bool namespaces() const { return mode_ == "namespaces"; }

    std::filesystem::path client() const { return state() / "client"; }
    std::filesystem::path ssh_config() const { return client() / "ssh_config"; }
    std::filesystem::path known_hosts() const { return client() / "known_hosts"; }
    std::filesystem::path key() const { return client() / "id_ed25519"; }
    std::filesystem::path stranger_key() const { return client() / "stranger"; }
    std::filesystem::path folder_of(const std::string& host) const { return state() / "hosts" / host; }
    std::string sshd_log(const std::string& host) const { return text_of(folder_of(host) / "sshd.log"); }
    /// Password of the user on every host; empty on loopback addresses.
    std::string password() const { return text_of(client() / "password"); }
    /// The host's home folder as a path on this machine.
    std::filesystem::path home_of(const std::string& host) const { return folder_of(host) / "home"; }

    void cut(const std::string& host) { script({"cut", state().string(), host}); }
    void mend(const std::string& host) { script({"mend", state().string(), host}); }
    void slow(const std::string& host, const std::string& rate) { script({"slow", state().string(), host, rate}); }
    /// Routes the host's link through two TAP devices, the first one on the host's side; their owner forwards the
    /// frames (lossy_link.h).
    void detour(const std::string& host, const std::string& near, const std::string& far) {
        script({"detour", state().string(), host, near, far});
    }
    void stop_sshd(const std::string& host) { script({"sshd", state().string(), host, "stop"}); }
    void start_sshd(const std::string& host) { script({"sshd", state().string(), host, "start"}); }
    void new_host_key(const std::string& host) { script({"newkey", state().string(), host}); }
    /// Lines in front of the default ones of the host's sshd_config; none: only the defaults.
    void set(const std::string& host, std::vector<std::string> lines) {
        lines.insert(lines.begin(), {"set", state().string(), host});
        script(lines);
    }
    /// Runs a command on a host without SSH, as its user or root; returns the output. Throws if it fails.
    std::string run(const std::string& host, std::vector<std::string> argv, bool as_root = false) {
        argv.insert(argv.begin(), {as_root ? "root" : "run", state().string(), host});
        return script(argv);
    }

  private:
    std::filesystem::path state() const { return folder_.path() / "hosts"; }

    static std::string text_of(const std::filesystem::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::string script(const std::vector<std::string>& words) const {
        std::filesystem::path output = folder_.path() / "output", errors = folder_.path() / "errors";
        std::vector<std::string> command{"/bin/bash", TRAINYARD_TESTS_DIR "/hosts/hosts"};
        command.insert(command.end(), words.begin(), words.end());
        std::vector<char*> argv;
        for (std::string& word : command)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
        pid_t pid = 0;
        int error = ::posix_spawn(&pid, "/bin/bash", &actions, nullptr, argv.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        int status = -1;
        if (error != 0 || ::waitpid(pid, &status, 0) != pid || status != 0)
            throw std::runtime_error("hosts " + words.front() + ": " + text_of(errors) + text_of(output));
        return text_of(output);
    }

    TemporaryFolder folder_;
    std::string mode_;
    std::vector<TestHost> hosts_;
};

}  // namespace trainyard::test
