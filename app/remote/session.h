#pragma once
// One SSH connection to a host: jump hosts, host key, authentication, then commands and files over it.
//
// A Session belongs to one thread at a time (movable); many of them work side by side, one thread each. Every wait has an end: no
// answer for `silence` seconds is a lost connection, cancel() ends any wait at once. Times are seconds. Every failure is a
// ConnectionError with its cause; nothing is sent before the host key is known to be right (RFC 4253, 4252, 4254).

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

/// Ends what a session waits for, from any thread. Can be handed to several sessions.
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
    double timeout = 5;  ///< for each hop up to the end of its key exchange; ConnectTimeout of ssh_config may lower it
    double silence = 8;  ///< no sign of life for so long: lost
    Asker* asker = nullptr;  ///< nobody: only ways that need no answer; used by connect() only
    bool use_key_ring = true;
    AcceptedKeys accepted_once;  ///< "this time only", of the host or of jump hosts
    std::shared_ptr<Cancel> cancel;
};

/// How a command ended.
struct ExitState {
    int status = -1;     ///< -1: none came (signal, or the connection ended)
    std::string signal;  ///< `TERM`, ... when one ended it
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

/// A command under way. Must not outlive its Session; same thread.
class Channel {
  public:
    Channel(Channel&&) noexcept;
    Channel& operator=(Channel&&) noexcept;
    /// Closes: the command gets end of file on its input and SIGPIPE on its output.
    ~Channel();

    struct Chunk {
        std::string bytes;
        bool error = false;  ///< from standard error
    };
    /// The next bytes, or an empty chunk: `seconds` (negative: no limit) are over, `wake` (a descriptor, -1: none) became readable,
    /// or all is read (ended()).
    Chunk read(double seconds, int wake = -1);
    /// Everything is read and the exit state, if any, is there.
    bool ended() const;
    const ExitState& exit() const;

    /// Sends all of it, waiting for the other side to take it. Bytes that come meanwhile are kept for read().
    void write(std::string_view bytes);
    void close_input();
    /// `TERM`, `KILL`, ... (RFC 4254 6.9). OpenSSH drops it for root: what must end has to end with its input.
    void signal(const std::string& name);

  private:
    friend struct ChannelState;
    explicit Channel(std::unique_ptr<ChannelState> state);
    std::unique_ptr<ChannelState> state_;
};

struct TransferProgress {
    std::uint64_t done = 0;  ///< bytes, those that were there before (resumed) included
    std::uint64_t total = 0;
};
/// False: stop, the transfer throws ConnectionError(cancelled); what is there can be resumed.
using OnProgress = std::function<bool(const TransferProgress&)>;

struct TransferOptions {
    bool resume = true;         ///< go on with a `.part` file that is there, if it is not longer than the source
    int mode = 0600;            ///< of the new file
    bool durable = true;        ///< fsync before the rename
    OnProgress on_progress;     ///< at the start, every `report_every`, and at the end
    double report_every = 0.1;  ///< seconds; 0: after every block
    Limits limits = {};         ///< of a download: its bytes, and what stays free here
};

struct RemoteFile {
    SafeFileName name;  ///< without its folder
    std::uint64_t size = 0;
    std::uint32_t mode = 0;  ///< as st_mode
    double modified = 0;     ///< seconds since 1970
    bool is_folder() const { return (mode & 0170000) == 0040000; }
};

/// A part of a file of the host.
struct RemoteRange {
    std::string path;
    std::uint64_t offset = 0, bytes = 0;
};

/// Files of the host (SFTP version 3, draft-ietf-secsh-filexfer-02, with OpenSSH's posix-rename, fsync and statvfs). Many requests
/// are under way at once, so a long line does not slow a transfer. Paths are absolute or below the home folder. Must not outlive its
/// Session; same thread.
class Sftp {
  public:
    Sftp(Sftp&&) noexcept;
    Sftp& operator=(Sftp&&) noexcept;
    ~Sftp();

