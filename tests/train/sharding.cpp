// SPDX-License-Identifier: GPL-3.0-or-later
// Compares sharded training (distributed/parallel/sharding.h) with replicated training, by name and element: sharded
// checkpoints, memory of each rank, overflow, communication hooks, sockets, frozen parameters. tests/layouts compares
// all layouts.

#include <algorithm>
#include <barrier>
#include <fstream>
#include <map>
#include <random>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/zero_plus_plus.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kShardedSteps = 5, kSavedStep = 3;

struct ShardedLayout {
    std::int64_t stage = 0;
    int ranks = 1;
    std::int64_t accumulation = 1;
    Precision precision = Precision::no;
    int copies = 1;  ///< hybrid sharding
    auto operator<=>(const ShardedLayout&) const = default;
    std::string text() const {
        return "stage_" + std::to_string(stage) + "_ranks_" + std::to_string(ranks) + "_accumulation_" +
               std::to_string(accumulation) + "_precision_" + choice_name(precision) + "_copies_" +
               std::to_string(copies);
    }
};

/// The results of rank 0 at the end of a run, and the memory that each rank used.
struct ShardedRun {
    std::vector<double> losses, norms, scales;
    std::vector<bool> skipped;
    double evaluation = 0, average = 0;
    std::map<std::string, at::Tensor> weights, gradients;
    std::vector<std::int64_t> state_bytes, gradient_bytes, buffer_bytes;  ///< [rank]
    std::vector<std::int64_t> value_bytes, room_bytes, largest_room;      ///< [rank]
    std::vector<std::uint64_t> sent_bytes;                                ///< [rank] of values
    std::vector<std::vector<std::string>> orders;                         ///< [rank] of collectives that gather weights
    std::vector<std::map<std::string, at::Tensor>> weights_of_ranks;
};

class Sharded {
  public:
    Sharded() {
        std::mt19937 random(17);
        std::ofstream file(folder_.path() / "text.txt");
        const char* words[] = {"rank ", "shard ", "gather ", "loss ", "scale ", "bucket\n"};
        for (int i = 0; i < 4000; ++i)
            file << words[random() % 6];
        file.close();
        recipe.data.paths = {(folder_.path() / "text.txt").string()};
        recipe.data.sequence_length = recipe.model.n_positions = 16;
        recipe.model.n_embd = 24;  // no power of two: shares of buckets end inside of rows
        recipe.model.n_layer = 2;
        recipe.model.n_head = 2;
        recipe.model.vocab_size = 259;
        recipe.training.steps = kShardedSteps;
        recipe.training.evaluate_batches = 2;
        recipe.training.max_grad_norm = 0.5;  // clips
        recipe.training.ema_decay = 0.5;
        recipe.optimizer.lr = 3e-3;
        recipe.optimizer.eps = 1e-4;  // gradients that are nothing but rounding are not magnified
        recipe.training.loss_scale = 1024;
        recipe.parallel.bucket_cap_mb = 0.01;
    }

    config::Recipe recipe;
    std::filesystem::path folder() const { return folder_.path(); }

    std::int64_t samples = 8;  ///< of a step on every layout
    config::Recipe with(const ShardedLayout& layout) const {
        config::Recipe made = recipe;
        made.training.mixed_precision = layout.precision;
        made.training.gradient_accumulation_steps = layout.accumulation;
        made.training.batch_size = samples / layout.accumulation / layout.ranks;
        made.parallel.zero_stage = layout.stage;
        made.parallel.dp_replicate_size = layout.copies > 1 ? layout.copies : 0;
        return made;
    }

