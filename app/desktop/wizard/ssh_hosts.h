#pragma once
// The machines a user has names for: aliases of ~/.ssh/config (ssh_config(5)). Read only, nothing is connected.

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::desktop {

struct SshHost {
    std::string alias;      ///< what one types after `ssh`
    std::string host_name;  ///< HostName; the alias when there is none
};

/// In order of the file, patterns (`*`, `?`, `!`) left out, Include followed (16 files deep at most, as OpenSSH does). A file that is
/// not there has no hosts; a line that is no setting is passed over, ssh itself complains of it. Does I/O: not for the GUI thread.
std::vector<SshHost> ssh_hosts(const std::filesystem::path& config);
/// $HOME/.ssh/config
std::filesystem::path ssh_config_file();

}  // namespace trainyard::desktop
