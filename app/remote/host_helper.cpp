// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_helper.h"

#include <iostream>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "remote/all_hosts.h"

namespace trainyard::remote {

int serve_helper() {
    std::optional<launch::ConnectionTestListener> listener;
    for (std::string line; std::getline(std::cin, line);) {
        const nlohmann::json question = read_json(line);
        std::string answer;
        if (question.is_array()) {
            answer = launch::to_json(launch::try_targets(launch::parse_connection_targets(line)));
        } else {
            const double time = wall_seconds();
            CheckAnswer said;
            if (const auto order = question.find("order"); order != question.end() && order->is_object())
                said = answer_check_order(json_text(*order));
            if (!listener)
                listener.emplace();
            said.time = time;
            said.target = listener->target();
            answer = to_json(said);
        }
        std::cout << answer << '\n' << std::flush;
    }
    return kExitDone;
}

namespace {
constexpr std::size_t kLongestAnswer = 8u << 20;  // bytes
}

HostHelper::HostHelper(HostShell& shell, RemoteCommand command, std::string host, double seconds)
    : host_(std::move(host)), seconds_(seconds) {
    command.argv.insert(command.argv.end(), {"probe", "--launch"});
    link_ = shell.open(command);
}

std::string HostHelper::ask(const std::string& line) {
    link_->write(line + '\n');
    double until = monotonic_seconds() + seconds_;
    std::size_t end;
    while ((end = said_.find('\n')) == std::string::npos) {
        said_ += link_->read(1, -1);
        if (said_.size() > kLongestAnswer)
            throw UserError("{} answered with a line of more than 8 MB", host_);
        if (said_.find('\n') == std::string::npos && link_->ended())
            throw UserError("`trainyard probe` ended on {} before it answered", host_);
        if (monotonic_seconds() > until)
            throw UserError("{} did not answer for {} s", host_, static_cast<int>(seconds_));
    }
    std::string answer = said_.substr(0, end);
    said_.erase(0, end + 1);
    return answer;
}

CheckAnswer HostHelper::check(const std::string& order) {
    CheckAnswer answer = parse_check_answer(ask("{\"order\":" + (order.empty() ? "null" : order) + '}'));
    answer.target.host = host_;
    return answer;
}

std::vector<ConnectionTest> HostHelper::reach(const std::vector<ConnectionTarget>& targets) {
    return launch::parse_connection_tests(ask(launch::to_json(targets)));
}

std::vector<ConnectionTest> reach_matrix(const std::vector<HostHelper*>& helpers,
                                         const std::vector<ConnectionTarget>& targets) {
    std::vector<std::vector<ConnectionTest>> rows(helpers.size());
    std::vector<Message> problems(helpers.size());
    for_all_hosts(helpers.size(), [&](std::size_t i) {
        std::vector<ConnectionTarget> others = targets;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        try {
            rows[i] = helpers[i]->reach(others);
        } catch (const UserError& error) {
            problems[i] = error.message();
        }
    });
    std::vector<ConnectionTest> matrix;
    for (std::size_t i = 0; i < helpers.size(); ++i) {
        std::size_t next = 0;
        for (std::size_t k = 0; k < helpers.size(); ++k) {
            if (k == i)
                continue;
            ConnectionTest reach = next < rows[i].size() ? rows[i][next++] : ConnectionTest{};
            reach.from = targets[i].host;
            reach.to = targets[k].host;
            if (!reach.ok && !problems[i].empty())
                reach.problem = problems[i];
            matrix.push_back(std::move(reach));
        }
    }
    return matrix;
}

}  // namespace trainyard::remote
