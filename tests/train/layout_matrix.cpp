// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix of layouts: 1 and 2 ranks, accumulation 1, 2, 4, whole and resumed in the middle, also on the other number of ranks; with
// dropout, with documents of uneven length (whose labels are not all counted), in fp32 and with loss scaling in fp16.

#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

constexpr std::int64_t kSteps = 6, kMiddle = 3;
constexpr double kTolerance = 1e-5;

struct Layout {
    int ranks = 1;
    std::int64_t accumulation = 1;
    std::string text() const { return std::to_string(ranks) + " ranks, accumulation " + std::to_string(accumulation); }
};

const Layout kLayouts[] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {2, 4}};

struct WholeCurve {
    std::vector<double> losses, norms, scales;
    double evaluation = 0, average = 0;
    std::int64_t updates = 0;
    at::Tensor weights;
};

class LayoutMatrix : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        std::mt19937 random(11);
        std::ofstream lines(folder_.path() / "lines.txt");
        const char* words[] = {"rank ", "shard ", "gather ", "loss ", "scale "};
        for (int line = 0; line < 300; ++line) {
            for (unsigned word = 0, count = 1 + random() % 6; word < count; ++word)
                lines << words[random() % 5];
            lines << '\n';
        }
        recipe_.data.paths = {(folder_.path() / "lines.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 16;
        recipe_.model.n_embd = 16;
        recipe_.model.n_layer = 1;
        recipe_.model.n_head = 2;
        recipe_.training.steps = kSteps;
        recipe_.training.evaluate_batches = 0;  // all that is held out: its last batch is not full
        recipe_.schedule.warmup_steps = 2;
        recipe_.optimizer.lr = 3e-3;
    }

    /// Eight samples a step on every layout.
    config::Recipe with(const Layout& layout) const {
        config::Recipe recipe = recipe_;
        recipe.training.gradient_accumulation_steps = layout.accumulation;
        recipe.training.batch_size = 8 / layout.accumulation / layout.ranks;
        return recipe;
    }

    static WholeCurve train(const config::Recipe& recipe, int ranks, std::int64_t steps,
                            const std::filesystem::path& save_to = {}) {
        WholeCurve curve;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            WholeCurve mine;
            while (trainer.position().step < steps) {
                StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
                mine.scales.push_back(report.loss_scale);
            }
            Evaluation evaluation = trainer.evaluate().value();
            mine.evaluation = evaluation.loss;
            mine.average = evaluation.average_loss.value_or(0);
            mine.updates = trainer.updates();
            mine.weights = trainer.arena().values().clone();
            if (!save_to.empty())
                trainer.save(save_to);
            if (mesh.rank() == 0)
                curve = mine;
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        return curve;
    }

    static WholeCurve tail(WholeCurve curve, std::int64_t from) {
        for (std::vector<double>* values : {&curve.losses, &curve.norms, &curve.scales})
            values->erase(values->begin(), values->begin() + from);
        return curve;
    }

    static void expect_same(const WholeCurve& a, const WholeCurve& b, double tolerance, const std::string& what) {
        ASSERT_EQ(a.losses.size(), b.losses.size()) << what;
        for (std::size_t i = 0; i < a.losses.size(); ++i) {
            EXPECT_NEAR(a.losses[i], b.losses[i], tolerance) << what << ", step " << i;
            EXPECT_NEAR(a.norms[i], b.norms[i], 10 * tolerance) << what << ", step " << i;
            EXPECT_EQ(a.scales[i], b.scales[i]) << what << ", step " << i;
        }
        EXPECT_NEAR(a.evaluation, b.evaluation, tolerance) << what;
        EXPECT_NEAR(a.average, b.average, tolerance) << what;
        EXPECT_EQ(a.updates, b.updates) << what;
        // Replicas lay their weights out alike, whatever their number.
        ASSERT_EQ(a.weights.sizes(), b.weights.sizes()) << what;
        EXPECT_LE(a.weights.sub(b.weights).abs().max().item<double>(), tolerance) << what << ", weights";
    }

    /// Every layout against one rank without accumulation.
    void expect_layouts_agree(double tolerance) {
        WholeCurve expected = train(with({1, 1}), 1, kSteps);
        EXPECT_LT(expected.losses.back(), expected.losses.front());
        for (const Layout& layout : kLayouts)
            expect_same(expected, train(with(layout), layout.ranks, kSteps), tolerance, layout.text());
    }

    /// Stopped in the middle on `first` and resumed on `second`, against the whole run on `second`.
    void expect_resumes(const Layout& first, const Layout& second, double tolerance) {
        std::string what = first.text() + ", then " + second.text();
        auto place = folder_.path() / what;
        train(with(first), first.ranks, kMiddle, place);
        config::Recipe rest = with(second);
        rest.checkpoint.resume_from = place.string();
        WholeCurve got = train(rest, second.ranks, kSteps);
        WholeCurve expected = tail(train(with(second), second.ranks, kSteps), kMiddle);
        expect_same(expected, got, tolerance, what);
        EXPECT_TRUE(tolerance > 0 || expected.weights.equal(got.weights)) << what << ": every bit";
    }
};

