// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/remote_run.h"

#include <array>
#include <sstream>

#include <fmt/format.h>

#include "base/clock.h"
#include "remote/all_hosts.h"
#include "remote/remote_launch_host.h"

namespace trainyard::remote {

using State = CheckResult::State;

namespace {

/// Adds the host, since the sentence is also shown without the table.
Message with_host(const Message& sentence, const std::string& host) {
    return sentence.text().find(host) != std::string::npos ? sentence : Message("{}: {}", host, sentence);
}

/// A command follows a whole sentence on a line of its own, as the command line prints it.
Message with_solution(const Message& sentence, const Message& mend) {
    if (mend.empty())
        return sentence;
    return mend.form().empty() ? Message("{}\n  try: {}", sentence, mend) : Message("{}: {}", sentence, mend);
}

std::vector<Message> message_lines(const Message& text) {
    std::vector<Message> lines;
    if (text.form() == "{}\n{}") {
        for (const Message& value : text.values())
            for (Message& line : message_lines(value))
                lines.push_back(std::move(line));
    } else if (text.form().empty()) {
        std::istringstream in(text.text());
        for (std::string line; std::getline(in, line);)
            lines.push_back(Message::verbatim(line));
    } else {
        lines.push_back(text);
    }
    return lines;
}

}  // namespace

const char* name_of(CheckResult::State state) {
    constexpr std::array names{"waiting", "running", "passed", "warning", "failed", "skipped"};
    return names.at(static_cast<std::size_t>(state));
}

const std::vector<std::pair<std::string, std::string>>& host_checks(bool program) {
    using Checks = std::vector<std::pair<std::string, std::string>>;
    static const Checks first{{"reach", "Reach and log in"}, {"host_key", "Host key"},      {"clock", "Clock"},
                              {"engine", "Engine"},          {"driver", "Driver and CUDA"}, {"gpus", "GPUs free"}};
    static const Checks last{{"output", "Output folder"},
                             {"port", "Rendezvous port"},
                             {"settings", "Settings"},
                             {"network", "Network between hosts"}};
    auto all = [](Checks middle) {
        Checks checks = first;
        checks.insert(checks.end(), middle.begin(), middle.end());
        checks.insert(checks.end(), last.begin(), last.end());
        return checks;
    };
    static const Checks of_recipe = all({{"formats", "Number formats"},
                                         {"memory", "Memory fits"},
                                         {"disk", "Disk for checkpoints"},
                                         {"data", "Data readable"}});
    static const Checks of_program = all(
        {{"program", "Program"}, {"torch", "import torch"}, {"script", "Script readable"}, {"disk", "Disk for logs"}});
    return program ? of_program : of_recipe;
}

RemoteLauncher::RemoteLauncher(RemoteLaunch launch, ConnectOptions options)
    : launch_(std::move(launch)), options_(std::move(options)) {
    if (options_.asker != nullptr) {
        asker_ = std::make_unique<KeepingAsker>(options_.asker);
        options_.asker = asker_.get();
    }
    HostStore store = HostStore::load();
    for (const HostShare& share : launch_.hosts) {
        auto host = std::make_unique<Host>();
        host->share = share;
        host->local = share.host == "localhost";
        if (const StoredHost* stored = store.find(share.host))
            host->stored = *stored;
        for (const auto& [check, name] : host_checks(launch_.spec.program.has_value()))
            host->results.push_back({check, share.host, State::waiting, "", "", 0});
        hosts_.push_back(std::move(host));
    }
}

RemoteLauncher::~RemoteLauncher() = default;

void RemoteLauncher::cancel() {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (ordering_)
        return;
    for (const auto& host : hosts_)
        if (!host->copying)
            host->cancel->set();
}

std::vector<Message> RemoteLauncher::left_behind() const {
    std::lock_guard lock(mutex_);
    return left_behind_;
}

std::string RemoteLauncher::own_program() const {
    if (!launch_.program.empty())
        return launch_.program.string();
    std::error_code error;
    return (std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "trainyard").string();
}

void RemoteLauncher::stop_if_cancelled() const {
    std::lock_guard lock(mutex_);
    if (cancelled_)
        throw ConnectionError(Cause::cancelled, hosts_.front()->share.host,
                              "the launch was cancelled: nothing was started");
}

void RemoteLauncher::report(Host& host, const std::string& check, State state, const Message& words,
                            const Message& mend, double seconds, const std::string& command) {
    std::lock_guard lock(mutex_);
    const bool wrong = state == State::failed || state == State::warning;
    const Message text = wrong ? with_host(words, host.share.host) : words;
    auto found = std::ranges::find(host.results, check, &CheckResult::check);
    if (found == host.results.end() && state != State::failed)
        return;
    if (found == host.results.end())  // failures of unknown checks are reported with the settings
        found = std::ranges::find(host.results, "settings", &CheckResult::check);
    if (cancelled_ && state == State::failed)
        return;  // the result of a cancelled launch
    if (found->state == State::failed && state == State::failed) {
        if (found->text == text)
            return;
        found->text = Message::joined({found->text, text}, "\n");  // a check may find several things wrong
    } else {
        *found = {found->check, host.share.host, state, text, mend, seconds, command};
    }
    if (on_check)
        on_check(*found);
}

std::vector<CheckResult> RemoteLauncher::results() const {
    std::lock_guard lock(mutex_);
    std::vector<CheckResult> all;
    for (const auto& host : hosts_)
        all.insert(all.end(), host->results.begin(), host->results.end());
    return all;
}

std::vector<Problem> RemoteLauncher::problems() const {
    std::vector<Problem> all;
    for (const CheckResult& one : results()) {
        if (one.state != State::failed)
            continue;
        for (const Message& line : message_lines(one.text))
            all.push_back({"", 0, 0, "", with_host(with_solution(line, one.mend), one.host)});
    }
    return all;
}

void RemoteLauncher::on_all(const std::function<void(Host&)>& work) {
    for_all_hosts(hosts_.size(), [&](std::size_t i) { work(*hosts_[i]); });
    stop_if_cancelled();
}

bool RemoteLauncher::check() {
    settle_checkpoint();
    for (const auto& host : hosts_) {
        if (host->shell && !host->failed())
            continue;
        host->helper.reset();
        for (CheckResult& one : host->results)
            one = {one.check, one.host, State::waiting, "", "", 0};
    }
    auto with = [this](const char* check, void (RemoteLauncher::*work)(Host&)) {
        on_all([&](Host& host) {
            if (host.helper || (host.failed() && !host.shell))
                return;
            try {
                (this->*work)(host);
            } catch (const UserError& error) {
                report(host, check, State::failed, error.message());
                auto* lost = dynamic_cast<const ConnectionError*>(&error);
                if (lost != nullptr && lost->cause() == Cause::connection_lost)
                    host.shell.reset();
            }
        });
    };
    with("reach", &RemoteLauncher::connect);
    choose_device();
    with("engine", &RemoteLauncher::ask);
    look_at_network();
    for (const auto& host : hosts_)
        for (const CheckResult& one : std::vector<CheckResult>(host->results))
            if (one.state == State::waiting || one.state == State::running)
                report(*host, one.check, State::skipped, "waits for what failed before it");
    stop_if_cancelled();
    return std::ranges::none_of(hosts_, [](const auto& host) { return host->failed(); });
}

}  // namespace trainyard::remote
