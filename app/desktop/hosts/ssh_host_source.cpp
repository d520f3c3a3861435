// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/ssh_host_source.h"

#include <fstream>
#include <sstream>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "remote/probe.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {

/// File name for a host name, which may have any characters.
std::string safe_name(const std::string& name) {
    std::string safe;
    for (const char letter : name) {
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || letter == '-' || letter == '.';
        if (plain) {
            safe += letter;
            continue;
        }
        static constexpr char kDigits[] = "0123456789abcdef";
        safe += '_';
        safe += kDigits[static_cast<unsigned char>(letter) >> 4];
        safe += kDigits[static_cast<unsigned char>(letter) & 15];
    }
    return safe;
}

std::string target_of(const remote::HostSettings& settings) {
    std::string text = settings.target();
    for (std::size_t i = 0; i < settings.jumps.size(); ++i)
        text += (i == 0 ? "  ·  ProxyJump " : ", ") + settings.jumps[i].host;
    if (!settings.proxy_command.empty())
        text += "  ·  ProxyCommand " + settings.proxy_command.front();
    return text;
}

remote::ConnectOptions options_of(const ProbeOrder& order) {
    remote::ConnectOptions options;
    options.asker = order.asker.get();
    options.accepted_once = order.accepted_once;
    options.cancel = order.cancel;
    return options;
}

void fail(HostAnswer& answer, const remote::ConnectionError& error) {
    answer.result.problem = error.message();
    answer.result.cause = remote::name_of(error.cause());
    answer.result.command_to_try = error.command_to_try();
    answer.result.transcript = error.transcript();
}

}  // namespace

/// A connection and the mutex that guards its use.
struct SshHostSource::Kept {
    std::mutex mutex;
    std::optional<remote::Session> session;
};

SshHostSource::SshHostSource(fs::path memory) : memory_(std::move(memory)) {}
SshHostSource::~SshHostSource() = default;

fs::path SshHostSource::memory_of(const std::string& name) const {
    return memory_ / (safe_name(name) + ".json");
}

HostListing SshHostSource::list() {
    HostListing listing;
    auto complain = [&listing](const UserError& error) { listing.problems.push_back(error.message()); };
    remote::HostStore store;
    try {
        store = remote::HostStore::load();
    } catch (const UserError& error) {
        complain(error);
    }
    remote::SshConfig config = remote::SshConfig::empty();
    try {
        config = remote::SshConfig();
    } catch (const UserError& error) {
        complain(error);
    }
    listing.hosts = remote::list_hosts(store, config);
    std::erase_if(listing.hosts, [](const remote::KnownHost& host) { return host.name == kThisMachine; });
    auto recall = [&](const std::string& name) {
        std::ifstream file(memory_of(name));
        std::stringstream text;
        text << file.rdbuf();
        if (!file)
            return;
        try {
            HostAnswer answer;
            answer.result.host = name;
            answer.result.facts = remote::parse_host_facts(text.str(), memory_of(name).string());
            std::error_code error;
            const auto written = fs::last_write_time(memory_of(name), error);
            answer.time =
                wall_seconds() - std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count();
            listing.last[name] = std::move(answer);
        } catch (const UserError&) {
            // Ignore an unreadable cached answer; the next answer replaces it.
        }
    };
    recall(kThisMachine);
    const std::vector<remote::ResolvedHost> resolved = remote::settings_of_all(listing.hosts, store, config);
    for (std::size_t i = 0; i < resolved.size(); ++i) {
        const std::string& name = listing.hosts[i].name;
        recall(name);
        if (resolved[i].settings)
            listing.targets[name] = target_of(*resolved[i].settings);
        else
            listing.unusable[name] = resolved[i].problem;
    }
    return listing;
}

std::shared_ptr<SshHostSource::Kept> SshHostSource::kept(const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Kept>& connection = connections_[name];
    if (!connection)
        connection = std::make_shared<Kept>();
    return connection;
}

void SshHostSource::remember(const HostAnswer& answer) const {
    if (!answer.result.facts)
        return;
    try {
        make_private_folder(memory_);
        write_file_atomically(memory_of(answer.result.host), remote::to_json(*answer.result.facts));
    } catch (const UserError&) {
        // Only the cached answer for the next start is missing then.
    }
}

HostAnswer SshHostSource::probe(const std::string& name, const ProbeOrder& order) {
    HostAnswer answer;
    answer.result.host = name;
    try {
        if (name == kThisMachine) {
            answer.result.facts = remote::local_facts();
        } else {
            const remote::HostStore store = remote::HostStore::load();
            const remote::StoredHost* found = store.find(name);
            const remote::StoredHost stored = found == nullptr ? remote::StoredHost() : *found;
            const auto connection = kept(name);
            const std::lock_guard lock(connection->mutex);
            const double begun = monotonic_seconds();
            if (connection->session) {
                connection->session->set_cancel(order.cancel);
                if (!connection->session->alive())
                    connection->session.reset();
            }
            if (!connection->session) {
                const remote::SshConfig config;
                connection->session =
                    remote::Session::connect(remote::settings_for(name, store, config), config, options_of(order));
                answer.result.connect_s = monotonic_seconds() - begun;
            }
            remote::Session& session = *connection->session;
            answer.authenticated_by = session.authenticated_by();
            answer.host_key = session.host_key().short_type() + " " + session.host_key().fingerprint();
            try {
                answer.result.facts = remote::probe(session, stored);
            } catch (...) {
                answer.result.transcript = session.transcript();
                connection->session.reset();
                throw;
            }
            answer.result.transcript = session.transcript();
            answer.connected = true;
            const std::lock_guard opened(mutex_);
            opened_[answer.authenticated_by].insert(name);
        }
    } catch (const remote::HostKeyRefused& error) {
        fail(answer, error);
        answer.key = error.report();
    } catch (const remote::ConnectionError& error) {
        fail(answer, error);
    } catch (const std::exception& error) {
        answer.result.problem = message_of(error);
        answer.result.cause = remote::name_of(remote::Cause::bad_settings);
    }
    answer.time = wall_seconds();
    remember(answer);
    return answer;
}

