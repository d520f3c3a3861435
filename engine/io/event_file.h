#pragma once
// TensorBoard event files: TFRecord framing (length, masked CRC32C, payload, masked CRC32C) around Event protobufs.
// Written here: scalars, text, and the version record. Read here: scalars of any origin (simple_value and float/double
// tensors) and text; everything else is counted and skipped.
// Format: tensorflow/core/lib/io/record_writer.h, tensorboard/compat/proto/{event,summary,tensor}.proto.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"

namespace trainyard::io {

/// CRC-32C (Castagnoli) and the mask of the TFRecord format.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);
std::uint32_t masked_crc32c(std::string_view bytes);

/// Appends to one event file. Not thread safe. Each flush is one write(2), so a reader never sees a torn record of ours
/// except when the disk is full or the machine stops.
class EventFileWriter {
  public:
    /// Creates `folder/events.out.tfevents.<seconds>.<host>.<pid><suffix>` with mode 0600.
    EventFileWriter(const std::filesystem::path& folder, std::string_view suffix = "");
    ~EventFileWriter();

    void add_scalars(std::int64_t step, double wall_time, const std::vector<std::pair<std::string, double>>& scalars);
    void add_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text);
    void flush();
    const std::filesystem::path& path() const { return path_; }

  private:
    void add_record(std::string_view payload);
    std::filesystem::path path_;
    FileDescriptor file_;
    std::string buffer_;
};

struct Scalar {
    std::int64_t step = 0;
    double wall_time = 0;
    std::string tag;
    double value = 0;
};

/// Follows one event file that may still grow.
class EventFileReader {
  public:
    explicit EventFileReader(std::filesystem::path file) : path_(std::move(file)) {}
    /// New scalars since the last call, at most `limit_bytes` of file a call. A record that is not complete yet is left for
    /// the next call; a wrong checksum ends reading for good and sets problem().
    std::vector<Scalar> poll(std::uint64_t limit_bytes = 64ull << 20);
    const std::string& problem() const { return problem_; }
    std::uint64_t position() const { return position_; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::uint64_t position_ = 0;
    std::string problem_;
};

}  // namespace trainyard::io
