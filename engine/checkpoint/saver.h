// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Saves checkpoints while training continues. save() copies the tensors into buffers that later saves reuse; training
// pauses only for this copy. A background thread then writes them to a temporary folder, flushes, writes the manifest,
// renames the folder and only then prunes. A checkpoint appears completely or not at all, whichever rank dies at
// whatever moment. One save runs at a time.
//
// The buffers are as large as the saved tensors. A save that the caller waits for needs no buffers: it writes the
// tensors directly from their memory, and frees the buffers of earlier saves.
//
// Several ranks: save() is collective. Each rank writes its own files into the temporary folder; rank 0 commits when
// all parts are written, without a collective outside of save(). A rank that dies releases a lock, so the others do not
// wait for it. All ranks need the same file system.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/message.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/files/retention.h"
#include "checkpoint/files_to_save.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::checkpoint {

struct SaveResult;

struct SaverOptions {
    bool background = true;  ///< false: every save is waited for, as with SaveRequest::wait
    enum class WhenBusy { wait, skip };
    WhenBusy when_busy = WhenBusy::wait;  ///< what save() does while the previous save is being written
    Retention retention;                  ///< of folders named checkpoint_<n> beside the one that was written
    std::chrono::seconds patience{1800};  ///< time-out for the parts of other ranks
    /// Called on rank 0 when everything is written and before the checkpoint appears; what it throws keeps it from
    /// appearing.
    std::function<void()> fence;
    /// Called on rank 0 when a save has ended, well or not: by the saver's thread, or by the caller's where that waits.
    std::function<void(const SaveResult&)> on_result;
};

struct SaveRequest {
    std::filesystem::path
        folder;         ///< final path; a checkpoint there is replaced as a whole, files that do not belong to one stay
    FilesToSave files;  ///< this rank's
    std::int64_t number = 0;       ///< step, or iteration under automatic naming
    std::optional<double> metric;  ///< for keep_best
    /// Why the checkpoint is not good, as far as the caller knows: e.g. the steps before it were not finite. It is
    /// saved nevertheless, but training does not resume from it automatically, and it does not displace a good one. NaN
    /// weights are found while they are written.
    Message not_good;
    bool may_be_infinite =
        true;              ///< false: infinite weights, too, are not good (buffers may be masks with -inf in them)
    int world_size = 0;    ///< ranks of the training, where not all of them save together; 0: those of the saver
    std::string mesh;      ///< description for the user
    std::string position;  ///< JSON object of the trainer's position; empty: none
    bool prune = true;     ///< apply the retention to the folder's siblings afterwards
    bool wait = false;     ///< save() returns when the checkpoint is on the disk, and is never skipped; all ranks alike
};

struct SaveResult {
    std::filesystem::path folder;
    std::int64_t number = 0;
    std::uint64_t bytes = 0;   ///< of all ranks; on ranks other than 0 their own
    double pause_seconds = 0;  ///< duration of save() in the caller
    double write_seconds = 0;
    bool skipped = false;                        ///< an earlier save was still under way
    Message error;                               ///< empty: the checkpoint is on the disk
    Message not_good;                            ///< of a checkpoint that is on the disk: Manifest::not_good
    std::vector<Message> notes;                  ///< messages about recovered failures: a file that was written twice
    std::vector<std::filesystem::path> removed;  ///< by the retention
    bool ok() const { return error.empty() && !skipped; }
};

class Saver {
  public:
    /// `ranks` (not owned; nullptr: this process alone) are the ranks that save together.
    explicit Saver(SaverOptions options = {}, parallel::Communicator* ranks = nullptr);
    /// Waits for the save under way, as does a normal exit of the process.
    ~Saver();
    Saver(const Saver&) = delete;
    Saver& operator=(const Saver&) = delete;

    /// For saves in the background: allocates the buffers for this rank's `files` in a thread, so that the first save
    /// pauses no longer than later ones. Call it when the tensors have their final sizes. Best effort: if memory is
    /// short, the save reports it.
    void prepare(const FilesToSave& files);

    /// Starts a save. Returns the result of an earlier one that has ended since the last call, to be logged. Throws
    /// UserError if the save cannot start (on all ranks alike), or, with `wait`, if it failed. A save can start after
    /// an earlier one failed.
    std::optional<SaveResult> save(SaveRequest request);
    /// The trainer's checkpoint: `checkpoints`/checkpoint_<step> of weights, optimizer and position. Ranks other than 0
    /// give `content`, too, but nothing of it is written.
    std::optional<SaveResult> save(const std::filesystem::path& checkpoints, const Content& content,
                                   std::optional<double> metric = {}, bool wait = false);

    /// Waits for the running save. Returns the result of the last save, if there was one; throws UserError if it failed
    /// and the failure was not reported before.
    std::optional<SaveResult> flush();
    bool busy() const;
    /// Returns the result of the last save that has ended.
    std::optional<SaveResult> last_result() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::checkpoint
