// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values that no rank holds whole (Sharding::values). A room is the memory of the whole values of neighbouring groups,
// in the compute dtype: each rank casts what it owns of the fp32 masters, and an all_gather makes the rest. Parameters
// are permanent views of a room's storage, since autograd graphs hold them; opening and closing a room gives the
// storage memory and takes it away. Reading a closed room throws.
//
// Ranks on one machine need no copies: their rooms are one shared memory (shared_mapping.h), in which every rank writes
// its share, and gathering is a barrier after the masters have changed. In fp32 these shares are the masters.
//
// Masters can be on a disk (offloaded_arena.h): a thread of its own reads those of the next rooms. Of one rank in
// fp32, a
// room whose masters are in memory from one step to the next is that memory.
//
// Where the compute dtype is half, value() of parameters with fewer than two dimensions (norms, biases) is fp32 and
// compute() is half; of matrices both are half.
//
// UnitRooms opens the rooms of a unit before its forward and before its backward and closes them afterwards. It records
// the order of use and begins to gather the rooms of the next unit while the current one computes. A room that would be
// gathered again at once, as that of the last block for its backward, stays open.

#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/offloaded_arena.h"
#include "distributed/parallel/parameter.h"
#include "distributed/parallel/split.h"
#include "distributed/parallel/unit.h"

namespace trainyard::parallel {

class ValueRooms {
  public:
    struct Memory {
        /// One for all ranks, for rooms and fp32 values of small parameters; empty: each rank has its own rooms.
        std::span<std::uint8_t> shared{};
        OffloadedArena* masters = nullptr;  ///< has the masters; null: they are in memory
    };
    /// `options`: device and compute dtype.
    ValueRooms(at::TensorOptions options, Memory memory)
        : options_(options),
          shared_(memory.shared),
          offloaded_(memory.masters),
          pools_(memory.shared.empty() && memory.masters == nullptr) {}
    /// Bytes of shared memory that a room takes.
    static std::size_t shared_bytes(std::int64_t elements, std::size_t element_size);
    ~ValueRooms();
    ValueRooms(const ValueRooms&) = delete;
    ValueRooms& operator=(const ValueRooms&) = delete;

    /// A range of the room, in elements, that divides evenly among the ranks, and the masters of this rank's share of
    /// it.
    struct Part {
        Range range;
        at::Tensor master;
    };
    /// A parameter, the offset of its first element in the room, and the elements of it that this rank owns.
    struct Place {
        const Parameter* parameter = nullptr;
        std::int64_t begin = 0;
        Range owned;
    };
    struct Kind {
        bool of_experts = false;  ///< the shares are among the ranks that have these experts
        bool persistent = false;  ///< it is never closed but to be gathered again
    };
    /// Rooms are numbered in the order in which they are added.
    void add_room(std::string name, std::vector<Part> parts, const std::vector<Place>& places, int rank, Kind kind);
    std::size_t count() const { return rooms_.size(); }
    const std::string& name(std::size_t room) const { return rooms_[room].name; }
    bool is_of_experts(std::size_t room) const { return rooms_[room].kind.of_experts; }
    bool is_persistent(std::size_t room) const { return rooms_[room].kind.persistent; }
    bool holds(const Parameter& parameter) const { return places_.contains(&parameter); }
    std::size_t room_of(const Parameter& parameter) const { return places_.at(&parameter).room; }
    /// What value() and compute() of a parameter are to be. They have no memory while the room is closed.
    at::Tensor value_view(const Parameter& parameter) const { return places_.at(&parameter).value; }
    at::Tensor compute_view(const Parameter& parameter) const { return places_.at(&parameter).compute; }

    /// From the next time on these matrices are sent as codes of float8_e4m3fn with a scale for each, which follows
    /// from
    /// the largest magnitude of the whole matrix in bfloat16: products in fp8 with a scale for each tensor compute the
    /// same. Rooms that the ranks share, and those of masters on a disk, are as before.
    void send_as_float8(const std::vector<const Parameter*>& matrices);
    /// From the next time on all matrices are sent as 8-bit codes (block_codes.h). For rooms of a rank's own.
    void send_as_int8();
    /// Of rooms that are closed and gathered again before the masters change, these ranks have a second copy together,
    /// each a part; such a room is gathered over them. For rooms of a rank's own.
    void keep_second_copies(Communicator& ranks) { secondary_ = &ranks; }

    /// Begins to gather. Collective over the ranks that own the shares.
    void start(std::size_t room, Communicator& shards);
    /// Begins to read the masters of a closed room, where they are on a disk. Does not wait. The room has its memory
    /// from then on.
    void read_ahead(std::size_t room);
    /// The masters have changed: shared rooms and second copies are out of date.
    void note_change() {
        stale_ = true;
        for (Room& room : rooms_)
            room.copy_is_wanted = room.has_copy = false;
        scales_are_stale_.fill(true);
    }
    /// Waits for what start() began.
    void finish(std::size_t room);
    void close(std::size_t room);
    /// Between start() and close(). Of a room that is sent as codes only these exist until finish().
    bool has_memory(std::size_t room) const { return rooms_[room].has_memory; }

