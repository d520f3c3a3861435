// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Fake hosts for tests of the Hosts page, with a configurable answer, delay and host key.

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "desktop/hosts/host_source.h"

namespace trainyard::test {

inline remote::HostKey some_key(char letter) {
    return {"ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAI" + std::string(43, letter)};
}

inline remote::HostFacts some_facts(const std::string& name, int gpus, double busy = 0) {
    remote::HostFacts facts;
    facts.host_name = name;
    facts.system = "Debian GNU/Linux 12 (bookworm)";
    facts.kernel = "6.1.0-18-amd64";
    facts.machine = "x86_64";
    facts.c_library = "glibc 2.36";
    facts.cpu = "AMD EPYC 9654";
    facts.cores = 112;
    facts.memory_bytes = 2ull << 40;
    facts.memory_available_bytes = 1900ull << 30;
    facts.load_1m = 12;
    facts.runs_folder = "/home/me/.local/share/trainyard/runs";
    facts.disk_total_bytes = 4'000'000'000'000;
    facts.disk_free_bytes = 1'700'000'000'000;
    facts.clock_offset_s = -0.11;
    facts.clock_error_s = 0.02;
    facts.python = "3.11.2";
    if (gpus > 0) {
        facts.driver = "580.95.05";
        facts.cuda = "13.0";
        facts.nccl = "2.27.5";
    }
    for (int i = 0; i < gpus; ++i) {
        remote::GpuFacts gpu;
        gpu.index = i;
        gpu.name = "NVIDIA H100 80GB HBM3";
        gpu.memory_bytes = 80ull << 30;
        gpu.memory_used_bytes = busy > 0 ? 61ull << 30 : 0;
        gpu.busy_percent = busy;
        gpu.temperature_c = 70 + i;
        gpu.power_w = 640 + 5 * i;
        if (busy > 0)
            gpu.processes.push_back({4000 + i, "me", "trainyard-worker", 61ull << 30, 120.0});
        facts.gpus.push_back(gpu);
    }
    for (int i = 0; i < gpus; ++i) {
        std::vector<std::string> line;
        for (int j = 0; j < gpus; ++j)
            line.push_back(i == j ? "X" : "NV18");
        facts.gpu_links.push_back(line);
    }
    if (gpus > 0)
        for (int i = 0; i < 4; ++i)
            facts.infiniband.push_back({"mlx5_" + std::to_string(i), 1, "ACTIVE", "400 Gb/s", "InfiniBand"});
    return facts;
}

class FakeHosts : public desktop::HostSource {
  public:
    struct Host {
        remote::KnownHost known;
        remote::HostFacts facts;
        double seconds = 0;  ///< until it answers
        std::string cause;   ///< not empty: it does not
        Message problem;
        std::string command;
        remote::HostKey key = some_key('A');
        bool trusted = true;
        std::vector<remote::KnownLine> recorded;
    };

    Host& add(const std::string& name, int gpus, double busy = 0) {
        Host host;
        host.known.name = name;
        host.known.stored.name = name;
        host.known.config_place = "/home/me/.ssh/config:" + std::to_string(4 * hosts_.size() + 1);
        host.facts = some_facts(name, gpus, busy);
        hosts_.push_back(host);
        return hosts_.back();
    }
    int asked_at_once() const { return most_; }

    desktop::HostListing list() override {
        const std::lock_guard lock(mutex_);
        desktop::HostListing listing;
        for (const Host& host : hosts_) {
            listing.hosts.push_back(host.known);
            listing.targets[host.known.name] = "me@" + host.known.name + ":22";
        }
        return listing;
    }

