// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/value_rooms.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>

#include "distributed/tensors/memory_meter.h"

namespace trainyard::parallel {

namespace {

/// Freed buffers that are kept for the next room of the same size: making memory of the system costs a page fault for
/// each page.
constexpr std::size_t kPooled = 2;
/// Rooms whose masters are read from a disk while those before them are gathered.
constexpr std::size_t kMostReadAhead = 2;
constexpr std::size_t kLine = 64;  ///< bytes: rooms in shared memory begin on a cache line

bool is_small(const Parameter& parameter) {
    return parameter.shape().size() < 2;
}

Range elements_of(const at::Tensor& master) {
    return {master.storage_offset(), master.storage_offset() + master.numel()};
}

}  // namespace

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
            for (const Part& part : room.parts) {
                const std::int64_t share = part.range.begin + rank * part.master.numel();
                if (place.begin >= part.range.begin && place.begin < part.range.end && place.owned.size() > 0)
                    room.smalls.push_back(
                        {part.master.narrow(0, place.begin + place.owned.begin - share, place.owned.size()),
                         next + place.owned.begin});
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
    room.has_memory = true;
    bytes_ += static_cast<std::int64_t>(room.buffer_bytes + room.small_bytes);
    most_bytes_ = std::max(most_bytes_, bytes_);
    if (room.shared != nullptr) {
        open_shared(room.buffer, room.shared, room.buffer_bytes);
        if (room.small.defined())
            open_shared(room.small, room.shared_small, room.small_bytes);
        return update_shared(shards);
    }
    give_memory(room.buffer, room.buffer_bytes);
    if (room.small.defined())
        give_memory(room.small, room.small_bytes);
    for (const Part& part : room.parts) {
        const std::int64_t share = part.master.numel();
        const at::Tensor own = room.buffer.narrow(0, part.range.begin + room.rank * share, share);
        own.copy_(part.master);
        room.pending.push_back(shards.all_gather_async(room.buffer.narrow(0, part.range.begin, part.range.size()), own,
                                                       "values " + room.name));
    }
    if (room.small.defined()) {  // every element has one owner: the sum is what that one has
        room.small.zero_();
        for (const Small& own : room.smalls)
            room.small.narrow(0, own.begin, own.master.numel()).copy_(own.master);
        room.pending.push_back(shards.all_reduce(room.small, "fp32 values " + room.name));
    }
    release_masters(room);
}

void ValueRooms::read_ahead(std::size_t number) const {
    if (offloaded_ != nullptr)
        for (const Part& part : rooms_[number].parts)
            offloaded_->read_ahead(elements_of(part.master));
}

void ValueRooms::release_masters(const Room& room) const {
    if (offloaded_ == nullptr)
        return;
    for (const Part& part : room.parts)
        offloaded_->release(elements_of(part.master));
    offloaded_->file().check();
}

void ValueRooms::finish(std::size_t number) {
    Room& room = rooms_[number];
    for (Pending& pending : room.pending)
        pending.wait();
    room.pending.clear();
}

void ValueRooms::close(std::size_t number) {
    Room& room = rooms_[number];
    if (!room.has_memory)
        return;
    finish(number);
    take_memory(room.buffer, room.name);
    if (room.small.defined())
        take_memory(room.small, room.name);
    room.has_memory = false;
    bytes_ -= static_cast<std::int64_t>(room.buffer_bytes + room.small_bytes);
}

at::Tensor ValueRooms::gather_masters(std::size_t number, Communicator& shards) const {
    at::NoGradGuard no_grad;
    const Room& room = rooms_[number];
    const at::Tensor whole =
        at::empty({room.parts.empty() ? 0 : room.parts.back().range.end}, options_.dtype(at::kFloat));
    for (const Part& part : room.parts)
        shards.all_gather(whole.narrow(0, part.range.begin, part.range.size()), part.master,
                          "fp32 values " + room.name);
    release_masters(room);
    return whole;
}

UnitRooms::UnitRooms(ValueRooms& rooms, const std::vector<Unit*>& units, Communicator& shards, UnitRoomsOptions options)
    : rooms_(rooms), shards_(shards), options_(options), users_(rooms.count(), 0) {
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
    for (std::size_t next = order.next; next < order.uses.size() && read.size() < kMostReadAhead; ++next)
        for (const std::size_t room : rooms_of_.at(order.uses[next].first)) {
            if (rooms_.has_memory(room))
                continue;
            if (ahead_.size() < options_.most_ahead) {
                start(room, order, "ahead");
                ahead_.insert(room);
            } else if (read.size() < kMostReadAhead && read.insert(room).second) {
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

void UnitRooms::leave(const Unit& unit, bool stays_open) {
    for (const std::size_t room : rooms_of_.at(&unit))
        if (--users_[room] == 0 && !stays_open)
            close(room);
}

void UnitRooms::gather_without_batch() {
    for (const Unit* unit : units_) {
        enter(*unit, Pass::without_gradients);
        leave(*unit, !options_.reshard_after_forward);
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
    leave(unit, stays_open(unit, context.training));
}

void UnitRooms::before_backward(Unit& unit, const Tensors&, int) {
    enter(unit, Pass::backward);
}

void UnitRooms::after_backward(Unit& unit, const Tensors&, int) {
    leave(unit, false);
}

}  // namespace trainyard::parallel
