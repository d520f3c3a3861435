#pragma once
// TensorBoard event files: TFRecord framing (length, masked CRC32C, payload, masked CRC32C) around Event protobufs.
// Written here: scalars, text, pictures, histograms, hyper-parameters, restarts and the version record. Read here: the same of any writer
// (see event_record.h); sounds, graphs and what plugins of others hold are skipped and counted.
// Format: tensorflow/core/lib/io/record_writer.h, tensorboard/compat/proto/{event,summary,tensor}.proto.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "events/event_record.h"
#include "events/event_summary.h"
#include "files/growing_file.h"

namespace trainyard::events {

/// Appends to one event file. Not thread safe. Each flush is one write(2), so a reader never sees a torn record of ours
/// except when the disk is full or the machine stops.
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
    /// For TensorBoard's HParams page, which takes the folder for a session with the scalars in it. `ended`: that it is over, with success.
    void add_hparams(double wall_time, const HyperParameters& parameters, const std::vector<std::string>& metric_tags,
                     bool ended = true);
    /// Says that the run goes on from `step` after a restart: readers drop what earlier files hold at or after it.
    void add_restart(std::int64_t step, double wall_time);
    /// Throws UserError when the disk is full; what could not be written stays in memory for the next try.
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
    explicit EventFileReader(std::filesystem::path file) : file_(std::move(file)) {}
    /// Hears of one record; views in it hold during the call. `at`: byte of the file where the payload begins.
    using OnRecord = std::function<void(const EventRecord& record, std::string_view payload, std::uint64_t at)>;
    /// New records since the last call, some `limit_bytes` of file a call (but always a whole record). True: there is more. A record that
    /// is not complete yet is left for the next call; a wrong checksum sets problem() and ends reading until the file changes. A missing
    /// file gives nothing. A file that became shorter or another one is read from its start again: see beginnings(); of such a poll only
    /// what came after the last beginning counts.
    bool poll(const OnRecord& on_record, std::uint64_t limit_bytes = 64ull << 20);
    /// The same for scalars alone.
    std::vector<Scalar> poll(std::uint64_t limit_bytes = 64ull << 20);
    /// Empty, or one sentence naming the file, the byte and what is wrong.
    const std::string& problem() const { return problem_; }
    /// Byte after the last whole record that was read.
    std::uint64_t position() const { return file_.position(); }
    /// How often the first record of a file was read. When it grows, what was read before is void.
    int beginnings() const { return beginnings_; }
    std::uint64_t records() const { return records_; }          ///< whole records read since the beginning
    std::uint64_t undecodable() const { return undecodable_; }  ///< of these, with a payload that is no Event
    std::uint64_t skipped() const { return skipped_; }          ///< values of kinds that nobody here shows
    bool is_missing() const { return missing_; }
    /// Restarts met by the last poll for scalars: the step a run went on from, and how many of the returned scalars come before.
    struct Restart {
        std::int64_t step = 0;
        std::size_t scalars_before = 0;
    };
    const std::vector<Restart>& restarts() const { return restarts_; }
    const std::filesystem::path& path() const { return file_.path(); }

  private:
    std::size_t take_records(std::string_view bytes, const OnRecord& on_record);
    void damaged(std::uint64_t at, const char* what);

    files::GrowingFile file_;
    EventRecord record_;
    PluginMemory plugins_;
    std::uint64_t wanted_ = 0;  ///< bytes of the record at position(), when it is longer than a piece
    int beginnings_ = 0;
    std::uint64_t records_ = 0, undecodable_ = 0, skipped_ = 0;
    bool missing_ = false;
    std::vector<Restart> restarts_;
    std::string problem_;
};

}  // namespace trainyard::events