    static ShardedRun train(const config::Recipe& recipe, int ranks, std::int64_t steps = kShardedSteps,
                            const std::filesystem::path& save_to = {}, bool share_memory = true) {
        ShardedRun run;
        const auto count = static_cast<std::size_t>(ranks);
        run.state_bytes.resize(count);
        run.gradient_bytes.resize(count);
        run.buffer_bytes.resize(count);
        run.weights_of_ranks.resize(count);
        run.value_bytes.resize(count);
        run.sent_bytes.resize(count);
        run.room_bytes.resize(count);
        run.largest_room.resize(count);
        run.orders.resize(count);
        // A rank that refuses the recipe ends the store; those that have not come yet would look for it for a minute.
        std::barrier all_connected(ranks);
        test::run_ranks(
            ranks,
            [&](std::unique_ptr<parallel::World> world) {
                all_connected.arrive_and_wait();
                const int shards = static_cast<int>(recipe.shard_ranks(ranks));
                parallel::Mesh mesh({1, ranks / shards, shards, 1, 1, 1}, std::move(world));
                Trainer trainer(recipe, mesh, at::kCPU);
                trainer.start();
                ShardedRun mine;
                while (trainer.position().step < steps) {
                    StepReport report = trainer.step();
                    mine.losses.push_back(report.loss);
                    mine.norms.push_back(report.gradient_norm);
                    mine.scales.push_back(report.loss_scale);
                    mine.skipped.push_back(report.skipped);
                }
                for (const auto& [name, gradient] : trainer.gradients())
                    mine.gradients[name] = gradient.clone();
                Evaluation evaluation = trainer.evaluate().value();
                mine.evaluation = evaluation.loss;
                mine.average = evaluation.average_loss.value_or(0);
                for (const auto& [name, weight] : trainer.weights())
                    mine.weights[name] = weight.clone();
                const auto rank = static_cast<std::size_t>(mesh.rank());
                run.weights_of_ranks[rank] = mine.weights;
                run.value_bytes[rank] =
                    trainer.arena().own_bytes() - static_cast<std::int64_t>(trainer.arena().gradients().nbytes());
                run.sent_bytes[rank] = mesh.shards().stats().operations(parallel::CollectiveKind::all_gather).bytes;
                if (const parallel::ValueRooms* rooms = trainer.arena().value_rooms()) {
                    run.room_bytes[rank] = rooms->most_bytes();
                    run.largest_room[rank] = rooms->largest_room();
                    run.orders[rank] = trainer.order_of_gathers();
                }
                for (const checkpoint::LogicalTensor& part : trainer.content().optimizer)
                    run.state_bytes[rank] += static_cast<std::int64_t>(part.local.nbytes());
                run.gradient_bytes[rank] = static_cast<std::int64_t>(trainer.arena().gradients().nbytes());
                if (const parallel::GradientBuffers* buffers = trainer.arena().gradient_buffers()) {
                    run.buffer_bytes[rank] = buffers->most_bytes();
                    EXPECT_EQ(buffers->bytes(), 0) << "all are given back at the end of a step";
                }
                if (!save_to.empty())
                    trainer.save(save_to);
                if (mesh.rank() == 0) {
                    mine.state_bytes = run.state_bytes;
                    run.losses = mine.losses;
                    run.norms = mine.norms;
                    run.scales = mine.scales;
                    run.skipped = mine.skipped;
                    run.evaluation = mine.evaluation;
                    run.average = mine.average;
                    run.weights = mine.weights;
                    run.gradients = mine.gradients;
                }
            },
            share_memory);
        return run;
    }

  private:
    test::TemporaryFolder folder_;
};

void expect_same_tensors(const std::map<std::string, at::Tensor>& expected,
                         const std::map<std::string, at::Tensor>& got, double tolerance, const std::string& what) {
    ASSERT_EQ(expected.size(), got.size()) << what;
    for (const auto& [name, tensor] : expected) {
        ASSERT_TRUE(got.contains(name)) << what << ": " << name;
        if (tolerance == 0)
            EXPECT_TRUE(tensor.equal(got.at(name)))
                << what << ": " << name << " differs by " << tensor.sub(got.at(name)).abs().max().item<double>();
        else
            EXPECT_LT(tensor.sub(got.at(name)).abs().max().item<double>(), tolerance) << what << ": " << name;
    }
}

void expect_same_run(const ShardedRun& expected, const ShardedRun& got, double tolerance, const std::string& what) {
    ASSERT_EQ(expected.losses.size(), got.losses.size()) << what;
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        EXPECT_NEAR(expected.losses[i], got.losses[i], tolerance) << what << ", step " << i;
        EXPECT_EQ(std::isfinite(expected.norms[i]), std::isfinite(got.norms[i])) << what << ", step " << i;
        if (std::isfinite(expected.norms[i])) {
            EXPECT_NEAR(expected.norms[i], got.norms[i], std::max(1e-12, 10 * tolerance)) << what << ", step " << i;
        }
        EXPECT_EQ(expected.scales[i], got.scales[i]) << what << ", step " << i;
    }
    EXPECT_EQ(expected.skipped, got.skipped) << what;
    EXPECT_NEAR(expected.evaluation, got.evaluation, tolerance) << what;
    EXPECT_NEAR(expected.average, got.average, tolerance) << what;
    expect_same_tensors(expected.weights, got.weights, tolerance, what);
}

class Sharding : public ::testing::Test {
  protected:
    Sharded sharded_;
};

