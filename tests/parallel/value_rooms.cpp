// SPDX-License-Identifier: GPL-3.0-or-later
// Rooms of values that the ranks share: what parameters are while they are open, that nothing reads them closed, and
// when units open them.

#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/custom_function.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/group_sync.h"
#include "parallel/over_ranks.h"
#include "support/temporary_folder.h"

namespace trainyard::parallel {
namespace {

using test::over_ranks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// y = x * matrix + bias, row by row. Backward reads the matrix again.
struct ScaleAndShift : torch::autograd::Function<ScaleAndShift> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              Parameter* matrix, Parameter* bias) {
        context->save_for_backward({x});
        context->saved_data["matrix"] = reinterpret_cast<std::int64_t>(matrix);
        context->saved_data["bias"] = reinterpret_cast<std::int64_t>(bias);
        return x.mul(compute.detach().to(at::kFloat)).add(bias->value());
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto* matrix = reinterpret_cast<Parameter*>(context->saved_data["matrix"].toInt());
        auto* bias = reinterpret_cast<Parameter*>(context->saved_data["bias"].toInt());
        matrix->add_gradient(gradients[0].mul(context->get_saved_variables()[0]));
        bias->add_gradient(gradients[0].sum(0));
        return {gradients[0].mul(matrix->value().to(at::kFloat)), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

/// 3 rows, which two ranks cannot share evenly by rows. `of` has the matrix where the unit has none of its own.
class RowUnit final : public Unit {
  public:
    explicit RowUnit(std::string name, RowUnit* of = nullptr)
        : Unit(std::move(name)),
          matrix_(of == nullptr ? add_parameter(this->name() + ".weight", {3, 5}, {Initialiser::Kind::normal, 0.5})
                                : tie_parameter(of->matrix_)),
          bias_(add_parameter(this->name() + ".bias", {5}, {Initialiser::Kind::normal, 0.5})) {}
    Parameter& matrix() { return matrix_; }
    Parameter& bias() { return bias_; }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const at::Tensor x =
            inputs.empty() ? at::ones({3, 5}).mul_(static_cast<double>(context.first_sample)) : inputs.at(0);
        return {ScaleAndShift::apply(x, matrix_.compute(), &matrix_, &bias_)};
    }

  private:
    Parameter& matrix_;
    Parameter& bias_;
};

/// The places of the rooms of stage 3 and of its masters.
struct PlaceOfValues {
    Communicator* sharers = nullptr;
    std::filesystem::path offload_folder{};
};

/// a, b, c and a head that uses a's matrix.
struct Chain {
    RowUnit a{"a"}, b{"b"}, c{"c"}, head{"head", &a};
    std::optional<FlatArena> arena;

    std::vector<Unit*> units() { return {&a, &b, &c, &head}; }
    std::vector<Parameter*> parameters() {
        std::vector<Parameter*> all;
        for (Unit* unit : units())
            all.insert(all.end(), unit->parameters().begin(), unit->parameters().end());
        return all;
    }
    Chain(std::int64_t stage, int rank, int ranks, at::ScalarType type = at::kFloat, std::int64_t room_elements = 1,
          bool frozen = false, const PlaceOfValues& memory = {}) {
        if (frozen)
            for (Parameter* parameter : {&a.matrix(), &b.matrix(), &b.bias()})
                parameter->freeze();
        ArenaOptions options;
        options.sharding = sharding_of_stage(stage);
        options.rank = rank;
        options.ranks = ranks;
        options.bucket_bytes = 1;
        options.room_elements = room_elements;
        options.room_sharers = memory.sharers;
        options.offload_folder = memory.offload_folder;
        std::vector<GroupRequest> groups;
        for (Unit* unit : units())
            groups.push_back({unit->name(), unit->parameters()});
        arena.emplace(groups, type, at::kCPU, false, options);
        arena->initialise(7);
    }
    double run(std::int64_t sample) {
        StepContext context;
        context.first_sample = sample;
        const std::vector<Unit*> all = units();
        const at::Tensor loss = run_units(all, {}, context).at(0).sum();
        loss.backward();
        for (Unit* unit : all)
            unit->finish_backward();
        return loss.item<double>();
    }
};

/// The file without a name that this process has in a folder.
FileDescriptor nameless_file(const std::filesystem::path& folder) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        if (std::filesystem::read_symlink(entry.path(), error).string().find(folder.string()) != std::string::npos)
            return FileDescriptor(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC));
    return {};
}

enum class Kind { gathered, shared, on_disk };

