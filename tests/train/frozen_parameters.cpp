// SPDX-License-Identifier: GPL-3.0-or-later
// Frozen parameters: they stay to the bit, have neither gradient nor optimizer state, and the others train as they would beside them.

#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using Named = std::map<std::string, at::Tensor>;

Named copies(const NamedTensors& tensors) {
    Named result;
    for (const auto& [name, tensor] : tensors)
        result[name] = tensor.clone();
    return result;
}

class FrozenParameters : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        std::mt19937 random(3);
        std::ofstream file(folder_.path() / "text.txt");
        for (int i = 0; i < 4000; ++i)
            file << "frozen thawed " << random() % 10;
        file.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 16;
        recipe_.model.n_embd = 32;
        recipe_.model.n_layer = 2;
        recipe_.model.n_head = 2;
        recipe_.training.steps = 5;
        recipe_.training.batch_size = 8;
        recipe_.training.max_grad_norm = 0;  // the norm is that of what is trained: clipping would differ
        recipe_.optimizer.lr = 1e-2;
    }

    struct Trained {
        Named before, after, first_gradients;
        double evaluation = 0, average = 0;
        std::int64_t state_bytes = 0, gradient_bytes = 0;
    };

    static Trained train(const config::Recipe& recipe, int ranks, std::int64_t steps,
                         const std::filesystem::path& save_to = {}) {
        Trained result;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            Trained mine;
            mine.before = copies(trainer.weights());
            while (trainer.position().step < steps) {
                trainer.step();
                if (mine.first_gradients.empty())
                    mine.first_gradients = copies(trainer.gradients());
            }
            mine.after = copies(trainer.weights());
            if (auto evaluation = trainer.evaluate()) {
                mine.evaluation = evaluation->loss;
                mine.average = evaluation->average_loss.value_or(0);
            }
            for (const checkpoint::LogicalTensor& tensor : trainer.content().optimizer)
                mine.state_bytes += static_cast<std::int64_t>(tensor.local.nbytes());
            mine.gradient_bytes = static_cast<std::int64_t>(trainer.arena().gradients().nbytes());
            if (!save_to.empty())
                trainer.save(save_to);
            if (mesh.rank() == 0)
                result = std::move(mine);
        });
        return result;
    }

    /// One step beside the same one without freezing: gradients and weights of what is trained are those to the bit.
    void expect_others_train_alike(const std::vector<std::string>& patterns, std::size_t trained) {
        config::Recipe frozen = recipe_;
        frozen.model.freeze = patterns;
        Trained got = train(frozen, 1, 1), expected = train(recipe_, 1, 1);
        EXPECT_EQ(got.first_gradients.size(), trained);
        for (const auto& [name, weight] : got.after) {
            EXPECT_TRUE(got.before.at(name).equal(expected.before.at(name))) << name << " starts alike";
            if (got.first_gradients.contains(name)) {
                EXPECT_TRUE(got.first_gradients.at(name).equal(expected.first_gradients.at(name))) << name;
                EXPECT_TRUE(weight.equal(expected.after.at(name))) << name;
                EXPECT_FALSE(weight.equal(got.before.at(name))) << name << " is trained";
            } else {
                EXPECT_TRUE(weight.equal(got.before.at(name))) << name << " is frozen";
            }
        }
    }
};

TEST_F(FrozenParameters, StayAndLetTheOthersTrainAsTheyWould) {
    expect_others_train_alike({"transformer.wte.*", "transformer.wpe.*"}, 26);
    expect_others_train_alike({"transformer.wte.*", "transformer.wpe.*", "transformer.h.0.*"}, 14);
    expect_others_train_alike({"transformer.h.1.*"}, 16);
    expect_others_train_alike({"*.weight"}, 13);  // biases alone, as BitFit trains them
    expect_others_train_alike({"*.bias"}, 15);
    expect_others_train_alike({"transformer.w*", "transformer.h.*", "*.bias"}, 1);
}

TEST_F(FrozenParameters, InBfloat16Too) {
    recipe_.training.mixed_precision = Precision::bf16;
    expect_others_train_alike({"*.weight"}, 13);
    expect_others_train_alike({"transformer.w*", "transformer.h.0.*"}, 14);
}

TEST_F(FrozenParameters, HaveNeitherGradientNorOptimizerState) {
    recipe_.model.freeze = {"transformer.h.0.*", "transformer.w*"};
    Trained got = train(recipe_, 1, 1);
    std::int64_t trained = 0;
    for (const auto& [name, gradient] : got.first_gradients)
        trained += gradient.numel();
    EXPECT_EQ(got.state_bytes, 8 * trained);
    EXPECT_EQ(got.gradient_bytes, 4 * trained) << "every size of this model fills its lines of 64 bytes";
}

TEST_F(FrozenParameters, OnSeveralRanksAndAfterAResume) {
    recipe_.model.freeze = {"transformer.h.1.attn.*", "transformer.wte.*"};
    recipe_.training.ema_decay = 0.5;
    recipe_.optimizer.eps = 1e-4;  // the bias of the keys has a gradient of nothing but rounding
    Trained one = train(recipe_, 1, 5);
    config::Recipe half = recipe_;
    half.training.batch_size = 4;
    half.parallel.bucket_cap_mb = 0.01;
    Trained two = train(half, 2, 5);
    for (const auto& [name, weight] : one.after)
        EXPECT_TRUE(weight.allclose(two.after.at(name), 1e-4, 1e-5)) << name;
    EXPECT_NEAR(one.average, two.average, 1e-5);
    train(half, 2, 3, folder_.path() / "saved");
    half.checkpoint.resume_from = (folder_.path() / "saved").string();
    Trained resumed = train(half, 2, 5);
    for (const auto& [name, weight] : two.after)
        EXPECT_TRUE(weight.equal(resumed.after.at(name))) << name;
    EXPECT_EQ(two.average, resumed.average);
}

TEST_F(FrozenParameters, MoreMayBeFrozenOnAResume) {
    recipe_.training.ema_decay = 0.5;
    train(recipe_, 1, 3, folder_.path() / "saved");
    recipe_.checkpoint.resume_from = (folder_.path() / "saved").string();
    recipe_.model.freeze = {"transformer.wte.*"};
    Trained rest = train(recipe_, 1, 5);
    EXPECT_TRUE(rest.after.at("transformer.wte.weight").equal(rest.before.at("transformer.wte.weight")));
    EXPECT_FALSE(rest.after.at("transformer.wpe.weight").equal(rest.before.at("transformer.wpe.weight")));
}

}  // namespace
}  // namespace trainyard::train
