// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/shared_memory.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include <ATen/ops/empty.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/backend.h"
#include "distributed/parallel/reduction_kernels.h"
#include "distributed/parallel/shared_region.h"
#include "distributed/tensors/dtype.h"

namespace trainyard::parallel {

namespace {

/// Bytes of one rank's tensor that belong to this rank, and their place in this rank's result.
struct Segment {
    std::size_t begin = 0, bytes = 0, to = 0;
};

/// An operation under way: parts [first, end) of the region.
struct Operation {
    Collective collective;
    std::size_t bytes = 0;  ///< of the tensor that is handed in; of unequal ones the largest
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::vector<Segment> segments = {};  ///< of all_to_all, by rank
    bool finished = false;
};

const at::Tensor& payload_of(const Collective& collective) {
    return collective.in.defined() ? collective.in : collective.out;
}

std::size_t payload_bytes(const Collective& collective) {
    return collective.kind == CollectiveKind::barrier ? 0 : payload_of(collective).nbytes();
}

/// At least one part: also an empty tensor is a meeting of the ranks.
std::uint64_t parts_of(std::size_t bytes) {
    return std::max<std::uint64_t>(1, (bytes + kSlotBytes - 1) / kSlotBytes);
}

/// Bytes [begin, begin + kSlotBytes) of a tensor of `whole` bytes.
std::size_t bytes_of_part(std::size_t whole, std::size_t begin) {
    return std::min(kSlotBytes, whole - std::min(whole, begin));
}

/// [begin, end) of both ranges; empty if begin >= end.
std::pair<std::size_t, std::size_t> overlap(std::size_t begin, std::size_t bytes, const Segment& segment) {
    return {std::max(begin, segment.begin), std::min(begin + bytes, segment.begin + segment.bytes)};
}

Note note_of(const Operation& operation) {
    const Collective& collective = operation.collective;
    Note note;
    note.bytes = operation.bytes;
    note.peer = collective.kind == CollectiveKind::broadcast ? collective.peer : -1;
    note.kind = static_cast<std::uint8_t>(collective.kind);
    note.op = static_cast<std::uint8_t>(collective.op);
    if (collective.kind != CollectiveKind::barrier)
        note.type = static_cast<std::uint8_t>(payload_of(collective).scalar_type());
    std::strncpy(note.name, collective.name.c_str(), sizeof note.name - 1);
    return note;
}

Description describe_note(const Note& note) {
    Description lines{
        {"operation", std::string(to_string(static_cast<CollectiveKind>(note.kind))) + " '" + note.name + "'"},
        {"reduction", to_string(static_cast<ReduceOp>(note.op))},
        {"root", std::to_string(note.peer)}};
    lines.emplace_back("tensor",
                       fmt::format("{}, {} bytes", dtype_name(static_cast<at::ScalarType>(note.type)), note.bytes));
    return lines;
}

class SharedCommunicator final : public Communicator {
  public:
    SharedCommunicator(std::unique_ptr<SharedRegion> region, std::shared_ptr<Communicator> sockets)
        : region_(std::move(region)), sockets_(std::move(sockets)) {}

    int rank() const override { return region_->rank(); }
    int size() const override { return region_->size(); }

    /// Finishes everything up to `operation`, in order.
    void finish(const Operation& operation) {
        while (!operation.finished)
            finish_oldest_part();
    }

  protected:
    std::unique_ptr<Pending::Work> start(const Collective& collective) override;

  private:
    std::shared_ptr<Operation> open_operation(const Collective& collective);
    void find_segments(Operation& operation);
    void hand_in(const Operation& operation, std::uint64_t number);
    void finish_oldest_part();
    void reduce_next_part(const Operation& operation);
    void compare_notes(const Operation& operation, std::uint64_t number);
    void reduce_slice(const Collective& collective, std::uint64_t number, std::size_t bytes);
    void reduce_own_share(const Collective& collective, std::uint64_t number, std::size_t begin, std::size_t bytes);
    void take_segments(const Operation& operation, std::uint64_t number, std::size_t begin);

