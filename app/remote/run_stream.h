#pragma once
// A run's folder over one byte stream, so that another machine has it as an ordinary folder (a mirror).
//
// Frames both ways: 4 bytes length of the rest (big endian), 1 byte kind, payload. Payloads are JSON, but `bytes`, which is a JSON header
// line, a newline and the bytes.
//
//   client -> server   have     files of the mirror: path, the server's id of it, size, checksum of its last bytes
//                      request  a file for requests/
//                      alive    every 2 s
//   server -> client   hello    version, run, host
//                      file     a file that is replaced as a whole: state.json, run.yaml, manifests, outcomes of requests
//                      begin    a file that grows starts at 0 (again): it is new, or was cut or replaced
//                      moved    a file that grows has another name now (a log was rotated)
//                      bytes    of a file that grows, at an offset
//                      gone     a file is not there any more
//                      alive    every 2 s: the host's clock, is the run lost?
//                      complete everything that was there has been sent once
//                      over     the run has ended and everything is sent
//
// Nothing is lost or doubled: a file that grows goes on at the length the mirror has, if the id or its new place is the server's and the
// last bytes agree, else from 0. Memory is bounded: at most one piece of kPiece bytes is under way for each file in
// turn. Only documented files are sent and taken (is_mirrored).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/paths.h"

namespace trainyard::remote {

namespace fs = std::filesystem;

enum class StreamFrame : std::uint8_t {
    have = 1,
    request = 2,
    alive = 3,
    hello = 16,
    file = 17,
    begin = 18,
    moved = 19,
    bytes = 20,
    gone = 21,
    complete = 22,
    over = 23,
    problem = 24,  ///< why there will be no stream, for people
};

inline constexpr int kStreamVersion = 2;  ///< 2: only the documented files
inline constexpr std::size_t kPiece = 64u << 10;
inline constexpr std::size_t kLongestStreamFrame = 8u << 20;

struct StreamMessage {
    StreamFrame kind = StreamFrame::alive;
    std::string payload;
};
std::string frame_bytes(StreamFrame kind, std::string_view payload);

/// Bytes -> frames. Throws UserError for what cannot be one.
class StreamReader {
  public:
    void feed(std::string_view bytes) { buffer_ += bytes; }
    std::optional<StreamMessage> next();

  private:
    std::string buffer_;
    std::size_t begin_ = 0;
};

struct ServeOptions {
    double look_every_s = 0.5;  ///< where inotify is silent (network file systems)
    double silence_s = 30;      ///< nothing from the client: it is gone
    double alive_every_s = 2;
    std::uint64_t round = 512u << 10;  ///< bytes of one growing file before the others have their turn
};

/// Serves until the run is over and everything is sent, the client goes, or nothing was heard of it. Blocks; writes to `out`, reads `in`.
/// Returns an exit code.
int serve_run(const run::RunPaths& run, int in, int out, const ServeOptions& options = {});

/// Of the last bytes before `size` of a file that grows (at most kTail of them), or of a whole file: to see that two copies agree. FNV-1a,
/// 64 bits: not against forgery, both ends belong to the user.
std::uint64_t checksum(std::string_view bytes);
inline constexpr std::size_t kTail = 4096;
/// Empty when the file is shorter than `size` or cannot be read.
std::optional<std::uint64_t> tail_checksum(const fs::path& file, std::uint64_t size);

/// True for the files of a run's folder that its documentation (run/README.md) names and that a mirror has. Not
/// mirrored: labels.json, which belongs to the user of each machine; slurm.json and slurm.sh, which are about the
/// cluster of the host; checkpoints' data and traces. `path` relative to the run.
bool is_mirrored(const fs::path& path);
/// True for files that only grow; the others are replaced as a whole.
bool is_growing(const fs::path& path);

}  // namespace trainyard::remote