void expect_values_of_one_rank(Kind kind, const std::filesystem::path& folder) {
    for (at::ScalarType type : {at::kFloat, at::kBFloat16})
        for (std::int64_t room_elements : {1, 70, 1 << 20})
            for (bool frozen : {false, true})
                for (int ranks : {1, 2, 3, 4}) {
                    if (ranks == 1 && kind != Kind::on_disk)
                        continue;  // has no rooms
                    over_ranks(ranks, [&](Communicator& shards) {
                        PlaceOfValues memory;
                        if (kind == Kind::shared)
                            memory.sharers = &shards;
                        if (kind == Kind::on_disk)
                            memory.offload_folder = folder;
                        Chain whole(0, 0, 1, type, 1, frozen),
                            shared(3, shards.rank(), ranks, type, room_elements, frozen, memory);
                        ValueRooms& rooms = *shared.arena->value_rooms();
                        EXPECT_EQ(rooms.count(), room_elements == 1 ? 4U : room_elements == 70 ? 2U : 1U);
                        const std::vector<Parameter*> expected = whole.parameters(), got = shared.parameters();
                        for (int time = 0; time < 2; ++time) {
                            EXPECT_EQ(rooms.bytes(), 0);
                            EXPECT_THROW(got[0]->value().sum().item<float>(), c10::Error);
                            for (std::size_t room = 0; room < rooms.count(); ++room)
                                rooms.start(room, shards);
                            for (std::size_t room = 0; room < rooms.count(); ++room)
                                rooms.finish(room);
                            for (std::size_t i = 0; i < got.size(); ++i) {
                                EXPECT_TRUE(got[i]->compute().equal(expected[i]->compute())) << got[i]->name();
                                // fp32 for norms and biases, the compute dtype for matrices.
                                EXPECT_TRUE(got[i]->value().equal(got[i]->shape().size() < 2 ? expected[i]->value()
                                                                                             : expected[i]->compute()))
                                    << got[i]->name();
                            }
                            EXPECT_EQ(rooms.bytes(), rooms.most_bytes());
                            for (std::size_t room = 0; room < rooms.count(); ++room)
                                rooms.close(room);
                        }
                        std::size_t visited = 0;
                        for (std::size_t room = 0; room < rooms.count(); ++room)
                            rooms.visit_whole(room, shards, [&](const Parameter& parameter, const at::Tensor& value) {
                                ++visited;
                                for (const Parameter* one : expected)
                                    EXPECT_TRUE(one->name() != parameter.name() || value.equal(one->value()))
                                        << "fp32, whatever rooms have";
                            });
                        EXPECT_EQ(visited, got.size());
                    });
                }
}

TEST(ValueRooms, OpenRoomsHaveTheValuesOfOneRankAndClosedOnesThrow) {
    expect_values_of_one_rank(Kind::gathered, {});
}

TEST(ValueRooms, SoHaveThoseThatTheRanksShare) {
    expect_values_of_one_rank(Kind::shared, {});
}

TEST(ValueRooms, AndThoseWithMastersOnADisk) {
    const test::TemporaryFolder folder;
    expect_values_of_one_rank(Kind::on_disk, folder.path());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ValueRooms, SharedMemoryHasTheValuesOnceAndShowsEveryChange) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
        for (int ranks : {2, 4}) {
            std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
            over_ranks(ranks, [&](Communicator& shards) {
                Chain chain(3, shards.rank(), ranks, type, 1, true, {&shards, {}});
                bytes[static_cast<std::size_t>(shards.rank())] =
                    chain.arena->own_bytes() - static_cast<std::int64_t>(chain.arena->gradients().nbytes());
                ValueRooms& rooms = *chain.arena->value_rooms();
                const std::uint64_t before = shards.stats().operations(CollectiveKind::all_gather).bytes;
                for (int time = 1; time <= 3; ++time) {
                    const double value = 0.25 * time;
                    for (const Parameter* parameter : chain.parameters())
                        chain.arena->held_value(*parameter).fill_(value);  // each rank what it owns
                    rooms.note_change();
                    for (std::size_t room = 0; room < rooms.count(); ++room)
                        rooms.start(room, shards);
                    for (const Parameter* parameter : chain.parameters()) {
                        EXPECT_EQ(parameter->value().min().item<double>(), value);
                        EXPECT_EQ(parameter->compute().max().item<double>(), value);
                    }
                    shards.barrier("all have read");
                    for (std::size_t room = 0; room < rooms.count(); ++room)
                        rooms.close(room);
                }
                EXPECT_EQ(shards.stats().operations(CollectiveKind::all_gather).bytes, before) << "nothing is sent";
            });
            const Chain whole(0, 0, 1, type, 1, true);
            std::int64_t together = 0;
            for (const std::int64_t each : bytes)
                together += each;
            const std::int64_t one =
                whole.arena->own_bytes() - static_cast<std::int64_t>(whole.arena->gradients().nbytes());
            EXPECT_LE(together, one + 8 * 2 * ranks * 64) << "padding: a cache line for each range, rank and copy";
        }
}