TEST_F(LayoutMatrix, PlainText) {
    expect_layouts_agree(kTolerance);
}

TEST_F(LayoutMatrix, Dropout) {
    recipe_.model.resid_pdrop = recipe_.model.embd_pdrop = recipe_.model.attn_pdrop = 0.2;
    expect_layouts_agree(kTolerance);
}

TEST_F(LayoutMatrix, DocumentsOfUnevenLength) {
    recipe_.data.format = config::DataFormat::text;
    recipe_.data.pack = false;
    expect_layouts_agree(kTolerance);
}

TEST_F(LayoutMatrix, AveragedWeights) {
    recipe_.training.ema_decay = 0.9;
    WholeCurve curve = train(with({1, 1}), 1, kSteps);
    EXPECT_GT(curve.average, 0);
    EXPECT_NE(curve.average, curve.evaluation);
    expect_layouts_agree(kTolerance);
}

TEST_F(LayoutMatrix, ResumesInTheMiddleToTheBitOnTheSameLayout) {
    recipe_.model.resid_pdrop = 0.1;
    recipe_.training.ema_decay = 0.9;
    recipe_.data.format = config::DataFormat::text;
    recipe_.data.pack = false;
    for (const Layout& layout : kLayouts)
        expect_resumes(layout, layout, 0);
}

TEST_F(LayoutMatrix, ResumesOnTheOtherNumberOfRanks) {
    recipe_.model.resid_pdrop = 0.1;
    for (std::int64_t accumulation : {1, 2, 4}) {
        expect_resumes({1, accumulation}, {2, accumulation}, kTolerance);
        expect_resumes({2, accumulation}, {1, accumulation}, kTolerance);
    }
}

TEST_F(LayoutMatrix, ResumesToTheBitWithWhatCommunicationHooksKeep) {
    recipe_.parallel.bucket_cap_mb = 0.002;
    for (const CommHookType hook : {CommHookType::power_sgd, CommHookType::batched_power_sgd}) {
        recipe_.parallel.comm_hook = hook;
        recipe_.parallel.comm_wrapper = hook == CommHookType::power_sgd ? Precision::no : Precision::bf16;
        recipe_.parallel.comm_state_option =
            "{matrix_approximation_rank: 2, start_powerSGD_iter: 2, min_compression_rate: 1.1}";
        WholeCurve compressed = train(with({2, 1}), 2, kSteps);
        config::Recipe plain = with({2, 1});
        plain.parallel.comm_hook = CommHookType::no;
        plain.parallel.comm_wrapper = Precision::no;
        EXPECT_FALSE(train(plain, 2, kSteps).weights.equal(compressed.weights)) << "compression must have begun";
        expect_resumes({2, 1}, {2, 1}, 0);
        expect_resumes({2, 2}, {2, 2}, 0);
        // The same options in other words are taken for others: the hook starts again, and the message says so.
        auto place = folder_.path() / "anew";
        train(with({2, 1}), 2, kMiddle, place);
        config::Recipe rest = with({2, 1});
        rest.checkpoint.resume_from = place.string();
        rest.parallel.comm_state_option += " ";
        EXPECT_FALSE(train(rest, 2, kSteps).weights.equal(compressed.weights));
    }
}