TEST_F(Sharding, EveryRankWritesItsShareIntoTheCheckpoint) {
    auto bytes_of = [](const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        EXPECT_TRUE(in) << file;
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    auto place = [&](std::int64_t stage) { return sharded_.folder() / std::to_string(stage); };
    for (std::int64_t stage : {0, 1, 2})
        Sharded::train(sharded_.with({stage, 4}), 4, kSavedStep, place(stage));
    const std::filesystem::path replicated = place(0) / "checkpoint_3";
    const auto whole = std::filesystem::file_size(replicated / "optimizer.bin");
    for (std::int64_t stage : {1, 2}) {
        const std::filesystem::path folder = place(stage) / "checkpoint_3";
        for (const char* file : {"model.safetensors", "position.json"})
            EXPECT_EQ(bytes_of(folder / file), bytes_of(replicated / file)) << file << " under stage " << stage;
        EXPECT_FALSE(std::filesystem::exists(folder / "optimizer.bin"));
        for (int rank = 1; rank <= 4; ++rank)
            EXPECT_LT(std::filesystem::file_size(folder / ("optimizer-" + std::to_string(rank) + "-of-4.safetensors")),
                      whole * 35 / 100);
        // A checkpoint is incomplete if a file of its manifest is missing.
        std::filesystem::remove(folder / "optimizer-3-of-4.safetensors");
        config::Recipe rest = sharded_.with({stage, 4});
        rest.checkpoint.resume_from = folder.string();
        EXPECT_THROW(Sharded::train(rest, 4), UserError);
    }
}

TEST_F(Sharding, RanksWithoutOneDiskSendTheirSharesToTheFirst) {
    const auto place = sharded_.folder() / "sent";
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::replicas(2), std::move(world));
        Trainer trainer(sharded_.with({2, 2}), mesh, at::kCPU, {.one_disk = false});
        trainer.start();
        while (trainer.position().step < kSavedStep)
            trainer.step();
        trainer.save(place);
    });
    for (const char* file : {"optimizer-1-of-2.safetensors", "optimizer-2-of-2.safetensors"})
        EXPECT_TRUE(std::filesystem::exists(place / "checkpoint_3" / file))
            << "rank 0 must write the files of the other ranks";
    config::Recipe rest = sharded_.with({1, 2});
    rest.checkpoint.resume_from = place.string();
    const ShardedRun got = Sharded::train(rest, 2), expected = Sharded::train(sharded_.with({0, 2}), 2);
    expect_same_tensors(expected.weights, got.weights, 0, "resumed from what was sent");
}

TEST_F(Sharding, NoRankHoldsWhatItDoesNotOwn) {
    sharded_.recipe.model.n_layer = 6;
    const ShardedRun whole = Sharded::train(sharded_.with({0, 1}), 1, 1);
    for (int ranks : {2, 4})
        for (std::int64_t stage : {1, 2}) {
            const ShardedRun run = Sharded::train(sharded_.with({stage, ranks}), ranks, 1);
            std::int64_t together = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const auto r = static_cast<std::size_t>(rank);
                // Shares are cut by buckets: a few elements of padding make one rank's share smaller.
                EXPECT_LT(run.state_bytes[r], whole.state_bytes[0] / ranks * 11 / 10) << stage << " " << ranks;
                together += run.state_bytes[r];
                if (stage == 2) {
                    EXPECT_LT(run.gradient_bytes[r], whole.gradient_bytes[0] / ranks * 11 / 10);
                    // Rooms at one time: that of the tied embedding all along, two that travel, one that is filled.
                    EXPECT_LT(run.buffer_bytes[r], whole.gradient_bytes[0] * 6 / 10);
                    EXPECT_GT(run.buffer_bytes[r], 0);
                }
            }
            EXPECT_EQ(together, whole.state_bytes[0]) << "every element has one owner";
        }
}

TEST_F(Sharding, ScalesSkipAlikeWhenOneRanksShareOverflows) {
    sharded_.recipe.training.loss_scale = 3e8;  // overflows at first
    sharded_.recipe.training.loss_scale_window = 3;
    for (std::int64_t stage : {1, 2}) {
        const ShardedRun expected = Sharded::train(sharded_.with({0, 2, 1, Precision::fp16}), 2, 14);
        const ShardedRun got = Sharded::train(sharded_.with({stage, 2, 1, Precision::fp16}), 2, 14);
        EXPECT_TRUE(expected.skipped.front());
        EXPECT_FALSE(expected.skipped.back());
        expect_same_run(expected, got, 0, "stage " + std::to_string(stage));
    }
}