    std::unique_ptr<SharedRegion> region_;
    std::shared_ptr<Communicator> sockets_;
    std::deque<std::shared_ptr<Operation>> open_;  ///< oldest first
    /// Parts, of which this rank has handed in its own, has reduced its slice, and needs no more.
    std::uint64_t started_ = 0, reduced_ = 0, finished_ = 0;
    Message broken_;  ///< why nothing works any more
};

class SharedWork final : public Pending::Work {
  public:
    SharedWork(SharedCommunicator& communicator, std::shared_ptr<Operation> operation)
        : communicator_(communicator), operation_(std::move(operation)) {}
    void wait() override { communicator_.finish(*operation_); }

  private:
    SharedCommunicator& communicator_;
    std::shared_ptr<Operation> operation_;
};

std::unique_ptr<Pending::Work> SharedCommunicator::start(const Collective& collective) {
    using enum CollectiveKind;
    bool arithmetic = collective.kind == all_reduce || collective.kind == reduce_scatter;
    bool here = collective.kind == broadcast || collective.kind == all_gather || collective.kind == all_to_all ||
                collective.kind == check || collective.kind == barrier ||
                (arithmetic && has_reduction(collective.out.scalar_type()));
    if (!here)
        return Communicator::start_on(*sockets_, collective);
    return std::make_unique<SharedWork>(*this, open_operation(collective));
}

/// Hands in this rank's part of an operation.
std::shared_ptr<Operation> SharedCommunicator::open_operation(const Collective& collective) {
    auto operation = std::make_shared<Operation>(Operation{.collective = collective});
    operation->bytes = payload_bytes(collective);
    if (collective.kind == CollectiveKind::all_to_all)
        find_segments(*operation);
    operation->first = started_;
    operation->end = started_ + parts_of(operation->bytes);
    open_.push_back(operation);
    while (started_ < operation->end)
        hand_in(*operation, started_);
    return operation;
}

/// Ranks that send rows of their own numbers exchange these numbers first.
void SharedCommunicator::find_segments(Operation& operation) {
    const Collective& collective = operation.collective;
    const auto ranks = static_cast<std::size_t>(size()), mine = static_cast<std::size_t>(rank());
    operation.segments.resize(ranks);
    if (collective.in_rows.empty() && collective.out_rows.empty()) {
        const std::size_t each = operation.bytes / ranks;
        for (std::size_t other = 0; other < ranks; ++other)
            operation.segments[other] = {mine * each, each, other * each};
        return;
    }
    const auto bytes_of_rank = [&](const at::Tensor& tensor, const std::vector<std::int64_t>& rows, std::size_t other) {
        const std::size_t row = tensor.size(0) > 0 ? tensor.nbytes() / static_cast<std::size_t>(tensor.size(0)) : 0;
        return row * static_cast<std::size_t>(rows.empty() ? tensor.size(0) / size() : rows[other]);
    };
    const at::Tensor own = at::empty({size()}, at::kLong), all = at::empty({size(), size()}, at::kLong);
    for (std::size_t other = 0; other < ranks; ++other)
        own.mutable_data_ptr<std::int64_t>()[other] =
            static_cast<std::int64_t>(bytes_of_rank(collective.in, collective.in_rows, other));
    finish(*open_operation({.kind = CollectiveKind::all_gather,
                            .name = collective.name,
                            .out = all,
                            .in = own,
                            .number = collective.number}));
    const std::int64_t* sent = all.const_data_ptr<std::int64_t>();  // [from, to]
    std::size_t to = 0;
    for (std::size_t other = 0; other < ranks; ++other) {
        const std::int64_t* row = sent + other * ranks;
        const auto begin = static_cast<std::size_t>(std::accumulate(row, row + mine, std::int64_t{0}));
        const auto bytes = static_cast<std::size_t>(row[mine]);
        if (const std::size_t expected = bytes_of_rank(collective.out, collective.out_rows, other); bytes != expected) {
            broken_ = Message(
                "{}: rank {} sends {} bytes to rank {}, which expects {}. Let the ranks agree on the numbers of rows "
                "first.",
                collective.text(), other, bytes, mine, expected);
            throw DistributedOperationError(broken_);
        }
        operation.segments[other] = {begin, bytes, to};
        to += bytes;
        operation.bytes =
            std::max(operation.bytes, static_cast<std::size_t>(std::accumulate(row, row + ranks, std::int64_t{0})));
    }
}

void SharedCommunicator::hand_in(const Operation& operation, std::uint64_t number) {
    const Collective& collective = operation.collective;
    const std::size_t begin = (number - operation.first) * kSlotBytes;
    if (!broken_.empty())
        throw DistributedOperationError(broken_);
    if (number >= kSlots) {
        std::uint64_t free = number - kSlots + 1;  // the part that had this slot is needed by nobody
        while (finished_ < free)
            finish_oldest_part();
        region_->wait_for(Phase::done, free, collective.text());
    }
    region_->note(number, rank()) = note_of(operation);
    bool gives = collective.kind != CollectiveKind::barrier &&
                 (collective.kind != CollectiveKind::broadcast || collective.peer == rank());
    if (gives && payload_bytes(collective) > begin)
        std::memcpy(region_->part(number, rank()),
                    static_cast<const std::uint8_t*>(payload_of(collective).const_data_ptr()) + begin,
                    std::min(kSlotBytes, payload_bytes(collective) - begin));
    region_->advance(Phase::published, number + 1);
    started_ = number + 1;
}

void SharedCommunicator::compare_notes(const Operation& operation, std::uint64_t number) {
    std::vector<Description> descriptions;
    bool same = true;
    for (int other = 0; other < size(); ++other) {
        const Note& note = region_->note(number, other);
        same = same && note.same_as(region_->note(number, 0));
        descriptions.push_back(describe_note(note));
    }
    if (same)
        return;
    // The ranks have no common count of parts any more.
    broken_ = Message(
        "{} is not the same on all ranks:\n{}\nLet every rank call the same operation with the "
        "same shapes.",
        operation.collective.text(), differences(descriptions));
    throw DistributedOperationError(broken_);
}

void SharedCommunicator::reduce_slice(const Collective& collective, std::uint64_t number, std::size_t bytes) {
    std::size_t element = collective.out.element_size(), elements = bytes / element;
    auto ranks = static_cast<std::size_t>(size()), mine = static_cast<std::size_t>(rank());
    // Whole cache lines, so that no two ranks write into one.
    std::size_t line = 64 / element, each = ((elements + ranks - 1) / ranks + line - 1) / line * line;
    std::size_t begin = std::min(elements, mine * each), end = std::min(elements, begin + each);
    std::vector<std::uint8_t*> parts;
    for (int other = 0; other < size(); ++other)
        parts.push_back(region_->part(number, other) + begin * element);
    reduce_parts(collective.out.scalar_type(), collective.op, parts, end - begin);
}

/// This rank's share of the next part's work; all ranks have handed it in.
void SharedCommunicator::reduce_next_part(const Operation& operation) {
    compare_notes(operation, reduced_);
    if (operation.collective.kind == CollectiveKind::all_reduce)
        reduce_slice(operation.collective, reduced_,
                     bytes_of_part(operation.bytes, (reduced_ - operation.first) * kSlotBytes));
    region_->advance(Phase::reduced, ++reduced_);
}

/// Of reduce_scatter: what of bytes [begin, begin + bytes) of the source belongs to this rank. Added in the order of all_reduce.
void SharedCommunicator::reduce_own_share(const Collective& collective, std::uint64_t number, std::size_t begin,
                                          std::size_t bytes) {
    std::size_t share = collective.out.nbytes(), own = share * static_cast<std::size_t>(rank());
    std::size_t first = std::max(begin, own), last = std::min(begin + bytes, own + share);
    if (first >= last)
        return;
    std::vector<std::uint8_t*> parts;
    for (int other = 0; other < size(); ++other)
        parts.push_back(region_->part(number, other) + (first - begin));
    reduce_parts(collective.out.scalar_type(), collective.op, parts, (last - first) / collective.out.element_size());
    std::memcpy(static_cast<std::uint8_t*>(collective.out.mutable_data_ptr()) + (first - own), parts[0], last - first);
}

/// Of all_to_all: what of bytes [begin, begin + kSlotBytes) of every rank's tensor belongs to this rank.
void SharedCommunicator::take_segments(const Operation& operation, std::uint64_t number, std::size_t begin) {
    auto* out = static_cast<std::uint8_t*>(operation.collective.out.mutable_data_ptr());
    for (int other = 0; other < size(); ++other) {
        const Segment& segment = operation.segments[static_cast<std::size_t>(other)];
        if (const auto [first, last] = overlap(begin, kSlotBytes, segment); first < last)
            std::memcpy(out + segment.to + (first - segment.begin), region_->part(number, other) + (first - begin),
                        last - first);
    }
}

void SharedCommunicator::finish_oldest_part() {
    if (!broken_.empty())
        throw DistributedOperationError(broken_);
    Operation& operation = *open_.front();
    const Collective& collective = operation.collective;
    std::uint64_t number = finished_;
    std::string what = collective.text();
    if (reduced_ == number) {
        region_->wait_for(Phase::published, number + 1, what);
        reduce_next_part(operation);
    }
    std::size_t whole = operation.bytes, begin = (number - operation.first) * kSlotBytes;
    std::size_t bytes = bytes_of_part(whole, begin);
    auto* out = collective.out.defined() ? static_cast<std::uint8_t*>(collective.out.mutable_data_ptr()) : nullptr;
    if (collective.kind == CollectiveKind::all_reduce) {
        // While the others are at their slices of this part, those of the next ones can be done: one meeting for all parts.
        while (reduced_ < std::min(started_, operation.end) && !region_->all_at(Phase::reduced, number + 1) &&
               region_->all_at(Phase::published, reduced_ + 1))
            reduce_next_part(operation);
        region_->wait_for(Phase::reduced, number + 1, what);
        std::memcpy(out + begin, region_->part(number, 0), bytes);
    } else if (collective.kind == CollectiveKind::reduce_scatter) {
        reduce_own_share(collective, number, begin, bytes);
    } else if (collective.kind == CollectiveKind::all_to_all) {
        take_segments(operation, number, begin);
    } else if (collective.kind == CollectiveKind::broadcast) {
        if (collective.peer != rank() && bytes > 0)
            std::memcpy(out + begin, region_->part(number, collective.peer), bytes);
    } else if (collective.kind != CollectiveKind::barrier && bytes > 0) {
        for (int other = 0; other < size(); ++other)
            std::memcpy(out + static_cast<std::size_t>(other) * whole + begin, region_->part(number, other), bytes);
    }
    region_->advance(Phase::done, number + 1);
    finished_ = number + 1;
    if (finished_ == operation.end) {
        operation.finished = true;
        open_.pop_front();
    }
}

}  // namespace

std::shared_ptr<Communicator> share_memory(c10d::Store& store, std::shared_ptr<Communicator> sockets,
                                           std::chrono::milliseconds timeout) {
    std::unique_ptr<SharedRegion> region = SharedRegion::attach(store, sockets->rank(), sockets->size(), timeout);
    if (!region)
        return nullptr;
    return std::make_shared<SharedCommunicator>(std::move(region), std::move(sockets));
}

bool shares_memory(const Communicator& ranks) {
    return dynamic_cast<const SharedCommunicator*>(&ranks) != nullptr;
}

}  // namespace trainyard::parallel
