// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// TensorBoard event files: TFRecord framing (length, masked CRC-32C, payload, masked CRC-32C) around Event protobufs.
// The writer supports scalars, text, images, histograms, hyper-parameters, restarts and the version record. The reader
// decodes the same from any writer (event_record.h); audio, graphs and data of other plugins are skipped and counted.
// Format: tensorflow/core/lib/io/record_writer.h, tensorboard/compat/proto/{event,summary,tensor}.proto.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/files/growing_file.h"
#include "base/message.h"
#include "formats/events/event_record.h"
#include "formats/events/event_summary.h"

namespace trainyard::events {

/// Appends to one event file. Not thread-safe. Each flush is one write(2), so readers see no partial record of ours
/// unless the disk is full or the machine stops.
class EventFileWriter {
  public:
    /// Creates `folder/<prefix>events.out.tfevents.<seconds>.<host>.<pid><suffix>` with mode 0600.
    EventFileWriter(const std::filesystem::path& folder, std::string_view suffix = "", std::string_view prefix = "");
    ~EventFileWriter();

    void add_scalars(std::int64_t step, double wall_time, const std::vector<std::pair<std::string, double>>& scalars);
    void add_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text);
    /// `encoded`: PNG.
    void add_image(std::int64_t step, double wall_time, std::string_view tag, std::int64_t height, std::int64_t width,
                   std::int64_t channels, std::string_view encoded);
    void add_histogram(std::int64_t step, double wall_time, std::string_view tag, const Histogram& histogram);
    /// For TensorBoard's HParams page, which shows the folder as a session with its scalars. `ended`: also records that
    /// the session succeeded.
    void add_hparams(double wall_time, const HyperParameters& parameters, const std::vector<std::string>& metric_tags,
                     bool ended = true);
    /// Records that the run resumes at `step` after a restart: readers drop points of earlier files at or after it.
    void add_restart(std::int64_t step, double wall_time);
    /// Throws UserError if the disk is full; data that was not written stays in memory for the next call.
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

/// Follows one event file, which may still grow.
class EventFileReader {
  public:
    explicit EventFileReader(std::filesystem::path file) : file_(std::move(file)) {}
    /// Called for each record; views in it are valid during the call. `at`: offset of the payload in the file.
    using OnRecord = std::function<void(const EventRecord& record, std::string_view payload, std::uint64_t at)>;
    /// Reads new records, about `limit_bytes` of the file per call, but at least one whole record. Returns true if
    /// there is more. An incomplete record waits for the next call; a wrong checksum sets problem() and stops reading
    /// until the file changes. A missing file has no records. A file that shrank or was replaced is read again from its
    /// start (see beginnings()); then only the records after the last beginning are valid.
    bool poll(const OnRecord& on_record, std::uint64_t limit_bytes = 64ull << 20);
    /// The same for scalars only.
    std::vector<Scalar> poll(std::uint64_t limit_bytes = 64ull << 20);
    /// Empty, or a sentence with the file, the offset and what is wrong.
    const Message& problem() const { return problem_; }
    /// Offset after the last complete record that was read.
    std::uint64_t position() const { return file_.position(); }
    /// How often the first record of a file was read. When it increases, everything read before is invalid.
    int beginnings() const { return beginnings_; }
    std::uint64_t records() const { return records_; }          ///< complete records since the last beginning
    std::uint64_t undecodable() const { return undecodable_; }  ///< of these, those whose payload is not an Event
    std::uint64_t skipped() const { return skipped_; }          ///< values of unsupported kinds
    bool is_missing() const { return missing_; }
    const std::filesystem::path& path() const { return file_.path(); }

  private:
    std::size_t take_records(std::string_view bytes, const OnRecord& on_record);
    void damaged(std::uint64_t at, const char* what);

    files::GrowingFile file_;
    EventRecord record_;
    PluginMemory plugins_;
    std::uint64_t wanted_ = 0;  ///< bytes of the record at position(), if it is longer than one read
    int beginnings_ = 0;
    std::uint64_t records_ = 0, undecodable_ = 0, skipped_ = 0;
    bool missing_ = false;
    Message problem_;
};

}  // namespace trainyard::events