TEST_F(Sharding, NamesTheWeightOrTheGradientThatIsNotFiniteOnEveryRank) {
    // An infinite weight of the last norm reaches every gradient, but the weight is the cause. A finite one that
    // makes the outputs overflow is not; of the gradients, that of the embedding comes first.
    for (const auto& [weight, name] : {std::pair{std::numeric_limits<float>::infinity(), "transformer.ln_f.weight"},
                                       std::pair{3e38F, "transformer.wte.weight"}})
        for (std::int64_t stage : {1, 2, 3}) {
            std::vector<std::string> names(2);
            test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
                parallel::Mesh mesh(parallel::replicas(2), std::move(world));
                Trainer trainer(sharded_.with({stage, 2}), mesh, at::kCPU);
                trainer.start();
                trainer.step();
                for (const parallel::FlatGroup& group : trainer.arena().groups())
                    for (const parallel::Parameter* parameter : group.parameters())
                        if (parameter->name() == "transformer.ln_f.weight")
                            trainer.arena().held_value(*parameter).fill_(weight);
                StepReport report = trainer.step();
                EXPECT_TRUE(report.skipped);
                names[static_cast<std::size_t>(mesh.rank())] = report.first_non_finite;
            });
            EXPECT_EQ(names[0], names[1]);
            EXPECT_EQ(names[0], name) << "stage " << stage;
        }
}

TEST_F(Sharding, OverSockets) {
    for (std::int64_t stage : {1, 2, 3}) {
        const ShardedRun expected = Sharded::train(sharded_.with({0, 2}), 2, kShardedSteps, {}, false);
        const ShardedRun got = Sharded::train(sharded_.with({stage, 2}), 2, kShardedSteps, {}, false);
        expect_same_run(expected, got, 1e-6, "stage " + std::to_string(stage) + " over Gloo");
    }
}

TEST_F(Sharding, CommunicationHooksWorkUnderStageOne) {
    sharded_.recipe.parallel.comm_hook = CommHookType::bf16;
    expect_same_run(Sharded::train(sharded_.with({0, 2}), 2), Sharded::train(sharded_.with({1, 2}), 2), 0, "bf16 hook");
}

TEST_F(Sharding, FrozenParametersToo) {
    sharded_.recipe.model.freeze = {"transformer.h.0.attn.*", "transformer.wpe.*", "*.ln_1.bias"};
    const ShardedRun expected = Sharded::train(sharded_.with({0, 2}), 2);
    for (std::int64_t stage : {1, 2, 3})
        expect_same_run(expected, Sharded::train(sharded_.with({stage, 2}), 2), 0, "stage " + std::to_string(stage));
}

void use_llama(config::Recipe& recipe) {
    recipe.model.model_type = "llama";
    recipe.model.n_inner = 40;
    recipe.model.num_key_value_heads = 1;
    recipe.model.tie_word_embeddings = true;
}

TEST_F(Sharding, SharedWeightsTrainAsThoseOfOneRank) {
    sharded_.samples = 48;
    sharded_.recipe.training.evaluate_batches = 0;  // all that is held out: ranks have different numbers of batches
    for (const char* family : {"gpt2", "llama"}) {
        if (std::string(family) == "llama")
            use_llama(sharded_.recipe);
        const ShardedRun one = Sharded::train(sharded_.with({0, 1}), 1);
        EXPECT_LT(one.losses.back(), one.losses.front());
        for (int ranks : {1, 2, 3, 4})
            for (std::int64_t accumulation : {1, 4})
                for (const config::Recomputation recomputes :
                     {config::Recomputation::no,
                      accumulation == 1 ? config::Recomputation::full : config::Recomputation::selective}) {
                    config::Recipe recipe = sharded_.with({3, ranks, accumulation});
                    recipe.training.activation_checkpointing = recomputes;
                    const ShardedRun got = Sharded::train(recipe, ranks);
                    const std::string what = std::string(family) + ", " + std::to_string(ranks) +
                                             " ranks, accumulation " + std::to_string(accumulation) + ", recomputes " +
                                             choice_name(recomputes);
                    expect_same_run(one, got, 1e-5, what);
                    expect_same_tensors(one.gradients, got.gradients, 1e-5, what + ", gradients");
                }
    }
}

TEST_F(Sharding, SharedWeightsInBf16) {
    for (int ranks : {2, 4}) {
        const ShardedRun expected = Sharded::train(sharded_.with({0, ranks, 1, Precision::bf16}), ranks),
                         got = Sharded::train(sharded_.with({3, ranks, 1, Precision::bf16}), ranks);
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
            EXPECT_NEAR(expected.losses[i], got.losses[i], 2e-3) << ranks << " ranks, step " << i;
        EXPECT_NEAR(expected.evaluation, got.evaluation, 2e-3);
    }
}

