// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Payloads of the frames of run_stream.h. The head of `bytes` and `file` is followed by a newline and the bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "remote/run_stream.h"

namespace trainyard::remote {

inline constexpr std::size_t kMostMirrored = 1'000'000;  ///< files

struct HelloMessage {
    int version = 0;
    std::string run;
    std::string path;
    std::string host;
    double time = 0;  ///< wall seconds of the host

    void fields(auto& field) const { field("version", version)("run", run)("path", path)("host", host)("time", time); }
};

struct AliveMessage {
    std::optional<double> time;  ///< wall seconds of the host
    bool lost = false;

    void fields(auto& field) const { field("time", time)("lost", lost); }
};

/// Why there will be no stream.
struct ProblemMessage {
    Message text;

    void fields(auto& field) const { field("text", text).lines(); }
};

/// A file of the mirror that grows.
struct GrowingFile {
    std::string path;
    std::string id;
    std::uint64_t size = 0;
    std::uint64_t sum = 0;

    void fields(auto& field) const { field("path", path)("id", id)("size", size)("sum", sum); }
};

struct WholeFile {
    std::string path;
    std::uint64_t sum = 0;

    void fields(auto& field) const { field("path", path)("sum", sum); }
};

struct HaveMessage {
    int version = 1;
    std::vector<GrowingFile> growing;
    std::vector<WholeFile> whole;

    void fields(auto& field) const {
        field("version", version);
        field("growing", growing).at_most(kMostMirrored);
        field("whole", whole).at_most(kMostMirrored);
    }
};

struct RequestMessage {
    std::string name;
    std::string content;

    void fields(auto& field) const { field("name", name)("content", content); }
};

/// Content of the messages `file` and `gone`.
struct PathMessage {
    std::string path;

    void fields(auto& field) const { field("path", path); }
};

struct BeginMessage {
    std::string path;
    std::string id;

    void fields(auto& field) const { field("path", path)("id", id); }
};

struct MovedMessage {
    std::string from;
    std::string to;

    void fields(auto& field) const { field("from", from)("to", to); }
};

struct BytesMessage {
    std::string path;
    std::uint64_t offset = 0;

    void fields(auto& field) const { field("path", path)("offset", offset); }
};

}  // namespace trainyard::remote
