#include "remote/sftp_client.h"

#include <utility>

#include "base/text.h"
#include "remote/agent_socket.h"

namespace trainyard::remote {

namespace {

constexpr std::uint8_t kInit = 1, kVersion = 2, kStat = 17, kStatus = 101, kExtendedReply = 201;
constexpr std::size_t kLargestMessage = 1u << 20;
constexpr std::uint32_t kHasSize = 1, kHasOwner = 2, kHasTimes = 8, kHasExtensions = 0x80000000u;

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

std::uint32_t take_number(std::string_view& bytes) {
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

std::uint64_t take_number64(std::string_view& bytes) {
    std::uint64_t high = take_number(bytes);
    return high << 32 | take_number(bytes);
}

RemoteFile take_attributes(std::string_view& bytes) {
    RemoteFile file;
    std::uint32_t flags = take_number(bytes);
    if (flags & kHasSize)
        file.size = take_number64(bytes);
    if (flags & kHasOwner)
        take_number64(bytes);
    if (flags & kSftpHasMode)
        file.mode = take_number(bytes);
    if (flags & kHasTimes) {
        take_number(bytes);
        file.modified = take_number(bytes);
    }
    if (flags & kHasExtensions)
        for (std::uint32_t left = take_number(bytes); left > 0 && !bytes.empty(); --left)
            if (!take_wire_text(bytes) || !take_wire_text(bytes))
                bytes = {};
    return file;
}

SftpStatus SftpAnswer::status() const {
    if (type != kStatus)
        return SftpStatus::ok;
    std::string_view rest = body;
    return static_cast<SftpStatus>(take_number(rest));
}

std::string SftpAnswer::message() const {
    std::string_view rest = body;
    take_number(rest);
    return std::string(take_wire_text(rest).value_or("no reason given"));
}

SftpClient::SftpClient(Link& link, Channel channel) : link_(link), channel_(std::move(channel)) {
    channel_.write(wire_text(std::string(1, static_cast<char>(kInit)) + wire_number(3)));
    while (extensions_.empty())
        receive();
}

std::uint32_t SftpClient::send(std::uint8_t type, const std::string& body) {
    std::uint32_t request = ++last_request_;
    channel_.write(wire_text(static_cast<char>(type) + wire_number(request) + body));
    return request;
}

void SftpClient::receive() {
    Channel::Chunk chunk = channel_.read(-1);
    if (!chunk.error)
        incoming_ += chunk.bytes;
    std::string_view rest = incoming_;
    while (rest.size() >= 4) {
        std::string_view peek = rest;
        std::size_t size = take_number(peek);
        if (size == 0 || size > kLargestMessage)
            link_.fail(Cause::shell_prints,
                       described(link_.host) +
                           ": what answers to a file transfer is no SFTP server: do start-up files of the login "
                           "shell print text?",
                       "sftp " + link_.host.alias);
        std::optional<std::string_view> message = take_wire_text(rest);
        if (!message)
            break;
        auto type = static_cast<std::uint8_t>(message->front());
        message->remove_prefix(1);
        std::uint32_t number = take_number(*message);
        if (type != kVersion) {
            answers_[number] = {type, std::string(*message)};
            continue;
        }
        extensions_["version"] = std::to_string(number);
        while (!message->empty()) {
            std::optional<std::string_view> name = take_wire_text(*message), value = take_wire_text(*message);
            if (!name || !value)
                break;
            extensions_[std::string(*name)] = std::string(*value);
        }
    }
    incoming_.erase(0, incoming_.size() - rest.size());
    if (chunk.bytes.empty() && channel_.ended())
        link_.fail(Cause::remote_file,
                   described(link_.host) + ": its file transfer ended by itself (" + channel_.exit().text() +
                       "): is there an sftp-server on the host?",
                   "sftp " + link_.host.alias);
}

SftpAnswer SftpClient::wait_for(std::uint32_t request) {
    while (true) {
        if (auto found = answers_.find(request); found != answers_.end()) {
            SftpAnswer answer = std::move(found->second);
            answers_.erase(found);
            return answer;
        }
        receive();
    }
}

std::pair<std::uint32_t, SftpAnswer> SftpClient::next() {
    while (answers_.empty())
        receive();
    auto first = answers_.begin();
    std::pair<std::uint32_t, SftpAnswer> answer{first->first, std::move(first->second)};
    answers_.erase(first);
    return answer;
}

std::string SftpClient::sentence_of(const SftpAnswer& answer, const std::string& doing, const std::string& path) const {
    const std::string where = described(link_.host) + ": " + doing + " " + path + ": ";
    switch (answer.status()) {
        case SftpStatus::no_such_file:
            return where + "no such file or folder";
        case SftpStatus::permission_denied:
            return where + "'" + link_.host.user + "' may not do that there";
        default:
            return where + answer.message();
    }
}

void SftpClient::fail(const SftpAnswer& answer, const std::string& doing, const std::string& path,
                      std::uint64_t needed) {
    // Servers have one code for all that goes wrong with a disk: look whether it is full.
    if (needed > 0 && answer.status() != SftpStatus::no_such_file && answer.status() != SftpStatus::permission_denied) {
        std::optional<std::uint64_t> free = free_bytes(folder_of(path));
        if (free && *free < needed)
            link_.fail(Cause::no_space,
                       described(link_.host) + ": " + doing + " " + path + ": no space left (needed " +
                           text::file_size(needed) + ", " + text::file_size(*free) +
                           " free): make room, or choose another folder for this host",
                       "ssh " + link_.host.alias + " df -h " + folder_of(path));
    }
    link_.fail(Cause::remote_file, sentence_of(answer, doing, path));
}

void SftpClient::expect_ok(const SftpAnswer& answer, const std::string& doing, const std::string& path) {
    if (answer.status() != SftpStatus::ok)
        fail(answer, doing, path);
}

std::string SftpClient::open(const std::string& path, std::uint32_t flags, int mode, const std::string& doing) {
    SftpAnswer answer = ask(kSftpOpen, wire_text(path) + wire_number(flags) + wire_number(kSftpHasMode) +
                                           wire_number(static_cast<std::uint32_t>(mode)));
    std::string_view rest = answer.body;
    std::optional<std::string_view> handle = answer.type == kSftpHandle ? take_wire_text(rest) : std::nullopt;
    if (!handle)
        fail(answer, doing, path);
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
        fail(answer, "cannot look at", path);
    std::string_view rest = answer.body;
    RemoteFile file = take_attributes(rest);
    file.name = FarName::of(path.substr(path.rfind('/') + 1)).value_or(FarName());
    return file;
}

std::optional<std::uint64_t> SftpClient::free_bytes(const std::string& folder) {
    if (!has("statvfs@openssh.com"))
        return std::nullopt;
    SftpAnswer answer = ask(kSftpExtended, wire_text("statvfs@openssh.com") + wire_text(folder));
    if (answer.type != kExtendedReply)
        return std::nullopt;
    std::string_view rest = answer.body;
    take_number64(rest);  // size of a block as the file system likes it
    std::uint64_t unit = take_number64(rest);
    take_number64(rest);  // blocks in all
    take_number64(rest);  // free to root
    return unit * take_number64(rest);
}

void take_names(std::string_view body, std::vector<RemoteFile>& files) {
    for (std::uint32_t left = take_number(body); left > 0; --left) {
        const std::optional<std::string_view> name = take_wire_text(body), shown = take_wire_text(body);
        if (!name || !shown)
            break;
        RemoteFile file = take_attributes(body);
        if (std::optional<FarName> good = FarName::of(*name)) {
            file.name = std::move(*good);
            files.push_back(std::move(file));
        }
    }
}

}  // namespace trainyard::remote
