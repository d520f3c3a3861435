#pragma once
// Saves checkpoints while training goes on. save() copies the tensors into buffers that are kept for the next save (the pause of
// training), and a thread of its own writes them aside, flushes, writes the manifest, renames and only then prunes. A checkpoint appears
// whole or not at all, whichever rank dies at whatever moment. One save is under way at a time.
//
// The buffers are as large as what is saved. A save that is waited for needs none: it writes the tensors from where they are, and gives
// the buffers of earlier saves back.
//
// Several ranks: save() is collective. Each rank writes its own files into the folder aside; rank 0 commits when the parts of all are
// there, without a collective outside of save(). Ranks that die release a lock, so nobody waits for them. Needs one file system.

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
    WhenBusy when_busy = WhenBusy::wait;  ///< what save() does while the one before is being written
    /// true: save() returns at once and the copy is made while the caller computes gradients. The caller promises to call
    /// wait_until_copied() before it changes any of the tensors (before the optimizer's update).
    bool copy_in_background = false;
    Retention retention;                  ///< of folders named checkpoint_<n> beside the one that was written
    std::chrono::seconds patience{1800};  ///< for the parts of other ranks
    /// Called on rank 0 when everything is written and before the checkpoint appears; what it throws keeps it from appearing.
    std::function<void()> fence;
    /// Called on rank 0 when a save has ended, well or not: by the saver's thread, or by the caller's where that waits.
    std::function<void(const SaveResult&)> on_result;
};

struct SaveRequest {
    std::filesystem::path
        folder;  ///< where it shall appear; what is there is replaced as a whole, files that are no checkpoint's stay
    FilesToSave files;             ///< this rank's
    std::int64_t number = 0;       ///< step, or iteration under automatic naming
    std::optional<double> metric;  ///< for keep_best
    /// Why the checkpoint is not good, as far as the caller knows: e.g. the steps before it were not finite. It is saved all the same, but
    /// nothing goes on from it by itself, and it keeps no good one from staying. Weights that are NaN are found while they are written.
    Message not_good;
    bool may_be_infinite =
        true;              ///< false: infinite weights, too, are not good (buffers may be masks with -inf in them)
    int world_size = 0;    ///< ranks of the training, where not all of them save together; 0: those of the saver
    std::string mesh;      ///< words for people
    std::string position;  ///< JSON object of the trainer's position; empty: none
    bool prune = true;     ///< apply the retention to the folder's siblings afterwards
    bool wait = false;     ///< save() returns when the checkpoint is on the disk, and is never skipped; all ranks alike
};

struct SaveResult {
    std::filesystem::path folder;
    std::int64_t number = 0;
    std::uint64_t bytes = 0;   ///< of all ranks; on ranks other than 0 their own
    double pause_seconds = 0;  ///< that save() kept the caller
    double write_seconds = 0;
    bool skipped = false;        ///< an earlier save was still under way
    Message error;               ///< empty: the checkpoint is on the disk
    Message not_good;            ///< of a checkpoint that is on the disk: Manifest::not_good
    std::vector<Message> notes;  ///< sentences on what went wrong and was mended: a file that was written twice
    std::vector<std::filesystem::path> removed;  ///< by the retention
    bool ok() const { return error.empty() && !skipped; }
};

class Saver {
  public:
    /// `ranks` (not owned; nullptr: this process alone) are those who save together.
    explicit Saver(SaverOptions options = {}, parallel::Communicator* ranks = nullptr);
    /// Waits for the save under way, as does a normal exit of the process.
    ~Saver();
    Saver(const Saver&) = delete;
    Saver& operator=(const Saver&) = delete;

    /// For saves in the background: makes the buffers for this rank's `files` in a thread, so that the first save pauses no longer than those after
    /// it. Worth it once the tensors have their final sizes; what becomes of it is of no consequence.
    void prepare(const FilesToSave& files);

    /// Begins a save. Returns the outcome of an earlier one that has ended since the last call, to be logged. Throws UserError when this
    /// one cannot begin (on all ranks alike), or, when it is waited for, when it failed. An earlier failure does not keep it from
    /// beginning.
    std::optional<SaveResult> save(SaveRequest request);
    /// The trainer's checkpoint: `checkpoints`/checkpoint_<step> of weights, optimizer and position. Ranks other than 0 give `content`, too,
    /// but nothing of it is written.
    std::optional<SaveResult> save(const std::filesystem::path& checkpoints, const Content& content,
                                   std::optional<double> metric = {}, bool wait = false);

    /// With copy_in_background: the tensors may be changed from now on.
    void wait_until_copied();
    /// Waits for the save under way. Returns the outcome of the last save, if there was one; throws UserError when it failed and that
    /// was not told before.
    std::optional<SaveResult> flush();
    bool busy() const;
    /// Of the last save that has ended.
    std::optional<SaveResult> last_result() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::checkpoint