    /// Writes `remote`.part, then renames: the file is whole or absent.
    void upload(const std::filesystem::path& local, const std::string& remote, const TransferOptions& options = {});
    void download(const std::string& remote, const std::filesystem::path& local, const TransferOptions& options = {});
    void write_file(const std::string& remote, std::string_view content, int mode = 0600);
    std::string read_file(const std::string& remote, std::uint64_t limit = 64ull << 20);
    /// At most `length` bytes (64 MiB) from `offset`; fewer at the end of the file, none after it.
    std::string read_range(const std::string& remote, std::uint64_t offset, std::uint64_t length);
    /// Many parts of many files at once: a long line costs its delay a few times, not once for each of them. Parts of one file
    /// follow each other in `wanted`. `take` gets pieces in any order; the end of a file ends its parts. A file that cannot be read
    /// is told to `refused` with a sentence, once, and the others go on. Throws ConnectionError.
    void read_ranges(const std::vector<RemoteRange>& wanted,
                     const std::function<void(std::size_t range, std::uint64_t offset, std::string_view bytes)>& take,
                     const std::function<void(std::size_t range, const Message& sentence)>& refused);
    /// Nothing: it is not there.
    std::optional<RemoteFile> find(const std::string& remote);
    /// By name, each once. Names that cannot be those of files here (SafeFileName) are left out and counted in
    /// `left_out`. Throws LimitReached.
    std::vector<RemoteFile> list(const std::string& folder, const Limits& limits = {}, std::size_t* left_out = nullptr);
    /// With its parents, mode 0700 for those that are made.
    void make_folders(const std::string& folder);
    void remove(const std::string& remote);
    void remove_folder(const std::string& folder);                ///< an empty one
    void rename(const std::string& from, const std::string& to);  ///< replaces
    std::string real_path(const std::string& remote);
    /// Bytes free to this user; nothing when the server does not tell.
    std::optional<std::uint64_t> free_bytes(const std::string& folder);

  private:
    friend class Session;
    friend Sftp sftp_over(std::unique_ptr<SftpClient> client);
    explicit Sftp(std::unique_ptr<SftpClient> client);
    void open_more_channels();
    std::unique_ptr<SftpClient> client_;
    std::vector<std::unique_ptr<SftpClient>> more_;  ///< of read_ranges()
    bool refuses_channels_ = false;
};

/// What the login shell of the account is like; found out before the first command.
struct ShellFacts {
    std::string path;  ///< $SHELL
    std::string home;  ///< $HOME
    bool posix = true;
};

class Session {
  public:
    /// Connects and authenticates. Throws HostKeyRefused or another ConnectionError.
    static Session connect(const HostSettings& host, const SshConfig& config, const ConnectOptions& options = {});
    /// By name, with the user's ssh_config and host store.
    static Session connect(const std::string& name, const ConnectOptions& options = {});

    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    const HostSettings& host() const;
    /// What ends the waits of all that follows, in the place of ConnectOptions::cancel: a connection that is kept serves one caller after
    /// the other. The connection is lost when it is cancelled.
    void set_cancel(std::shared_ptr<Cancel> cancel);
    /// Runs a command to its end. Throws ConnectionError(timed_out) after `seconds` (negative: no limit).
    ExecResult exec(const RemoteCommand& command, std::string_view input = {}, double seconds = 30);
    /// Starts a command and leaves the streams to the caller.
    Channel open(const RemoteCommand& command);
    Sftp sftp();
    /// Throws ConnectionError(no_shell, shell_prints) when commands cannot be run.
    const ShellFacts& shell();

    /// Readable when something has come: for poll loops. Call Channel::read(0) then.
    int descriptor() const;
    /// True while nothing says otherwise; looks at the connection, sends a sign of life when it is time.
    bool alive();
    /// Fingerprint of the key the server proved to have.
    const HostKey& host_key() const;
    /// `agent: ED25519 SHA256:... (comment)`, `key: /home/me/.ssh/id_ed25519`, `password`, ...
    const Message& authenticated_by() const;
    /// Address of this machine's end and of the other one, as this end sees them; empty behind a jump.
    const std::string& local_address() const;
    const std::string& remote_address() const;
    /// What was done, a line each, without secrets.
    const std::vector<Message>& transcript() const;
    void close();

  private:
    explicit Session(std::unique_ptr<Link> link);
    std::unique_ptr<Link> link_;
};

}  // namespace trainyard::remote
