// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SFTP version 3 over a channel, with many requests in flight. Private to app/remote.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "remote/link.h"

namespace trainyard::remote {

/// Status codes of draft-ietf-secsh-filexfer-02, 7.
enum class SftpStatus : std::uint32_t { ok = 0, end = 1, no_such_file = 2, permission_denied = 3, failure = 4 };

constexpr std::uint8_t kSftpOpen = 3, kSftpClose = 4, kSftpRead = 5, kSftpData = 103;
constexpr std::uint32_t kSftpForReading = 1;                                           ///< flag of open
constexpr std::size_t kSftpRequestBytes = 32768;                                       ///< supported by every server
constexpr std::size_t kSftpUnderWay = 64;                                              ///< requests in flight
constexpr std::uint8_t kSftpHandle = 102, kSftpAttributes = 105, kSftpExtended = 200;  ///< message types
constexpr std::uint32_t kSftpHasMode = 4;                                              ///< flag of attributes

struct SftpAnswer {
    std::uint8_t type = 0;
    std::string body;  ///< after the request id
    /// The status of a status reply; std::nullopt for other replies.
    std::optional<SftpStatus> status() const;
    bool is_ok() const { return status() == SftpStatus::ok; }
    Message message() const;
};

/// The transport of an SFTP session.
class SftpWire {
  public:
    virtual ~SftpWire() = default;
    /// Returns the bytes received within `seconds`; empty: nothing yet, or the end.
    virtual std::string read(double seconds) = 0;
    virtual void write(std::string_view bytes) = 0;
    virtual bool ended() const = 0;
    virtual Message end_text() const = 0;  ///< "exit status 127"
};

/// The server is not trusted: an unexpected answer, a message or list beyond its limit, and silence (Limits::silence_s)
/// end the session with ConnectionError.
class SftpClient {
  public:
    SftpClient(Link& link, Channel channel);
    SftpClient(std::unique_ptr<SftpWire> wire, HostSettings host, const Limits& limits = {});

    std::uint32_t send(std::uint8_t type, const std::string& body);
    /// Waits for the answer to one request; answers to others are buffered.
    SftpAnswer wait_for(std::uint32_t request);
    /// Returns the next answer to any request; waits for it if necessary.
    std::pair<std::uint32_t, SftpAnswer> next();
    SftpAnswer ask(std::uint8_t type, const std::string& body) { return wait_for(send(type, body)); }
    bool has(const std::string& extension) const { return extensions_.contains(extension); }

    /// The message for a refused request: "gpu-a: cannot read /data/x: no such file or folder".
    Message sentence_of(const SftpAnswer& answer, const Message& doing) const;
    /// Throws the exception for a status. `doing`: "cannot write /data/x". `needed`: bytes at `path`.
    [[noreturn]] void fail(const SftpAnswer& answer, const Message& doing, const std::string& path = {},
                           std::uint64_t needed = 0);
    void expect_ok(const SftpAnswer& answer, const Message& doing);
    std::string open(const std::string& path, std::uint32_t flags, int mode, const Message& doing);  ///< handle
    void close(const std::string& handle);
    std::optional<RemoteFile> stat(const std::string& path);
    std::optional<std::uint64_t> free_bytes(const std::string& folder);
    [[noreturn]] void fail(Cause cause, const Message& sentence, const std::string& command = {}) const;
    const HostSettings& host() const { return host_; }
    const Limits& limits() const { return limits_; }
    Link* link() { return link_; }  ///< nullptr: the transport is not one of our connections

  private:
    void shake_hands();
    void receive(double until);
    void take_message(std::string_view message);
    void take_version(std::string_view message);

    Link* link_ = nullptr;
    std::unique_ptr<SftpWire> wire_;
    HostSettings host_;
    Limits limits_;
    std::string incoming_;
    bool greeted_ = false;
    std::uint32_t last_request_ = 0;
    std::set<std::uint32_t> asked_;  ///< ids of unanswered requests
    std::map<std::uint32_t, SftpAnswer> answers_;
    std::map<std::string, std::string> extensions_;
};

/// An Sftp for the files of the server behind `client`.
Sftp sftp_over(std::unique_ptr<SftpClient> client);

std::string wire_number(std::uint32_t number);
std::string wire_number64(std::uint64_t number);
/// Takes a number from the front; 0 if it is truncated.
std::uint32_t take_uint32(std::string_view& bytes);
std::uint64_t take_uint64(std::string_view& bytes);
RemoteFile take_attributes(std::string_view& bytes);
/// Appends the entries of an SSH_FXP_NAME answer, as far as it can be parsed. `.` and `..` are omitted; names that are
/// not valid here (SafeFileName) are omitted and counted in `left_out`. Returns the number of names read.
std::size_t take_names(std::string_view body, std::vector<RemoteFile>& files, std::size_t& left_out);

}  // namespace trainyard::remote
