// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One repository of a hub: its files, and their bytes. Asks again if a server is busy or a connection breaks, and
// reports in one sentence why the hub does not give something.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "formats/hub/http_client.h"
#include "formats/hub/repo_name.h"

namespace trainyard::hub {

/// The hub cannot be asked now: no connection, too many requests, a fault of the server. Others are final.
class UnavailableError : public UserError {
  public:
    using UserError::UserError;
};

/// The hub does not show such a repository, or it does not have the revision.
class UnknownRepoError : public UserError {
  public:
    using UserError::UserError;
};

struct Listing {
    std::string commit;
    std::vector<std::string> files;  ///< relative paths, checked
};

struct RemoteFile {
    std::string etag;  ///< SHA-256 of a large file, git's SHA-1 of a small one; also its name in the cache
    std::uint64_t bytes = 0;
};

class HubClient {
  public:
    /// `note`: called with why something is asked again. Throws UserError without libcurl.
    HubClient(RepoName repo, std::stop_token stop, std::function<void(const Message&)> note);

    const std::string& endpoint() const { return endpoint_; }
    /// The files of the revision. Throws UserError.
    Listing list();
    RemoteFile describe(const std::string& commit, const std::string& file);
    /// Passes bytes [begin, size) on. Asks again after a broken connection, from the next byte on, unless next to
    /// nothing
    /// arrives several times in a row. Throws UserError.
    void read(const std::string& commit, const std::string& file, std::uint64_t begin, std::uint64_t size,
              const std::function<void(std::string_view bytes)>& sink);

  private:
    /// The answer of `ask`, which is called again while a server is busy.
    /// `was_reached`: also while it cannot be reached, as it could before.
    HttpAnswer patiently(const std::string& what, const std::function<HttpAnswer()>& ask, bool was_reached = false);
    void wait(double seconds);
    [[noreturn]] void fail(const HttpAnswer& answer, const std::string& what) const;
    std::string address_of(const std::string& commit, const std::string& file) const;

    RepoName repo_;
    std::string endpoint_, token_;
    std::stop_token stop_;
    std::function<void(const Message&)> note_;
    HttpClient client_;
};

}  // namespace trainyard::hub
