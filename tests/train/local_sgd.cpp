// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of training.local_sgd_steps, compared with ranks that are simulated one after the other, and of
// training.swa_start, compared with averages and learning rates that are computed step by step as in
// torch.optim.swa_utils.

#include <cmath>
#include <fstream>
#include <map>
#include <random>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/rate_schedule.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using Weights = std::map<std::string, at::Tensor>;

constexpr std::int64_t kWindow = 16, kBatch = 2;

Weights copy_of(const Trainer& trainer) {
    Weights copies;
    for (const auto& [name, weight] : trainer.weights())
        copies[name] = weight.clone();
    return copies;
}

void expect_close(const Weights& expected, const Weights& got, const std::string& what) {
    ASSERT_EQ(expected.size(), got.size()) << what;
    for (const auto& [name, weight] : expected)
        EXPECT_TRUE(weight.allclose(got.at(name), 1e-5, 1e-6)) << what << ": " << name;
}

class AveragesOfWeights : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    std::vector<std::string> blocks_;

    void SetUp() override {
        std::mt19937 random(5);
        for (int i = 0; i < 48; ++i) {
            std::string block;
            for (std::int64_t j = 0; j < kWindow; ++j)
                block += static_cast<char>('a' + random() % 20);
            blocks_.push_back(block);
        }
    }

    config::Recipe recipe_of(const std::string& name, const std::vector<std::string>& blocks) const {
        std::ofstream text(folder_.path() / name);
        for (const std::string& block : blocks)
            text << block;
        text.close();
        config::Recipe recipe;
        recipe.data.paths = {(folder_.path() / name).string()};
        recipe.data.sequence_length = recipe.model.n_positions = kWindow;
        recipe.data.validation_fraction = 0;
        recipe.data.shuffle = false;
        recipe.model.n_embd = 16;
        recipe.model.n_layer = 1;
        recipe.model.n_head = 2;
        recipe.training.steps = 8;
        recipe.training.batch_size = kBatch;
        recipe.training.max_grad_norm = 0.3;
        recipe.optimizer.lr = 3e-3;
        return recipe;
    }

    static void on_one_rank(const std::function<void(parallel::Mesh&)>& body) {
        parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
        body(mesh);
    }
};

/// Returns the blocks that one of two ranks sees, in the order of the data.
std::vector<std::string> blocks_of_rank(const std::vector<std::string>& blocks, std::size_t rank) {
    std::vector<std::string> own;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (i / kBatch % 2 == rank)
            own.push_back(blocks[i]);
    return own;
}

TEST_F(AveragesOfWeights, LocalSgdIsRanksByThemselvesThatAverageTheirWeights) {
    for (std::int64_t every : {1, 3}) {
        // The oracle: two trainings without any communication, whose weights are averaged by hand.
        std::vector<double> losses;
        Weights expected;
        on_one_rank([&](parallel::Mesh& mesh) {
            Trainer first(recipe_of("first.txt", blocks_of_rank(blocks_, 0)), mesh, at::kCPU);
            Trainer second(recipe_of("second.txt", blocks_of_rank(blocks_, 1)), mesh, at::kCPU);
            first.start();
            second.start();
            auto average = [&] {
                at::NoGradGuard no_grad;
                const at::Tensor mean = first.arena().values().add(second.arena().values()).div(2);
                for (Trainer* each : {&first, &second}) {
                    each->arena().values().copy_(mean);
                    each->arena().refresh_compute();
                }
            };
            for (std::int64_t step = 1; step <= 8; ++step) {
                losses.push_back((first.step().loss + second.step().loss) / 2);
                if (step % every == 0)
                    average();
            }
            average();
            expected = copy_of(first);
        });
        config::Recipe recipe = recipe_of("both.txt", blocks_);
        recipe.training.local_sgd_steps = every;
        std::vector<double> got_losses;
        std::vector<Weights> got(2), between(2);
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(2), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            const auto rank = static_cast<std::size_t>(mesh.rank());
            for (std::int64_t step = 1; step <= 8; ++step) {
                const StepReport report = trainer.step();
                if (rank == 0)
                    got_losses.push_back(report.loss);
                if (step == 5)
                    between[rank] = copy_of(trainer);
            }
            trainer.save(folder_.path() / ("saved_" + std::to_string(every)));  // averages once more
            got[rank] = copy_of(trainer);
        });
        ASSERT_EQ(losses.size(), got_losses.size());
        for (std::size_t i = 0; i < losses.size(); ++i)
            EXPECT_NEAR(losses[i], got_losses[i], 1e-5) << "every " << every << ", step " << i;
        expect_close(expected, got[0], "rank 0, every " + std::to_string(every));
        for (const auto& [name, weight] : got[0])
            EXPECT_TRUE(weight.equal(got[1].at(name))) << "both ranks have the average: " << name;
        bool differs = false;
        for (const auto& [name, weight] : between[0])
            differs |= !weight.equal(between[1].at(name));
        EXPECT_EQ(differs, every > 1) << "the weights of the ranks must differ between two averages";
    }
}

