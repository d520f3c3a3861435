// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/sftp_client.h"

#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "remote/agent_socket.h"

namespace trainyard::remote {

namespace {

constexpr std::uint8_t kInit = 1, kVersion = 2, kStat = 17, kStatus = 101, kExtendedReply = 201;
constexpr std::size_t kLargestMessage = 256u << 10;  // bytes, as OpenSSH's client takes them
constexpr std::size_t kMostExtensions = 64;
constexpr std::uint32_t kHasSize = 1, kHasOwner = 2, kHasTimes = 8, kHasExtensions = 0x80000000u;

/// A channel of a connection. What the server says on standard error does not belong to the protocol.
class ChannelWire final : public SftpWire {
  public:
    explicit ChannelWire(Channel channel) : channel_(std::move(channel)) {}
    std::string read(double seconds) override {
        Channel::Chunk chunk = channel_.read(seconds);
        return chunk.error ? std::string() : std::move(chunk.bytes);
    }
    void write(std::string_view bytes) override { channel_.write(bytes); }
    bool ended() const override { return channel_.ended(); }
    Message end_text() const override { return channel_.exit().text(); }

  private:
    Channel channel_;
};

std::string folder_of(const std::string& path) {
    std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

std::string wire_number(std::uint32_t number) {
    return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
            static_cast<char>(number)};
}

std::string wire_number64(std::uint64_t number) {
    return wire_number(static_cast<std::uint32_t>(number >> 32)) + wire_number(static_cast<std::uint32_t>(number));
}

std::uint32_t take_uint32(std::string_view& bytes) {
    if (bytes.size() < 4) {
        bytes = {};
        return 0;
    }
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8 | static_cast<unsigned char>(bytes[i]);
    bytes.remove_prefix(4);
    return number;
}

std::uint64_t take_uint64(std::string_view& bytes) {
    std::uint64_t high = take_uint32(bytes);
    return high << 32 | take_uint32(bytes);
}

RemoteFile take_attributes(std::string_view& bytes) {
    RemoteFile file;
    std::uint32_t flags = take_uint32(bytes);
    if (flags & kHasSize)
        file.size = take_uint64(bytes);
    if (flags & kHasOwner)
        take_uint64(bytes);
    if (flags & kSftpHasMode)
        file.mode = take_uint32(bytes);
    if (flags & kHasTimes) {
        take_uint32(bytes);
        file.modified = take_uint32(bytes);
    }
    if (flags & kHasExtensions)
        for (std::uint32_t left = take_uint32(bytes); left > 0 && !bytes.empty(); --left)
            if (!take_wire_text(bytes) || !take_wire_text(bytes))
                bytes = {};
    return file;
}

std::optional<SftpStatus> SftpAnswer::status() const {
    if (type != kStatus)
        return std::nullopt;
    std::string_view rest = body;
    return static_cast<SftpStatus>(take_uint32(rest));
}

Message SftpAnswer::message() const {
    if (type != kStatus)
        return "the server sent an answer of another kind";
    std::string_view rest = body;
    take_uint32(rest);
    const auto text = take_wire_text(rest);
    return text ? Message::verbatim(HostText(*text)) : Message("no reason given");
}

SftpClient::SftpClient(Link& link, Channel channel)
    : link_(&link), wire_(std::make_unique<ChannelWire>(std::move(channel))), host_(link.host) {
    shake_hands();
}

SftpClient::SftpClient(std::unique_ptr<SftpWire> wire, HostSettings host, const Limits& limits)
    : wire_(std::move(wire)), host_(std::move(host)), limits_(limits) {
    shake_hands();
}

void SftpClient::shake_hands() {
    wire_->write(wire_text(std::string(1, static_cast<char>(kInit)) + wire_number(3)));
    const double until = monotonic_seconds() + limits_.silence_s;
    while (!greeted_)
        receive(until);
}

void SftpClient::fail(Cause cause, const Message& sentence, const std::string& command) const {
    throw ConnectionError(cause, host_.alias, sentence, command);
}

std::uint32_t SftpClient::send(std::uint8_t type, const std::string& body) {
    std::uint32_t request = ++last_request_;
    wire_->write(wire_text(static_cast<char>(type) + wire_number(request) + body));
    asked_.insert(request);
    return request;
}

void SftpClient::take_version(std::string_view message) {
    if (greeted_)
        fail(Cause::remote_file, Message("{}: the SFTP server greets a second time", described(host_)));
    greeted_ = true;
    take_uint32(message);
    while (!message.empty()) {
        std::optional<std::string_view> name = take_wire_text(message), value = take_wire_text(message);
        if (!name || !value)
            break;
        if (extensions_.size() == kMostExtensions)
            fail(Cause::remote_file, Message("{}: the SFTP server names too many extensions", described(host_)));
        extensions_[std::string(*name)] = std::string(*value);
    }
}

void SftpClient::take_message(std::string_view message) {
    const auto type = static_cast<std::uint8_t>(message.front());
    message.remove_prefix(1);
    if (type == kVersion)
        return take_version(message);
    const std::uint32_t number = take_uint32(message);
    // Memory is bounded by the requests that are under way: whatever else comes is not kept.
    if (!greeted_ || asked_.erase(number) == 0)
        fail(Cause::remote_file,
             Message("{}: the SFTP server sent an answer that was not asked for", described(host_)));
    answers_[number] = {type, std::string(message)};
}

void SftpClient::receive(double until) {
    const double left = until - monotonic_seconds();
    if (left <= 0)
        fail(Cause::timed_out,
             Message("{}: the SFTP server did not answer for {}", described(host_), seconds_text(limits_.silence_s)));
    const std::string bytes = wire_->read(left);
    incoming_ += bytes;
    std::string_view rest = incoming_;
    while (rest.size() >= 4) {
        std::string_view peek = rest;
        std::size_t size = take_uint32(peek);
        if (size == 0 || size > kLargestMessage)
            fail(Cause::shell_prints,
                 Message("{}: the host did not answer as an SFTP server: do start-up files of the login "
                         "shell print text?",
                         described(host_)),
                 "sftp " + host_.alias);
        std::optional<std::string_view> message = take_wire_text(rest);
        if (!message)
            break;
        take_message(*message);
    }
    incoming_.erase(0, incoming_.size() - rest.size());
    if (bytes.empty() && wire_->ended())
        fail(Cause::remote_file,
             Message("{}: the SFTP server ended ({}): is sftp-server installed on the host?", described(host_),
                     wire_->end_text()),
             "sftp " + host_.alias);
}

SftpAnswer SftpClient::wait_for(std::uint32_t request) {
    const double until = monotonic_seconds() + limits_.silence_s;
    while (true) {
        if (auto found = answers_.find(request); found != answers_.end()) {
            SftpAnswer answer = std::move(found->second);
            answers_.erase(found);
            return answer;
        }
        receive(until);
    }
}

std::pair<std::uint32_t, SftpAnswer> SftpClient::next() {
    const double until = monotonic_seconds() + limits_.silence_s;
    while (answers_.empty())
        receive(until);
    auto first = answers_.begin();
    std::pair<std::uint32_t, SftpAnswer> answer{first->first, std::move(first->second)};
    answers_.erase(first);
    return answer;
}

Message SftpClient::sentence_of(const SftpAnswer& answer, const Message& doing) const {
    const Message what = printable_message(doing);
    if (answer.status() == SftpStatus::no_such_file)
        return Message("{}: {}: no such file or folder", described(host_), what);
    if (answer.status() == SftpStatus::permission_denied)
        return Message("{}: {}: '{}' may not do that there", described(host_), what, host_.user);
    return Message("{}: {}: {}", described(host_), what, answer.message());
}

void SftpClient::fail(const SftpAnswer& answer, const Message& doing, const std::string& path, std::uint64_t needed) {
    // Servers have one code for all that goes wrong with a disk: look whether it is full.
    if (needed > 0 && answer.status() != SftpStatus::no_such_file && answer.status() != SftpStatus::permission_denied) {
        std::optional<std::uint64_t> free = free_bytes(folder_of(path));
        if (free && *free < needed)
            fail(Cause::no_space,
                 Message("{}: {}: no space left (needed {}, {} free): make room, or choose another folder "
                         "for this host",
                         described(host_), doing, text::file_size(needed), text::file_size(*free)),
                 "ssh " + host_.alias + " df -h " + shell_quote(folder_of(path)));
    }
    fail(Cause::remote_file, sentence_of(answer, doing));
}

void SftpClient::expect_ok(const SftpAnswer& answer, const Message& doing) {
    if (!answer.is_ok())
        fail(answer, doing);
}

std::string SftpClient::open(const std::string& path, std::uint32_t flags, int mode, const Message& doing) {
    SftpAnswer answer = ask(kSftpOpen, wire_text(path) + wire_number(flags) + wire_number(kSftpHasMode) +
                                           wire_number(static_cast<std::uint32_t>(mode)));
    std::string_view rest = answer.body;
    std::optional<std::string_view> handle = answer.type == kSftpHandle ? take_wire_text(rest) : std::nullopt;
    if (!handle)
        fail(answer, doing);
    return std::string(*handle);
}

void SftpClient::close(const std::string& handle) {
    ask(kSftpClose, wire_text(handle));
}

std::optional<RemoteFile> SftpClient::stat(const std::string& path) {
    SftpAnswer answer = ask(kStat, wire_text(path));
    if (answer.status() == SftpStatus::no_such_file)
        return std::nullopt;
    if (answer.type != kSftpAttributes)
        fail(answer, Message("cannot get the attributes of {}", path));
    std::string_view rest = answer.body;
    RemoteFile file = take_attributes(rest);
    file.name = SafeFileName::parse(path.substr(path.rfind('/') + 1)).value_or(SafeFileName());
    return file;
}

std::optional<std::uint64_t> SftpClient::free_bytes(const std::string& folder) {
    if (!has("statvfs@openssh.com"))
        return std::nullopt;
    SftpAnswer answer = ask(kSftpExtended, wire_text("statvfs@openssh.com") + wire_text(folder));
    if (answer.type != kExtendedReply)
        return std::nullopt;
    std::string_view rest = answer.body;
    take_uint64(rest);  // size of a block as the file system likes it
    std::uint64_t unit = take_uint64(rest);
    take_uint64(rest);  // blocks in all
    take_uint64(rest);  // free to root
    const std::uint64_t free = take_uint64(rest);
    return unit != 0 && free > UINT64_MAX / unit ? UINT64_MAX : unit * free;
}

std::size_t take_names(std::string_view body, std::vector<RemoteFile>& files, std::size_t& left_out) {
    std::size_t read = 0;
    for (std::uint32_t left = take_uint32(body); left > 0; --left, ++read) {
        const std::optional<std::string_view> name = take_wire_text(body), shown = take_wire_text(body);
        if (!name || !shown)
            break;
        RemoteFile file = take_attributes(body);
        if (*name == "." || *name == "..")
            continue;
        if (std::optional<SafeFileName> good = SafeFileName::parse(*name)) {
            file.name = std::move(*good);
            files.push_back(std::move(file));
        } else {
            ++left_out;
        }
    }
    return read;
}

}  // namespace trainyard::remote