    desktop::HostAnswer probe(const std::string& name, const desktop::ProbeOrder& order) override {
        desktop::HostAnswer answer;
        answer.result.host = name;
        answer.time = wall_seconds();
        if (name == desktop::kThisMachine) {
            answer.result.facts = some_facts("here", 0);
            return answer;
        }
        Host host;
        {
            const std::lock_guard lock(mutex_);
            for (const Host& each : hosts_)
                if (each.known.name == name)
                    host = each;
            most_ = std::max(most_, ++now_);
        }
        const double end = monotonic_seconds() + host.seconds;
        while (monotonic_seconds() < end && !order.cancel->is_set())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::lock_guard lock(mutex_);
        --now_;
        const remote::AcceptedKey accepted{name, host.key};
        const bool once =
            std::find(order.accepted_once.begin(), order.accepted_once.end(), accepted) != order.accepted_once.end();
        if (order.cancel->is_set()) {
            answer.result.cause = "cancelled";
        } else if (!host.recorded.empty() || (!host.trusted && !once)) {
            answer.result.cause = host.recorded.empty() ? "host_key_unknown" : "host_key_changed";
            answer.result.problem = "the key is not the one that is known";
            answer.key =
                remote::HostKeyReport{name, "10.0.0.7", host.key, host.recorded, "/home/me/.ssh/known_hosts", false};
        } else if (!host.cause.empty()) {
            answer.result.cause = host.cause;
            answer.result.problem = Message::verbatim(host.problem);
            answer.result.command_to_try = host.command;
            answer.result.transcript = {Message("resolving {}", name), answer.result.problem};
        } else {
            answer.result.facts = host.facts;
            answer.authenticated_by = "agent: ED25519 SHA256:abc (me@laptop)";
            answer.host_key = "ED25519 " + host.key.fingerprint();
            answer.connected = true;
            answer.result.transcript = {"connected"};
        }
        return answer;
    }

    void trust(const remote::HostKeyReport& report) override {
        const std::lock_guard lock(mutex_);
        for (Host& host : hosts_)
            if (host.known.name == report.host)
                host.trusted = true;
        trusted.insert(report.host);
    }
    std::vector<Problem> check(const remote::StoredHost& host) override { return remote::check_host(host); }
    void save(const remote::StoredHost& host, const std::string&) override {
        const std::lock_guard lock(mutex_);
        for (Host& each : hosts_)
            if (each.known.name == host.name) {
                each.known.stored = host;
                each.known.in_store = true;
                return;
            }
        Host added;
        added.known.name = host.name;
        added.known.stored = host;
        added.known.in_store = true;
        added.facts = some_facts(host.name, 0);
        hosts_.push_back(added);
    }
    void forget(const std::string& name) override {
        const std::lock_guard lock(mutex_);
        std::erase_if(hosts_, [&](const Host& host) { return host.known.name == name; });
    }
    void set_order(const std::vector<std::string>& names) override {
        const std::lock_guard lock(mutex_);
        moved = names;
    }
    desktop::KeyListing keys() override {
        desktop::KeyListing listing;
        listing.keys.push_back({"ED25519", some_key('B').fingerprint(), "me@laptop", true, {"gpu-a"}});
        listing.agent = "/run/agent";
        return listing;
    }
    std::vector<launch::ConnectionTest> reach(const std::vector<std::string>& names,
                                              const desktop::ProbeOrder&) override {
        std::vector<launch::ConnectionTest> all;
        for (const std::string& from : names)
            for (const std::string& to : names) {
                if (from == to)
                    continue;
                launch::ConnectionTest reach;
                reach.from = from;
                reach.to = to;
                reach.ok = !unreachable.contains(from) && !unreachable.contains(to);
                reach.address = "10.0.0.1";
                reach.interface = "eth0";
                reach.round_trip_s = 0.0003;
                if (!reach.ok)
                    reach.problem = "10.0.0.1: no answer for 3 s";
                all.push_back(reach);
            }
        return all;
    }
    std::vector<std::string> terminal_command(const std::string& name) override { return {"ssh", "--", name}; }

    std::set<std::string> trusted;
    std::set<std::string> unreachable;  ///< by and from the others
    std::vector<std::string> moved;

  private:
    std::mutex mutex_;
    std::vector<Host> hosts_;
    int now_ = 0;
    int most_ = 0;
};

}  // namespace trainyard::test
