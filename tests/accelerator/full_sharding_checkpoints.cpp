// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of checkpoints and averages of a program's own modules that the ranks divide.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/zero_checkpoint.h>

#include "accelerator/full_sharding.h"
#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "support/resident_peak.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::full_sharding {
namespace {

using test::says;
using testing::HasSubstr;

/// Saves on two ranks, loads on one, two and three.
void save_and_continue(const ShardingOptions& how, const std::vector<std::string>& files, bool repeats = false) {
    const test::TemporaryFolder folder;
    NamedTensors saved;
    Tree moments;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({.how = how, .repeats = repeats}, std::move(process));
        training.run(3);
        training.accelerator.save_state(folder.path() / "state");
        training.accelerator.save_model(training.model, folder.path() / "model");
        NamedTensors state = training.state();
        Tree own = training.optimizer->whole_state_dict();
        training.run(2);
        training.accelerator.load_state(folder.path() / "state");
        const NamedTensors again = training.state();
        if (rank == 0) {
            expect_near(again, state, "loaded by those who saved", 0);
            saved = std::move(state);
            moments = std::move(own);
        }
    });
    for (const std::string& file : files)
        EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / "state" / file)) << file;
    const NamedTensors model = checkpoint::read_weights(folder.path() / "model");
    EXPECT_GT(model.size(), 20U);
    // The name in Accelerate's first releases, which write no manifest; a program that continues finds it as well.
    if (const std::filesystem::path pieces = folder.path() / "state" / "pytorch_model_fsdp_0"; exists(pieces)) {
        std::filesystem::rename(pieces, folder.path() / "state" / "pytorch_model_0");
        std::filesystem::remove(folder.path() / "state" / "manifest.json");
    }
    for (const auto& [name, tensor] : model) {
        const auto whole = std::ranges::find(saved, name, &NamedTensors::value_type::first);
        ASSERT_NE(whole, saved.end()) << name;
        EXPECT_TRUE(tensor.equal(whole->second)) << name;
    }
    for (const int ranks : {1, 2, 3}) {
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining training({.ranks = ranks, .how = how, .repeats = repeats}, std::move(process));
            training.accelerator.load_state(folder.path() / "state");
            const NamedTensors state = training.state();
            const Tree own = training.optimizer->whole_state_dict();
            if (rank == 0) {
                expect_near(state, saved, "loaded", 0);
                EXPECT_TRUE(own == moments) << ranks;
            }
        };
        if (ranks == 1)
            body(test::alone());
        else
            on_ranks(ranks, body);
    }
}

TEST(FullSharding, ACheckpointContinuesOnAnyNumberOfRanks) {
    save_and_continue({}, {"model.safetensors", "optimizer.bin"});
    save_and_continue({.fsdp_names = true}, {"pytorch_model_fsdp.bin", "optimizer.bin"});
    // A parameter that the optimizer has under several numbers is in the folders once.
    for (const bool repeats : {false, true})
        save_and_continue(
            {.state_dict = StateDictType::sharded},
            {"pytorch_model_fsdp_0/.metadata", "pytorch_model_fsdp_0/__0_0.distcp", "pytorch_model_fsdp_0/__1_0.distcp",
             "optimizer_0/.metadata", "optimizer_0/__0_0.distcp", "optimizer_0/__1_0.distcp"},
            repeats);
    save_and_continue({.fsdp_names = true}, {"optimizer.bin"}, true);
    save_and_continue({.ignored_modules = "layer1|out"}, {"model.safetensors", "optimizer.bin"});
    save_and_continue({.ignored_modules = "layer1|out", .state_dict = StateDictType::sharded},
                      {"pytorch_model_fsdp_0/.metadata", "optimizer_0/.metadata"});
}

/// Two machines with a disk each, on which everything is that a resume needs.
TEST(FullSharding, EachMachineHasAWholeCheckpoint) {
    for (const int ranks : {2, 4}) {
        const int local = ranks / 2;
        const test::TemporaryFolder disks[2];
        NamedTensors saved;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::ProcessPlace place;
            place.rank = world->rank();
            place.world_size = ranks;
            place.local_rank = place.rank % local;
            place.local_world_size = local;
            const std::filesystem::path disk = disks[place.rank / local].path();
            FullTraining training({.ranks = ranks, .on_each_node = true},
                                  std::make_shared<parallel::ProcessState>(
                                      std::shared_ptr<parallel::World>(std::move(world)), place, at::Device(at::kCPU)));
            training.run(3);
            training.accelerator.save_state(disk / "state");
            training.accelerator.save_model(training.model, disk / "model");
            NamedTensors state = training.state();
            training.run(2);
            training.accelerator.load_state(disk / "state");
            const NamedTensors again = training.state();
            training.accelerator.wait_for_everyone();
            if (place.rank == 0) {
                expect_near(again, state, "loaded by those who saved", 0);
                saved = std::move(state);
            }
        });
        for (const test::TemporaryFolder& disk : disks) {
            EXPECT_GT(checkpoint::read_weights(disk.path() / "model").size(), 20U);
            FullTraining alone({.ranks = 1}, test::alone());
            alone.accelerator.load_state(disk.path() / "state");
            expect_near(alone.state(), saved, "loaded", 0);
        }
        EXPECT_TRUE(read_file(disks[0].path() / "state" / "optimizer.bin") ==
                    read_file(disks[1].path() / "state" / "optimizer.bin"));
    }
}