TEST_F(LayoutMatrix, CommunicationHooksStartAnewWhereTheirStateDoesNotFit) {
    recipe_.parallel.comm_hook = CommHookType::power_sgd;
    recipe_.parallel.comm_state_option = "{start_powerSGD_iter: 2, min_compression_rate: 1.1}";
    train(with({2, 1}), 2, kMiddle, folder_.path() / "two");
    auto started = [&](const config::Recipe& recipe, int ranks) {
        std::vector<std::string> sentences(static_cast<std::size_t>(ranks));
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            sentences[static_cast<std::size_t>(mesh.rank())] = trainer.start();
            EXPECT_TRUE(std::isfinite(trainer.step().loss));
        });
        for (const std::string& sentence : sentences)
            EXPECT_EQ(sentence, sentences[0]);
        return sentences[0];
    };
    auto rest = [&](int ranks) {
        config::Recipe recipe = with({ranks, 1});
        recipe.checkpoint.resume_from = (folder_.path() / "two").string();
        return recipe;
    };
    EXPECT_TRUE(started(rest(2), 2).ends_with("at step 3"));
    EXPECT_TRUE(started(rest(4), 4)
                    .ends_with("the communication hook power_sgd starts again: its state in the "
                               "checkpoint is of 2 ranks instead of 4"));
    config::Recipe other = rest(2);
    other.parallel.bucket_cap_mb = 0.002;
    EXPECT_NE(started(other, 2).find("power_sgd starts again: its state in the checkpoint was made with"),
              std::string::npos);
    recipe_.parallel.comm_hook = CommHookType::fp16;
    EXPECT_TRUE(started(rest(2), 2).ends_with("at step 3")) << "keeps nothing";
    recipe_.parallel.comm_hook = CommHookType::no;
    train(with({2, 1}), 2, kMiddle + 1, folder_.path() / "two");
    recipe_.parallel.comm_hook = CommHookType::power_sgd;
    EXPECT_TRUE(started(rest(2), 2).ends_with("starts again: the checkpoint has no state of it"));
}

TEST_F(LayoutMatrix, LossScalingInFp16SkipsCountsAndResumes) {
    recipe_.training.mixed_precision = Precision::fp16;
    recipe_.training.loss_scale = 1e7;  // overflows at first
    recipe_.training.loss_scale_window = 2;
    WholeCurve whole = train(with({1, 1}), 1, kSteps + 6);
    EXPECT_EQ(whole.scales[1], whole.scales[0] / 2) << "halved after the step that overflowed";
    EXPECT_LT(whole.updates, kSteps + 6);
    EXPECT_GT(whole.updates, 0);
    EXPECT_TRUE(std::isfinite(whole.losses.back()));
    recipe_.training.loss_scale = 1024;
    WholeCurve calm = train(with({1, 1}), 1, kSteps);
    EXPECT_EQ(calm.updates, kSteps);
    EXPECT_EQ(calm.scales[2], 2048) << "doubled after two good steps";
    for (const Layout& layout : {Layout{1, 2}, Layout{2, 2}})
        expect_same(calm, train(with(layout), layout.ranks, kSteps), 5e-3, layout.text() + " in fp16");
    expect_resumes({1, 1}, {1, 1}, 0);
    expect_resumes({2, 1}, {2, 1}, 0);
}

TEST_F(LayoutMatrix, MeansAreOverCountedTargetsOfAllRanks) {
    // Two documents: ten targets and two. Each rank has one; the mean over ranks of means would be another number.
    std::ofstream(folder_.path() / "lines.txt") << "0123456789\n01\n0123456789\n01\n";
    recipe_.data.format = config::DataFormat::text;
    recipe_.data.pack = recipe_.data.shuffle = false;
    recipe_.data.validation_fraction = 0.5;
    recipe_.training.batch_size = 1;
    std::vector<StepReport> reports(2);
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::replicas(2), std::move(world));
        Trainer trainer(recipe_, mesh, at::kCPU);
        trainer.start();
        reports[static_cast<std::size_t>(mesh.rank())] = trainer.step();
    });
    EXPECT_EQ(reports[0].targets, 12);
    EXPECT_EQ(reports[0].loss, reports[1].loss);
    recipe_.training.batch_size = 2;
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe_, mesh, at::kCPU);
    trainer.start();
    StepReport together = trainer.step();
    EXPECT_EQ(together.targets, 12);
    EXPECT_NEAR(together.loss, reports[0].loss, 1e-6);
    EXPECT_NEAR(together.gradient_norm, reports[0].gradient_norm, 1e-5);
}

}  // namespace
}  // namespace trainyard::train
