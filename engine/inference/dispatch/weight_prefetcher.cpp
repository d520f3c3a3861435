// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/weight_prefetcher.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <numeric>
#include <tuple>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <fcntl.h>
#include <omp.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

namespace trainyard::dispatch {

namespace {

constexpr std::int64_t kAlignment = 64;            ///< bytes of a tensor in a buffer
constexpr std::uint64_t kLargestGap = 256u << 10;  ///< bytes between tensors that are mapped with them

std::int64_t aligned_bytes(std::int64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::int64_t elements_in(const std::vector<std::int64_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Widening a table that is looked up would cost more than its rows; each is widened when it is read.
bool is_used_as_stored(const Use& use, c10::Device device) {
    if (!device.is_cpu() || use.stored.shape.size() < 2 || use.target.parameter == nullptr)
        return false;
    if (use.stored.type == use.stored.compute)
        return true;
    const bool half = use.stored.type == at::kBFloat16 || use.stored.type == at::kHalf;
    return use.looked_up && half && use.stored.compute == at::kFloat;
}

/// Not a table of which rows alone are read.
bool is_read_whole(const Use& use, c10::Device device) {
    return !use.stored.tensor.defined() && use.stored.piece && !(use.looked_up && is_used_as_stored(use, device));
}

/// Returns the bytes that are read from files for one use of a unit.
std::uint64_t bytes_read(const UnitWeights& unit) {
    std::uint64_t bytes = 0;
    for (const Use& use : unit.uses)
        if (is_read_whole(use, unit.device))
            bytes += use.stored.piece->bytes;
    return bytes;
}

}  // namespace

/// Tensors one behind the other in a buffer of a slot.
class Prefetcher::Room {
  public:
    Room(Slot& slot, c10::Device device, std::int64_t bytes) {
        if (bytes == 0)
            return;
        at::Tensor& buffer = slot.buffers[device.str()];
        if (!buffer.defined() || buffer.numel() < bytes) {
            buffer = at::Tensor();  // before the larger one is made
            buffer = at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(device));
            if (device.is_cpu()) {
                constexpr std::uintptr_t kLargePage = 2 << 20;
                const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data_ptr());
                const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage,
                                     last = (begin + buffer.nbytes()) / kLargePage * kLargePage;
                if (first < last)
                    ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // advisory
            }
        }
        buffer_ = buffer;
    }
    at::Tensor make(const std::vector<std::int64_t>& shape, at::ScalarType type) {
        const std::int64_t bytes = elements_in(shape) * static_cast<std::int64_t>(c10::elementSize(type));
        at::Tensor made = buffer_.narrow(0, used_, bytes).view(type).view(shape);
        used_ += aligned_bytes(bytes);
        return made;
    }

  private:
    at::Tensor buffer_;
    std::int64_t used_ = 0;
};

namespace {

/// Bytes of a unit's tensors that are copied.
std::int64_t copied_bytes(const UnitWeights& unit) {
    std::int64_t bytes = 0;
    for (const Use& use : unit.uses)
        if (use.stored.shape.size() >= 2 && !is_used_as_stored(use, unit.device))
            bytes += aligned_bytes(elements_in(use.stored.shape) *
                                   static_cast<std::int64_t>(c10::elementSize(use.stored.compute)));
    return bytes;
}

/// A view of mapped bytes; a header that leaves its tensors at odd addresses is legal, and they are copied.
at::Tensor tensor_in(std::span<const std::byte> bytes, const StoredTensor& stored) {
    const auto options = at::TensorOptions().dtype(stored.type);
    if (!bytes.empty() && reinterpret_cast<std::uintptr_t>(bytes.data()) % c10::elementSize(stored.type) == 0)
        return at::from_blob(const_cast<std::byte*>(bytes.data()), stored.shape, options);
    at::Tensor copy = at::empty(stored.shape, options);
    std::ranges::copy(bytes, static_cast<std::byte*>(copy.data_ptr()));
    return copy;
}

}  // namespace

Prefetcher::Prefetcher(std::vector<UnitWeights> units, std::uint64_t page_room) : units_(std::move(units)) {
    for (const UnitWeights& unit : units_)
        for (const Use& use : unit.uses)
            if (!use.stored.tensor.defined() && use.stored.piece)
                file_of(use.stored.piece->file);
    choose_cached(page_room);
    thread_ = std::thread([this] { work(); });
}

Prefetcher::~Prefetcher() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    asked_.notify_all();
    thread_.join();
}

