// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/value_rooms.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>

#include "distributed/parallel/block_codes.h"
#include "distributed/parallel/tensor_part.h"
#include "distributed/tensors/memory_meter.h"

namespace trainyard::parallel {

namespace {

/// Freed buffers that are kept for the next room of the same size: making memory of the system costs a page fault for
/// each page.
constexpr std::size_t kPooled = 2;
constexpr std::size_t kLine = 64;  ///< bytes: rooms in shared memory begin on a cache line

bool is_small(const Parameter& parameter) {
    return parameter.shape().size() < 2;
}

constexpr float kLargestCode = 448;           ///< of float8_e4m3fn
constexpr std::int64_t kPieceAlignment = 16;  ///< bytes in a message

Range elements_of(const at::Tensor& master) {
    return {master.storage_offset(), master.storage_offset() + master.numel()};
}

}  // namespace

at::Tensor ValueRooms::share_of(const Room& room, const Part& part) {
    const std::int64_t share = part.master.numel();
    return room.buffer.narrow(0, part.range.begin + room.rank * share, share);
}

std::size_t ValueRooms::shared_bytes(std::int64_t elements, std::size_t element_size) {
    return (static_cast<std::size_t>(elements) * element_size + kLine - 1) / kLine * kLine;
}

at::Tensor ValueRooms::new_buffer(std::int64_t elements, at::ScalarType type, std::uint8_t** shared) {
    const at::TensorOptions options = options_.dtype(type);
    if (shared_.empty())
        return at::empty({elements}, options);
    *shared = shared_.data();
    shared_ = shared_.subspan(shared_bytes(elements, c10::elementSize(type)));
    return at::from_blob(*shared, {elements}, options);
}

void ValueRooms::add_room(std::string name, std::vector<Part> parts, const std::vector<Place>& places, int rank,
                          Kind kind) {
    at::NoGradGuard no_grad;
    const MemoryUseScope scope(MemoryUse::compute_copy);
    Room room;
    room.name = std::move(name);
    room.parts = std::move(parts);
    room.rank = rank;
    room.kind = kind;
    const at::Tensor whole =
        new_buffer(room.parts.empty() ? 0 : room.parts.back().range.end, options_.dtype().toScalarType(), &room.shared);
    at::Tensor small;
    if (options_.dtype() != at::kFloat) {
        std::int64_t elements = 0;
        for (const Place& place : places)
            elements += is_small(*place.parameter) ? place.parameter->numel() : 0;
        if (elements > 0)
            small = new_buffer(elements, at::kFloat, &room.shared_small);
    }
    std::int64_t next = 0;
    for (const Place& place : places) {
        const Parameter& parameter = *place.parameter;
        room.parameters.push_back(&parameter);
        View view{rooms_.size(), place.begin, {}, {}};
        view.compute = whole.narrow(0, place.begin, parameter.numel()).view(parameter.shape());
        view.value = view.compute;
        if (small.defined() && is_small(parameter)) {
            view.value = small.narrow(0, next, parameter.numel()).view(parameter.shape());
            for (std::size_t i = 0; i < room.parts.size(); ++i) {
                const Part& part = room.parts[i];
                const std::int64_t share = part.range.begin + rank * part.master.numel(),
                                   in_part = place.begin + place.owned.begin - share;
                if (place.begin >= part.range.begin && place.begin < part.range.end && place.owned.size() > 0)
                    room.smalls.push_back(
                        {part.master.narrow(0, in_part, place.owned.size()), next + place.owned.begin, i, in_part});
            }
            next += parameter.numel();
        }
        places_.emplace(&parameter, std::move(view));
    }
    room.buffer = whole.variable_data();
    room.buffer_bytes = whole.nbytes();
    take_memory(room.buffer, room.name);
    if (small.defined()) {
        room.small = small.variable_data();
        room.small_bytes = small.nbytes();
        take_memory(room.small, room.name);
    }
    pool_.clear();
    largest_ = std::max(largest_, static_cast<std::int64_t>(room.buffer_bytes + room.small_bytes));
    rooms_.push_back(std::move(room));
}

void ValueRooms::give_memory(const at::Tensor& tensor, std::size_t bytes) {
    c10::StorageImpl& storage = *tensor.storage().unsafeGetStorageImpl();
    const auto pooled = std::ranges::find(pool_, bytes, [](const auto& one) { return one.first; });
    c10::DataPtr memory;
    if (pooled != pool_.end()) {
        memory = std::move(pooled->second);
        pool_.erase(pooled);
    } else {
        const MemoryUseScope scope(MemoryUse::compute_copy);
        memory = storage.allocator()->allocate(bytes);
    }
    storage.clear_data_ptr_access_error_msg_();
    storage.set_data_ptr_noswap(std::move(memory));
    storage.set_nbytes(bytes);
}

void ValueRooms::take_memory(const at::Tensor& tensor, const std::string& room) {
    c10::StorageImpl& storage = *tensor.storage().unsafeGetStorageImpl();
    const std::size_t bytes = storage.nbytes();
    c10::DataPtr memory = storage.set_data_ptr(c10::DataPtr(nullptr, storage.device()));
    if (pools_) {
        if (pool_.size() == kPooled)
            pool_.erase(pool_.begin());
        pool_.emplace_back(bytes, std::move(memory));
    }
    storage.set_nbytes(0);
    storage.release_data_and_set_meta_custom_data_ptr_error_msg_(
        "the values of " + room +
        " are read while their room is closed: they are whole only while the unit or block that owns them computes; a "
        "unit names tied parameters, a program calls the prepared model, and reads values with get_state_dict()");
}

void ValueRooms::open_shared(const at::Tensor& tensor, std::uint8_t* memory, std::size_t bytes) {
    c10::StorageImpl& storage = *tensor.storage().unsafeGetStorageImpl();
    storage.clear_data_ptr_access_error_msg_();
    storage.set_data_ptr_noswap(c10::DataPtr(memory, storage.device()));
    storage.set_nbytes(bytes);
}

/// Every rank is done with the old values: it has given its gradients before another rank could update.
void ValueRooms::update_shared(Communicator& shards) {
    if (!std::exchange(stale_, false))
        return;
    for (const Room& room : rooms_) {
        const auto write = [](std::uint8_t* memory, at::ScalarType type, std::int64_t begin, const at::Tensor& master) {
            const std::size_t offset = static_cast<std::size_t>(begin) * c10::elementSize(type);
            at::from_blob(memory + offset, {master.numel()}, master.options().dtype(type)).copy_(master);
        };
        const at::ScalarType type = options_.dtype().toScalarType();
        for (const Part& part : room.parts)
            if (type != at::kFloat)  // else the masters are there
                write(room.shared, type, part.range.begin + room.rank * part.master.numel(), part.master);
        for (const Small& own : room.smalls)
            write(room.shared_small, at::kFloat, own.begin, own.master);
    }
    shards.barrier("values of all ranks");
}

void ValueRooms::start(std::size_t number, Communicator& shards) {
    Room& room = rooms_[number];
    if (room.has_memory)
        return;
    at::NoGradGuard no_grad;
    if (can_be_masters(room)) {
        room.has_memory = room.is_open = room.is_masters = true;
        return open_shared(room.buffer, static_cast<std::uint8_t*>(room.parts[0].master.data_ptr()), room.buffer_bytes);
    }
    if (offloaded_ != nullptr && !room.has_copy)
        read_ahead(number);
    else if (room.wires.empty())
        open(room);
    else
        open_small(room);
    room.has_memory = true;
    if (room.shared != nullptr)
        return update_shared(shards);
    if (room.reading.valid())
        room.reading.get();
    if (room.has_copy)
        return gather_copy(room);
    room.copy_is_wanted = can_have_copy(room);
    if (!room.wires.empty() && code_ == Code::float8)
        update_scales(room.kind.of_experts, shards);
    for (std::size_t i = 0; i < room.parts.size(); ++i) {
        const Part& part = room.parts[i];
        if (!room.wires.empty()) {
            send_part(room, i, shards);
            continue;
        }
        const at::Tensor own = share_of(room, part);
        if (room.staged.empty())
            own.copy_(part.master);
        else if (own.scalar_type() != at::kFloat)  // else it was read there
            own.copy_(room.staged[i]);
        room.pending.push_back(shards.all_gather_async(room.buffer.narrow(0, part.range.begin, part.range.size()), own,
                                                       "values " + room.name));
    }
    if (room.small.defined()) {  // every element has one owner: the sum is what that one has
        room.small.zero_();
        for (const Small& own : room.smalls)
            room.small.narrow(0, own.begin, own.master.numel())
                .copy_(room.staged.empty() ? own.master
                                           : room.staged[own.part].narrow(0, own.in_part, own.master.numel()));
        room.pending.push_back(shards.all_reduce(room.small, "fp32 values " + room.name));
    }
    room.staged.clear();
}

bool ValueRooms::can_be_masters(const Room& room) const {
    return offloaded_ != nullptr && !room.reading.valid() && options_.dtype() == at::kFloat && room.parts.size() == 1 &&
           room.parts[0].master.numel() == room.parts[0].range.size() &&
           offloaded_->in_memory(elements_of(room.parts[0].master));
}

void ValueRooms::open_one(const at::Tensor& tensor, std::uint8_t* shared, std::size_t bytes) {
    bytes_ += static_cast<std::int64_t>(bytes);
    most_bytes_ = std::max(most_bytes_, bytes_);
    if (shared != nullptr)
        open_shared(tensor, shared, bytes);
    else if (tensor.defined())
        give_memory(tensor, bytes);
}

void ValueRooms::open_buffer(Room& room) {
    open_one(room.buffer, room.shared, room.buffer_bytes);
    room.is_open = true;
}

void ValueRooms::open_small(Room& room) {
    open_one(room.small, room.shared_small, room.small_bytes);
}

void ValueRooms::read_ahead(std::size_t number) {
    Room& room = rooms_[number];
    if (offloaded_ == nullptr || room.has_memory || room.reading.valid() || room.has_copy || can_be_masters(room))
        return;
    open(room);
    std::vector<OffloadedArena::Read> reads;
    for (const Part& part : room.parts) {
        const at::Tensor own = share_of(room, part);
        const MemoryUseScope scope(MemoryUse::compute_copy);
        room.staged.push_back(own.scalar_type() == at::kFloat ? own : at::empty_like(part.master));
        reads.push_back({elements_of(part.master), room.staged.back().data_ptr<float>()});
    }
    room.reading = offloaded_->read_values(std::move(reads));
}

void ValueRooms::release_masters(const Room& room) const {
    if (offloaded_ == nullptr)
        return;
    for (const Part& part : room.parts)
        offloaded_->release(elements_of(part.master));
    offloaded_->file().check();
}

void ValueRooms::receive(Room& room) {
    for (Pending& pending : room.pending)
        pending.wait();
    room.pending.clear();
    if (std::exchange(room.copy_is_wanted, false))
        save_copy(room);
}

void ValueRooms::finish(std::size_t number) {
    Room& room = rooms_[number];
    receive(room);
    if (room.has_memory && !room.is_open)
        open_buffer(room);
    for (std::size_t i = 0; i < room.wires.size(); ++i)
        receive_part(room, i);
}

at::Tensor ValueRooms::received_of(Room& room, std::size_t number) const {
    const Part& part = room.parts[number];
    if (room.wires.empty())
        return room.buffer.narrow(0, part.range.begin, part.range.size());
    Wire& wire = room.wires[number];
    if (!wire.received.defined()) {
        const MemoryUseScope scope(MemoryUse::compute_copy);
        wire.received = at::empty({part.range.size() / part.master.numel() * wire.bytes}, options_.dtype(at::kByte));
    }
    return wire.received;
}

at::Tensor ValueRooms::part_of_copy(const at::Tensor& received) const {
    const std::int64_t size = received.numel() / secondary_->size();
    return received.narrow(0, secondary_->rank() * size, size);
}

void ValueRooms::save_copy(Room& room) {
    const at::NoGradGuard no_grad;
    const MemoryUseScope scope(MemoryUse::compute_copy);
    room.copies.resize(room.parts.size());
    const auto save = [](at::Tensor& copy, const at::Tensor& from) {
        if (copy.defined())
            copy.copy_(from);
        else
            copy = from.clone();
    };
    for (std::size_t i = 0; i < room.parts.size(); ++i)
        save(room.copies[i], part_of_copy(received_of(room, i)));
    if (room.small.defined())
        save(room.small_copy, room.small);
    room.has_copy = true;
}

void ValueRooms::gather_copy(Room& room) {
    for (std::size_t i = 0; i < room.parts.size(); ++i) {
        const at::Tensor all = received_of(room, i), own = part_of_copy(all);
        own.copy_(room.copies[i]);
        room.pending.push_back(secondary_->all_gather_async(all, own, "second copy " + room.name));
    }
    if (room.small.defined())
        room.small.copy_(room.small_copy);
}

void ValueRooms::send_as_float8(const std::vector<const Parameter*>& matrices) {
    code_ = Code::float8;
    set_wires(matrices);
}

void ValueRooms::send_as_int8() {
    code_ = Code::int8;
    std::vector<const Parameter*> matrices;
    for (const auto& [parameter, view] : places_)
        if (!is_small(*parameter))
            matrices.push_back(parameter);
    set_wires(matrices);
}

void ValueRooms::set_wires(const std::vector<const Parameter*>& matrices) {
    scales_are_stale_.fill(true);
    scales_.clear();
    for (Room& room : rooms_) {
        room.wires.clear();
        const bool has_one = std::ranges::any_of(room.parameters, [&](const Parameter* parameter) {
            return std::ranges::find(matrices, parameter) != matrices.end();
        });
        if (!has_one || room.shared != nullptr || offloaded_ != nullptr)
            continue;
        for (const Part& part : room.parts)
            room.wires.push_back(wire_of(room, part, matrices));
    }
}

ValueRooms::Wire ValueRooms::wire_of(const Room& room, const Part& part,
                                     const std::vector<const Parameter*>& matrices) const {
    Wire wire;
    std::vector<Piece> coded;
    for (const Parameter* parameter : room.parameters) {
        const std::int64_t begin = places_.at(parameter).begin - part.range.begin;
        if (begin >= 0 && begin < part.range.size() && std::ranges::find(matrices, parameter) != matrices.end())
            coded.push_back({begin, begin + parameter->numel(), parameter});
    }
    std::ranges::sort(coded, {}, &Piece::begin);
    std::int64_t next = 0;
    for (const Piece& piece : coded) {
        if (next < piece.begin)
            wire.pieces.push_back({next, piece.begin, nullptr});
        wire.pieces.push_back(piece);
        next = piece.end;
    }
    if (next < part.range.size())
        wire.pieces.push_back({next, part.range.size(), nullptr});
    const std::int64_t share = part.master.numel();
    for (std::int64_t begin = 0; begin < part.range.size(); begin += share)
        wire.bytes = std::max(wire.bytes, visit_message(wire, {begin, begin + share}, [](auto&&...) {}));
    return wire;
}

std::int64_t ValueRooms::message_bytes(const Piece& piece, std::int64_t elements) const {
    if (piece.matrix == nullptr)
        return elements * static_cast<std::int64_t>(options_.dtype().itemsize());
    return code_ == Code::int8 ? coded_bytes(elements, CodeBits::eight) : elements;
}

template <class Visit>
std::int64_t ValueRooms::visit_message(const Wire& wire, const Range& elements, const Visit& visit) const {
    std::int64_t offset = 0;
    for (const Piece& piece : wire.pieces) {
        const std::int64_t begin = std::max(piece.begin, elements.begin), end = std::min(piece.end, elements.end);
        if (begin >= end)
            continue;
        visit(piece, begin, end, offset);
        const std::int64_t bytes = message_bytes(piece, end - begin);
        offset += (bytes + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
    }
    return offset;
}

/// The largest magnitudes of all matrices in one message, after the masters have changed.
void ValueRooms::update_scales(bool of_experts, Communicator& shards) {
    if (!std::exchange(scales_are_stale_[of_experts ? 1 : 0], false))
        return;
    std::vector<const Parameter*> matrices;
    std::vector<at::Tensor> magnitudes;
    for (const Room& room : rooms_) {
        if (room.kind.of_experts != of_experts)
            continue;
        for (std::size_t i = 0; i < room.wires.size(); ++i) {
            const at::Tensor& master = room.parts[i].master;
            const std::int64_t first = room.rank * master.numel();
            for (const Piece& piece : room.wires[i].pieces) {
                if (piece.matrix == nullptr)
                    continue;
                const std::int64_t begin = std::max(piece.begin, first),
                                   end = std::min(piece.end, first + master.numel());
                matrices.push_back(piece.matrix);
                magnitudes.push_back(begin < end
                                         ? master.narrow(0, begin - first, end - begin).abs().amax().to(at::kFloat)
                                         : at::zeros({}, master.options().dtype(at::kFloat)));
            }
        }
    }
    const at::Tensor all = at::stack(magnitudes);
    constexpr const char* kName = "largest magnitudes of weights";
    shards.all_reduce(all, kName, ReduceOp::max).wait();
    // Ranks of a tensor-parallel group have other parts of the same matrices.
    std::vector<std::int64_t> divided;
    Communicator* ranks = nullptr;
    for (std::size_t i = 0; i < matrices.size(); ++i)
        if (const TensorPart* part = matrices[i]->part(); part != nullptr && part->is_divided()) {
            divided.push_back(static_cast<std::int64_t>(i));
            ranks = part->ranks;
        }
    if (ranks != nullptr) {
        const at::Tensor places = at::tensor(divided, all.options().dtype(at::kLong)),
                         of_parts = all.index_select(0, places);
        ranks->all_reduce(of_parts, kName, ReduceOp::max).wait();
        all.index_copy_(0, places, of_parts);
    }
    constexpr double kSmallest = 1e-12;
    const at::Tensor rounded = all.to(at::kBFloat16).to(at::kCPU, at::kDouble);
    for (std::size_t i = 0; i < matrices.size(); ++i)
        scales_[matrices[i]] =
            static_cast<float>(static_cast<double>(kLargestCode) /
                               std::max(rounded[static_cast<std::int64_t>(i)].item<double>(), kSmallest));
}

void ValueRooms::send_part(Room& room, std::size_t number, Communicator& shards) {
    const Part& part = room.parts[number];
    Wire& wire = room.wires[number];
    const std::int64_t share = part.master.numel(), first = room.rank * share;
    const MemoryUseScope scope(MemoryUse::compute_copy);
    const at::TensorOptions bytes = options_.dtype(at::kByte);
    const at::Tensor sent = at::empty({wire.bytes}, bytes);
    visit_message(wire, {first, first + share},
                  [&](const Piece& piece, std::int64_t begin, std::int64_t end, std::int64_t offset) {
                      const at::Tensor own = part.master.narrow(0, begin - first, end - begin);
                      if (piece.matrix == nullptr) {
                          const at::ScalarType type = options_.dtype().toScalarType();
                          sent.narrow(0, offset, own.numel() * static_cast<std::int64_t>(c10::elementSize(type)))
                              .view(type)
                              .copy_(own);
                          return;
                      }
                      if (code_ == Code::int8)
                          return encode(own.to(at::kFloat), CodeBits::eight,
                                        sent.narrow(0, offset, message_bytes(piece, own.numel())));
                      sent.narrow(0, offset, own.numel())
                          .view(at::kFloat8_e4m3fn)
                          .copy_(own.to(at::kBFloat16)
                                     .to(at::kFloat)
                                     .mul_(static_cast<double>(scales_.at(piece.matrix)))
                                     .clamp_(-kLargestCode, kLargestCode));
                  });
    room.pending.push_back(shards.all_gather_async(received_of(room, number), sent, "values " + room.name));
}

void ValueRooms::receive_part(Room& room, std::size_t number) {
    const at::NoGradGuard no_grad;
    const Part& part = room.parts[number];
    Wire& wire = room.wires[number];
    if (!wire.received.defined())
        return;
    const std::int64_t share = part.master.numel();
    for (std::int64_t from = 0, message = 0; from < part.range.size(); from += share, message += wire.bytes)
        visit_message(wire, {from, from + share},
                      [&](const Piece& piece, std::int64_t begin, std::int64_t end, std::int64_t offset) {
                          const at::Tensor to = room.buffer.narrow(0, part.range.begin + begin, end - begin);
                          const std::int64_t at = message + offset, count = end - begin;
                          if (piece.matrix == nullptr)
                              to.copy_(wire.received.narrow(0, at, count * static_cast<std::int64_t>(to.element_size()))
                                           .view(to.scalar_type()));
                          else if (code_ == Code::int8)
                              decode_to(wire.received.narrow(0, at, message_bytes(piece, count)), CodeBits::eight, to);
                          else
                              to.copy_(wire.received.narrow(0, at, count)
                                           .view(at::kFloat8_e4m3fn)
                                           .to(at::kFloat)
                                           .div_(static_cast<double>(scales_.at(piece.matrix))));
                      });
    wire.received = at::Tensor();
}

void ValueRooms::close(std::size_t number) {
    Room& room = rooms_[number];
    const bool was_read = room.reading.valid();
    if (was_read)
        std::exchange(room.reading, {}).wait();
    if (!room.has_memory && !was_read)
        return;
    receive(room);
    for (Wire& wire : room.wires)
        wire.received = at::Tensor();
    room.staged.clear();
    const std::size_t opened = room.is_open ? room.buffer_bytes + room.small_bytes : room.small_bytes;
    if (std::exchange(room.is_open, false))
        take_memory(room.buffer, room.name);
    if (room.small.defined())
        take_memory(room.small, room.name);
    room.has_memory = false;
    if (!std::exchange(room.is_masters, false))
        bytes_ -= static_cast<std::int64_t>(opened);
}

ValueRooms::~ValueRooms() {
    for (Room& room : rooms_)
        if (room.reading.valid())
            room.reading.wait();
}

at::Tensor ValueRooms::gather_masters(std::size_t number, Communicator& shards) const {
    at::NoGradGuard no_grad;
    const Room& room = rooms_[number];
    const at::Tensor whole = room.parts.empty()
                                 ? at::empty({0}, options_.dtype(at::kFloat))
                                 : at::empty({room.parts.back().range.end}, room.parts.front().master.options());
    for (const Part& part : room.parts)
        shards.all_gather(whole.narrow(0, part.range.begin, part.range.size()), part.master,
                          "fp32 values " + room.name);
    release_masters(room);
    return whole;
}

UnitRooms::UnitRooms(ValueRooms& rooms, const std::vector<Unit*>& units, Communicator& shards, UnitRoomsOptions options)
    : rooms_(rooms), shards_(shards), options_(options), users_(rooms.count(), 0) {
    if (options.secondary_shards != nullptr)
        rooms_.keep_second_copies(*options.secondary_shards);
    for (Unit* unit : units) {
        if (unit == nullptr)
            continue;
        std::set<std::size_t> used;
        for (const std::vector<Parameter*>& parameters : {unit->parameters(), unit->tied_parameters()})
            for (const Parameter* parameter : parameters)
                if (rooms_.holds(*parameter))
                    used.insert(rooms_.room_of(*parameter));
        units_.push_back(unit);
        rooms_of_[unit].assign(used.begin(), used.end());
        unit->add_hook(this);
    }
}

void UnitRooms::begin_step() {
    if (options_.root != nullptr)
        return;
    std::ranges::fill(users_, 0);
    close_unused();
    steps_.next = 0;
    log_.clear();
    if (!steps_.uses.empty())
        for (const std::size_t room : rooms_of_.at(steps_.uses.front().first))
            rooms_.read_ahead(room);
}

void UnitRooms::close(std::size_t room) {
    if (!rooms_.is_persistent(room))
        rooms_.close(room);
}

void UnitRooms::close_unused() {
    ahead_.clear();
    rooms_.note_change();
    for (std::size_t room = 0; room < rooms_.count(); ++room)
        if (users_[room] == 0)
            close(room);
}

void UnitRooms::close_all() {
    if (options_.root != nullptr)  // an exception of the program may have left rooms open
        std::ranges::fill(users_, 0);
    close_unused();
    for (std::size_t room = 0; room < rooms_.count(); ++room)
        if (rooms_.is_persistent(room)) {
            rooms_.close(room);
            rooms_.start(room, shards_of(room));
            rooms_.finish(room);
        }
}

void UnitRooms::start(std::size_t room, const Order& order, const char* why) {
    if (rooms_.has_memory(room))
        return;
    if (&order == &steps_)
        log_.push_back(rooms_.name(room) + ' ' + why);
    rooms_.start(room, shards_of(room));
}

void UnitRooms::note(Order& order, const Use& use) {
    if (&order == &forwards_ && !order.uses.empty() && use == order.uses.front())
        order.next = 0;
    if (options_.root != nullptr && use == Use(options_.root, Pass::forward)) {
        order.next = 0;
        log_.clear();
    }
    if (order.next < order.uses.size() && order.uses[order.next] != use) {  // not as last time
        order.uses.resize(order.next);
        const std::vector<std::size_t>& wanted = rooms_of_.at(use.first);
        for (const std::size_t room : std::exchange(ahead_, {}))
            if (std::ranges::find(wanted, room) == wanted.end())
                close(room);
    }
    if (order.next == order.uses.size())
        order.uses.push_back(use);
    ++order.next;
}

void UnitRooms::gather_ahead(const Order& order) {
    std::set<std::size_t> read;
    for (std::size_t next = order.next; next < order.uses.size() && read.size() < options_.most_read_ahead; ++next)
        for (const std::size_t room : rooms_of_.at(order.uses[next].first)) {
            if (rooms_.has_memory(room))
                continue;
            if (ahead_.size() < options_.most_ahead) {
                start(room, order, "ahead");
                ahead_.insert(room);
            } else if (read.size() < options_.most_read_ahead && read.insert(room).second) {
                rooms_.read_ahead(room);
            }
        }
}

void UnitRooms::enter(const Unit& unit, Pass pass) {
    Order& order = order_of(pass);
    note(order, {&unit, pass});
    const std::vector<std::size_t>& used = rooms_of_.at(&unit);
    for (const std::size_t room : used) {
        start(room, order, pass == Pass::backward ? "backward" : "forward");
        ++users_[room];
        ahead_.erase(room);
    }
    for (const std::size_t room : used)
        rooms_.finish(room);
    gather_ahead(order);
}

bool UnitRooms::is_next_ahead(std::size_t room, const Order& order) const {
    if (order.next >= order.uses.size())
        return false;
    const std::vector<std::size_t>& used = rooms_of_.at(order.uses[order.next].first);
    if (std::ranges::find(used, room) != used.end())
        return true;
    std::set<std::size_t> before;  // that take a place ahead
    for (std::size_t next = order.next + 1; next < order.uses.size(); ++next)
        for (const std::size_t one : rooms_of_.at(order.uses[next].first)) {
            if (before.size() >= options_.most_ahead)
                return false;
            if (one == room)
                return true;
            if (std::ranges::find(used, one) == used.end() && (!rooms_.has_memory(one) || ahead_.contains(one)))
                before.insert(one);
        }
    return false;
}

void UnitRooms::leave(const Unit& unit, Pass pass, bool stays_open) {
    const Order& order = order_of(pass);
    for (const std::size_t room : rooms_of_.at(&unit)) {
        if (--users_[room] > 0 || stays_open)
            continue;
        if (rooms_.is_persistent(room) || !is_next_ahead(room, order)) {
            close(room);
            continue;
        }
        ahead_.insert(room);
        // It may take the place of a room that is used later.
        for (const std::size_t other : std::set<std::size_t>(ahead_))
            if (other != room && !is_next_ahead(other, order)) {
                ahead_.erase(other);
                close(other);
            }
    }
}

void UnitRooms::gather_without_batch() {
    for (const Unit* unit : units_) {
        enter(*unit, Pass::without_gradients);
        leave(*unit, Pass::without_gradients, !options_.reshard_after_forward);
    }
}

void UnitRooms::before(Unit& unit, Tensors&, StepContext& context) {
    enter(unit, context.training ? Pass::forward : Pass::without_gradients);
}

/// Backward begins with the last unit, and enters the root first.
bool UnitRooms::stays_open(const Unit& unit, bool training) const {
    if (options_.root != nullptr)
        return training && (!options_.reshard_after_forward || &unit == options_.root || &unit == units_.back());
    return !options_.reshard_after_forward || (training && &unit == units_.back());
}

void UnitRooms::after(Unit& unit, Tensors&, StepContext& context) {
    leave(unit, context.training ? Pass::forward : Pass::without_gradients, stays_open(unit, context.training));
}

void UnitRooms::before_backward(Unit& unit, const Tensors&, int) {
    enter(unit, Pass::backward);
}

void UnitRooms::after_backward(Unit& unit, const Tensors&, int) {
    leave(unit, Pass::backward, false);
}

}  // namespace trainyard::parallel