/// Returns the message of an error of the caller.
template <class Body>
std::string message_of(const Body& body) {
    try {
        body();
    } catch (const UserError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(ValueRooms, AFolderThatCannotHaveTheMastersAndADiskThatFailsAreNamed) {
    const test::TemporaryFolder folder;
    const auto make = [](const std::filesystem::path& place, std::int64_t elements) {
        return message_of([&] { const OffloadedArena arena(place, 3, elements, 1); });
    };
    EXPECT_THAT(make("/dev/shm", std::int64_t{1} << 44),
                HasSubstr("the disk of /dev/shm has no room for the weights and gradients of rank 3: it takes "));
    EXPECT_THAT(make(folder.path() / "none", 10), HasSubstr("does not exist: make it, or name another one"));
    over_ranks(1, [&](Communicator& shards) {
        Chain chain(3, 0, 1, at::kFloat, 1, false, {nullptr, folder.path()});
        ASSERT_EQ(::ftruncate(nameless_file(folder.path()).get(), 0), 0);
        EXPECT_THAT(message_of([&] { chain.arena->value_rooms()->start(0, shards); }),
                    HasSubstr("the weights and gradients of rank 0 in " + folder.path().string() + " is lost"));
    });
}

TEST(ValueRooms, SayWhichRoomIsClosed) {
    over_ranks(2, [](Communicator& shards) {
        Chain chain(3, shards.rank(), 2);
        try {
            chain.b.matrix().compute().sum();
            ADD_FAILURE() << "read a closed room";
        } catch (const c10::Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("the values of b are read while their room is closed"));
        }
    });
}

/// Elements that the ranks own, each once: of frozen parameters, too.
TEST(ValueRooms, EveryRankHoldsItsShareOfTheMasters) {
    for (int ranks : {2, 3, 4}) {
        std::int64_t together = 0, whole = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            Chain chain(3, rank, ranks, at::kFloat, 1, true);
            whole = 0;
            for (const Parameter* parameter : chain.parameters()) {
                together += chain.arena->held_of(*parameter).size();
                whole += parameter->numel();
                EXPECT_EQ(chain.arena->held_value(*parameter).numel(), chain.arena->held_of(*parameter).size());
            }
            EXPECT_LE(chain.arena->values().numel(), whole / ranks + 8 * 16) << "at most a cache line for each range";
        }
        EXPECT_EQ(together, whole);
    }
}

struct Trained {
    std::vector<std::string> log;
    std::vector<double> losses;
    std::map<std::string, at::Tensor> gradients;
    std::int64_t most_bytes = 0, largest = 0;
};

Trained train(Communicator& shards, std::int64_t stage, const GroupSyncOptions& options, bool recomputes, int samples,
              bool frozen = false, const PlaceOfValues& memory = {}) {
    Chain chain(stage, shards.rank(), shards.size(), at::kFloat, 1, frozen, memory);
    GroupSync sync(*chain.arena, chain.units(), shards, options);
    ActivationCheckpointing recomputation;
    if (recomputes)
        chain.b.add_hook(&recomputation);
    Trained trained;
    for (int step = 0; step < 3; ++step) {
        chain.arena->forget_gradients();
        sync.begin_step();
        for (int sample = 0; sample < samples; ++sample) {
            sync.begin_micro_batch(sample + 1 == samples);
            trained.losses.push_back(chain.run(sample + 1));
            sync.end_micro_batch();
        }
        sync.finish();
        sync.publish_values();
        if (sync.rooms() != nullptr) {
            EXPECT_EQ(chain.arena->value_rooms()->bytes(), 0) << "all rooms are closed after a step";
            trained.log = sync.rooms()->log();
        }
    }
    at::Tensor own = chain.arena->new_state();
    for (const Parameter* parameter : chain.parameters())
        if (parameter->trains())
            chain.arena->state_view(own, *parameter).copy_(chain.arena->owned_gradient(*parameter));
    const at::Tensor whole = sync.gather_state_on_first(own, "gradients");
    for (const Parameter* parameter : chain.parameters())
        if (parameter->trains() && whole.defined())
            trained.gradients[parameter->name()] = chain.arena->view(whole, *parameter).clone();
    if (const ValueRooms* rooms = chain.arena->value_rooms()) {
        trained.most_bytes = rooms->most_bytes();
        trained.largest = rooms->largest_room();
    }
    return trained;
}

