// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard hosts list | show | set | forget | trust | check

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "cli/secret_terminal.h"
#include "cli/terminal.h"
#include "remote/all_hosts.h"
#include "remote/failure.h"
#include "remote/host_store.h"
#include "remote/known_hosts.h"
#include "remote/quoting.h"
#include "remote/session.h"

namespace trainyard::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

struct HostsFlags {
    std::vector<std::string> names;
    std::string name;  ///< of set
    std::vector<std::string> assignments;
    std::string fingerprint;
    bool json = false;
    bool transcript = false;
};

struct Sources {
    remote::SshConfig config;
    remote::HostStore store = remote::HostStore::load();
};

OrderedJson host_json(const remote::KnownHost& host, const remote::ResolvedHost& resolved) {
    OrderedJson object{{"name", host.name}};
    for (const auto& [key, value] : remote::fields_of(host.stored))
        if (key != "name")
            object[key] = value;
    object["in_store"] = host.in_store;
    object["ssh_config"] = host.config_place;
    if (!resolved.settings) {
        object["problem"] = resolved.problem.text();
        return object;
    }
    object["target"] = resolved.settings->target();
    OrderedJson jumps = OrderedJson::array();
    for (const remote::Jump& jump : resolved.settings->jumps)
        jumps.push_back(jump.host);
    object["jumps"] = jumps;
    return object;
}

int print_hosts(const HostsFlags& flags) {
    Sources sources;
    std::vector<remote::KnownHost> hosts = remote::list_hosts(sources.store, sources.config);
    const std::vector<remote::ResolvedHost> resolved = remote::settings_of_all(hosts, sources.store, sources.config);
    OrderedJson all = OrderedJson::array();
    for (std::size_t i = 0; i < hosts.size(); ++i)
        all.push_back(host_json(hosts[i], resolved[i]));
    if (flags.json) {
        print_json(all);
        return kExitDone;
    }
    if (hosts.empty()) {
        say_format(
            stdout,
            "No hosts yet. Hosts in %s appear here, others come with: trainyard hosts set NAME address=ADDRESS\n",
            remote::SshConfig::default_file().c_str());
        return kExitDone;
    }
    std::size_t width = 4;
    for (const remote::KnownHost& host : hosts)
        width = std::max(width, host.name.size());
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const remote::KnownHost& host = hosts[i];
        const OrderedJson& facts = all[i];
        std::string way =
            facts.contains("problem") ? facts["problem"].get<std::string>() : facts["target"].get<std::string>();
        for (const OrderedJson& jump : facts.value("jumps", OrderedJson::array()))
            way += " through " + jump.get<std::string>();
        say_format(stdout, "%s\n",
                   fmt::format("{:{}}  {}{}{}", host.name, width, way, host.stored.use ? "" : " (not used)",
                               host.stored.label.empty() ? "" : "  " + host.stored.label)
                       .c_str());
    }
    return kExitDone;
}

int print_hosts_in_detail(const HostsFlags& flags) {
    Sources sources;
    OrderedJson all = OrderedJson::array();
    for (const std::string& name : flags.names) {
        const remote::StoredHost* stored = sources.store.find(name);
        remote::KnownHost host{name, stored != nullptr ? *stored : remote::StoredHost{}, stored != nullptr,
                               sources.config.place_of(name)};
        host.stored.name = name;
        const remote::HostSettings settings = remote::settings_for(name, sources.store, sources.config);
        OrderedJson object = host_json(host, {settings, {}});
        OrderedJson keys = OrderedJson::array(), identities = OrderedJson::array();
        std::vector<std::filesystem::path> files = settings.user_known_hosts;
        files.insert(files.end(), settings.global_known_hosts.begin(), settings.global_known_hosts.end());
        for (const remote::KnownLine& line : remote::KnownHosts(files).lines_about(settings.known_name()))
            keys.push_back({{"type", line.key.type}, {"fingerprint", line.key.fingerprint()}, {"place", line.place()}});
        for (const std::filesystem::path& file : settings.identity_files)
            identities.push_back(file.string());
        object["known_keys"] = keys;
        object["identity_files"] = identities;
        object["notes"] = settings.notes;
        all.push_back(object);
    }
    if (flags.json) {
        print_json(all);
        return kExitDone;
    }
    for (const OrderedJson& host : all) {
        say_format(stdout, "%s\n", host["name"].get<std::string>().c_str());
        for (const auto& [key, value] : host.items()) {
            if (key == "name" || key == "in_store" || value.empty())
                continue;
            OrderedJson lines = value.is_array() ? value : OrderedJson::array({value});
            for (const OrderedJson& line : lines) {
                std::string text = line.is_string()   ? line.get<std::string>()
                                   : line.is_object() ? line["type"].get<std::string>() + " " +
                                                            line["fingerprint"].get<std::string>() + " (" +
                                                            line["place"].get<std::string>() + ")"
                                                      : json_text(line);
                say_format(stdout, "  %-15s %s\n", key.c_str(), text.c_str());
            }
        }
    }
    return kExitDone;
}