/// This rank's moments by name, and the weights.
Weights state_of(const Trainer& trainer) {
    Weights copies = copy_of(trainer);
    const checkpoint::Content content = trainer.content();
    for (const checkpoint::LogicalTensor& moment : content.optimizer)
        copies[moment.name] = moment.local.clone();
    return copies;
}

TEST_F(AveragesOfWeights, LocalSgdGoesOnWithEachRanksOwnMoments) {
    for (const char* background : {"no", "yes"}) {
        config::Recipe recipe = recipe_of("both.txt", blocks_);
        recipe.training.local_sgd_steps = 3;
        const std::filesystem::path place = folder_.path() / ("moments_" + std::string(background));
        const bool waits = std::string(background) == "no";
        std::vector<Weights> expected(2), got(2), saved(2);
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(2), std::move(world));
            const auto rank = static_cast<std::size_t>(mesh.rank());
            {
                Trainer trainer(recipe, mesh, at::kCPU);
                trainer.start();
                for (int step = 1; step <= 4; ++step)  // the save is between two averages
                    trainer.step();
                if (waits)
                    trainer.save(place);
                else
                    trainer.begin_save(place);
                saved[rank] = state_of(trainer);
                for (int step = 5; step <= 8; ++step)
                    trainer.step();
                expected[rank] = state_of(trainer);
            }
            mesh.everyone().barrier("both have written");
            config::Recipe rest = recipe;
            rest.checkpoint.resume_from = place.string();
            Trainer resumed(rest, mesh, at::kCPU);
            EXPECT_EQ(resumed.start().text().find("Local SGD"), std::string::npos);
            for (int step = 5; step <= 8; ++step)
                resumed.step();
            got[rank] = state_of(resumed);
        });
        bool differ = false;
        for (const auto& [name, tensor] : saved[0])
            differ |= !tensor.equal(saved[1].at(name));
        EXPECT_TRUE(differ) << "moments of two ranks are not the same, or this test shows nothing";
        for (std::size_t rank = 0; rank < 2; ++rank) {
            ASSERT_EQ(expected[rank].size(), got[rank].size());
            for (const auto& [name, tensor] : expected[rank])
                EXPECT_TRUE(tensor.equal(got[rank].at(name))) << name << " of rank " << rank << ", " << background;
        }
        // Another number of ranks, or no Local SGD (one rank has none): the moments of rank 0, which the start says.
        struct Next {
            int ranks;
            std::int64_t local_sgd_steps;
            const char* words;
        };
        for (const Next& next : {Next{3, 3, "of 2 ranks instead of 3"}, Next{1, 3, "is of Local SGD on 2 ranks"},
                                 Next{2, 0, "is of Local SGD on 2 ranks"}, Next{1, 0, "moments of rank 0"}}) {
            test::run_ranks(next.ranks, [&](std::unique_ptr<parallel::World> world) {
                parallel::Mesh mesh(parallel::replicas(next.ranks), std::move(world));
                config::Recipe rest = recipe;
                rest.training.local_sgd_steps = next.local_sgd_steps;
                rest.checkpoint.resume_from = place.string();
                Trainer resumed(rest, mesh, at::kCPU);
                const std::string where = resumed.start();
                EXPECT_NE(where.find(next.words), std::string::npos) << where;
                for (const auto& [name, tensor] : state_of(resumed))
                    EXPECT_TRUE(tensor.equal(saved[0].at(name))) << name << ", " << next.ranks << " ranks";
            });
        }
    }
}

