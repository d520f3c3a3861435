// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers files to and from a host. Uploads and downloads keep a window of requests in flight (OpenSSH accepts 64 of
// 32 kB), write into a `.part` file and rename it at the end. An interrupted transfer is resumed.

#include <algorithm>
#include <cerrno>
#include <deque>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "remote/agent_socket.h"
#include "remote/copied_file.h"
#include "remote/sftp_client.h"

namespace trainyard::remote {

namespace {

constexpr std::uint8_t kWrite = 6, kFstat = 8, kSetStat = 9, kOpenDir = 11, kReadDir = 12, kRemove = 13, kMakeDir = 14,
                       kRemoveDir = 15, kRealPath = 16, kRename = 18, kName = 104;
constexpr std::uint64_t kLongestRange = 64ull << 20;  // bytes
constexpr std::uint32_t kForWriting = 2, kCreate = 8, kTruncate = 16;

class Reporter {
  public:
    Reporter(const TransferOptions& options, const SftpClient& client, std::uint64_t done, std::uint64_t total)
        : options_(options), client_(client), progress_{done, total} {}
    void add(std::uint64_t bytes) {
        progress_.done += bytes;
        double now = monotonic_seconds();
        if (now - last_ < options_.report_every || !options_.on_progress)
            return;
        last_ = now;
        if (!options_.on_progress(progress_))
            client_.fail(Cause::cancelled, Message("{}: the transfer was cancelled", described(client_.host())));
    }
    /// The file has its final name: too late to cancel.
    void finish() {
        if (options_.on_progress)
            options_.on_progress(progress_);
    }