TEST_F(Sharding, GroupsThatShardAreCopiesOfEachOther) {
    for (std::int64_t accumulation : {1, 2}) {
        const ShardedRun expected = Sharded::train(sharded_.with({0, 4, accumulation}), 4);
        for (std::int64_t stage : {1, 2, 3}) {
            const std::string what =
                "stage " + std::to_string(stage) + ", accumulation " + std::to_string(accumulation);
            const ShardedRun got = Sharded::train(sharded_.with({stage, 4, accumulation, Precision::no, 2}), 4,
                                                  kShardedSteps, sharded_.folder() / what);
            expect_same_run(expected, got, 1e-5, what);
            expect_same_tensors(got.weights_of_ranks[0], got.weights_of_ranks[3], 0, what + ", the other copy");
            // Two of the four ranks write the optimizer state, because the other two hold copies of it.
            EXPECT_TRUE(
                std::filesystem::exists(sharded_.folder() / what / "checkpoint_5" / "optimizer-2-of-2.safetensors"));
        }
    }
}

TEST_F(Sharding, HooksOfHybridShardingSumOverAllRanks) {
    sharded_.recipe.parallel.comm_hook = CommHookType::bf16;
    expect_same_run(Sharded::train(sharded_.with({0, 4}), 4),
                    Sharded::train(sharded_.with({1, 4, 1, Precision::no, 2}), 4), 0, "bf16 hook");
}

TEST_F(Sharding, AdaptersOfSharedWeights) {
    sharded_.recipe.model.lora.r = 4;
    const ShardedRun expected = Sharded::train(sharded_.with({0, 2}), 2);
    expect_same_run(expected, Sharded::train(sharded_.with({3, 2}), 2), 0, "stage 3");
}

TEST_F(Sharding, EveryWayToGatherGivesTheSame) {
    const ShardedRun expected = Sharded::train(sharded_.with({0, 2}), 2);
    for (bool reshard : {true, false})
        for (config::WrapPolicy wrap :
             {config::WrapPolicy::block, config::WrapPolicy::size, config::WrapPolicy::none}) {
            config::Recipe recipe = sharded_.with({3, 2});
            recipe.parallel.reshard_after_forward = reshard;
            recipe.parallel.wrap = wrap;
            recipe.parallel.wrap_min_params = 10'000;
            const ShardedRun got = Sharded::train(recipe, 2);
            expect_same_run(expected, got, 0, choice_name(wrap));
            EXPECT_FALSE(got.orders[0].empty());
            EXPECT_EQ(got.orders[0], got.orders[1]) << "the order of collectives";
            if (wrap == config::WrapPolicy::block) {
                EXPECT_EQ(got.orders[0].front(), "transformer.embedding forward") << "a step begins with its forward";
                EXPECT_TRUE(std::ranges::find(got.orders[0], "transformer.h.1 ahead") != got.orders[0].end());
            }
        }
}

TEST_F(Sharding, IgnoredModulesStayWhole) {
    for (const int ranks : {2, 4}) {
        const ShardedRun expected = Sharded::train(sharded_.with({0, ranks}), ranks);
        for (const char* modules : {"transformer\\.h\\.1", ".*ln_1|transformer\\.wte", ".*"})
            for (const config::WrapPolicy wrap : {config::WrapPolicy::block, config::WrapPolicy::none})
                for (const bool shares_memory : {true, false}) {
                    config::Recipe recipe = sharded_.with({3, ranks});
                    recipe.parallel.wrap = wrap;
                    recipe.parallel.ignored_modules = modules;
                    const ShardedRun got = Sharded::train(recipe, ranks, kShardedSteps, {}, shares_memory);
                    expect_same_run(expected, got, 1e-5, std::string(modules) + ", wrap " + choice_name(wrap));
                    for (const std::string& gathered : got.orders[0])
                        EXPECT_EQ(gathered.find("ignored"), std::string::npos) << gathered;
                    EXPECT_EQ(got.orders[0].empty(), std::string_view(modules) == ".*");
                }
    }
}

TEST_F(Sharding, NoRankHoldsWeightsThatItDoesNotOwn) {
    sharded_.recipe.model.n_layer = 6;
    const ShardedRun whole = Sharded::train(sharded_.with({0, 1}), 1, 1);
    for (int ranks : {2, 4}) {
        const ShardedRun run = Sharded::train(sharded_.with({3, ranks}), ranks, 1, {}, false);
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
            // Each of the 8 units has a range, padded to a cache line for each rank.
            EXPECT_LE(run.value_bytes[rank], whole.value_bytes[0] / ranks + 8 * 64);
            // The table, of the head and of the embedding, a unit that computes and two rooms that are gathered ahead.
            EXPECT_LE(run.room_bytes[rank], 4 * run.largest_room[rank]);
            EXPECT_LT(run.room_bytes[rank], whole.value_bytes[0] * 6 / 10);
            EXPECT_GT(run.room_bytes[rank], 0);
        }
    }
}