TEST_F(AveragesOfWeights, LocalSgdSkipsTogetherInFp16) {
    config::Recipe recipe = recipe_of("both.txt", blocks_);
    recipe.training.local_sgd_steps = 2;
    recipe.training.mixed_precision = Precision::fp16;
    recipe.training.loss_scale = 1e9;  // overflows at first, on whichever rank
    std::vector<std::vector<double>> scales(2);
    std::vector<std::int64_t> updates(2);
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::replicas(2), std::move(world));
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        const auto rank = static_cast<std::size_t>(mesh.rank());
        for (int step = 0; step < 20; ++step)
            scales[rank].push_back(trainer.step().loss_scale);
        updates[rank] = trainer.updates();
    });
    EXPECT_EQ(scales[0], scales[1]);
    EXPECT_LT(scales[0].back(), 1e9);
    EXPECT_EQ(updates[0], updates[1]);
    EXPECT_GT(updates[0], 0);
    EXPECT_LT(updates[0], 20);
}

TEST_F(AveragesOfWeights, UniformAverageOfTheWeightsFromAStepOn) {
    for (int ranks : {1, 2})
        for (std::int64_t freq : {1, 2}) {
            config::Recipe recipe = recipe_of("text.txt", blocks_);
            recipe.training.swa_start = 3;
            recipe.training.swa_freq = freq;
            recipe.training.swa_lr = 1e-3;
            recipe.training.swa_anneal_steps = 2;
            recipe.parallel.zero_stage = ranks - 1;
            const std::filesystem::path place =
                folder_.path() / ("swa" + std::to_string(ranks) + "_" + std::to_string(freq));
            std::vector<Weights> after;
            auto body = [&](std::unique_ptr<parallel::World> world) {
                parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
                config::Recipe first = recipe;
                Trainer trainer(first, mesh, at::kCPU);
                trainer.start();
                for (int step = 1; step <= 5; ++step) {
                    trainer.step();
                    if (mesh.rank() == 0)
                        after.push_back(copy_of(trainer));
                }
                trainer.save(place);
                config::Recipe rest = recipe;  // resumed by another trainer
                rest.checkpoint.resume_from = place.string();
                Trainer resumed(rest, mesh, at::kCPU);
                resumed.start();
                for (int step = 6; step <= 8; ++step) {
                    resumed.step();
                    if (mesh.rank() == 0)
                        after.push_back(copy_of(resumed));
                }
                resumed.save(place);
            };
            if (ranks == 1)
                body(parallel::World::connect({}, "cpu"));
            else
                test::run_ranks(ranks, body);
            // Whole again, from the shares that the ranks wrote.
            std::map<std::string, at::Tensor> averages;
            checkpoint::Content stored;
            for (const auto& [name, last] : after.back()) {
                averages[name] = at::empty_like(last);
                stored.average.push_back(checkpoint::LogicalTensor::of_whole(name, averages[name]));
            }
            EXPECT_TRUE(checkpoint::load(place / "checkpoint_8", stored).without_average.empty());
            for (const auto& [name, last] : after.back()) {
                at::Tensor sum = at::zeros(last.sizes());
                std::int64_t count = 0;
                for (std::int64_t update = 3 + freq; update <= 8; update += freq, ++count)
                    sum.add_(after[static_cast<std::size_t>(update - 1)].at(name));
                EXPECT_TRUE(averages.at(name).allclose(sum.div(static_cast<double>(count)), 1e-5, 1e-7))
                    << name << ", " << ranks << " ranks, every " << freq;
            }
        }
}

/// torch.optim.swa_utils.SWALR.get_lr, step by step from the rate before it.
class SwaLr {
  public:
    SwaLr(double lr, double swa_lr, std::int64_t anneal, bool cosine)
        : lr_(lr), swa_lr_(swa_lr), anneal_(anneal), cosine_(cosine) {
        compute(0);
    }
    double lr() const { return lr_; }
    void step() { compute(++step_); }

