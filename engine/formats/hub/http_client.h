// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of a web server, or parts of them. Proxies are those of libcurl (https_proxy, no_proxy) and HTTP_PROXY;
// certificates those of SSL_CERT_FILE, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE and SSL_CERT_DIR, else the system's.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::hub {

struct HttpAnswer {
    long status = 0;               ///< 200, 206, 404; 0: there was no answer
    std::string body = {};         ///< what was asked for, or less where the file ends before
    std::uint64_t file_bytes = 0;  ///< size of the whole file, where the server says it; else 0
    Message problem = {};          ///< why there was no answer, or why it is not complete
    bool unreachable = false;  ///< no connection to the server (name, address, certificate): asking again is of no use
    double retry_after_s = 0;  ///< header Retry-After, seconds or a date; 0: the response does not have it
    std::map<std::string, std::string> headers = {};  ///< of the last response, names in lower case
    bool ok() const { return status == 200 || status == 206; }
    /// Empty if the response does not have it.
    std::string header(const std::string& name) const {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string() : found->second;
    }
};

/// A request with a body. Redirects are the answer, and so is a body of up to 16 MiB of any status.
struct HttpRequest {
    std::string method = "POST";
    std::string address;
    std::vector<std::string> headers = {};  ///< `Name: value`
    std::string body = {};
    std::filesystem::path file = {};  ///< sent as the body after `body` and before `file_end`, if it is not empty
    std::string file_end = {};
    std::string user_and_password = {};  ///< `user:password` for Basic authorization; empty: none
    bool use_netrc = false;              ///< user and password for the host from ~/.netrc, unless there are others
    double limit_s = 60;                 ///< for the whole request, without a file
};

/// How the certificates of servers are checked, where a tool has settings of its own for it.
struct HttpCertificates {
    std::filesystem::path issuers = {};  ///< file or folder; empty: as in all clients
    std::filesystem::path own = {};      ///< the client's certificate and its key in one file of PEM; empty: none
    bool are_checked = true;
};

/// A mail through an SMTP server.
struct Mail {
    enum class Security { starttls, tls, none };  ///< starttls: refused where the server does not offer it
    std::string server;                           ///< host or host:port
    Security security = Security::starttls;
    std::string user = {};  ///< empty: without a login
    std::string password = {};
    std::string from = {};
    std::vector<std::string> to = {};
    std::string text = {};  ///< with its headers, lines ended by CR LF
    double limit_s = 60;
};
/// `problem` is empty if the server has accepted the mail; `status` is its last reply code. libcurl is available.
HttpAnswer send_mail(const Mail& mail);

class HttpClient {
  public:
    /// Whether libcurl is on this machine.
    static bool is_available();
    /// `token`: sent to the servers that are asked, never to others that they point to; empty: none. A request ends as
    /// soon as a `stop` is requested, and after `timeout` seconds at less than 1 KiB/s. Throws UserError without
    /// libcurl.
    explicit HttpClient(const std::string& token, std::stop_token stop = {}, long timeout = 20);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// For all requests from now on.
    void set_certificates(const HttpCertificates& certificates);
    /// Returns bytes [begin, begin + count) of a file, over the connection of the previous request if it is still open.
    /// If the server does not support ranges, it sends the file from its start, and the transfer is ended once the
    /// bytes have arrived.
    HttpAnswer get(const std::string& address, std::uint64_t begin, std::uint64_t count);
    /// The headers alone. Redirects within the server are followed, others are the answer.
    HttpAnswer head(const std::string& address);
    HttpAnswer send(const HttpRequest& request);
    /// Passes the bytes from `begin` on to `sink` as they arrive; it returns false to end the transfer. The body of an
    /// error is not passed on.
    HttpAnswer read(const std::string& address, std::uint64_t begin,
                    const std::function<bool(std::string_view bytes)>& sink);

  private:
    struct Connection;
    struct Arriving;
    /// Why libcurl has got no answer.
    HttpAnswer failure(int code) const;
    HttpAnswer perform(const std::string& address, Arriving& arriving);

    std::unique_ptr<Connection> connection_;
};

}  // namespace trainyard::hub