TEST(FullSharding, AveragesAreThoseOfOneRank) {
    const test::TemporaryFolder folder;
    const at::Tensor x = at::arange(8, at::kFloat).reshape({2, 4});
    const auto predict = [&](FullTraining& training) {
        const at::NoGradGuard no_grad;
        return training.model(x).clone();
    };
    FullTraining alone({.ranks = 1}, test::alone());
    const auto average = alone.accelerator.prepare_average(alone.model, train::exponential(0.8));
    alone.run(4);
    const NamedTensors expected = copies_of(average->averages());
    at::Tensor prediction;
    {
        auto swapped = average->swap_in();
        prediction = predict(alone);
    }
    Tree saved;
    for (const auto& [ranks, replicas] : {std::pair(2, 1), {3, 1}, {4, 2}})
        on_ranks(ranks, [&, ranks = ranks, replicas = replicas](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining training({.ranks = ranks, .how = {.dp_replicate = replicas}}, std::move(process));
            const auto own = training.accelerator.prepare_average(training.model, train::exponential(0.8));
            training.run(4);
            training.accelerator.save_state(folder.path() / std::to_string(ranks));
            const NamedTensors trained = training.state(), averages = own->averages();
            Tree state = own->state_dict();
            NamedTensors in_the_model;
            {
                auto swapped = own->swap_in();
                in_the_model = training.state();
                EXPECT_LE(predict(training).sub(prediction).abs().max().item<double>(), 1e-5);
            }
            const NamedTensors back = training.state();
            EXPECT_EQ(training.values().bytes(), 0);
            if (rank == 0) {
                expect_near(averages, expected, "averages");
                expect_near(in_the_model, expected, "swapped in");
                expect_near(back, trained, "back", 0);
                saved = std::move(state);
            } else {
                EXPECT_TRUE(averages.empty());
            }
        });
    for (const int ranks : {1, 2, 3}) {
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining training({.ranks = ranks}, std::move(process));
            const auto own = training.accelerator.prepare_average(training.model, train::exponential(0.8));
            training.accelerator.load_state(folder.path() / "4");
            const Tree state = own->state_dict();
            if (rank == 0) {
                EXPECT_TRUE(state == saved) << ranks;
            }
        };
        if (ranks == 1)
            body(test::alone());
        else
            on_ranks(ranks, body);
    }
}

/// A checkpoint that does not fit changes nothing: neither weights nor this rank's part of the averages.
TEST(FullSharding, ACheckpointThatDoesNotFitLeavesTheAverages) {
    struct Refuses final : Stateful {
        Tree state_dict() const override { return Tree::dict(); }
        void load_state_dict(const Tree&) override { throw UserError("not this one"); }
    };
    const test::TemporaryFolder folder;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        FullTraining training({}, std::move(process));
        const auto average = training.accelerator.prepare_average(training.model, train::exponential(0.5));
        Refuses refuses;
        training.accelerator.register_for_checkpointing(refuses);
        training.run(2);
        training.accelerator.save_state(folder.path());
        training.run(2);
        const Tree before = average->state_dict();
        EXPECT_THROW(training.accelerator.load_state(folder.path()), UserError);
        EXPECT_TRUE(average->state_dict() == before);
    });
}

TEST(FullSharding, SharesOfReplicasAreWrittenOnce) {
    const test::TemporaryFolder folder;
    NamedTensors saved;
    const ShardingOptions how{.dp_replicate = 2, .state_dict = StateDictType::sharded};
    on_ranks(4, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({.ranks = 4, .how = how}, std::move(process));
        training.run(2);
        training.accelerator.save_state(folder.path() / "state");
        NamedTensors state = training.state();
        if (rank == 0)
            saved = std::move(state);
    });
    FullTraining alone({.ranks = 1}, test::alone());
    alone.accelerator.load_state(folder.path() / "state");
    expect_near(alone.state(), saved, "loaded", 0);
}