  private:
    const TransferOptions& options_;
    const SftpClient& client_;
    TransferProgress progress_;
    double last_ = 0;
};

std::uint64_t size_of_opened(int file, const std::filesystem::path& path) {
    struct stat facts {};
    if (::fstat(file, &facts) != 0)
        throw_file_error("cannot get the attributes of", path, errno);
    return static_cast<std::uint64_t>(facts.st_size);
}

void replace(SftpClient& client, const std::string& from, const std::string& to) {
    if (client.has("posix-rename@openssh.com")) {
        client.expect_ok(
            client.ask(kSftpExtended, wire_text("posix-rename@openssh.com") + wire_text(from) + wire_text(to)),
            Message("cannot rename {} to {}", from, to));
        return;
    }
    client.ask(kRemove, wire_text(to));  // renaming in version 3 does not replace files
    client.expect_ok(client.ask(kRename, wire_text(from) + wire_text(to)), Message("cannot rename {} to {}", from, to));
}

void make_durable(SftpClient& client, const std::string& handle, const std::string& path) {
    if (client.has("fsync@openssh.com"))
        client.expect_ok(client.ask(kSftpExtended, wire_text("fsync@openssh.com") + wire_text(handle)),
                         Message("cannot write {}", path));
}

void set_mode(SftpClient& client, const std::string& path, int mode) {
    client.expect_ok(client.ask(kSetStat, wire_text(path) + wire_number(kSftpHasMode) +
                                              wire_number(static_cast<std::uint32_t>(mode))),
                     Message("cannot set the permissions of {}", path));
}

/// Writes the blocks returned by `next_block` (empty: the end), starting at `offset`.
void send_blocks(SftpClient& client, const std::string& handle, const std::string& path, std::uint64_t offset,
                 std::uint64_t total, const std::function<std::string()>& next_block, Reporter* reporter) {
    std::deque<std::pair<std::uint32_t, std::size_t>> under_way;
    SftpAnswer first_bad;
    bool bad = false, more = true;
    while (more || !under_way.empty()) {
        if (more && !bad && under_way.size() < kSftpUnderWay) {
            std::string block = next_block();
            if (block.empty()) {
                more = false;
                continue;
            }
            std::uint32_t request = client.send(kWrite, wire_text(handle) + wire_number64(offset) + wire_text(block));
            under_way.emplace_back(request, block.size());
            offset += block.size();
            continue;
        }
        if (bad)
            more = false;
        if (under_way.empty())
            continue;
        SftpAnswer answer = client.wait_for(under_way.front().first);
        if (!answer.is_ok() && !bad) {
            bad = true;
            first_bad = answer;
        } else if (!bad && reporter != nullptr) {
            reporter->add(under_way.front().second);
        }
        under_way.pop_front();
    }
    if (bad) {
        client.close(handle);
        client.fail(first_bad, Message("cannot write {}", path), path,
                    total > 0 ? std::max<std::uint64_t>(kSftpRequestBytes, total) : kSftpRequestBytes);
    }
}

}  // namespace

Sftp::Sftp(std::unique_ptr<SftpClient> client) : client_(std::move(client)) {}
Sftp sftp_over(std::unique_ptr<SftpClient> client) {
    return Sftp(std::move(client));
}
Sftp::Sftp(Sftp&&) noexcept = default;
Sftp& Sftp::operator=(Sftp&&) noexcept = default;
Sftp::~Sftp() = default;

void Sftp::upload(const std::filesystem::path& local, const std::string& remote, const TransferOptions& options) {
    FileDescriptor file(::open(local.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        throw_file_error("cannot read", local, errno);
    std::uint64_t total = size_of_opened(file.get(), local), done = 0;
    std::string part = remote + ".part";
    if (options.resume)
        if (std::optional<RemoteFile> there = client_->stat(part); there && there->size <= total)
            done = there->size;
    if (std::optional<std::uint64_t> free =
            client_->free_bytes(part.find('/') == std::string::npos ? "." : part.substr(0, part.rfind('/') + 1));
        free && *free < total - done) {
        SftpAnswer full{101, wire_number(static_cast<std::uint32_t>(SftpStatus::failure)) + wire_text("no space")};
        client_->fail(full, Message("cannot write {}", part), part, total - done);
    }
    std::string handle = client_->open(part, kForWriting | kCreate | (done == 0 ? kTruncate : 0), options.mode,
                                       Message("cannot write {}", part));
    Reporter reporter(options, *client_, done, total);
    std::uint64_t offset = done;
    send_blocks(
        *client_, handle, part, done, total - done,
        [&] {
            std::string block(kSftpRequestBytes, '\0');
            ssize_t size = ::pread(file.get(), block.data(), block.size(), static_cast<off_t>(offset));
            if (size < 0)
                throw_file_error("cannot read", local, errno);
            block.resize(static_cast<std::size_t>(size));
            offset += block.size();
            return block;
        },
        &reporter);
    if (options.durable)
        make_durable(*client_, handle, part);
    client_->close(handle);
    set_mode(*client_, part, options.mode);
    replace(*client_, part, remote);
    reporter.finish();
}

void Sftp::write_file(const std::string& remote, std::string_view content, int mode) {
    std::string part = remote + ".part";
    std::string handle = client_->open(part, kForWriting | kCreate | kTruncate, mode, Message("cannot write {}", part));
    send_blocks(
        *client_, handle, part, 0, content.size(),
        [&content] {
            std::string block(content.substr(0, kSftpRequestBytes));
            content.remove_prefix(block.size());
            return block;
        },
        nullptr);
    make_durable(*client_, handle, part);
    client_->close(handle);
    set_mode(*client_, part, mode);
    replace(*client_, part, remote);
}

namespace {

/// Reads [offset, total) in blocks and delivers them in order; requests the rest after a short answer.
void receive_blocks(SftpClient& client, const std::string& handle, const std::string& path, std::uint64_t offset,
                    std::uint64_t total, const std::function<void(std::string_view, std::uint64_t)>& take) {
    struct Wanted {
        std::uint32_t request;
        std::uint64_t offset;
        std::uint32_t size;
    };
    std::deque<Wanted> under_way;
    auto ask = [&](std::uint64_t from, std::uint32_t size) {
        return Wanted{client.send(kSftpRead, wire_text(handle) + wire_number64(from) + wire_number(size)), from, size};
    };
    while (offset < total || !under_way.empty()) {
        if (offset < total && under_way.size() < kSftpUnderWay) {
            auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(kSftpRequestBytes, total - offset));
            under_way.push_back(ask(offset, size));
            offset += size;
            continue;
        }
        Wanted wanted = under_way.front();
        under_way.pop_front();
        SftpAnswer answer = client.wait_for(wanted.request);
        std::string_view rest = answer.body;
        std::optional<std::string_view> bytes = answer.type == kSftpData ? take_wire_text(rest) : std::nullopt;
        if (!bytes || bytes->empty() || bytes->size() > wanted.size) {
            for (const Wanted& other : under_way)
                client.wait_for(other.request);
            client.close(handle);
            if (answer.status() == SftpStatus::end)
                client.fail(Cause::remote_file,
                            Message("{}: {} became shorter while it was read", described(client.host()), path));
            client.fail(answer, Message("cannot read {}", path));
        }
        take(*bytes, wanted.offset);
        if (bytes->size() < wanted.size)
            under_way.push_front(
                ask(wanted.offset + bytes->size(), wanted.size - static_cast<std::uint32_t>(bytes->size())));
    }
}

std::uint64_t size_of_handle(SftpClient& client, const std::string& handle, const std::string& path) {
    SftpAnswer answer = client.ask(kFstat, wire_text(handle));
    if (answer.type != kSftpAttributes)
        client.fail(answer, Message("cannot get the attributes of {}", path));
    std::string_view rest = answer.body;
    return take_attributes(rest).size;
}

}  // namespace

void Sftp::download(const std::string& remote, const std::filesystem::path& local, const TransferOptions& options) {
    std::string handle = client_->open(remote, kSftpForReading, 0, Message("cannot read {}", remote));
    std::uint64_t total = size_of_handle(*client_, handle, remote), done = 0;
    try {
        CopyBudget budget(options.limits, Message("the copy of {}:{}", client_->host().alias, HostText(remote).text()));
        budget.add_bytes(total);
        budget.require_room(local.has_parent_path() ? local.parent_path() : ".", total);
    } catch (const LimitReached&) {
        client_->close(handle);
        throw;
    }
    std::filesystem::path part = local.string() + ".part";
    FileDescriptor file;
    try {
        file = open_copied_file(part, 0, options.mode);
    } catch (const UserError&) {
        client_->close(handle);
        throw;
    }
    if (options.resume && size_of_opened(file.get(), part) <= total)
        done = size_of_opened(file.get(), part);
    if (done == 0 && ::ftruncate(file.get(), 0) != 0)
        throw_file_error("cannot write", part, errno);
    Reporter reporter(options, *client_, done, total);
    receive_blocks(*client_, handle, remote, done, total, [&](std::string_view bytes, std::uint64_t at) {
        while (!bytes.empty()) {
            ssize_t size = ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
            if (size < 0)
                throw_file_error("cannot write", part, errno);
            reporter.add(static_cast<std::uint64_t>(size));
            bytes.remove_prefix(static_cast<std::size_t>(size));
            at += static_cast<std::uint64_t>(size);
        }
    });
    client_->close(handle);
    if (::fchmod(file.get(), static_cast<mode_t>(options.mode)) != 0 || (options.durable && ::fsync(file.get()) != 0))
        throw_file_error("cannot write", part, errno);
    if (::rename(part.c_str(), local.c_str()) != 0)
        throw_file_error("cannot write", local, errno);
    reporter.finish();
}

std::string Sftp::read_file(const std::string& remote, std::uint64_t limit) {
    std::string handle = client_->open(remote, kSftpForReading, 0, Message("cannot read {}", remote));
    std::uint64_t total = size_of_handle(*client_, handle, remote);
    if (total > limit) {
        client_->close(handle);
        client_->fail(Cause::remote_file,
                      Message("{}: {} is too large to be read whole", described(client_->host()), remote));
    }
    std::string content;
    content.reserve(total);
    receive_blocks(*client_, handle, remote, 0, total,
                   [&](std::string_view bytes, std::uint64_t) { content.append(bytes); });
    client_->close(handle);
    return content;
}

std::string Sftp::read_range(const std::string& remote, std::uint64_t offset, std::uint64_t length) {
    std::string handle = client_->open(remote, kSftpForReading, 0, Message("cannot read {}", remote));
    length = std::min(length, std::min(kLongestRange, UINT64_MAX - offset));
    std::uint64_t end = std::min(size_of_handle(*client_, handle, remote), offset + length);
    std::string content;
    if (offset < end) {
        content.reserve(end - offset);
        receive_blocks(*client_, handle, remote, offset, end,
                       [&](std::string_view bytes, std::uint64_t) { content.append(bytes); });
    }
    client_->close(handle);
    return content;
}

std::optional<RemoteFile> Sftp::find(const std::string& remote) {
    return client_->stat(remote);
}

std::vector<RemoteFile> Sftp::list(const std::string& folder, const Limits& limits, std::size_t* left_out) {
    SftpAnswer answer = client_->ask(kOpenDir, wire_text(folder));
    std::string_view rest = answer.body;
    std::optional<std::string_view> opened = answer.type == kSftpHandle ? take_wire_text(rest) : std::nullopt;
    if (!opened)
        client_->fail(answer, Message("cannot read the folder {}", folder));
    std::string handle(*opened);
    std::vector<RemoteFile> files;
    CopyBudget budget(limits, Message("the list of {}:{}", client_->host().alias, HostText(folder).text()));
    std::size_t unusable = 0;
    while (true) {
        answer = client_->ask(kReadDir, wire_text(handle));
        if (answer.type != kName)
            break;
        const std::size_t names = take_names(answer.body, files, unusable);
        if (names == 0)
            client_->fail(Cause::remote_file,
                          Message("{}: the SFTP server repeatedly sent empty listings", described(client_->host())));
        for (std::size_t i = 0; i < names; ++i)
            budget.add_entry();
        budget.require_time();
    }
    client_->close(handle);
    if (answer.status() != SftpStatus::end)
        client_->fail(answer, Message("cannot read the folder {}", folder));
    std::ranges::stable_sort(files, {}, [](const RemoteFile& file) -> const std::string& { return file.name.text(); });
    const auto twice =
        std::ranges::unique(files, {}, [](const RemoteFile& file) -> const std::string& { return file.name.text(); });
    unusable += twice.size();
    files.erase(twice.begin(), twice.end());
    if (left_out != nullptr)
        *left_out = unusable;
    return files;
}

void Sftp::make_folders(const std::string& folder_given) {
    std::string folder = folder_given;
    while (folder.size() > 1 && folder.ends_with('/'))
        folder.pop_back();
    std::optional<RemoteFile> there = client_->stat(folder);
    if (there && there->is_folder())
        return;
    if (std::size_t slash = folder.rfind('/'); slash != std::string::npos && slash > 0)
        make_folders(folder.substr(0, slash));
    SftpAnswer answer = client_->ask(kMakeDir, wire_text(folder) + wire_number(kSftpHasMode) + wire_number(0700));
    if (answer.is_ok())
        return;
    there = client_->stat(folder);  // another process may have created it in the meantime
    if (!there || !there->is_folder())
        client_->fail(answer, Message("cannot make the folder {}", folder), folder, kSftpRequestBytes);
}

void Sftp::remove(const std::string& remote) {
    client_->expect_ok(client_->ask(kRemove, wire_text(remote)), Message("cannot remove {}", remote));
}

void Sftp::remove_folder(const std::string& folder) {
    client_->expect_ok(client_->ask(kRemoveDir, wire_text(folder)), Message("cannot remove the folder {}", folder));
}

void Sftp::rename(const std::string& from, const std::string& to) {
    replace(*client_, from, to);
}

std::string Sftp::real_path(const std::string& remote) {
    SftpAnswer answer = client_->ask(kRealPath, wire_text(remote));
    std::string_view rest = answer.body;
    if (answer.type != kName || take_uint32(rest) != 1)
        client_->fail(answer, Message("cannot find {}", remote));
    return HostPath::require(take_wire_text(rest).value_or(""), described(client_->host()));
}

std::optional<std::uint64_t> Sftp::free_bytes(const std::string& folder) {
    return client_->free_bytes(folder);
}

}  // namespace trainyard::remote