TEST_F(Sharding, RanksOfOneMachineHaveTheWeightsOnce) {
    sharded_.recipe.model.n_layer = 6;
    for (Precision precision : {Precision::no, Precision::bf16}) {
        const ShardedRun one = Sharded::train(sharded_.with({0, 1, 1, precision}), 1, 1);
        for (int ranks : {2, 3, 4}) {
            sharded_.samples = 12;
            const config::Recipe recipe = sharded_.with({3, ranks, 1, precision});
            const ShardedRun gathered = Sharded::train(recipe, ranks, kShardedSteps, {}, false),
                             shared = Sharded::train(recipe, ranks);
            const std::string what = std::to_string(ranks) + " ranks, " + choice_name(precision);
            // Gloo adds in another order than shared memory does.
            expect_same_run(gathered, shared, precision == Precision::no ? 1e-5 : 2e-3, what);
            EXPECT_EQ(gathered.orders, shared.orders) << what << ", the order of rooms";
            std::int64_t values = 0, state = 0;
            for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
                values += shared.value_bytes[rank];
                state += shared.state_bytes[rank];
                // The evaluation and what is looked at gather masters.
                EXPECT_LT(shared.sent_bytes[rank], gathered.sent_bytes[rank] / 4) << what;
            }
            EXPECT_LE(values + state, (one.value_bytes[0] + one.state_bytes[0]) * 11 / 10) << what;
        }
    }
}

TEST_F(Sharding, CheckpointsOfSharedWeightsLoadOnEveryLayout) {
    sharded_.samples = 24;
    const std::vector<ShardedLayout> layouts{
        {0, 1}, {1, 2}, {2, 4}, {3, 2}, {3, 3}, {3, 4}, {3, 4, 1, Precision::no, 2}};
    const auto resumed = [&](const std::filesystem::path& place, const ShardedLayout& layout) {
        config::Recipe rest = sharded_.with(layout);
        rest.checkpoint.resume_from = place.string();
        return Sharded::train(rest, layout.ranks);
    };
    const ShardedLayout two{3, 2};
    const auto from_two = sharded_.folder() / "two", from_other = sharded_.folder() / "other";
    Sharded::train(sharded_.with(two), two.ranks, kSavedStep, from_two);
    const ShardedRun here = Sharded::train(sharded_.with(two), two.ranks);
    for (const ShardedLayout& layout : layouts) {
        Sharded::train(sharded_.with(layout), layout.ranks, kSavedStep, from_other);
        const ShardedRun there = Sharded::train(sharded_.with(layout), layout.ranks);
        const double tolerance = layout == two ? 0 : 1e-5;
        expect_same_tensors(there.weights, resumed(from_two, layout).weights, tolerance, "to " + layout.text());
        expect_same_tensors(here.weights, resumed(from_other, two).weights, tolerance, "from " + layout.text());
        std::filesystem::remove_all(from_other);
    }
}

/// The folder loads in transformers: files of whole tensors, and an index.
TEST_F(Sharding, CheckpointsOfSharedWeightsAreModels) {
    for (std::int64_t stage : {0, 3})
        Sharded::train(sharded_.with({stage, 4}), 4, kSavedStep, sharded_.folder() / std::to_string(stage));
    const auto folder = sharded_.folder() / "3" / "checkpoint_3";
    EXPECT_TRUE(std::filesystem::exists(folder / "model.safetensors.index.json"));
    config::Recipe rest = sharded_.with({0, 1});
    std::map<std::string, at::Tensor> starts[2];
    for (int i : {0, 1}) {
        rest.model.weights = (sharded_.folder() / (i == 0 ? "0" : "3") / "checkpoint_3").string();
        starts[i] = Sharded::train(rest, 1, 0).weights;
    }
    expect_same_tensors(starts[0], starts[1], 0, "weights in files");
    // Each rank with sharded weights reads only the slices that it owns.
    rest = sharded_.with({3, 2});
    rest.model.weights = folder.string();
    expect_same_tensors(starts[0], Sharded::train(rest, 2, 0).weights, 0, "read by ranks that share them");
}

TEST_F(Sharding, ScalesSkipAlikeWithSharedWeights) {
    sharded_.recipe.training.loss_scale = 3e8;  // overflows at first
    sharded_.recipe.training.loss_scale_window = 3;
    const ShardedRun got = Sharded::train(sharded_.with({3, 2, 1, Precision::fp16}), 2, 14);
    EXPECT_TRUE(got.skipped.front());
    EXPECT_FALSE(got.skipped.back());
    EXPECT_TRUE(std::isfinite(got.losses.back()));
}

/// Bytes that a rank gives to collectives in a step.
struct WireBytes {
    std::uint64_t gathered = 0, of_copy = 0, scattered = 0, exchanged = 0;
    std::int64_t masters = 0, gradients = 0;  ///< elements that it owns, and of all ranks
    std::uint64_t gathers = 0;                ///< messages
};

