// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A server of a tracker that takes and returns JSON, and takes files. Inside this library.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/filesystem.h"
#include "observe/track/remote_tracker.h"

namespace trainyard::track {

using Json = nlohmann::ordered_json;

/// A member of an answer; what is missing or null is an empty object.
const Json& member(const Json& object, const char* key);
/// A text among the members; empty if it is missing.
std::string text_member(const Json& object, const char* key);

/// The password of one of `hosts` in a file of netrc; empty: none.
std::string netrc_password(const fs::path& file, const std::vector<std::string>& hosts);

class JsonServer {
  public:
    struct About {
        std::string tool;          ///< named in messages: "Comet"
        std::string address;       ///< without credentials and a slash at its end
        std::string setting;       ///< that has the address
        Message credentials = {};  ///< what to check if they are not accepted
        hub::HttpCertificates certificates = {};
    };
    /// Throws ServiceUnavailable without libcurl or the files of the certificates.
    JsonServer(About about, std::stop_token stop);

    const std::string& address() const { return about_.address; }
    std::vector<std::string> headers = {};  ///< of all requests but put()
    std::string user_and_password = {};     ///< as HttpRequest's

    /// The object that answers a POST. `path`: below the address, or an address. Throws UserError if the server refuses
    /// the request for ever, and ServiceUnavailable if it does not accept anything or is not one of the tool.
    Json post(const std::string& path, const Json& body);
    /// The same with another method than POST.
    Json send(const std::string& method, const std::string& path, const Json& body);
    /// The answer to a GET; nothing if the server does not have it (404).
    std::optional<Json> find(const std::string& path);
    Json post_text(const std::string& path, std::string body, const std::string& content_type);
    /// Sends a file as `field` of a form, under `name`. Throws as post().
    void post_file(const std::string& path, const std::string& field, const std::string& name, const fs::path& file);
    /// Stores a file at an address that the server has named. `given`: headers.
    void put(const std::string& address, const fs::path& file, const std::string& name,
             const std::vector<std::string>& given);
    /// The server answered in another way than one of the tool does. `what`: "it named no run".
    ServiceUnavailable is_another_server(const Message& what) const;

  private:
    hub::HttpAnswer send(hub::HttpRequest request, const std::string& path, bool may_be_missing = false);
    Json content_of(const hub::HttpAnswer& answer, const std::string& path) const;

    const About about_;
    std::unique_ptr<hub::HttpClient> client_;
};

}  // namespace trainyard::track