int set_host(const HostsFlags& flags) {
    remote::HostStore store = remote::HostStore::load();
    const remote::StoredHost* there = store.find(flags.name);
    remote::StoredHost host = there != nullptr ? *there : remote::StoredHost{};
    host.name = flags.name;
    for (const std::string& assignment : flags.assignments) {
        std::size_t equals = assignment.find('=');
        if (equals == std::string::npos)
            throw UserError("'{}' is not a setting: write key=value, for example address=10.0.0.7", assignment);
        remote::set_field(host, assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    store.put(host);
    store.save();
    say_format(stdout, "%s: saved in %s\n", host.name.c_str(), remote::HostStore::default_file().c_str());
    return kExitDone;
}

/// Prints the keys of a host that stay in files known_hosts, which other programs read, too.
void print_remaining_keys(const std::string& name, const Sources& sources) {
    try {
        const remote::HostSettings settings = remote::settings_for(name, sources.store, sources.config);
        std::vector<std::filesystem::path> files = settings.user_known_hosts;
        files.insert(files.end(), settings.global_known_hosts.begin(), settings.global_known_hosts.end());
        std::set<std::filesystem::path> shown;
        for (const remote::KnownLine& line : remote::KnownHosts(files).lines_about(settings.known_name()))
            if (shown.insert(line.file).second)
                say_format(stdout, "%s: its host key stays in %s; to remove it: %s\n", name.c_str(),
                           line.place().c_str(), remote::remove_key_command(settings.known_name(), line.file).c_str());
    } catch (const UserError&) {
        // Its settings cannot be used: no connection has left a key.
    }
}

int forget_hosts(const HostsFlags& flags) {
    Sources sources;
    std::vector<Problem> problems;
    for (const std::string& name : flags.names) {
        print_remaining_keys(name, sources);
        if (!sources.store.forget(name)) {
            std::string place = sources.config.place_of(name);
            problems.push_back(
                {"", 0, 0, "",
                 place.empty() ? Message("host {}: there is no such host", name)
                               : Message("host {}: it is defined in {}, which Trainyard only reads: remove it there",
                                         name, place)});
        }
    }
    if (!problems.empty())
        throw InvalidInput(problems);
    sources.store.save();
    for (const std::string& name : flags.names)
        say_format(stdout, "%s: removed from %s\n", name.c_str(), remote::HostStore::default_file().c_str());
    return kExitDone;
}

void print_host_key(const remote::HostKeyReport& report) {
    if (report.recorded.empty())
        say_format(stdout, "The host key of %s is not known yet.\n", report.host.c_str());
    else
        say_format(stdout,
                   "WARNING: %s is known by its %s key (%s). The server was asked for that one and shows another.\n"
                   "Either it was removed there, or this is not the same host.\n",
                   report.host.c_str(), report.recorded.front().key.short_type().c_str(),
                   report.recorded.front().place().c_str());
    say_format(stdout, "\n  %s\n  %s\n\n%s\n\n", report.offered.type.c_str(), report.offered.fingerprint().c_str(),
               report.offered.randomart().c_str());
    say_format(stdout,
               "Compare it with the key that the host's administrator gives you, or with the output on the host itself "
               "of\n  ssh-keygen -lvf /etc/ssh/ssh_host_%s_key.pub\n\n",
               report.offered.short_type() == "ED25519" ? "ed25519"
               : report.offered.short_type() == "RSA"   ? "rsa"
                                                        : "ecdsa");
}

bool confirmed(const HostsFlags& flags, const remote::HostKeyReport& report) {
    if (!flags.fingerprint.empty()) {
        if (flags.fingerprint == report.offered.fingerprint())
            return true;
        throw UserError("{}: its key is {}, not {}: it is not trusted", report.host, report.offered.fingerprint(),
                        flags.fingerprint);
    }
    if (!is_terminal(STDIN_FILENO))
        throw UserError("{}: this key cannot be confirmed interactively: give it with --fingerprint {}", report.host,
                        report.offered.fingerprint());
    say_format(stdout, "Trust it and remember it in %s? (yes/no) ", report.file.c_str());
    std::fflush(stdout);
    char answer[16] = "";
    return std::fgets(answer, sizeof answer, stdin) != nullptr && std::string(answer) == "yes\n";
}

int trust_hosts(const HostsFlags& flags) {
    Sources sources;
    for (const std::string& name : flags.names) {
        remote::HostSettings settings = remote::settings_for(name, sources.store, sources.config);
        std::unique_ptr<remote::Asker> asker = secret_terminal();
        remote::ConnectOptions options;
        options.asker = asker.get();
        bool known = false;
        while (!known) {  // jump hosts on the way have keys of their own
            try {
                remote::Session::connect(settings, sources.config, options);
                known = true;
            } catch (const remote::HostKeyRefused& error) {
                if (error.cause() != remote::Cause::host_key_unknown)
                    throw;
                print_host_key(error.report());
                if (!confirmed(flags, error.report())) {
                    say_format(stdout, "Not trusted; nothing was written.\n");
                    return kExitFailed;
                }
                remote::trust(error.report());
                say_format(stdout, "%s: remembered in %s\n", error.report().host.c_str(), error.report().file.c_str());
            } catch (const remote::ConnectionError& error) {
                // Authentication comes after the host key was verified, so its failure does not matter here.
                bool after_the_key =
                    error.cause() == remote::Cause::authentication || error.cause() == remote::Cause::too_many_attempts;
                if (!after_the_key || error.host() != settings.alias)
                    throw;
                known = true;
            }
        }
        say_format(stdout, "%s: its host key is known\n", name.c_str());
    }
    return kExitDone;
}

struct Check {
    OrderedJson facts;
    std::vector<Message> transcript;
    bool good = false;
};

/// Starts the program that the user's settings name for a host. Empty: it answers.
Message engine_problem(remote::Session& session, const remote::StoredHost& host) {
    const remote::ExecResult said = session.exec({{host.engine, "--version"}, host.environment, {}}, {}, 30);
    if (said.exit.ok() && said.output.starts_with("trainyard "))
        return {};
    const std::string shown = HostText::first_line(said.error.empty() ? said.output : said.error);
    return remote::bad_engine(host, shown.empty() ? said.exit.text() : Message::verbatim(shown));
}

Check check_one(const std::string& name, const Sources& sources, remote::Asker* asker) {
    Check check;
    double begin = monotonic_seconds();
    try {
        remote::ConnectOptions options;
        options.asker = asker;
        remote::Session session = remote::Session::connect(remote::settings_for(name, sources.store, sources.config),
                                                           sources.config, options);
        const remote::ShellFacts& shell = session.shell();
        check.facts = {{"name", name},
                       {"ok", true},
                       {"seconds", monotonic_seconds() - begin},
                       {"target", session.host().target()},
                       {"authenticated_by", session.authenticated_by()},
                       {"host_key", session.host_key().fingerprint()},
                       {"shell", shell.path},
                       {"home", shell.home}};
        check.transcript = session.transcript();
        check.good = true;
        const remote::StoredHost* stored = sources.store.find(name);
        if (stored != nullptr && !stored->engine.empty()) {
            const Message problem = engine_problem(session, *stored);
            check.good = problem.empty();
            check.facts["ok"] = check.good;
            if (!check.good)
                check.facts.update({{"cause", remote::name_of(remote::Cause::command_missing)},
                                    {"host", name},
                                    {"message", problem.text()},
                                    {"try", "trainyard hosts set " + remote::shell_quote(name) + " engine="}});
        }
    } catch (const remote::ConnectionError& error) {
        check.facts = {{"name", name},
                       {"ok", false},
                       {"seconds", monotonic_seconds() - begin},
                       {"cause", remote::name_of(error.cause())},
                       {"host", error.host()},
                       {"message", error.what()},
                       {"try", error.command_to_try()}};
        check.transcript = error.transcript();
    } catch (const UserError& error) {
        check.facts = {{"name", name}, {"ok", false}, {"cause", "bad_settings"}, {"message", error.what()}};
    }
    return check;
}

int check_hosts(const HostsFlags& flags) {
    Sources sources;
    std::vector<std::string> names = flags.names;
    if (names.empty())
        for (const remote::KnownHost& host : remote::list_hosts(sources.store, sources.config))
            if (host.stored.use)
                names.push_back(host.name);
    std::unique_ptr<remote::Asker> asker = flags.json ? nullptr : secret_terminal();
    std::vector<Check> checks(names.size());
    remote::for_all_hosts(names.size(), [&](std::size_t i) { checks[i] = check_one(names[i], sources, asker.get()); });
    bool all_good = std::all_of(checks.begin(), checks.end(), [](const Check& one) { return one.good; });
    if (flags.json) {
        OrderedJson all = OrderedJson::array();
        for (Check& one : checks) {
            if (flags.transcript)
                one.facts["transcript"] = one.transcript;
            all.push_back(one.facts);
        }
        print_json(all);
        return all_good ? kExitDone : kExitFailed;
    }
    for (const Check& one : checks) {
        const OrderedJson& facts = one.facts;
        if (one.good)
            say_format(stdout, "%s\n",
                       fmt::format("{}: logged in as {} by {} in {}", facts["name"].get<std::string>(),
                                   facts["target"].get<std::string>(), facts["authenticated_by"].get<std::string>(),
                                   text::duration(facts["seconds"].get<double>()))
                           .c_str());
        else
            say_format(stdout, "%s\n", facts["message"].get<std::string>().c_str());
        if (std::string command = facts.value("try", ""); !command.empty())
            say_format(stdout, "  try: %s\n", command.c_str());
        if (flags.transcript)
            for (const Message& line : one.transcript)
                say_format(stdout, "  | %s\n", line.text().c_str());
    }
    return all_good ? kExitDone : kExitFailed;
}

}  // namespace

void add_hosts(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<HostsFlags>();
    CLI::App* hosts = app.add_subcommand("hosts", "Machines that are reached over SSH");
    hosts->require_subcommand(1);
    auto add = [&](const char* name, const char* what, int (*run)(const HostsFlags&)) {
        CLI::App* command = hosts->add_subcommand(name, what);
        command->callback([flags, run, &chosen] { chosen = [flags, run] { return run(*flags); }; });
        return command;
    };
    CLI::App* command = add("list", "Hosts of ~/.ssh/config and those that were added", print_hosts);
    command->add_flag("--json", flags->json, "As JSON");
    command = add("show", "Show how hosts are reached, and their known keys", print_hosts_in_detail);
    command->add_option("NAME", flags->names, "Hosts")->required();
    command->add_flag("--json", flags->json, "As JSON");
    command = add("set", "Add a host or change its settings", set_host);
    command->add_option("NAME", flags->name, "The host")->required();
    command->add_option(
        "SETTINGS", flags->assignments,
        "key=value: label, address, user, port, identity_file, jump, runs_folder, engine, interpreter, max_gpus, use, "
        "environment.NAME; an empty value takes it away");
    command = add("forget", "Remove hosts that were added", forget_hosts);
    command->add_option("NAME", flags->names, "Hosts")->required();
    command = add("trust", "Show the key of a host, and remember it after you compared it", trust_hosts);
    command->add_option("NAME", flags->names, "Hosts")->required();
    command->add_option("--fingerprint", flags->fingerprint,
                        "Expected fingerprint, SHA256:...; the key is then accepted without a question");
    command = add("check",
                  "Log in to hosts in parallel (no name: all of them), start the engine that is set for a host, and "
                  "report problems",
                  check_hosts);
    command->add_option("NAME", flags->names, "Hosts");
    command->add_flag("--json", flags->json, "Print JSON; passwords are not asked for");
    command->add_flag("--transcript", flags->transcript, "Also print every step of the connection");
}

}  // namespace trainyard::cli
