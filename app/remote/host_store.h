// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hosts the user has added and what Trainyard needs to know about each, in $XDG_CONFIG_HOME/trainyard/hosts.yaml (0600,
// no secrets):
//
//   hosts:
//     - name: gpu-b                 # an alias of ssh_config, or a name of its own
//       label: big one
//       address: 10.0.0.7           # address, user, port, identity_file, jump: only for hosts that are not in ssh_config
//       runs_folder: /data/runs
//       max_gpus: 4
//       use: false
//
// The order of the file is the order on the screen. ~/.ssh/config is only read.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "remote/ssh_config.h"

namespace trainyard::remote {

struct StoredHost {
    std::string name;
    std::string label;
    std::string address;
    std::string user;
    int port = 0;  ///< 0: as ssh_config says, else 22
    std::string identity_file;
    std::string jump;
    std::string runs_folder;  ///< empty: the host's own default
    std::string engine;       ///< path of `trainyard` over there; empty: ours is brought along
    std::string interpreter;  ///< for scripts; empty: python3
    std::map<std::string, std::string> environment;
    std::optional<int> max_gpus;
    bool use = true;
    bool operator==(const StoredHost&) const = default;
};

/// Everything that is wrong with one entry; empty: nothing. `key` of each problem is the field's name.
std::vector<Problem> check_host(const StoredHost& host);
/// "host gpu_b: a host name may not contain `_`: did you mean gpu-b?"; empty: fine.
Message host_name_problem(const std::string& name);

/// The program that the key `engine` of a host names does not start, and what the host said about it.
Message bad_engine(const StoredHost& host, const Message& reason);

/// What is set of an entry, as texts, by the names of the file; variables as `environment.NAME`.
std::vector<std::pair<std::string, std::string>> fields_of(const StoredHost& host);
/// Sets one of them from a text; an empty one takes it away. Throws UserError for an unknown key or a value of the
/// wrong kind; what the value is worth is check_host()'s business.
void set_field(StoredHost& host, const std::string& key, const std::string& value);

class HostStore {
  public:
    /// Throws InvalidInput with every problem. A file that is not there is an empty store.
    static HostStore load(const std::filesystem::path& file = default_file());
    static std::filesystem::path default_file();

    const std::vector<StoredHost>& hosts() const { return hosts_; }
    const StoredHost* find(const std::string& name) const;
    /// Adds, or replaces the one of that name, keeping its place. Throws InvalidInput.
    void put(const StoredHost& host);
    /// False when there is none.
    bool forget(const std::string& name);
    void set_order(const std::vector<std::string>& names);
    /// Whole or not at all. Throws UserError, also when the file has been changed by another program since it was
    /// loaded.
    void save();

  private:
    std::filesystem::path file_;
    std::string loaded_;  ///< content of the file then
    std::vector<StoredHost> hosts_;
};

/// A host that can be named: from ssh_config, from the store, or both.
struct KnownHost {
    std::string name;
    StoredHost stored;  ///< only `name` is set when it is not in the store
    bool in_store = false;
    std::string config_place;  ///< `/home/me/.ssh/config:12`; empty: not there
};

/// Those of the store in its order, then the rest of ssh_config's.
std::vector<KnownHost> list_hosts(const HostStore& store, const SshConfig& config);
/// Settings for connecting: ssh_config's, with what the store says on top.
HostSettings settings_for(const std::string& name, const HostStore& store, const SshConfig& config);

/// The result of settings_for() for one of many hosts.
struct ResolvedHost {
    std::optional<HostSettings> settings;
    Message problem;  ///< why there are no settings
};
/// Calls settings_for() for many hosts side by side (for_all_hosts), since each call runs ssh. In the order of `hosts`.
std::vector<ResolvedHost> settings_of_all(const std::vector<KnownHost>& hosts, const HostStore& store,
                                          const SshConfig& config);

}  // namespace trainyard::remote
