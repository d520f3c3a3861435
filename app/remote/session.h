// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One SSH connection to a host: jump hosts, host key, authentication, then commands and files over it.
//
// A Session belongs to one thread at a time (movable); several sessions can be used in parallel, one thread each. Every
// wait is bounded: a connection without an answer for `silence` seconds is lost, and cancel() ends any wait at once.
// Times are in seconds. Every failure is a ConnectionError with its cause; nothing is sent before the host key is
// verified (RFC 4253, 4252, 4254).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/untrusted.h"
#include "remote/asker.h"
#include "remote/failure.h"
#include "remote/host_key.h"
#include "remote/quoting.h"
#include "remote/ssh_config.h"

namespace trainyard::remote {

/// Cancels the waits of a session, from any thread. Can be shared by several sessions.
class Cancel {
  public:
    Cancel();
    ~Cancel();
    Cancel(const Cancel&) = delete;
    Cancel& operator=(const Cancel&) = delete;
    void set();
    bool is_set() const;
    int descriptor() const { return descriptor_; }  ///< readable once set

  private:
    int descriptor_ = -1;
};

struct ConnectOptions {
    double timeout = 5;      ///< per hop, until the end of its key exchange; ConnectTimeout of ssh_config may lower it
    double silence = 8;      ///< seconds without a packet after which the connection is lost
    Asker* asker = nullptr;  ///< nullptr: only methods that need no answer; used by connect() only
    bool use_key_ring = true;
    AcceptedKeys accepted_once;  ///< "this time only", of the host or of jump hosts
    std::shared_ptr<Cancel> cancel;
};

/// How a command ended.
struct ExitState {
    int status = -1;     ///< -1: none received (signal, or the connection ended)
    std::string signal;  ///< the signal that ended the command, such as `TERM`
    bool ok() const { return status == 0 && signal.empty(); }
    Message text() const;  ///< `exit status 3`, `ended by signal TERM`
};

struct ExecResult {
    ExitState exit;
    std::string output;
    std::string error;
};

struct Link;          // the libssh session and its jumps (link.h)
struct ChannelState;  // channel_state.h
class SftpClient;     // sftp_client.h

/// A running command. Must not outlive its Session; same thread.
class Channel {
  public:
    Channel(Channel&&) noexcept;
    Channel& operator=(Channel&&) noexcept;
    /// Closes the channel: the command gets end of file on its input and SIGPIPE on its output.
    ~Channel();

    struct Chunk {
        std::string bytes;
        bool error = false;  ///< from standard error
    };
    /// Returns the next bytes. The chunk is empty if `seconds` (negative: no limit) have elapsed, `wake` (a descriptor,
    /// -1: none) became readable, or everything has been read (ended()).
    Chunk read(double seconds, int wake = -1);
    /// Whether everything has been read and the exit state, if any, has been received.
    bool ended() const;
    const ExitState& exit() const;

    /// Sends all bytes and waits until the peer accepts them. Bytes received meanwhile are buffered for read().
    void write(std::string_view bytes);
    void close_input();
    /// Sends a signal: `TERM`, `KILL`, ... (RFC 4254 6.9). OpenSSH ignores it for root, so commands must also end when
    /// their input ends.
    void signal(const std::string& name);

  private:
    friend struct ChannelState;
    explicit Channel(std::unique_ptr<ChannelState> state);
    std::unique_ptr<ChannelState> state_;
};

struct TransferProgress {
    std::uint64_t done = 0;  ///< bytes, including those transferred earlier (resumed)
    std::uint64_t total = 0;
};
/// Returning false stops the transfer, which throws ConnectionError(cancelled) and can be resumed.
using OnProgress = std::function<bool(const TransferProgress&)>;

struct TransferOptions {
    bool resume = true;         ///< continue an existing `.part` file, if it is not longer than the source
    int mode = 0600;            ///< mode of the new file
    bool durable = true;        ///< fsync before the rename
    OnProgress on_progress;     ///< at the start, every `report_every`, and at the end
    double report_every = 0.1;  ///< seconds; 0: after every block
    Limits limits = {};         ///< for a download: its size, and the space that remains free on this machine
};

struct RemoteFile {
    SafeFileName name;  ///< without its folder
    std::uint64_t size = 0;
    std::uint32_t mode = 0;  ///< as st_mode
    double modified = 0;     ///< seconds since 1970
    bool is_folder() const { return (mode & 0170000) == 0040000; }
};

/// A range of a file on the host.
struct RemoteRange {
    std::string path;
    std::uint64_t offset = 0, bytes = 0;
};

/// Files on the host (SFTP version 3, draft-ietf-secsh-filexfer-02, with OpenSSH's posix-rename, fsync and statvfs).
/// Many requests are in flight at once, so latency does not slow down a transfer. Paths are absolute or relative to the
/// home folder. Must not outlive its Session; same thread.
class Sftp {
  public:
    Sftp(Sftp&&) noexcept;
    Sftp& operator=(Sftp&&) noexcept;
    ~Sftp();

