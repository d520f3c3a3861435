// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values and gradients that a rank owns, in an unnamed file on a disk (offload_param_device nvme) instead of memory:
// the rooms (value_rooms.h) read what they need of the values, sums of gradients are written as they are complete, and
// the optimizer updates slices of both (train/offloaded_state.h). One thread reads and one writes. Only for arenas
// whose values and gradients are sharded, so that an owned element has the same number in both.
//
// Rajbhandari et al., "ZeRO-Infinity", SC 2021.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/files/scratch_file.h"
#include "distributed/parallel/split.h"
#include "distributed/parallel/task_thread.h"

namespace trainyard::parallel {

class OffloadedArena {
  public:
    /// `values` and `gradients` zeros, fp32; the gradients are those of the first values. Throws UserError where the
    /// folder has no such file, or no room for it.
    OffloadedArena(const std::filesystem::path& folder, int rank, std::int64_t values, std::int64_t gradients);

    /// The tensors keep the file.
    const at::Tensor& values() const { return values_; }
    const at::Tensor& gradients() const { return gradients_; }
    std::uint64_t bytes() const { return file_->bytes().size(); }
    files::ScratchFile& file() const { return *file_; }

    /// A range of the values, and where it is to be read to.
    struct Read {
        Range values;
        float* to = nullptr;
    };
    /// Does not wait. The memory must exist until the future is ready, which has a UserError if the disk fails.
    std::future<void> read_values(std::vector<Read> reads);
    /// Whether these values are in memory from one step to the next (ScratchFile::load).
    bool in_memory(const Range& values) const;
    /// The values were read through the tensor: unmaps their pages.
    void release(const Range& values) const;

    /// Memory for gradients until close_gradients(), with the present ones if `accumulate`.
    at::Tensor open_gradients(const Range& gradients, bool accumulate);
    /// Writes them. Waits while too many others are being written.
    void close_gradients(const Range& gradients);
    /// Waits until all of them are written. Throws UserError if the disk fails.
    void finish_gradients();
    /// Drops what is open, of a step that was not finished.
    void forget_gradients() { open_.clear(); }
    /// Sum of the squares of a view of gradients() that is one range of close_gradients(), as it was written; nothing
    /// for other views, and once gradients were changed after finish_gradients().
    std::optional<double> squares(const at::Tensor& view) const;

    /// Calls `action(begin, end, changes)` with the bytes of the file of a slice of values, and of its gradients, and
    /// whether an update changes them.
    template <class Action>
    void each_buffer(const Range& slice, Action action) const {
        action(bytes_before(slice.begin), bytes_before(slice.end), true);
        action(gradients_begin_ + bytes_before(slice.begin), gradients_begin_ + bytes_before(slice.end), false);
    }

  private:
    static std::size_t bytes_before(std::int64_t element) { return static_cast<std::size_t>(element) * sizeof(float); }
    void finish_oldest();

    std::size_t gradients_begin_;
    std::shared_ptr<files::ScratchFile> file_;
    at::Tensor values_, gradients_;
    std::map<std::int64_t, at::Tensor> open_;  ///< gradients, by the number of their first element
    std::deque<std::future<void>> writes_;     ///< oldest first
    struct Squares {
        std::int64_t elements = 0;
        double sum = 0;
    };
    std::map<std::int64_t, Squares> squares_;  ///< as open_; the writer sets the sums
    std::int64_t finished_version_ = 0;        ///< of gradients_, as finish_gradients() found it
    TaskThread reader_, writer_;               ///< end before the file is closed
};

}  // namespace trainyard::parallel