    /// Values of a room as the masters have them, whole: `visit` gets every parameter and a tensor of its shape.
    /// Collective; the room itself is not used.
    template <class Visit>
    void visit_whole(std::size_t room, Communicator& shards, const Visit& visit) const {
        const at::Tensor whole = gather_masters(room, shards);
        for (const Parameter* parameter : rooms_[room].parameters)
            visit(*parameter,
                  whole.narrow(0, places_.at(parameter).begin, parameter->numel()).view(parameter->shape()));
    }

    std::int64_t bytes() const { return bytes_; }            ///< of open rooms without masters
    std::int64_t most_bytes() const { return most_bytes_; }  ///< the peak so far
    std::int64_t largest_room() const { return largest_; }   ///< bytes

  private:
    struct Small {
        at::Tensor master;  ///< owned elements
        std::int64_t begin = 0;
        std::size_t part = 0;      ///< of the room
        std::int64_t in_part = 0;  ///< their first one, in the share of that part
    };
    /// Consecutive elements of a part that are sent in one format; `matrix`: as its codes, null: as they are.
    struct Piece {
        std::int64_t begin = 0, end = 0;
        const Parameter* matrix = nullptr;
    };
    /// A part that is sent in pieces.
    struct Wire {
        std::vector<Piece> pieces;
        std::int64_t bytes = 0;  ///< that every rank sends
        at::Tensor received;     ///< uint8 [ranks * bytes], from start() to finish()
    };
    struct Room {
        std::string name;
        std::vector<Part> parts;
        std::vector<const Parameter*> parameters;
        at::Tensor buffer;  ///< of the whole storage, with a version counter of its own
        at::Tensor small;   ///< fp32, of parameters with fewer than two dimensions; undefined where the room is fp32
        std::uint8_t *shared = nullptr, *shared_small = nullptr;  ///< their memory, where the ranks share it
        std::vector<Small> smalls;                                ///< this rank's share of it
        std::size_t buffer_bytes = 0, small_bytes = 0;
        int rank = 0;
        Kind kind;
        bool has_memory = false;         ///< from start() to close()
        bool is_open = false;            ///< the buffer has memory: of a room that is sent as codes from finish() on
        bool is_masters = false;         ///< its memory is that of the masters
        std::future<void> reading;       ///< valid from read_ahead() to start()
        std::vector<at::Tensor> staged;  ///< fp32 [share] of each part, while they are read
        std::vector<Pending> pending;
        std::vector<Wire> wires;  ///< of each part; empty: they are sent as they are
        /// This rank's share of the second copy, of each part as it is sent, and the fp32 values of small parameters,
        /// whole.
        std::vector<at::Tensor> copies;
        at::Tensor small_copy;
        bool copy_is_wanted = false;  ///< what finish() waits for is to be copied
        bool has_copy = false;
    };
    struct View {
        std::size_t room = 0;
        std::int64_t begin = 0;
        at::Tensor value, compute;
    };
    at::Tensor gather_masters(std::size_t room, Communicator& shards) const;
    /// Calls `visit(piece, begin, end, offset)` for the pieces of elements [begin, end) of a part, and where they are
    /// in
    /// the message. Returns the bytes of all.
    template <class Visit>
    std::int64_t visit_message(const Wire& wire, const Range& elements, const Visit& visit) const;
    Wire wire_of(const Room& room, const Part& part, const std::vector<const Parameter*>& matrices) const;
    void update_scales(bool of_experts, Communicator& shards);
    void send_part(Room& room, std::size_t part, Communicator& shards);
    void receive_part(Room& room, std::size_t part);
    enum class Code { float8, int8 };
    /// Bytes of so many elements of a piece in a message.
    std::int64_t message_bytes(const Piece& piece, std::int64_t elements) const;
    void set_wires(const std::vector<const Parameter*>& matrices);
    bool can_have_copy(const Room& room) const {
        return secondary_ != nullptr && !room.kind.of_experts && !room.kind.persistent;
    }
    /// What is sent of a part and received of all ranks: bytes of the message, or the values in the room.
    at::Tensor received_of(Room& room, std::size_t part) const;
    at::Tensor part_of_copy(const at::Tensor& received) const;
    void save_copy(Room& room);
    void gather_copy(Room& room);
    /// Memory of the next room: of its own, or the next piece of what the ranks share.
    at::Tensor new_buffer(std::int64_t elements, at::ScalarType type, std::uint8_t** shared);
    void open_shared(const at::Tensor& tensor, std::uint8_t* memory, std::size_t bytes);
    void update_shared(Communicator& shards);
    void release_masters(const Room& room) const;
    /// This rank's share of a part, in the room.
    static at::Tensor share_of(const Room& room, const Part& part);
    bool can_be_masters(const Room& room) const;
    void open(Room& room) {
        open_buffer(room);
        open_small(room);
    }
    void open_buffer(Room& room);
    void open_small(Room& room);
    void open_one(const at::Tensor& tensor, std::uint8_t* shared, std::size_t bytes);
    /// Waits for what start() began.
    void receive(Room& room);
    void give_memory(const at::Tensor& tensor, std::size_t bytes);
    void take_memory(const at::Tensor& tensor, const std::string& room);