    /// Writes `remote`.part, then renames it: the file is either complete or absent.
    void upload(const std::filesystem::path& local, const std::string& remote, const TransferOptions& options = {});
    void download(const std::string& remote, const std::filesystem::path& local, const TransferOptions& options = {});
    void write_file(const std::string& remote, std::string_view content, int mode = 0600);
    std::string read_file(const std::string& remote, std::uint64_t limit = 64ull << 20);
    /// Reads at most `length` bytes (64 MiB) from `offset`; fewer at the end of the file, none after it.
    std::string read_range(const std::string& remote, std::uint64_t offset, std::uint64_t length);
    /// Reads many parts of many files at once, so that a high latency is paid a few times and not once per part. Parts
    /// of one file must be adjacent in `wanted`. `take` receives pieces in any order; the end of a file ends its parts.
    /// A file that cannot be read is reported to `refused` once, with a message, and reading of the others continues.
    /// Throws ConnectionError.
    void read_ranges(const std::vector<RemoteRange>& wanted,
                     const std::function<void(std::size_t range, std::uint64_t offset, std::string_view bytes)>& take,
                     const std::function<void(std::size_t range, const Message& sentence)>& refused);
    /// Returns std::nullopt if the path does not exist.
    std::optional<RemoteFile> find(const std::string& remote);
    /// Lists a folder by name, without duplicates. Names that are not valid file names here (SafeFileName) are omitted
    /// and counted in `left_out`. Throws LimitReached.
    std::vector<RemoteFile> list(const std::string& folder, const Limits& limits = {}, std::size_t* left_out = nullptr);
    /// Creates the folder and its parents. New folders get mode 0700.
    void make_folders(const std::string& folder);
    void remove(const std::string& remote);
    void remove_folder(const std::string& folder);                ///< must be empty
    void rename(const std::string& from, const std::string& to);  ///< replaces an existing file
    std::string real_path(const std::string& remote);
    /// Bytes available to this user; std::nullopt if the server does not report them.
    std::optional<std::uint64_t> free_bytes(const std::string& folder);

  private:
    friend class Session;
    friend Sftp sftp_over(std::unique_ptr<SftpClient> client);
    explicit Sftp(std::unique_ptr<SftpClient> client);
    void open_more_channels();
    std::unique_ptr<SftpClient> client_;
    std::vector<std::unique_ptr<SftpClient>> more_;  ///< for read_ranges()
    bool refuses_channels_ = false;
};

/// Properties of the account's login shell, determined before the first command.
struct ShellFacts {
    std::string path;  ///< $SHELL
    std::string home;  ///< $HOME
    bool posix = true;
};

class Session {
  public:
    /// Connects and authenticates. Throws HostKeyRefused or another ConnectionError.
    static Session connect(const HostSettings& host, const SshConfig& config, const ConnectOptions& options = {});
    /// Connects by name, with the user's ssh_config and host store.
    static Session connect(const std::string& name, const ConnectOptions& options = {});

    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    const HostSettings& host() const;
    /// Sets the object that cancels later waits, instead of ConnectOptions::cancel: a connection that stays open serves
    /// several callers in turn. Cancelling closes the connection.
    void set_cancel(std::shared_ptr<Cancel> cancel);
    /// Runs a command and waits for its end. Throws ConnectionError(timed_out) after `seconds` (negative: no limit).
    ExecResult exec(const RemoteCommand& command, std::string_view input = {}, double seconds = 30);
    /// Starts a command. The caller handles its streams.
    Channel open(const RemoteCommand& command);
    Sftp sftp();
    /// Throws ConnectionError(no_shell, shell_prints) if commands cannot be run.
    const ShellFacts& shell();

    /// Readable when data has arrived: for poll loops. Then call Channel::read(0).
    int descriptor() const;
    /// Whether the connection seems to be alive. Checks it, and sends a keep-alive when it is due.
    bool alive();
    /// The key that the server proved to have.
    const HostKey& host_key() const;
    /// `agent: ED25519 SHA256:... (comment)`, `key: /home/me/.ssh/id_ed25519`, `password`, ...
    const Message& authenticated_by() const;
    /// Local and remote address as seen on this side; empty after a jump host.
    const std::string& local_address() const;
    const std::string& remote_address() const;
    /// The steps so far, one per line, without secrets.
    const std::vector<Message>& transcript() const;
    void close();

  private:
    explicit Session(std::unique_ptr<Link> link);
    std::unique_ptr<Link> link_;
};

}  // namespace trainyard::remote