void SshHostSource::trust(const remote::HostKeyReport& report) {
    remote::trust(report);
}

std::vector<Problem> SshHostSource::check(const remote::StoredHost& host) {
    return remote::check_host(host);
}

void SshHostSource::change(const std::function<void(remote::HostStore&)>& make) {
    const std::lock_guard lock(store_mutex_);
    remote::HostStore store = remote::HostStore::load();
    make(store);
    store.save();
}

void SshHostSource::save(const remote::StoredHost& host, const std::string& before) {
    change([&](remote::HostStore& store) {
        if (!before.empty() && before != host.name)
            store.forget(before);
        store.put(host);
    });
    // A changed address or user needs a new connection.
    const std::lock_guard connections(mutex_);
    connections_.erase(host.name);
}

void SshHostSource::forget(const std::string& name) {
    change([&](remote::HostStore& store) { store.forget(name); });
    std::error_code ignored;
    fs::remove(memory_of(name), ignored);
    const std::lock_guard connections(mutex_);
    connections_.erase(name);
}

void SshHostSource::set_order(const std::vector<std::string>& names) {
    change([&](remote::HostStore& store) {
        // Only entries of the store have an order: a host of ssh_config that was moved gets an entry.
        for (const std::string& name : names)
            if (store.find(name) == nullptr) {
                remote::StoredHost host;
                host.name = name;
                store.put(host);
            }
        store.set_order(names);
    });
}

KeyListing SshHostSource::keys() {
    KeyListing listing;
    listing.key_ring = remote::key_ring::problem();
    listing.agent = remote::agent_socket("");
    auto opened_by = [this](const std::string& words) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> hosts;
        for (const auto& [how, names] : opened_)
            if (how.find(words) != std::string::npos)
                hosts.insert(hosts.end(), names.begin(), names.end());
        return hosts;
    };
    try {
        for (const remote::AgentKey& key : remote::agent_keys())
            listing.keys.push_back({key.key.short_type() + (key.needs_touch() ? " (touch)" : ""), key.key.fingerprint(),
                                    key.comment, true, opened_by(key.key.fingerprint())});
    } catch (const UserError& error) {
        listing.problem = error.message();
    }
    std::set<std::string> files;
    try {
        const remote::SshConfig config;
        const remote::HostStore store = remote::HostStore::load();
        // The list of hosts reports those without settings.
        for (const auto& [settings, problem] :
             remote::settings_of_all(remote::list_hosts(store, config), store, config))
            if (settings)
                for (const fs::path& file : settings->identity_files)
                    files.insert(file.string());
        for (const fs::path& file : config.resolve(kThisMachine).identity_files)
            files.insert(file.string());
    } catch (const UserError&) {
        // The list of hosts says so.
    }
    for (const std::string& file : files) {
        std::ifstream open_half(file + ".pub");
        std::string type, blob;
        open_half >> type >> blob;
        if (!fs::exists(file))
            continue;
        const remote::HostKey key{type, blob};
        listing.keys.push_back({blob.empty() ? "?" : key.short_type(), blob.empty() ? "" : key.fingerprint(), file,
                                false, opened_by(file)});
    }
    return listing;
}

std::vector<launch::ConnectionTest> SshHostSource::reach(const std::vector<std::string>& names,
                                                         const ProbeOrder& order) {
    return remote::test_connections(names, options_of(order));
}

std::vector<std::string> SshHostSource::terminal_command(const std::string& name) {
    if (name == kThisMachine)
        return {};
    const remote::HostStore store = remote::HostStore::load();
    const remote::SshConfig config;
    // Let ssh itself resolve a host that is in ssh_config.
    if (!config.place_of(name).empty())
        return {"ssh", "--", name};
    const remote::HostSettings settings = remote::settings_for(name, store, config);
    std::vector<std::string> words{"ssh", "-p", std::to_string(settings.port), "-l", settings.user};
    if (settings.identity_files_given && !settings.identity_files.empty())
        words.insert(words.end(), {"-i", settings.identity_files.front().string()});
    if (!settings.jumps.empty()) {
        std::string chain;
        for (const remote::Jump& jump : settings.jumps)
            chain += (chain.empty() ? "" : ",") + (jump.user.empty() ? "" : jump.user + "@") + jump.host +
                     (jump.port == 0 ? "" : ":" + std::to_string(jump.port));
        words.insert(words.end(), {"-J", chain});
    }
    words.insert(words.end(), {"--", settings.host_name});
    return words;
}

}  // namespace trainyard::desktop
