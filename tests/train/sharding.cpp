// What ranks share out (distributed/parallel/sharding.h) beside the same training replicated, by name and element: checkpoints in shares, how much each rank
// holds, overflow, hooks, sockets, frozen parameters. All layouts beside each other: tests/layouts.

#include <fstream>
#include <map>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kShardedSteps = 5, kSavedStep = 3;

struct ShardedLayout {
    std::int64_t stage = 0;
    int ranks = 1;
    std::int64_t accumulation = 1;
    std::string precision = "no";
    auto operator<=>(const ShardedLayout&) const = default;
    std::string text() const {
        return "stage_" + std::to_string(stage) + "_ranks_" + std::to_string(ranks) + "_accumulation_" +
               std::to_string(accumulation) + "_precision_" + precision;
    }
};

/// What rank 0 has at the end, and what each rank held.
struct ShardedRun {
    std::vector<double> losses, norms, scales;
    std::vector<bool> skipped;
    double evaluation = 0, average = 0;
    std::map<std::string, at::Tensor> weights, gradients;
    std::vector<std::int64_t> state_bytes, gradient_bytes, buffer_bytes;  ///< [rank]
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

    /// Eight samples a step on every layout.
    config::Recipe with(const ShardedLayout& layout) const {
        config::Recipe made = recipe;
        made.training.mixed_precision = layout.precision;
        made.training.gradient_accumulation_steps = layout.accumulation;
        made.training.batch_size = 8 / layout.accumulation / layout.ranks;
        made.parallel.zero_stage = layout.stage;
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
        test::run_ranks(
            ranks,
            [&](std::unique_ptr<parallel::World> world) {
                parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
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
        // A file that the manifest names and the disk lacks is no checkpoint.
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
        EXPECT_TRUE(std::filesystem::exists(place / "checkpoint_3" / file)) << "rank 0 writes what the others would";
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
        const ShardedRun expected = Sharded::train(sharded_.with({0, 2, 1, "fp16"}), 2, 14);
        const ShardedRun got = Sharded::train(sharded_.with({stage, 2, 1, "fp16"}), 2, 14);
        EXPECT_TRUE(expected.skipped.front());
        EXPECT_FALSE(expected.skipped.back());
        expect_same_run(expected, got, 0, "stage " + std::to_string(stage));
    }
}

TEST_F(Sharding, NamesTheGradientThatIsNotFiniteOnEveryRank) {
    for (std::int64_t stage : {1, 2}) {
        std::vector<std::string> names(2);
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(2), std::move(world));
            Trainer trainer(sharded_.with({stage, 2}), mesh, at::kCPU);
            trainer.start();
            trainer.step();
            // An infinite shift of the last norm reaches every gradient below it; that of the embedding comes first.
            for (const auto& [name, weight] : trainer.weights())
                if (name == "transformer.ln_f.bias")
                    weight.fill_(std::numeric_limits<float>::infinity());
            StepReport report = trainer.step();
            EXPECT_TRUE(report.skipped);
            names[static_cast<std::size_t>(mesh.rank())] = report.first_non_finite;
        });
        EXPECT_EQ(names[0], names[1]);
        EXPECT_EQ(names[0], "transformer.wte.weight");
    }
}

TEST_F(Sharding, OverSockets) {
    for (std::int64_t stage : {1, 2}) {
        const ShardedRun expected = Sharded::train(sharded_.with({0, 2}), 2, kShardedSteps, {}, false);
        const ShardedRun got = Sharded::train(sharded_.with({stage, 2}), 2, kShardedSteps, {}, false);
        expect_same_run(expected, got, 1e-6, "stage " + std::to_string(stage) + " over Gloo");
    }
}

TEST_F(Sharding, CommunicationHooksWorkUnderStageOne) {
    sharded_.recipe.parallel.comm_hook = "bf16";
    expect_same_run(Sharded::train(sharded_.with({0, 2}), 2), Sharded::train(sharded_.with({1, 2}), 2), 0, "bf16 hook");
}

TEST_F(Sharding, FrozenParametersToo) {
    sharded_.recipe.model.freeze = {"transformer.h.0.attn.*", "transformer.wpe.*", "*.ln_1.bias"};
    const ShardedRun expected = Sharded::train(sharded_.with({0, 2}), 2);
    for (std::int64_t stage : {1, 2})
        expect_same_run(expected, Sharded::train(sharded_.with({stage, 2}), 2), 0, "stage " + std::to_string(stage));
}

}  // namespace
}  // namespace trainyard::train
