// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A tracker whose service is a server. Calls write to a spool on the disk and return; a thread delivers the spool in
// order, tries again with growing pauses while the server does not accept it, and continues in a later process with
// what an earlier one has left. A service knows how its entries are sent, and nothing about files and retries. Inside
// this library.
//
// Entries of a spool, in the order of the calls:
//     {"open": {"project", "arguments", "settings"}, "time"}      the first one
//     {"configuration": {...}, "time"}
//     {"values": {...}, "step", "time"}                           no step: none was given
//     {"pictures": name, "files": [path...], "width", "height", "step", "time"}
//     {"table": name, "columns": [...], "rows": [[...]...], "step", "time"}
//     {"artifact": path, "name", "time"}                          name: its path among the artifacts of the run
//     {"restart": step, "time"}
//     {"finish": true, "time"}

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/random_hex.h"
#include "formats/hub/http_client.h"
#include "observe/track/tracker.h"

namespace trainyard::track {

/// The service does not accept anything now. Its entries wait.
class ServiceUnavailable : public UserError {
  public:
    ServiceUnavailable(Message message, bool denied, double retry_after_s = 0)
        : UserError(std::move(message)), denied_(denied), retry_after_s_(retry_after_s) {}
    /// Trying again soon is of no use: wrong credentials, no such address, another kind of server.
    bool denied() const { return denied_; }
    double retry_after_s() const { return retry_after_s_; }

  private:
    bool denied_;
    double retry_after_s_;
};

/// The service takes no request as large as this one. Its entries can be sent in smaller parts.
class RequestTooLarge : public UserError {
  public:
    using UserError::UserError;
};

class Service {
  public:
    virtual ~Service() = default;
    /// Delivers entries from the first on and returns their number, at least 1. `memory`: what the service has to know
    /// about the run, written to the disk after each call. Throws ServiceUnavailable, RequestTooLarge, or UserError if
    /// the service refuses the first entry for ever.
    virtual std::size_t deliver(std::span<const Value> entries, Values& memory) = 0;
};

struct ServiceKind {
    std::string name;
    /// Settings from the environment for the entry `open`; no credentials. Throws UserError.
    std::function<Values(const TrackerContext&)> settings;
    MakeService make;
    bool keeps_pictures = false, keeps_tables = false, keeps_artifacts = false;
};

/// Calls `request`, without which nothing of a run can be sent: a login, the creation of the run. What the server
/// refuses then, such as an unknown project, makes all entries wait. Throws ServiceUnavailable.
template <class Request>
auto wait_if_refused(const Request& request) {
    try {
        return request();
    } catch (const ServiceUnavailable&) {
        throw;
    } catch (const UserError& refusal) {
        throw ServiceUnavailable(refusal.message(), true);
    }
}

/// In the logging directory: has the spools.
inline constexpr const char* kUnsentFolder = ".trainyard-unsent";

std::unique_ptr<Tracker> make_remote_tracker(ServiceKind kind, const TrackerContext& context);
/// A kind whose trackers are all of that service.
TrackerKind remote_kind(ServiceKind kind);

/// Throws ServiceUnavailable without libcurl, and without a file that `certificates` names.
std::unique_ptr<hub::HttpClient> make_client(std::stop_token stop, const hub::HttpCertificates& certificates = {});

/// A setting of a tool: whether certificates are checked (`false`, `0`, `true`), or the file with their issuers.
hub::HttpCertificates certificates_of(const std::string& setting);

/// The answer of a server, after a few tries in a row while it fails. Redirects that keep the method (307, 308) are
/// followed within the host. Throws ServiceUnavailable for answers after which trying again later is of use, and for
/// wrong credentials and addresses, and RequestTooLarge; other answers are returned. `server`: named in messages,
/// without credentials. `credentials`: what to check if they are not accepted.
hub::HttpAnswer answer_of(hub::HttpClient& client, const hub::HttpRequest& request, const std::string& server,
                          const Message& credentials);

/// An address without user and password.
std::string without_credentials(const std::string& address);

/// The value of a variable of the environment; empty if it is not set.
std::string environment_text(const char* name);

/// A text or number among the entries of a table; the fallback if it is missing or of another kind.
std::string text_in(const Value& table, std::string_view key, const std::string& fallback = {});
std::int64_t integer_in(const Value& table, std::string_view key, std::int64_t fallback = 0);
double number_in(const Value& table, std::string_view key, double fallback = 0);
/// values[key] = value
void set_value(Values& values, const std::string& key, Value value);
/// A private folder in the system's folder for temporary files, as long as it lives.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace trainyard::track