    at::TensorOptions options_;
    std::span<std::uint8_t> shared_;  ///< what no room has yet
    OffloadedArena* offloaded_;
    bool pools_;                                        ///< memory of closed rooms
    bool stale_ = true;                                 ///< shared rooms do not have the values of the masters
    Code code_ = Code::float8;                          ///< of pieces that are sent as codes
    Communicator* secondary_ = nullptr;                 ///< ranks with a second copy; null: there is none
    std::map<const Parameter*, float> scales_;          ///< of matrices that are sent as codes
    std::array<bool, 2> scales_are_stale_{true, true};  ///< [of experts]
    std::vector<Room> rooms_;
    std::map<const Parameter*, View> places_;
    std::vector<std::pair<std::size_t, c10::DataPtr>> pool_;  ///< closed rooms' memory, oldest first
    std::int64_t bytes_ = 0, most_bytes_ = 0, largest_ = 0;
};

struct UnitRoomsOptions {
    bool reshard_after_forward = true;  ///< false: rooms stay open from forward until the unit's backward has ended
    std::size_t most_ahead = 2;         ///< rooms that are gathered before a unit uses them, at one time
    std::size_t most_read_ahead = 1;    ///< rooms after those, whose masters are read where they are on a disk
    Communicator* secondary_shards = nullptr;  ///< ranks with a second copy of all shares; null: there are none
    Communicator* expert_shards = nullptr;     ///< the ranks that own shares of rooms of experts; null: there are none
    /// Of a program's own module, the unit that runs all others: its forward begins a step instead of begin_step(), and
    /// its rooms stay open from there to its backward. Null: begin_step() is called.
    const Unit* root = nullptr;
};

class UnitRooms final : public UnitHook {
  public:
    /// Adds itself to every unit that is not null.
    UnitRooms(ValueRooms& rooms, const std::vector<Unit*>& units, Communicator& shards, UnitRoomsOptions options);

    /// The next use is the first one of a step. Does nothing where the options name a root.
    void begin_step();
    /// The masters changed: values are gathered again at the next use, those of persistent rooms at once. Collective
    /// with those.
    void close_all();
    /// The collectives of a forward of all units without gradients, for a rank that has no batch where others have one.
    void gather_without_batch();

    /// What was gathered since the last begin_step(), in its order: "h.0 forward", "h.1 ahead". The same on all ranks.
    const std::vector<std::string>& log() const { return log_; }

    void before(Unit& unit, Tensors& inputs, StepContext& context) override;
    void after(Unit& unit, Tensors& outputs, StepContext& context) override;
    void before_backward(Unit& unit, const Tensors& gradients, int micro_batch) override;
    void after_backward(Unit& unit, const Tensors& gradients, int micro_batch) override;

  private:
    enum class Pass { forward, backward, without_gradients };
    using Use = std::pair<const Unit*, Pass>;
    /// Uses in the order of the last time, and which of them comes next.
    struct Order {
        std::vector<Use> uses;
        std::size_t next = 0;
    };
    Order& order_of(Pass pass) { return pass == Pass::without_gradients ? forwards_ : steps_; }
    Communicator& shards_of(std::size_t room) const {
        return rooms_.is_of_experts(room) ? *options_.expert_shards : shards_;
    }
    void close(std::size_t room);
    void close_unused();
    void enter(const Unit& unit, Pass pass);
    void leave(const Unit& unit, Pass pass, bool stays_open);
    /// Whether a room that nothing uses any longer is one of those that the next unit uses, or gathers ahead.
    bool is_next_ahead(std::size_t room, const Order& order) const;
    void note(Order& order, const Use& use);
    bool stays_open(const Unit& unit, bool training) const;
    void gather_ahead(const Order& order);
    void start(std::size_t room, const Order& order, const char* why);

    ValueRooms& rooms_;
    Communicator& shards_;
    UnitRoomsOptions options_;
    std::vector<const Unit*> units_;
    std::map<const Unit*, std::vector<std::size_t>> rooms_of_;
    std::vector<int> users_;       ///< [room]
    std::set<std::size_t> ahead_;  ///< rooms that were gathered and not used yet
    Order steps_, forwards_;
    std::vector<std::string> log_;
};

}  // namespace trainyard::parallel