  private:
    double alpha_of(double t) const { return cosine_ ? (1 - std::cos(M_PI * t)) / 2 : t; }
    void compute(std::int64_t step) {
        if (anneal_ == 0)
            step = std::max<std::int64_t>(1, step);
        const auto most = static_cast<double>(std::max<std::int64_t>(1, anneal_));
        const double before = alpha_of(std::clamp(static_cast<double>(step - 1) / most, 0.0, 1.0));
        const double initial = before == 1 ? swa_lr_ : (lr_ - before * swa_lr_) / (1 - before);
        const double now = alpha_of(std::clamp(static_cast<double>(step) / most, 0.0, 1.0));
        lr_ = swa_lr_ * now + initial * (1 - now);
    }
    double lr_, swa_lr_;
    std::int64_t anneal_;
    bool cosine_;
    std::int64_t step_ = 0;
};

TEST(SwaRate, GoesFromTheSchedulesRateToItsOwnAsTorchs) {
    for (const char* schedule : {"cosine", "constant", "polynomial", "StepLR"})
        for (bool cosine : {true, false})
            for (std::int64_t anneal : {0, 1, 4}) {
                config::Recipe recipe;
                recipe.training.steps = 30;
                recipe.schedule.name = schedule;
                if (recipe.schedule.name == "StepLR")
                    recipe.schedule.arguments = "{step_size: 3, gamma: 0.5}";
                config::Recipe plain = recipe;
                recipe.training.swa_start = 10;
                recipe.training.swa_lr = 5e-4;
                recipe.training.swa_anneal_steps = anneal;
                recipe.training.swa_anneal_strategy =
                    cosine ? config::AnnealStrategy::cos : config::AnnealStrategy::linear;
                ASSERT_TRUE(config::check_recipe(recipe).empty());
                RateSchedule rates(recipe), unaveraged(plain);
                std::optional<SwaLr> torch;
                for (int update = 0; update < 30; ++update) {
                    if (update < 10) {
                        EXPECT_EQ(rates.lr(), unaveraged.lr()) << schedule << " " << update;
                        unaveraged.advance();
                    } else {
                        if (!torch)
                            torch.emplace(unaveraged.lr(), 5e-4, anneal, cosine);
                        else
                            torch->step();
                        EXPECT_NEAR(rates.lr(), torch->lr(), 1e-12) << schedule << " " << anneal << " " << update;
                    }
                    if (update == 12) {  // the place survives a resume
                        RateSchedule again(recipe);
                        again.load_state_dict(rates.state_dict());
                        EXPECT_EQ(again.lr(), rates.lr());
                    }
                    rates.advance();
                }
            }
}

TEST(AverageKeys, AreRefusedWhereTheyHaveNoEffect) {
    auto problem = [](const std::function<void(config::Recipe&)>& change) {
        config::Recipe recipe;
        change(recipe);
        std::string keys;
        for (const Problem& one : config::check_recipe(recipe))
            if (one.key != "data.path")
                keys += one.key + " ";
        return keys;
    };
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.swa_start = 10; }), "");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.swa_lr = 1e-3; }), "training.swa_lr ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.swa_freq = 2; }), "training.swa_freq ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.swa_start = 1000; }), "training.swa_start ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.swa_start = 10, r.training.ema_decay = 0.9; }),
              "training.swa_start ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.swa_start = 10, r.training.swa_anneal_steps = 3; }),
              "training.swa_anneal_steps ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.local_sgd_steps = 4; }), "");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.local_sgd_steps = 4, r.parallel.zero_stage = 1; }),
              "parallel.zero_stage ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.local_sgd_steps = 4, r.training.ema_decay = 0.9; }),
              "training.ema_decay ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.training.local_sgd_steps = 4, r.data.even_batches = false; }),
              "data.even_batches ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.data.dispatch_batches = true, r.data.even_batches = false; }),
              "data.dispatch_batches ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.checkpoint.best_metric = "eval/loss_average"; }),
              "checkpoint.best_metric ");
    EXPECT_EQ(problem([](config::Recipe& r) { r.checkpoint.best_metric = "loss"; }), "checkpoint.best_metric ");
}

}  // namespace
}  // namespace trainyard::train
