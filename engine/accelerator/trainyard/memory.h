// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Running out of memory, and sizes of memory: the batch-size search of accelerate.utils.memory, sizes as people write
// them, limits per device.

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/memory_size.h"
#include "base/message.h"

namespace trainyard::accelerator {

/// The error means that memory ran out (GPU, CPU allocator, std::bad_alloc), or cuDNN's way of saying so.
bool should_reduce_batch_size(const std::exception& error);

/// Gives the memory that LibTorch's caching allocators hold, but nobody uses, back to the device.
void clear_device_cache();

/// The largest batch size that works, remembered from call to call:
///     BatchSizeSearch search(128);
///     search.run([&](std::int64_t batch_size) { train(batch_size); });
/// An out-of-memory error makes it smaller and runs the function again (by 0.9, rounded down, or by a rule of one's
/// own); anything else that is thrown passes through. Throws UserError when no size is left.
class BatchSizeSearch {
  public:
    /// Returns the next smaller batch size to try.
    using Reduce = std::function<std::int64_t(std::int64_t size)>;
    /// Starts at a batch size; the default of `reduce` multiplies by 0.9 and rounds down.
    explicit BatchSizeSearch(std::int64_t starting_batch_size = 128, Reduce reduce = {});

    /// Calls `function(batch_size)`, with smaller sizes after each out-of-memory error, and returns its result.
    template <class Function>
    auto run(Function&& function) -> std::invoke_result_t<Function&, std::int64_t> {
        clear_device_cache();
        while (true) {
            require_positive();
            try {
                return function(size_);
            } catch (const std::exception& error) {
                if (!should_reduce_batch_size(error))
                    throw;
            }
            // Outside of the handler: the exception may hold what is to be freed.
            clear_device_cache();
            size_ = reduce_(size_);
        }
    }
    /// Returns the batch size of the last call, which the next run() starts with.
    std::int64_t batch_size() const { return size_; }

  private:
    void require_positive() const;
    std::int64_t size_;
    Reduce reduce_;
};

/// find_executable_batch_size: the function with the search built in.
template <class Function>
auto find_executable_batch_size(Function function, std::int64_t starting_batch_size = 128,
                                BatchSizeSearch::Reduce reduce = {}) {
    return [function = std::move(function),
            search = BatchSizeSearch(starting_batch_size, std::move(reduce))]<class... T>(T&&... arguments) mutable {
        return search.run([&](std::int64_t size) { return function(size, arguments...); });
    };
}

/// The next smaller batch size that divides the samples of an update evenly: at most half. 0: there is none.
std::int64_t smaller_batch_size(std::int64_t samples_of_update, std::int64_t batch_size);

/// The same for an update of `samples_of_update` samples: calls `function(batch_size, gradient_accumulation_steps)`,
/// whose product is always that number, with a smaller batch size and more steps after each out-of-memory error.
template <class Function>
auto find_executable_accumulation(Function function, std::int64_t samples_of_update) {
    return [function = std::move(function), samples_of_update,
            search = BatchSizeSearch(samples_of_update, [samples_of_update](std::int64_t size) {
                return smaller_batch_size(samples_of_update, size);
            })]<class... T>(T&&... arguments) mutable {
        return search.run([&](std::int64_t size) { return function(size, samples_of_update / size, arguments...); });
    };
}

using trainyard::parse_memory_size;
/// "413.17 MB": steps of 1024, at most two decimals.
std::string memory_size_text(std::int64_t bytes);
std::string memory_size_text(double bytes);

/// Limits per device in the order in which devices are filled: accelerators by number, mps, cpu, disk.
struct MaxMemory {
    /// Device names ("0", "cpu", "disk") and limits in bytes.
    std::vector<std::pair<std::string, std::int64_t>> limits;
    std::vector<Message> warnings;  ///< devices that this machine does not have
};
using MemoryLimit = std::pair<std::string, std::variant<std::int64_t, std::string>>;
/// Checks limits that were given. Throws UserError naming every unknown device and bad size.
MaxMemory max_memory(const std::vector<MemoryLimit>& given, std::int64_t device_count);

}  // namespace trainyard::accelerator