std::vector<WireBytes> wire_of(const config::Recipe& recipe, int ranks) {
    std::vector<WireBytes> all(static_cast<std::size_t>(ranks));
    test::run_ranks(
        ranks,
        [&](std::unique_ptr<parallel::World> world) {
            using enum parallel::CollectiveKind;
            const int shards = static_cast<int>(recipe.shard_ranks(ranks));
            parallel::Mesh mesh({1, ranks / shards, shards, 1, 1, 1}, std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            trainer.step();
            const auto sent = [&](parallel::Communicator& group, parallel::CollectiveKind kind) {
                return group.stats().operations(kind).bytes;
            };
            const auto bytes = [&] {
                WireBytes now{.gathered = sent(mesh.shards(), all_gather),
                              .scattered = sent(mesh.shards(), reduce_scatter),
                              .exchanged = sent(mesh.shards(), all_to_all),
                              .gathers = mesh.shards().stats().operations(all_gather).count};
                if (const std::int64_t size = recipe.parallel.zero_hpz_partition_size; size > 1)
                    now.of_copy = sent(mesh.secondary_shards(size), all_gather);
                return now;
            };
            const WireBytes before = bytes();
            trainer.step();
            const WireBytes after = bytes();
            all[static_cast<std::size_t>(mesh.rank())] = {
                after.gathered - before.gathered,   after.of_copy - before.of_copy,
                after.scattered - before.scattered, after.exchanged - before.exchanged,
                trainer.arena().values().numel(),   trainer.arena().trainable_elements(),
                after.gathers - before.gathers};
        },
        false);
    return all;
}

/// Why DeepSpeed's stage3_param_persistence_threshold is ignored: small weights that stay whole save no message,
/// because those of a unit are one, and about as many bytes as they have.
TEST_F(Sharding, SmallWeightsThatStayWholeSaveNoMessage) {
    config::Recipe recipe = sharded_.with({3, 2});
    recipe.model.n_layer = 6;
    recipe.model.n_embd = 96;
    const WireBytes divided = wire_of(recipe, 2)[0];
    recipe.parallel.ignored_modules = ".*ln_.*";
    const WireBytes whole = wire_of(recipe, 2)[0];
    ASSERT_GT(divided.gathers, 10u);
    EXPECT_GE(whole.gathers, divided.gathers);
    // The room of a last norm that is always open takes no place among those that are gathered ahead, so that one block
    // more stays open from its forward to its backward.
    const double share_of_block = 4 * 12.0 * 96 * 96 / 2;
    EXPECT_GT(static_cast<double>(whole.gathered) + share_of_block, 0.99 * static_cast<double>(divided.gathered));
    EXPECT_EQ(whole.scattered, divided.scattered);
    RecordProperty("messages_divided", std::to_string(divided.gathers));
    RecordProperty("messages_whole", std::to_string(whole.gathers));
    RecordProperty("bytes_divided", std::to_string(divided.gathered));
    RecordProperty("bytes_whole", std::to_string(whole.gathered));
}

TEST_F(Sharding, ASecondCopyOfTheSharesIsStageThreeToTheBit) {
    for (const ShardedLayout& layout :
         {ShardedLayout{3, 4}, ShardedLayout{3, 4, 2, Precision::bf16}, ShardedLayout{3, 4, 2, Precision::no, 2}}) {
        config::Recipe recipe = sharded_.with(layout);
        const ShardedRun expected = Sharded::train(recipe, layout.ranks);
        recipe.parallel.zero_hpz_partition_size = 2;
        expect_same_run(expected, Sharded::train(recipe, layout.ranks), 0, layout.text());
    }
}

TEST_F(Sharding, SecondCopiesGoWithADiskAndRecomputedActivations) {
    for (const bool on_disk : {false, true})
        for (const int ranks : {2, 6}) {
            sharded_.samples = 12;
            config::Recipe recipe = sharded_.with({3, ranks});
            recipe.training.activation_checkpointing = config::Recomputation::full;
            if (on_disk) {
                recipe.parallel.offload_param_device = recipe.parallel.offload_optimizer_device =
                    config::OffloadDevice::nvme;
                recipe.parallel.offload_param_nvme_path = recipe.parallel.offload_optimizer_nvme_path =
                    sharded_.folder().string();
            }
            const ShardedRun expected = Sharded::train(recipe, ranks);
            recipe.parallel.zero_hpz_partition_size = ranks == 6 ? 3 : 2;
            expect_same_run(expected, Sharded::train(recipe, ranks), 0, on_disk ? "on a disk" : "in memory");
        }
}

TEST_F(Sharding, BytesOfZeroPlusPlusAreThoseOfTheFormula) {
    sharded_.recipe.model.n_embd = 128;
    sharded_.recipe.model.n_layer = 4;  // (4 × 13 + 2) × 128 elements of norms and biases
    for (const std::int64_t accumulation : {1, 2}) {
        const config::Recipe plain = sharded_.with({3, 4, accumulation});
        config::Recipe copied = plain, coded = plain, whole = plain;
        copied.parallel.zero_hpz_partition_size = 2;
        coded.parallel.zero_quantized_weights = coded.parallel.zero_quantized_gradients = true;
        whole.parallel.ignored_modules = ".*";
        const std::vector<WireBytes> expected = wire_of(plain, 4), of_copy = wire_of(copied, 4),
                                     of_codes = wire_of(coded, 4), of_whole = wire_of(whole, 4);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            const WireBytes& stage_3 = expected[rank];
            const auto once = static_cast<std::uint64_t>(4 * stage_3.masters);
            EXPECT_GT(stage_3.gathered, once * static_cast<std::uint64_t>(accumulation));
            // Every room is gathered over all ranks once; of what is gathered again each of two ranks has a half.
            EXPECT_EQ(of_copy[rank].gathered, once);
            EXPECT_EQ(of_copy[rank].of_copy, (stage_3.gathered - once) * 2);
            EXPECT_EQ(of_copy[rank].scattered, stage_3.scattered);
            EXPECT_EQ(of_whole[rank].gathered, once) << "modules that stay whole are gathered after the update";
            // 8 and 4 bits, and a scale of 4 bytes for each 128 elements. Norms and biases are sent as they are, and
            // all
            // messages of a room are as long as that of the rank that has them.
            const double weights = config::kInt8CodeBytes / 4, gradients = config::kInt4CodeBytes;
            const double vectors = 4 * 54.0 * 128 / static_cast<double>(stage_3.gradients);
            const double sent = static_cast<double>(of_codes[rank].gathered) / static_cast<double>(stage_3.gathered);
            EXPECT_GE(sent, weights);
            EXPECT_LE(sent, weights + (1 - weights) * vectors);
            EXPECT_EQ(of_codes[rank].scattered, 0U);
            EXPECT_NEAR(
                static_cast<double>(of_codes[rank].exchanged) / static_cast<double>(stage_3.gradients * accumulation),
                gradients, 0.01 * gradients);
            EXPECT_EQ(stage_3.scattered, static_cast<std::uint64_t>(4 * stage_3.gradients * accumulation));
        }
    }
}

