// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The real hosts: ~/.ssh/config and Trainyard's own list, asked over SSH. Connections are kept while the page may ask again. What was last
// heard of each host is kept in $XDG_STATE_HOME/trainyard/hosts, so that the page is not empty after a start.

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "desktop/hosts/host_source.h"

namespace trainyard::desktop {

class SshHostSource : public HostSource {
  public:
    /// `memory`: folder for what was last heard.
    explicit SshHostSource(std::filesystem::path memory);
    ~SshHostSource() override;

    HostListing list() override;
    HostAnswer probe(const std::string& name, const ProbeOrder& order) override;
    void trust(const remote::HostKeyReport& report) override;
    std::vector<Problem> check(const remote::StoredHost& host) override;
    void save(const remote::StoredHost& host, const std::string& before) override;
    void forget(const std::string& name) override;
    void set_order(const std::vector<std::string>& names) override;
    KeyListing keys() override;
    std::vector<launch::ConnectionTest> reach(const std::vector<std::string>& names, const ProbeOrder& order) override;
    std::vector<std::string> terminal_command(const std::string& name) override;

  private:
    struct Kept;
    std::shared_ptr<Kept> kept(const std::string& name);
    std::filesystem::path memory_of(const std::string& name) const;
    void remember(const HostAnswer& answer) const;
    void change(const std::function<void(remote::HostStore&)>& make);

    std::filesystem::path memory_;
    std::mutex mutex_;
    std::mutex store_mutex_;  ///< one writer of the list at a time
    std::map<std::string, std::shared_ptr<Kept>> connections_;
    std::map<std::string, std::set<std::string>> opened_;  ///< how it logged in -> hosts
};

}  // namespace trainyard::desktop
