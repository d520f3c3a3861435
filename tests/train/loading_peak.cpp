// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the memory that loading takes: besides the shard of each rank the largest tensor and 64 MB at most, from
// checkpoints of other numbers of ranks and other meshes, and from weights to start from.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ranks.h"
#include "support/resident_peak.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSlack = 64 << 20;

/// 25 million parameters: 100 MB of weights and 200 MB of optimizer state.
class LoadingPeak : public ::testing::Test {
  protected:
    LoadingPeak() {
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 4000; ++i)
            text << "load a shard ";
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 8;
        recipe_.model.n_embd = 512;
        recipe_.model.n_layer = 8;
        recipe_.model.n_head = 8;
        recipe_.model.vocab_size = 259;
        recipe_.training.steps = 2;
        recipe_.training.batch_size = 1;
    }

    struct Layout {
        int ranks = 1, tensor = 1;
        std::int64_t stage = 0;
        std::string text() const {
            return std::to_string(ranks) + " ranks, tensor " + std::to_string(tensor) + ", stage " +
                   std::to_string(stage);
        }
    };
    config::Recipe with(const Layout& layout) const {
        config::Recipe recipe = recipe_;
        recipe.parallel.zero_stage = layout.stage;
        recipe.parallel.tp_size = layout.tensor;
        return recipe;
    }
    template <class Body>
    static void run(const config::Recipe& recipe, const Layout& layout, const Body& body) {
        test::run_ranks(layout.ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh({1, 1, layout.ranks / layout.tensor, 1, 1, layout.tensor}, std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            body(trainer, mesh);
        });
    }
    void save(const Layout& layout) const {
        run(with(layout), layout, [&](Trainer& trainer, parallel::Mesh&) {
            trainer.start();
            trainer.step();
            trainer.save(folder_.path());
        });
    }
    /// The ranks are threads of this process: what start() takes besides their shards, which they have before.
    static void expect_little_memory(const config::Recipe& recipe, const Layout& layout, const std::string& what) {
        run(recipe, layout, [&](Trainer& trainer, parallel::Mesh& mesh) {
            std::size_t largest = 0;
            for (const parallel::Unit* unit : trainer.model().units())
                for (const parallel::Parameter* parameter : unit->parameters())
                    largest = std::max(largest, static_cast<std::size_t>(parameter->numel()) * sizeof(float));
            mesh.everyone().barrier("all ranks have their shards");
            if (mesh.rank() > 0) {
                trainer.start();
                mesh.everyone().barrier("all ranks have loaded");
                return;
            }
            const std::size_t rise = test::rise_of_peak([&] {
                trainer.start();
                mesh.everyone().barrier("all ranks have loaded");
            });
            // Rooms that ranks share are a part of the shard that has no memory before it is written.
            EXPECT_LE(rise,
                      static_cast<std::size_t>(layout.ranks) * (trainer.bytes_of_shared_rooms() + largest + kSlack))
                << what;
            EXPECT_GT(trainer.parameter_count(), 24'000'000);
        });
    }

    test::TemporaryFolder folder_;
    config::Recipe recipe_;
};

TEST_F(LoadingPeak, OfACheckpointOfAnyLayoutIsTheShardAndALittle) {
    for (const Layout& saved : {Layout{2, 1, 3}, Layout{2, 2, 0}}) {
        save(saved);
        for (const Layout& loaded : {Layout{1, 1, 0}, Layout{2, 1, 3}, Layout{2, 1, 1}, Layout{2, 2, 0}}) {
            config::Recipe recipe = with(loaded);
            recipe.checkpoint.resume_from = (folder_.path() / "checkpoint_1").string();
            expect_little_memory(recipe, loaded, saved.text() + " into " + loaded.text());
        }
        fs::remove_all(folder_.path() / "checkpoint_1");
    }
}

TEST_F(LoadingPeak, OfWeightsToStartFromToo) {
    save({1, 1, 0});
    for (const Layout& loaded : {Layout{1, 1, 0}, Layout{2, 1, 3}, Layout{2, 2, 0}}) {
        config::Recipe recipe = with(loaded);
        recipe.model.weights = (folder_.path() / "checkpoint_1").string();
        for (const bool first_reads : {false, true}) {
            recipe.parallel.cpu_ram_efficient_loading = first_reads;
            expect_little_memory(recipe, loaded, "weights into " + loaded.text());
        }
    }
}

/// The path of the files does not exist on other ranks than the first.
TEST_F(LoadingPeak, OtherRanksReadNoFileOfWeights) {
    recipe_.model.n_embd = 64;
    recipe_.model.n_layer = 2;
    save({1, 1, 0});
    const auto losses_of = [&](const Layout& layout, bool first_reads) {
        std::vector<double> losses;
        test::run_ranks(layout.ranks, [&](std::unique_ptr<parallel::World> world) {
            config::Recipe recipe = with(layout);
            recipe.parallel.cpu_ram_efficient_loading = first_reads;
            const bool has_files = !first_reads || world->rank() == 0;
            recipe.model.weights = (folder_.path() / (has_files ? "checkpoint_1" : "none")).string();
            parallel::Mesh mesh({1, 1, layout.ranks / layout.tensor, 1, 1, layout.tensor}, std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            for (int step = 0; step < 2; ++step) {
                const double loss = trainer.step().loss;
                if (mesh.rank() == 0)
                    losses.push_back(loss);
            }
        });
        return losses;
    };
    for (const Layout& layout :
         {Layout{2, 1, 0}, Layout{2, 1, 2}, Layout{2, 1, 3}, Layout{4, 1, 3}, Layout{2, 2, 0}, Layout{4, 2, 3}}) {
        const std::vector<double> expected = losses_of(layout, false);
        EXPECT_EQ(expected.size(), 2U);
        EXPECT_EQ(losses_of(layout, true), expected) << layout.text();
    }
}

TEST_F(LoadingPeak, ARankThatCannotReadStopsAll) {
    config::Recipe recipe = with({2, 1, 3});
    recipe.model.weights = (folder_.path() / "none").string();
    recipe.parallel.cpu_ram_efficient_loading = true;
    std::atomic<int> failed = 0;
    run(recipe, {2, 1, 3}, [&](Trainer& trainer, parallel::Mesh&) {
        try {
            trainer.start();
        } catch (const UserError& error) {
            EXPECT_NE(std::string(error.what()).find((folder_.path() / "none").string()), std::string::npos);
            ++failed;
        }
    });
    EXPECT_EQ(failed, 2);
}

}  // namespace
}  // namespace trainyard::train