TEST_F(Sharding, CodesChangeTrainingALittleAndContinueToTheBit) {
    for (const auto& [precision, weights, gradients] :
         {std::tuple(Precision::no, true, false), {Precision::no, false, true}, {Precision::bf16, true, true}}) {
        config::Recipe recipe = sharded_.with({3, 4, 1, precision});
        const ShardedRun exact = Sharded::train(recipe, 4);
        recipe.parallel.zero_quantized_weights = weights;
        recipe.parallel.zero_quantized_gradients = gradients;
        recipe.parallel.zero_hpz_partition_size = weights ? 2 : 1;
        const ShardedRun got = Sharded::train(recipe, 4);
        for (std::size_t i = 0; i < exact.losses.size(); ++i) {
            EXPECT_NEAR(got.losses[i], exact.losses[i], 0.03) << "step " << i;
            EXPECT_TRUE(i == 0 && !weights ? got.losses[i] == exact.losses[i] : got.losses[i] != exact.losses[i])
                << "step " << i;
        }
        const std::filesystem::path folder =
            sharded_.folder() / ("codes_" + std::to_string(weights) + std::to_string(gradients));
        Sharded::train(recipe, 4, kSavedStep, folder);
        config::Recipe rest = recipe;
        rest.checkpoint.resume_from = folder.string();
        const ShardedRun resumed = Sharded::train(rest, 4);
        expect_same_tensors(got.weights, resumed.weights, 0, "resumed");
        EXPECT_EQ(std::vector(got.losses.begin() + kSavedStep, got.losses.end()), resumed.losses);
    }
}

TEST_F(Sharding, SecondCopiesDivideTheRanks) {
    config::Recipe recipe = sharded_.with({3, 4});
    recipe.parallel.zero_hpz_partition_size = 3;
    EXPECT_THAT([&] { Sharded::train(recipe, 4, 1); },
                testing::ThrowsMessage<InvalidInput>(test::says(
                    "{} ranks that shard the weights do not divide into groups of {}: set it to a divisor of {}, such "
                    "as the ranks of a machine, or to 1",
                    4, 3, 4)));
}

}  // namespace
}  // namespace trainyard::train