void Prefetcher::choose_cached(std::uint64_t page_room) {
    std::uint64_t all = 0, largest = 0, largest_copy = 0;
    for (const UnitWeights& unit : units_) {
        const std::uint64_t bytes = bytes_read(unit);
        all += bytes;
        largest = std::max(largest, bytes);
        if (unit.device.is_cpu())
            largest_copy = std::max(largest_copy, static_cast<std::uint64_t>(copied_bytes(unit)));
    }
    // An eighth is for activations, the program's own pages, and what else there is.
    const std::uint64_t usable = page_room - page_room / 8, of_slots = 2 * (largest + largest_copy);
    std::uint64_t left = usable - std::min(usable, of_slots);
    const bool all_fit = all + 2 * largest_copy <= usable;
    for (const UnitWeights& unit : units_) {
        const std::uint64_t bytes = bytes_read(unit);
        const bool stays = all_fit || bytes <= left;
        cached_.push_back(stays);
        if (!stays)
            continue;
        left -= std::min(left, bytes);
        figures_.cached += bytes;
    }
}

void Prefetcher::drop_pages(const UnitWeights& unit) const {
    for (const Use& use : unit.uses)
        if (is_read_whole(use, unit.device))
            ::posix_fadvise(files_.at(use.stored.piece->file.string()).get(),
                            static_cast<off_t>(use.stored.piece->offset), static_cast<off_t>(use.stored.piece->bytes),
                            POSIX_FADV_DONTNEED);  // advisory
}

int Prefetcher::file_of(const std::filesystem::path& path) {
    FileDescriptor& file = files_[path.string()];
    if (!file)
        file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        throw_file_error("cannot read", path, errno);
    return file.get();
}

std::size_t Prefetcher::next_of(std::size_t unit, Next direction) const {
    const std::size_t count = units_.size();
    const std::size_t steps = direction == Next::cyclic    ? count - 1
                              : direction == Next::forward ? count - 1 - unit
                                                           : unit;
    for (std::size_t step = 1; step <= steps; ++step)
        if (const std::size_t next = direction == Next::backward ? unit - step : (unit + step) % count;
            !units_[next].uses.empty())
            return next;
    return unit;
}

Prefetcher::Slot* Prefetcher::slot_of(std::size_t unit) {
    for (Slot& slot : slots_)
        if (slot.state != Slot::State::free && slot.unit == unit)
            return &slot;
    return nullptr;
}

Prefetcher::Slot* Prefetcher::ask(std::size_t unit) {
    for (Slot& slot : slots_)
        if (slot.state == Slot::State::free) {
            slot.unit = unit;
            slot.state = Slot::State::asked;
            asked_.notify_one();
            return &slot;
        }
    return nullptr;
}

void Prefetcher::release(Slot& slot) {
    if (slot.state == Slot::State::used)
        for (const Use& use : units_[slot.unit].uses) {
            const at::Tensor where_it_stays = use.stays ? use.stored.tensor : at::Tensor();
            use.target.place(where_it_stays, where_it_stays);
        }
    slot.placed.clear();
    slot.mapped.clear();
    if (!cached_[slot.unit])
        drop_pages(units_[slot.unit]);
    slot.failure = nullptr;
    slot.state = Slot::State::free;
}

void Prefetcher::take(std::size_t unit, Next direction) {
    std::unique_lock lock(mutex_);
    for (Slot& slot : slots_)  // of a pass that ended with an error
        if (slot.state == Slot::State::used && slot.unit != unit)
            release(slot);
    const auto is_moving = [](const Slot& slot) {
        return slot.state == Slot::State::asked || slot.state == Slot::State::loading;
    };
    Slot* slot = slot_of(unit);
    if (slot == nullptr) {
        // Discards weights that were prefetched for another order of units.
        done_.wait(lock, [&] { return !is_moving(slots_[0]) && !is_moving(slots_[1]); });
        if (slots_[0].state != Slot::State::free && slots_[1].state != Slot::State::free)
            release(slots_[0]);
        slot = ask(unit);
    }
    if (is_moving(*slot)) {
        const double begin = monotonic_seconds();
        ++figures_.waits;
        done_.wait(lock, [&] { return !is_moving(*slot); });
        figures_.waited_seconds += monotonic_seconds() - begin;
    }
    if (slot->failure) {
        const std::exception_ptr failure = slot->failure;
        release(*slot);
        std::rethrow_exception(failure);
    }
    if (slot->state != Slot::State::used)
        for (std::size_t i = 0; i < slot->placed.size(); ++i)
            units_[unit].uses[i].target.place(slot->placed[i].value, slot->placed[i].compute);
    slot->state = Slot::State::used;
    if (const std::size_t next = next_of(unit, direction); next != unit && slot_of(next) == nullptr) {
        // A unit that nobody came for gives way to the one that is next.
        for (Slot& other : slots_)
            if (&other != slot && other.state == Slot::State::ready)
                release(other);
        ask(next);
    }
}

