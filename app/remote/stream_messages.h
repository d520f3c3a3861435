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

    template <typename Describe>
    static void fields(Describe& field) {
        field("version", &HelloMessage::version);
        field("run", &HelloMessage::run);
        field("path", &HelloMessage::path);
        field("host", &HelloMessage::host);
        field("time", &HelloMessage::time);
    }
};

struct AliveMessage {
    std::optional<double> time;  ///< wall seconds of the host
    bool lost = false;

    template <typename Describe>
    static void fields(Describe& field) {
        field("time", &AliveMessage::time);
        field("lost", &AliveMessage::lost);
    }
};

/// Why there will be no stream.
struct ProblemMessage {
    std::string text;

    template <typename Describe>
    static void fields(Describe& field) {
        field("text", &ProblemMessage::text).lines();
    }
};

/// A file of the mirror that grows.
struct GrowingFile {
    std::string path;
    std::string id;
    std::uint64_t size = 0;
    std::uint64_t sum = 0;

    template <typename Describe>
    static void fields(Describe& field) {
        field("path", &GrowingFile::path);
        field("id", &GrowingFile::id);
        field("size", &GrowingFile::size);
        field("sum", &GrowingFile::sum);
    }
};

struct WholeFile {
    std::string path;
    std::uint64_t sum = 0;

    template <typename Describe>
    static void fields(Describe& field) {
        field("path", &WholeFile::path);
        field("sum", &WholeFile::sum);
    }
};

struct HaveMessage {
    int version = 1;
    std::vector<GrowingFile> growing;
    std::vector<WholeFile> whole;

    template <typename Describe>
    static void fields(Describe& field) {
        field("version", &HaveMessage::version);
        field("growing", &HaveMessage::growing).at_most(kMostMirrored);
        field("whole", &HaveMessage::whole).at_most(kMostMirrored);
    }
};

struct RequestMessage {
    std::string name;
    std::string content;

    template <typename Describe>
    static void fields(Describe& field) {
        field("name", &RequestMessage::name);
        field("content", &RequestMessage::content);
    }
};

/// Of `file` and `gone`.
struct PathMessage {
    std::string path;

    template <typename Describe>
    static void fields(Describe& field) {
        field("path", &PathMessage::path);
    }
};

struct BeginMessage {
    std::string path;
    std::string id;

    template <typename Describe>
    static void fields(Describe& field) {
        field("path", &BeginMessage::path);
        field("id", &BeginMessage::id);
    }
};

struct MovedMessage {
    std::string from;
    std::string to;

    template <typename Describe>
    static void fields(Describe& field) {
        field("from", &MovedMessage::from);
        field("to", &MovedMessage::to);
    }
};

struct BytesMessage {
    std::string path;
    std::uint64_t offset = 0;

    template <typename Describe>
    static void fields(Describe& field) {
        field("path", &BytesMessage::path);
        field("offset", &BytesMessage::offset);
    }
};

}  // namespace trainyard::remote
