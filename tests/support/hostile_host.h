// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A host that lies: an SFTP server and a `trainyard` that answer what they like, in memory. With a function per request
// for one lie, or with random lies that a seed makes again.

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "remote/agent_socket.h"
#include "remote/host_shell.h"
#include "remote/run_stream.h"
#include "remote/sftp_client.h"

namespace trainyard::test {

namespace sftp {

constexpr std::uint8_t kInit = 1, kVersion = 2, kOpen = 3, kClose = 4, kRead = 5, kLstat = 7, kFstat = 8, kOpenDir = 11,
                       kReadDir = 12, kRealPath = 16, kStat = 17, kStatus = 101, kHandle = 102, kData = 103,
                       kName = 104, kAttributes = 105;
constexpr std::uint32_t kFolder = 0040755, kFile = 0100644, kLink = 0120777;

struct Entry {
    std::string name;
    std::uint32_t mode = kFile;
    std::uint64_t size = 0;
};

/// One message, with its length.
inline std::string message(std::uint8_t type, std::uint32_t request, const std::string& body) {
    return remote::wire_text(static_cast<char>(type) + remote::wire_number(request) + body);
}
inline std::string status(std::uint32_t request, std::uint32_t code, const std::string& text = "no") {
    return message(kStatus, request, remote::wire_number(code) + remote::wire_text(text) + remote::wire_text(""));
}
inline std::string attributes(std::uint32_t mode, std::uint64_t size) {
    return remote::wire_number(1 | 4) + remote::wire_number64(size) + remote::wire_number(mode);
}
inline std::string names(std::uint32_t request, const std::vector<Entry>& entries) {
    std::string body = remote::wire_number(static_cast<std::uint32_t>(entries.size()));
    for (const Entry& entry : entries)
        body +=
            remote::wire_text(entry.name) + remote::wire_text("-rw " + entry.name) + attributes(entry.mode, entry.size);
    return message(kName, request, body);
}
inline std::string version(std::size_t extensions = 0) {
    std::string body;
    for (std::size_t i = 0; i < extensions; ++i)
        body += remote::wire_text("x" + std::to_string(i)) + remote::wire_text("1");
    return message(kVersion, 3, body);
}

}  // namespace sftp

/// An SFTP server that answers each request with what `answer` returns (any bytes). No answer at all counts as silence.
class HostileSftp final : public remote::SftpWire {
  public:
    /// Gets type, number and body of a request. The number of SSH_FXP_INIT is its version.
    using Answer = std::function<std::string(std::uint8_t, std::uint32_t, std::string_view)>;
    explicit HostileSftp(Answer answer) : answer_(std::move(answer)) {}

    std::string read(double) override {
        // In pieces, as they come over a network.
        std::string piece = said_.substr(0, 32u << 10);
        said_.erase(0, piece.size());
        return piece;
    }
    void write(std::string_view bytes) override {
        heard_ += bytes;
        std::string_view rest = heard_;
        while (auto message = remote::take_wire_text(rest)) {
            const auto type = static_cast<std::uint8_t>(message->front());
            message->remove_prefix(1);
            const std::uint32_t number = remote::take_uint32(*message);
            said_ += answer_(type, number, *message);
        }
        heard_.erase(0, heard_.size() - rest.size());
    }
    bool ended() const override { return ends_ && said_.empty(); }
    Message end_text() const override { return "exit status 1"; }
    /// True: the session ends after what was said; false: it falls silent.
    void set_ends(bool ends) { ends_ = ends; }

  private:
    Answer answer_;
    std::string heard_, said_;
    bool ends_ = false;
};

/// A program of the host that says what `say` returns, again and again; an empty text is its end. `take` gets what is
/// sent to it.
class HostileLink final : public remote::ByteLink {
  public:
    explicit HostileLink(std::function<std::string()> say, std::function<void(std::string_view)> take = {})
        : say_(std::move(say)), take_(std::move(take)) {}
    std::string read(double, int) override {
        std::string said = ended_ ? std::string() : say_();
        ended_ = ended_ || said.empty();
        return said;
    }
    void write(std::string_view bytes) override {
        if (take_)
            take_(bytes);
    }
    bool ended() const override { return ended_; }