/// In the order of their names.
NamedTensors by_name(NamedTensors tensors) {
    std::ranges::sort(tensors, {}, [](const auto& one) { return one.first; });
    return tensors;
}

TEST(FullSharding, CheckpointsWithATagHaveTheWeightsOfAllRanks) {
    using accelerator::StateDictType;
    const test::TemporaryFolder folder;
    const auto train = [&](Accelerator& accelerator, const std::function<void(Accelerator&)>& begin) {
        auto net = std::make_shared<Generator>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 0.01));
        begin(accelerator);
        for (int step = 0; step < 3; ++step) {
            accelerator.backward(model(samples_of(accelerator, step)).square().mean());
            optimizer->step();
            optimizer->zero_grad();
        }
        accelerator.save_checkpoint(folder.path() / std::to_string(accelerator.num_processes()), "step3",
                                    Tree::dict({{"step", 3}}));
        return by_name(copies_of(accelerator.get_state_dict(model)));
    };
    const std::filesystem::path place = folder.path() / "2";
    for (const auto& [stage, form] :
         {std::pair(2, StateDictType::full), std::pair(3, StateDictType::full), std::pair(3, StateDictType::sharded)}) {
        SCOPED_TRACE(testing::Message() << "stage " << stage << (form == StateDictType::full ? ", whole" : ", shares"));
        std::filesystem::remove_all(place);
        AcceleratorOptions options{.zero_stage = stage};
        if (form == StateDictType::sharded)
            options.sharding = ShardingOptions{.state_dict = form};
        NamedTensors saved;
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator two(options, process);
            NamedTensors own = train(two, [&](Accelerator& accelerator) {
                accelerator.save_checkpoint(place, "before", Tree::dict({{"step", 0}}));
            });
            if (process->rank() == 0)
                saved = std::move(own);
        });
        EXPECT_EQ(read_file(place / "latest"), "step3\n");
        expect_near(by_name(accelerator::get_fp32_state_dict_from_zero_checkpoint(place)), saved, "the newest");
        Generator net;
        accelerator::load_state_dict_from_zero_checkpoint(net, place, "step3");
        NamedTensors loaded;
        for (const auto& item : net.named_parameters())
            loaded.emplace_back(item.key(), item.value().detach());
        expect_near(by_name(loaded), saved, "in a module");
        if (form == StateDictType::sharded)
            continue;
        Accelerator one({}, test::alone());
        const NamedTensors again = train(one, [&](Accelerator& accelerator) {
            const accelerator::LoadedCheckpoint found = accelerator.load_checkpoint(place);
            EXPECT_EQ(found.folder, place / "step3");
            EXPECT_EQ(found.client_state.at("step").as_integer(), 3);
            EXPECT_EQ(accelerator.load_checkpoint(place, "before").client_state.at("step").as_integer(), 0);
        });
        expect_near(again, saved, "one rank continues from the files of two");
    }
    EXPECT_THAT([&] { accelerator::checkpoint_of_tag(place, "step4"); },
                testing::ThrowsMessage<UserError>(
                    says("{} has no checkpoint named {}: give the tag of one of its folders", place, "step4")));
    Accelerator accelerator({}, test::alone());
    for (const char* tag : {"", "a/b", "..", "latest"})
        EXPECT_THROW(accelerator.save_checkpoint(folder.path(), tag), UserError) << tag;
}

/// A layer of 64 MiB.
struct WideLayer : torch::nn::Module {
    WideLayer()
        : layer(register_module("layer", torch::nn::Linear(torch::nn::LinearOptions(4096, 4096).bias(false)))) {}
    at::Tensor forward(const at::Tensor& x) { return layer(x); }
    torch::nn::Linear layer;
};

TEST(FullSharding, TheStateOfATagTakesTheMemoryOfItsFile) {
    constexpr double kBytes = 4096.0 * 4096 * 4;
    const test::TemporaryFolder folder;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator two({.zero_stage = 2}, std::move(process));
        auto model = two.prepare(std::make_shared<WideLayer>());
        two.save_checkpoint(folder.path(), "step0", Tree::dict({}));
    });
    double sum = 0;
    const auto risen = static_cast<double>(test::rise_of_peak([&] {
        for (const auto& [name, tensor] : accelerator::get_fp32_state_dict_from_zero_checkpoint(folder.path()))
            sum += tensor.sum().item<double>();
    }));
    EXPECT_NE(sum, 0);
    EXPECT_GT(risen, 0.5 * kBytes) << "the measurement sees what is read";
    EXPECT_LT(risen, 2.1 * kBytes);
}

}  // namespace
}  // namespace trainyard::full_sharding