TEST(UnitRooms, LossesAndGradientsAreThoseOfReplicas) {
    for (int ranks : {2, 3})
        for (bool reshard : {true, false})
            for (bool recomputes : {false, true})
                for (bool frozen : {false, true})
                    for (int samples : {1, 3})
                        over_ranks(ranks, [&](Communicator& shards) {
                            GroupSyncOptions options;
                            options.rooms.reshard_after_forward = reshard;
                            const Trained expected = train(shards, 0, options, recomputes, samples, frozen),
                                          got = train(shards, 3, options, recomputes, samples, frozen);
                            EXPECT_EQ(got.losses, expected.losses);
                            ASSERT_EQ(got.gradients.size(), expected.gradients.size());
                            for (const auto& [name, gradient] : expected.gradients)
                                EXPECT_LT(gradient.sub(got.gradients.at(name)).abs().max().item<double>(), 1e-4)
                                    << name;
                        });
}

TEST(UnitRooms, SoDoThoseInSharedMemoryAndWithMastersOnADisk) {
    const test::TemporaryFolder folder;
    for (int ranks : {1, 2, 3})
        for (bool reshard : {true, false})
            for (bool recomputes : {false, true})
                for (bool frozen : {false, true})
                    over_ranks(ranks, [&](Communicator& shards) {
                        GroupSyncOptions options;
                        options.rooms.reshard_after_forward = reshard;
                        options.rooms.most_ahead = 1;  // as where masters are on a disk
                        const Trained expected = train(shards, ranks == 1 ? 0 : 3, options, recomputes, 3, frozen),
                                      in_file =
                                          train(shards, 3, options, recomputes, 3, frozen, {nullptr, folder.path()});
                        std::vector<const Trained*> all{&in_file};
                        std::optional<Trained> in_memory;
                        if (ranks > 1)
                            all.push_back(
                                &in_memory.emplace(train(shards, 3, options, recomputes, 3, frozen, {&shards, {}})));
                        for (const Trained* got : all) {
                            EXPECT_EQ(got->losses, expected.losses);
                            ASSERT_EQ(got->gradients.size(), expected.gradients.size());
                            // Without rooms the gradients of a tied matrix are added in another order.
                            for (const auto& [name, gradient] : expected.gradients)
                                EXPECT_LE(gradient.sub(got->gradients.at(name)).abs().max().item<double>(),
                                          ranks == 1 ? 1e-4 : 0)
                                    << name;
                            EXPECT_TRUE(ranks == 1 || got->log == expected.log) << "the order of rooms";
                        }
                    });
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(UnitRooms, TheOrderIsTheSameOnAllRanksAndTheNextRoomComesAhead) {
    std::vector<std::vector<std::string>> logs(2);
    over_ranks(2, [&](Communicator& shards) {
        GroupSyncOptions options;
        options.rooms.most_ahead = 1;
        logs[static_cast<std::size_t>(shards.rank())] = train(shards, 3, options, false, 1).log;
    });
    EXPECT_EQ(logs[0], logs[1]);
    // The head keeps its rooms, a's among them, for its backward, and c's stays ahead of it.
    EXPECT_THAT(logs[0],
                ElementsAre("a forward", "b ahead", "c ahead", "a ahead", "head forward", "b ahead", "a ahead"));
}

TEST(UnitRooms, OpenRoomsAreBounded) {
    over_ranks(2, [](Communicator& shards) {
        GroupSyncOptions options;
        options.rooms.most_ahead = 1;
        const Trained trained = train(shards, 3, options, false, 2);
        // Those of the head, a's and its own, and one that is gathered ahead.
        EXPECT_LE(trained.most_bytes, 3 * trained.largest);
        options.rooms.reshard_after_forward = false;
        EXPECT_GT(train(shards, 3, options, false, 2).most_bytes, trained.most_bytes);
    });
}

TEST(UnitRooms, ARankWithoutBatchGathersWithTheOthers) {
    over_ranks(2, [](Communicator& shards) {
        Chain chain(3, shards.rank(), 2);
        GroupSync sync(*chain.arena, chain.units(), shards);
        at::NoGradGuard no_grad;
        for (int pass = 0; pass < 3; ++pass) {
            if (shards.rank() == 1 && pass > 0) {
                sync.rooms()->gather_without_batch();
                continue;
            }
            StepContext context;
            context.training = false;
            context.first_sample = 1;
            const std::vector<Unit*> all = chain.units();
            EXPECT_TRUE(std::isfinite(run_units(all, {}, context).at(0).sum().item<double>()));
        }
        EXPECT_EQ(chain.arena->value_rooms()->bytes(), 0);
    });
}

}  // namespace
}  // namespace trainyard::parallel