  private:
    std::function<std::string()> say_;
    std::function<void(std::string_view)> take_;
    bool ended_ = false;
};

/// A host whose programs all say the same.
class HostileShell final : public remote::HostShell {
  public:
    explicit HostileShell(std::function<std::string()> say) : say_(std::move(say)) {}
    remote::ExecResult exec(const remote::RemoteCommand&, std::string_view, double) override {
        remote::ExecResult result;
        result.exit.status = 0;
        result.output = say_();
        return result;
    }
    std::unique_ptr<remote::ByteLink> open(const remote::RemoteCommand&) override {
        return std::make_unique<HostileLink>(say_);
    }

  private:
    std::function<std::string()> say_;
};

/// Random lies.
class Liar {
  public:
    explicit Liar(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t limit) {
        return static_cast<std::size_t>(random_() % std::max<std::size_t>(limit, 1));
    }
    bool one_in(std::size_t n) { return below(n) == 0; }

    std::string name() {
        static const std::vector<std::string> kNames{"checkpoint_1",
                                                     "checkpoint_2",
                                                     "manifest.json",
                                                     "model.safetensors",
                                                     "events.out.tfevents.1",
                                                     "a.jsonl",
                                                     "metrics.csv",
                                                     "traces",
                                                     "step-000001-rank-0.trace.json",
                                                     "..",
                                                     ".",
                                                     "",
                                                     "../../outside",
                                                     "/etc/passwd",
                                                     "checkpoint_/../../x",
                                                     "x\ny",
                                                     "red\x1b[31m",
                                                     "\xe2\x80\xae"
                                                     "fdp.exe",
                                                     "\xc2\x9b"
                                                     "2J",
                                                     "caf\xe9",
                                                     "-rf",
                                                     ".ssh",
                                                     "x.so",
                                                     std::string(300, 'n'),
                                                     std::string("a\0b", 3)};
        if (one_in(6))
            return "d" + std::to_string(below(50));
        // Ever new ones, which limits have to bound.
        return one_in(6) ? std::to_string(random_()) + (one_in(2) ? ".csv" : "") : kNames[below(kNames.size())];
    }
    std::string path() {
        static const std::vector<std::string> kPaths{"run.yaml",
                                                     "state.json",
                                                     "generation",
                                                     "events.jsonl",
                                                     "queue.json",
                                                     "estimate.json",
                                                     "labels.json",
                                                     "slurm.json",
                                                     "mirror.json",
                                                     "mirror-files.json",
                                                     "logs/rank-00000.log",
                                                     "logs/rank-00000.log.1",
                                                     "logs/supervisor.log",
                                                     "metrics/events.out.tfevents.1.h",
                                                     "metrics/rank-00000/events.out.tfevents.2",
                                                     "checkpoints/checkpoint_1/manifest.json",
                                                     "requests/done/1.json",
                                                     "requests/1.json",
                                                     "x.so",
                                                     "trackers/a.jsonl",
                                                     "traces/x.json",
                                                     "../outside.json",
                                                     "/tmp/outside.json",
                                                     "logs/../../x.log",
                                                     "",
                                                     ".",
                                                     "checkpoints/../run.yaml",
                                                     "hosts/b/logs/rank-00001.log"};
        if (!one_in(5))
            return kPaths[below(kPaths.size())];
        std::string path = name();
        for (std::size_t i = below(12); i > 0; --i)
            path += '/' + name();
        return path;
    }
    /// Mostly one that a mirror takes, so that lies come after frames that are right.
    std::string growing_path() {
        static const std::vector<std::string> kPaths{"events.jsonl",
                                                     "logs/rank-00000.log",
                                                     "logs/rank-00000.log.1",
                                                     "logs/supervisor.log",
                                                     "metrics/events.out.tfevents.1.h",
                                                     "metrics/rank-00000/events.out.tfevents.2",
                                                     "trackers/a.jsonl",
                                                     "hosts/b/logs/rank-00001.log"};
        if (one_in(10))
            return "metrics/" + new_folders() + "tfevents";
        return one_in(40) ? path() : kPaths[below(kPaths.size())];
    }
    std::string whole_path() {
        static const std::vector<std::string> kPaths{
            "run.yaml",        "state.json", "estimate.json", "generation", "checkpoints/checkpoint_1/manifest.json",
            "logs/hang-1.json"};
        if (one_in(10))
            return "trackers/" + new_folders() + "x.json";
        if (one_in(20))
            return "requests/done/" + std::to_string(below(100'000)) + ".json";
        return one_in(40) ? path() : kPaths[below(kPaths.size())];
    }
    std::string new_folders() {
        std::string folders;
        for (std::size_t i = below(6); i > 0; --i)
            folders += std::to_string(random_()) + "/";
        return folders;
    }
    std::uint64_t size() {
        static const std::vector<std::uint64_t> kSizes{0,          1,          10,         5000,      70'000,
                                                       1ull << 31, 1ull << 40, 1ull << 62, UINT64_MAX};
        return kSizes[one_in(4) ? below(kSizes.size()) : below(5)];
    }
    std::uint32_t mode() {
        return one_in(3)    ? sftp::kFolder
               : one_in(6)  ? sftp::kLink
               : one_in(12) ? static_cast<std::uint32_t>(random_())
                            : sftp::kFile;
    }
    std::string bytes(std::size_t most) {
        std::string all(below(most + 1), '\0');
        for (char& byte : all)
            byte = static_cast<char>(random_());
        return all;
    }

    /// The answer of an SFTP server that is right most of the time.
    std::string sftp_answer(std::uint8_t type, std::uint32_t request, std::string_view body) {
        using namespace sftp;
        ++answers_;
        if (one_in(60))
            switch (below(7)) {
                case 0:
                    return message(kData, request + 7, remote::wire_text("not asked for"));
                case 1:
                    return version(below(200));
                case 2:
                    return remote::wire_number(0xffffffffu) + bytes(100);
                case 3:
                    return bytes(3000);
                case 4:
                    return "";
                case 5:
                    return message(static_cast<std::uint8_t>(below(256)), request, bytes(200));
                default:
                    return status(request, static_cast<std::uint32_t>(below(12)), name());
            }
        switch (type) {
            case kInit:
                return version(below(8));
            case kOpen:
            case kOpenDir:
                return message(kHandle, request, remote::wire_text("h" + std::to_string(below(1000))));
            case kRead: {
                remote::take_wire_text(body);
                remote::take_uint64(body);
                const std::uint32_t wanted = std::min(remote::take_uint32(body), 32768u);
                if (one_in(30))
                    return one_in(2) ? status(request, 1, "eof")
                                     : message(kData, request, remote::wire_text(std::string(wanted + 1, 'x')));
                return message(kData, request,
                               remote::wire_text(std::string(one_in(8) ? below(wanted + 1) : wanted, 'x')));
            }
            case kFstat:
            case kStat:
            case kLstat:
                return one_in(15) ? status(request, 2, "none")
                                  : message(kAttributes, request, attributes(mode(), size()));
            case kReadDir: {
                if (one_in(3))
                    return status(request, 1, "eof");
                std::vector<Entry> entries;
                for (std::size_t i = below(6); i > 0; --i)
                    entries.push_back({name(), mode(), size()});
                return names(request, entries);
            }
            case kRealPath:
                return names(request, {{one_in(4) ? name() : "/runs", kFolder, 0}});
            default:
                return status(request, 0, "");
        }
    }

    /// Frames of a run's stream, in pieces; empty: the end of the connection.
    std::string stream_piece() {
        ++answers_;
        if (one_in(300))
            return one_in(2) ? "" : bytes(2000);
        using remote::StreamFrame;
        const auto quoted = [](const std::string& text) {
            std::string all = "\"";
            for (const char c : text)
                if (c == '"' || c == '\\')
                    all += std::string("\\") + c;
                else if (static_cast<unsigned char>(c) < 0x20)
                    all += "\\u00" + std::string(1, "01"[c >> 4]) + std::string(1, "0123456789abcdef"[c & 15]);
                else
                    all += c;
            return all + '"';
        };
        switch (below(10)) {
            case 0:
                return frame(StreamFrame::hello, R"({"version":)" +
                                                     std::to_string(one_in(50) ? below(9) : remote::kStreamVersion) +
                                                     R"(,"run":")" + std::to_string(below(9)) + R"(","time":1e300})");
            case 1:
                return frame(StreamFrame::alive, R"({"time":5,"lost":true})");
            case 2:
            case 3:
                return frame(StreamFrame::file,
                             "{\"path\":" + quoted(whole_path()) + "}\n" + bytes(one_in(10) ? 300'000 : 500));
            case 4: {
                const std::string at = growing_path();
                offsets_[at] = 0;
                return frame(StreamFrame::begin,
                             "{\"path\":" + quoted(at) + R"(,"id":")" + std::to_string(below(5)) + "\"}");
            }
            case 5:
            case 6:
            case 7: {
                if (offsets_.empty())
                    return frame(StreamFrame::alive, "{}");
                const auto known = std::next(offsets_.begin(), static_cast<std::ptrdiff_t>(below(offsets_.size())));
                const std::string piece = bytes(one_in(3) ? 60'000 : 500);
                const std::uint64_t offset = one_in(100) ? size() : known->second;
                known->second += piece.size();
                return frame(StreamFrame::bytes, "{\"path\":" + quoted(known->first) +
                                                     ",\"offset\":" + std::to_string(offset) + "}\n" + piece);
            }
            case 8: {
                if (offsets_.empty())
                    return frame(StreamFrame::alive, "{}");
                const std::string from = offsets_.begin()->first, to = growing_path();
                const std::uint64_t offset = offsets_[from];
                offsets_.erase(from);
                offsets_[to] = offset;
                return frame(StreamFrame::moved, "{\"from\":" + quoted(from) + ",\"to\":" + quoted(to) + "}");
            }
            default: {
                if (one_in(20))
                    return frame(StreamFrame::problem, "{\"text\":" + quoted(name()) + "}");
                if (one_in(50))
                    return frame(StreamFrame::over, "{}");
                const std::string at = one_in(2) ? whole_path() : growing_path();
                offsets_.erase(at);
                return frame(StreamFrame::gone, "{\"path\":" + quoted(at) + "}");
            }
        }
    }

    /// What a program says: the answer that it should be, changed.
    std::string changed(std::string text) {
        ++answers_;
        for (std::size_t changes = below(4); changes > 0 && !text.empty(); --changes) {
            const std::size_t at = below(text.size());
            switch (below(5)) {
                case 0:
                    text[at] = static_cast<char>(random_());
                    break;
                case 1:
                    text.erase(at, 1 + below(20));
                    break;
                case 2:
                    text.insert(at, name());
                    break;
                case 3:
                    text.insert(at, std::string(below(200), "[{\"9"[below(4)]));
                    break;
                default:
                    text.resize(at);
            }
        }
        return text;
    }

    std::uint64_t answers() const { return answers_; }

  private:
    std::string frame(remote::StreamFrame kind, const std::string& payload) {
        return remote::frame_bytes(kind, payload);
    }

    std::mt19937_64 random_;
    std::uint64_t answers_ = 0;
    std::map<std::string, std::uint64_t> offsets_;
};

}  // namespace trainyard::test
