// SPDX-License-Identifier: GPL-3.0-or-later
// Reads parts of many files at once: requests for different files are in flight in parallel, so that a latency of 20 ms
// is paid a few times and not four times per file. Large reads use several channels of the connection: the window of
// one channel, which libssh limits to 1.28 MB, is less than the bandwidth-delay product of a fast connection (RFC 4254,
// 5.2).

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "remote/agent_socket.h"
#include "remote/channel_state.h"
#include "remote/failure.h"
#include "remote/sftp_client.h"

namespace trainyard::remote {

namespace {

constexpr std::uint64_t kForSeveralChannels = 8u << 20;  ///< bytes from which on more channels are worth opening
constexpr std::size_t kMostChannels = 4;

/// A file with the ranges to read.
struct RangesOfFile {
    std::size_t begin = 0, end = 0;  ///< in the list of ranges
    std::string handle = {};
    std::size_t open_requests = 0;  ///< reads without an answer
    std::size_t unsent = 0;         ///< pieces not requested yet
    bool refused = false;
};

struct RequestUnderWay {
    enum class Kind { open, read, close } kind = Kind::open;
    std::size_t file = 0, range = 0;
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
};

class RangeReader {
  public:
    using Take = std::function<void(std::size_t, std::uint64_t, std::string_view)>;
    using Refused = std::function<void(std::size_t, const Message&)>;

    /// `numbers`: the index of each range that is passed to `take` and `refused`.
    RangeReader(SftpClient& client, std::vector<RemoteRange> wanted, std::vector<std::size_t> numbers, const Take& take,
                const Refused& refused)
        : client_(client), wanted_(std::move(wanted)), numbers_(std::move(numbers)), take_(take), refused_(refused) {
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            if (files_.empty() || wanted_[i].path != wanted_[files_.back().begin].path)
                files_.push_back({.begin = i, .end = i});
            files_.back().end = i + 1;
        }
    }

    /// Sends as many requests as may be in flight.
    void begin() { fill(); }
    /// Waits for an answer. Returns false if everything was answered.
    bool step() {
        fill();
        if (under_way_.empty())
            return false;
        auto [number, answer] = client_.next();
        if (const auto found = under_way_.find(number); found != under_way_.end()) {
            const RequestUnderWay request = found->second;
            under_way_.erase(found);
            handle(request, answer);
        }
        return true;
    }

  private:
    void fill() {
        while (under_way_.size() < kSftpUnderWay) {
            if (!reads_.empty()) {
                const RequestUnderWay read = reads_.front();
                reads_.pop_front();
                RangesOfFile& file = files_[read.file];
                --file.unsent;
                if (file.refused) {
                    close_when_done(read.file);
                    continue;
                }
                ++file.open_requests;
                send(read, kSftpRead, wire_text(file.handle) + wire_number64(read.offset) + wire_number(read.bytes));
            } else if (next_file_ < files_.size()) {
                send({.kind = RequestUnderWay::Kind::open, .file = next_file_}, kSftpOpen,
                     wire_text(wanted_[files_[next_file_].begin].path) + wire_number(kSftpForReading) + wire_number(0));
                ++next_file_;
            } else {
                return;
            }
        }
    }

    void send(const RequestUnderWay& request, std::uint8_t type, const std::string& body) {
        under_way_.emplace(client_.send(type, body), request);
    }

    void handle(const RequestUnderWay& request, const SftpAnswer& answer) {
        RangesOfFile& file = files_[request.file];
        std::string_view rest = answer.body;
        switch (request.kind) {
            case RequestUnderWay::Kind::close:
                return;
            case RequestUnderWay::Kind::open: {
                const auto opened = answer.type == kSftpHandle ? take_wire_text(rest) : std::nullopt;
                if (!opened)
                    return refuse(file, answer);
                file.handle = *opened;
                for (std::size_t i = file.begin; i < file.end; ++i)
                    for (std::uint64_t at = 0; at < wanted_[i].bytes; at += kSftpRequestBytes)
                        ask(request.file, i, wanted_[i].offset + at,
                            std::min<std::uint64_t>(kSftpRequestBytes, wanted_[i].bytes - at));
                return close_when_done(request.file);
            }
            case RequestUnderWay::Kind::read: {
                --file.open_requests;
                const auto bytes = answer.type == kSftpData ? take_wire_text(rest) : std::nullopt;
                if (!bytes || bytes->empty() || bytes->size() > request.bytes) {
                    if (answer.status() != SftpStatus::end)
                        refuse(file, answer);
                } else {
                    take_(numbers_[request.range], request.offset, *bytes);
                    if (bytes->size() < request.bytes)
                        ask(request.file, request.range, request.offset + bytes->size(), request.bytes - bytes->size());
                }
                return close_when_done(request.file);
            }
        }
    }

