// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small model and its data, for tests of the parts of a trainer on one rank.

#include <fstream>
#include <memory>
#include <random>

#include "support/temporary_folder.h"
#include "train/trainer_state.h"

namespace trainyard::train {

class SmallTraining {
  public:
    SmallTraining() {
        std::mt19937 random(7);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"step ", "state ", "loss ", "batch\n"};
        for (int i = 0; i < 2000; ++i)
            text << words[random() % 4];
        text.close();
        recipe.data.paths = {(folder_.path() / "text.txt").string()};
        recipe.data.sequence_length = recipe.model.n_positions = 16;
        recipe.model.n_embd = 16;
        recipe.model.n_layer = 1;
        recipe.model.n_head = 2;
        recipe.training.steps = 100;
        recipe.training.batch_size = 4;
        recipe.training.evaluate_batches = 2;
        recipe.training.ema_decay = 0.5;
        recipe.optimizer.lr = 1e-3;
    }
    /// Starts from initial weights, or from those that the recipe names.
    std::unique_ptr<Training> start() {
        auto training = std::make_unique<Training>(recipe, mesh_, at::kCPU);
        std::vector<Notice> notices;
        TrainerState(*training).start(notices);
        return training;
    }
    const std::filesystem::path& folder() const { return folder_.path(); }

    config::Recipe recipe;

  private:
    test::TemporaryFolder folder_;
    parallel::Mesh mesh_{parallel::replicas(1), parallel::World::connect({}, "cpu")};
};

}  // namespace trainyard::train
