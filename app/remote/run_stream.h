// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Transfers a run's folder over a byte stream, so that another machine has a copy of it as an ordinary folder (a
// mirror).
//
// Frames in both directions: 4 bytes length of the rest (big endian), 1 byte kind, payload. Payloads are JSON, except
// for `bytes`, which is a line with a JSON header followed by the bytes.
//
//   client -> server   have     files of the mirror: path, id from the server, size, checksum of the last bytes
//                      request  a file for requests/
//                      alive    every 2 s
//   server -> client   hello    version, run, host
//                      file     a file that is replaced as a whole: state.json, run.yaml, manifests, outcomes of requests
//                      begin    a growing file starts at 0 (again): it is new, or was truncated or replaced
//                      moved    a growing file was renamed (log rotation)
//                      bytes    data of a growing file at an offset
//                      gone     a file was deleted
//                      alive    every 2 s: the host's clock, and whether the run is lost
//                      complete everything present at the start has been sent
//                      over     the run has ended and everything has been sent
//
// Nothing is lost or duplicated: a growing file continues at the length of the mirror's copy if the id or its new path
// matches the server's and the last bytes agree, else from 0. Memory is bounded: at most one piece of kPiece bytes is
// in flight, taken from the files in turn. Only documented files are sent and accepted (is_mirrored).

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
    problem = 24,  ///< why the stream is refused, as text for the user
};

inline constexpr int kStreamVersion = 2;  ///< 2: only the documented files
inline constexpr std::size_t kPiece = 64u << 10;
inline constexpr std::size_t kLongestStreamFrame = 8u << 20;

struct StreamMessage {
    StreamFrame kind = StreamFrame::alive;
    std::string payload;
};
std::string frame_bytes(StreamFrame kind, std::string_view payload);

/// Splits bytes into frames. Throws UserError for invalid data.
class StreamReader {
  public:
    void feed(std::string_view bytes) { buffer_ += bytes; }
    std::optional<StreamMessage> next();

  private:
    std::string buffer_;
    std::size_t begin_ = 0;
};

struct ServeOptions {
    double look_every_s = 0.5;  ///< polling interval where inotify does not work (network file systems)
    double silence_s = 30;      ///< without a message from the client for so long, it is considered gone
    double alive_every_s = 2;
    std::uint64_t round = 512u << 10;  ///< bytes of one growing file before the next file has its turn
};

/// Serves the stream until the run is over and everything is sent, or the client disconnects or is silent for too long.
/// Blocks; writes to `out`, reads `in`. Returns an exit code.
int serve_run(const run::RunPaths& run, int in, int out, const ServeOptions& options = {});

/// Checksum of the last bytes before `size` of a growing file (at most kTail of them), or of a whole file, to detect
/// differences between two copies. FNV-1a, 64 bits: no protection against forgery, since both ends belong to the user.
std::uint64_t checksum(std::string_view bytes);
inline constexpr std::size_t kTail = 4096;
/// Returns std::nullopt if the file is shorter than `size` or cannot be read.
std::optional<std::uint64_t> tail_checksum(const fs::path& file, std::uint64_t size);

/// Whether a file of a run's folder is mirrored: those that its documentation (run/README.md) names, except
/// labels.json, which belongs to the user of each machine; slurm.json and slurm.sh, which are about the cluster of the
/// host; data of checkpoints and traces. `path` is relative to the run.
bool is_mirrored(const fs::path& path);
/// Whether a file only grows; other files are replaced as a whole.
bool is_growing(const fs::path& path);

}  // namespace trainyard::remote
