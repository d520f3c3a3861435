// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A machine without processes: does what a test scripts, and records what it is asked for.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "launch/supervisor/rank_machine.h"

namespace trainyard::test {

class FakeMachine final : public launch::RankMachine {
  public:
    explicit FakeMachine(std::string host) : host_(std::move(host)) {}

    const std::string& host() const override { return host_; }
    void start(const launch::MachineOrder& order) override {
        orders.push_back(order);
        if (on_start)
            on_start();
    }
    void add_descriptors(std::vector<pollfd>&) const override {}
    void take(launch::RankListener& listener) override {
        for (const auto& report : std::exchange(reports, {}))
            report(listener);
    }
    void send(int, const std::string& line) override { lines.push_back(line); }
    void signal(int number) override {
        signals.push_back(number);
        if (on_signal)
            on_signal(number);
    }
    bool all_ended() const override { return true; }
    Message condition(int rank) const override {
        const auto found = conditions.find(rank);
        return found == conditions.end() ? Message() : found->second;
    }

    std::vector<std::function<void(launch::RankListener&)>> reports;  ///< for the next take()
    std::function<void()> on_start;
    std::function<void(int)> on_signal;
    std::map<int, Message> conditions;
    std::vector<launch::MachineOrder> orders;
    std::vector<std::string> lines;
    std::vector<int> signals;

  private:
    std::string host_;
};

}  // namespace trainyard::test