    void ask(std::size_t file, std::size_t range, std::uint64_t offset, std::uint64_t bytes) {
        reads_.push_back({RequestUnderWay::Kind::read, file, range, offset, static_cast<std::uint32_t>(bytes)});
        ++files_[file].unsent;
    }

    void refuse(RangesOfFile& file, const SftpAnswer& answer) {
        if (!std::exchange(file.refused, true))
            refused_(numbers_[file.begin],
                     client_.sentence_of(answer, Message("cannot read {}", wanted_[file.begin].path)));
    }

    void close_when_done(std::size_t number) {
        RangesOfFile& file = files_[number];
        if (file.open_requests == 0 && file.unsent == 0 && !file.handle.empty())
            send({.kind = RequestUnderWay::Kind::close, .file = number}, kSftpClose,
                 wire_text(std::exchange(file.handle, {})));
    }

    SftpClient& client_;
    std::vector<RemoteRange> wanted_;
    std::vector<std::size_t> numbers_;
    const Take& take_;
    const Refused& refused_;
    std::vector<RangesOfFile> files_;
    std::size_t next_file_ = 0;
    std::deque<RequestUnderWay> reads_;
    std::map<std::uint32_t, RequestUnderWay> under_way_;
};

/// The ranges for one channel, with their indices in the whole list.
struct Share {
    std::vector<RemoteRange> ranges;
    std::vector<std::size_t> numbers;
};

/// Distributes the bytes evenly over the channels; large ranges are split.
std::vector<Share> shares_of(const std::vector<RemoteRange>& wanted, std::uint64_t bytes, std::size_t channels) {
    std::vector<Share> shares(channels);
    const std::uint64_t each = (bytes / channels / kSftpRequestBytes + 1) * kSftpRequestBytes;
    std::size_t channel = 0;
    std::uint64_t room = each;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (std::uint64_t at = 0; at < wanted[i].bytes;) {
            if (room == 0) {
                ++channel;
                room = each;
            }
            const std::uint64_t size = std::min(room, wanted[i].bytes - at);
            shares[channel].ranges.push_back({wanted[i].path, wanted[i].offset + at, size});
            shares[channel].numbers.push_back(i);
            at += size;
            room -= size;
        }
    return shares;
}

}  // namespace

/// A server that does not allow more sessions on a connection (MaxSessions) is asked only once.
void Sftp::open_more_channels() {
    try {
        while (client_->link() != nullptr && !refuses_channels_ && more_.size() + 1 < kMostChannels) {
            Channel channel = ChannelState::open(*client_->link());
            ChannelState::request(channel, "subsystem", "sftp");
            more_.push_back(std::make_unique<SftpClient>(*client_->link(), std::move(channel)));
        }
    } catch (const ConnectionError&) {
        if (!client_->link()->connected())
            throw;
        refuses_channels_ = true;
    }
}

void Sftp::read_ranges(const std::vector<RemoteRange>& wanted,
                       const std::function<void(std::size_t, std::uint64_t, std::string_view)>& take,
                       const std::function<void(std::size_t, const Message&)>& refused) {
    std::uint64_t bytes = 0;
    for (const RemoteRange& range : wanted)
        bytes += range.bytes;
    if (bytes >= kForSeveralChannels)
        open_more_channels();
    const std::size_t channels = bytes >= kForSeveralChannels ? more_.size() + 1 : 1;
    // Several channels may read the same file.
    std::set<std::string> told;
    const RangeReader::Refused once = [&](std::size_t range, const Message& sentence) {
        if (told.insert(wanted[range].path).second)
            refused(range, sentence);
    };
    std::vector<Share> shares = shares_of(wanted, bytes, channels);
    std::deque<RangeReader> readers;
    for (std::size_t i = 0; i < channels; ++i)
        readers.emplace_back(i == 0 ? *client_ : *more_[i - 1], std::move(shares[i].ranges),
                             std::move(shares[i].numbers), take, once);
    for (RangeReader& reader : readers)
        reader.begin();
    // Replies for other readers that arrive while one waits are buffered by their channels.
    for (bool more = true; more;) {
        more = false;
        for (RangeReader& reader : readers)
            more = reader.step() || more;
    }
}

}  // namespace trainyard::remote
