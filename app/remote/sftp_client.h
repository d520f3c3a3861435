#pragma once
// SFTP version 3 over a channel, with as many requests under way as the line takes. Inside app/remote only.

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
constexpr std::size_t kSftpRequestBytes = 32768;                                       ///< every server takes this much
constexpr std::size_t kSftpUnderWay = 64;                                              ///< requests
constexpr std::uint8_t kSftpHandle = 102, kSftpAttributes = 105, kSftpExtended = 200;  ///< kinds of messages
constexpr std::uint32_t kSftpHasMode = 4;                                              ///< flag of attributes

struct SftpAnswer {
    std::uint8_t type = 0;
    std::string body;  ///< after the request's number
    /// Of a status answer; nothing for others.
    std::optional<SftpStatus> status() const;
    bool is_ok() const { return status() == SftpStatus::ok; }
    Message message() const;
};

/// The bytes of an SFTP session, over whatever they come.
class SftpWire {
  public:
    virtual ~SftpWire() = default;
    /// What has come within `seconds`; empty: nothing yet, or the end.
    virtual std::string read(double seconds) = 0;
    virtual void write(std::string_view bytes) = 0;
    virtual bool ended() const = 0;
    virtual Message end_text() const = 0;  ///< "exit status 127"
};

/// The server is not trusted: an answer that was not asked for, a message or a list beyond its limit, and silence
/// (Limits::silence_s) end the session with ConnectionError.
class SftpClient {
  public:
    SftpClient(Link& link, Channel channel);
    SftpClient(std::unique_ptr<SftpWire> wire, HostSettings host, const Limits& limits = {});

    std::uint32_t send(std::uint8_t type, const std::string& body);
    /// Waits for the answer to one request; those to others are kept.
    SftpAnswer wait_for(std::uint32_t request);
    /// The next answer that has come or comes, whichever it is.
    std::pair<std::uint32_t, SftpAnswer> next();
    SftpAnswer ask(std::uint8_t type, const std::string& body) { return wait_for(send(type, body)); }
    bool has(const std::string& extension) const { return extensions_.contains(extension); }

    /// Of a refusal: "gpu-a: cannot read /data/x: no such file or folder".
    Message sentence_of(const SftpAnswer& answer, const Message& doing) const;
    /// Throws what a status means; `doing`: "cannot write /data/x". `needed`: bytes at `path`.
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
    Link* link() { return link_; }  ///< null: not over a connection of ours

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
    std::set<std::uint32_t> asked_;  ///< requests without an answer yet
    std::map<std::uint32_t, SftpAnswer> answers_;
    std::map<std::string, std::string> extensions_;
};

/// Files of what answers at the other end of `client`.
Sftp sftp_over(std::unique_ptr<SftpClient> client);

std::string wire_number(std::uint32_t number);
std::string wire_number64(std::uint64_t number);
/// Take a number from the front; 0 when it is cut off.
std::uint32_t take_number(std::string_view& bytes);
std::uint64_t take_number64(std::string_view& bytes);
RemoteFile take_attributes(std::string_view& bytes);
/// Adds what an answer of SSH_FXP_NAME lists, as far as it can be read. The folder itself and the one above it are left
/// out, and names that cannot be those of files in it (SafeFileName), which are counted in `left_out`. Returns how many
/// names were read.
std::size_t take_names(std::string_view body, std::vector<RemoteFile>& files, std::size_t& left_out);

}  // namespace trainyard::remote