void Prefetcher::give_back(std::size_t unit) {
    std::lock_guard lock(mutex_);
    if (Slot* slot = slot_of(unit); slot != nullptr && slot->state == Slot::State::used)
        release(*slot);
}

PrefetchFigures Prefetcher::figures() const {
    std::lock_guard lock(mutex_);
    PrefetchFigures figures = figures_;
    return figures;
}

void Prefetcher::work() {
    // One core: the others compute. The first call initialises LibTorch's number of threads for this thread, so that it cannot overwrite the limit later.
    at::get_num_threads();
    omp_set_num_threads(1);
    std::unique_lock lock(mutex_);
    for (;;) {
        Slot* wanted = nullptr;
        asked_.wait(lock, [&] {
            for (Slot& slot : slots_)
                if (slot.state == Slot::State::asked)
                    wanted = &slot;
            return stop_ || wanted != nullptr;
        });
        if (stop_)
            return;
        wanted->state = Slot::State::loading;
        lock.unlock();
        std::exception_ptr failure;
        try {
            load(*wanted);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        wanted->failure = failure;
        wanted->state = Slot::State::ready;
        ++figures_.loads;
        for (const Use& use : units_[wanted->unit].uses)
            figures_.bytes +=
                static_cast<std::uint64_t>(elements_in(use.stored.shape)) * c10::elementSize(use.stored.type);
        std::uint64_t buffered = 0;
        for (const Slot& slot : slots_)
            if (&slot == wanted || slot.state != Slot::State::loading)
                for (const auto& [device, buffer] : slot.buffers)
                    buffered += buffer.nbytes();
        figures_.most_buffered = std::max(figures_.most_buffered, buffered);
        done_.notify_all();
    }
}

std::vector<at::Tensor> Prefetcher::stored_of(const UnitWeights& unit, std::vector<files::MappedRange>& mapped) {
    std::vector<at::Tensor> stored(unit.uses.size());
    std::vector<std::size_t> in_files;
    for (std::size_t i = 0; i < unit.uses.size(); ++i)
        if (unit.uses[i].stored.tensor.defined())
            stored[i] = unit.uses[i].stored.tensor;
        else
            in_files.push_back(i);
    const auto piece = [&](std::size_t i) -> const weights::FilePiece& { return *unit.uses[i].stored.piece; };
    std::ranges::sort(in_files, [&](std::size_t a, std::size_t b) {
        return std::tie(piece(a).file, piece(a).offset) < std::tie(piece(b).file, piece(b).offset);
    });
    for (std::size_t first = 0; first < in_files.size();) {
        const weights::FilePiece& begin = piece(in_files[first]);
        std::uint64_t end = begin.offset + begin.bytes;
        std::size_t last = first + 1;
        for (; last < in_files.size() && piece(in_files[last]).file == begin.file &&
               piece(in_files[last]).offset <= end + kLargestGap;
             ++last)
            end = std::max(end, piece(in_files[last]).offset + piece(in_files[last]).bytes);
        files::MappedRange range(files_.at(begin.file.string()).get(), begin.offset,
                                 static_cast<std::size_t>(end - begin.offset), begin.file);
        for (; first < last; ++first) {
            const Use& use = unit.uses[in_files[first]];
            const std::span<const std::byte> bytes =
                range.bytes().subspan(use.stored.piece->offset - begin.offset, use.stored.piece->bytes);
            if (is_read_whole(use, unit.device))
                range.populate(bytes, begin.file);
            stored[in_files[first]] = tensor_in(bytes, use.stored);
        }
        mapped.push_back(std::move(range));
    }
    return stored;
}

void Prefetcher::load(Slot& slot) {
    at::NoGradGuard no_grad;
    const UnitWeights& unit = units_[slot.unit];
    std::vector<files::MappedRange> mapped;
    const std::vector<at::Tensor> stored = stored_of(unit, mapped);
    Room room(slot, unit.device, copied_bytes(unit));
    bool maps_stay = false;
    for (std::size_t i = 0; i < unit.uses.size(); ++i) {
        const Use& use = unit.uses[i];
        if (is_used_as_stored(use, unit.device)) {
            slot.placed.push_back({stored[i], stored[i]});
            maps_stay = true;
        } else if (use.target.parameter != nullptr && use.stored.shape.size() >= 2) {
            const at::Tensor made = room.make(use.stored.shape, use.stored.compute);
            made.copy_(stored[i]);
            slot.placed.push_back({made, made});
        } else {
            auto [value, compute] = values_for(use.target, stored[i], use.stored.compute, unit.device, true);
            slot.placed.push_back({std::move(value), std::move(compute)});
        }
    }
    files::throw_if_pages_were_lost();
    if (maps_stay)
        slot.mapped = std::move(mapped);
}

}  // namespace trainyard::dispatch
