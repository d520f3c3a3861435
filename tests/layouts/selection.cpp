// SPDX-License-Identifier: GPL-3.0-or-later
// The selection from the matrix of layouts (matrix.cpp) for the default run: every kind once, and layouts that are
// refused or unsupported.

#include <atomic>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/saver.h"
#include "checkpoint/torch_archive.h"
#include "layouts/layout.h"
#include "support/weights_file.h"

namespace trainyard::train::layouts {
namespace {

namespace fs = std::filesystem;

/// Every value of every dimension occurs, and every pair of ZeRO stage and schedule.
std::vector<Layout> selected() {
    std::vector<Layout> some;
    for (const Precision precision : {Precision::no, Precision::bf16, Precision::fp16})
        for (const Layout& kind : kinds_of_layouts(precision))
            if (kind.ranks > 1)
                some.push_back(kind);
    for (const std::string& schedule : pipeline::schedule_names())
        for (std::int64_t zero_stage : {0, 1, 2, 3})
            some.push_back(
                {4, 2, schedule, schedule == "DualPipeV" ? 4 : 2, Recomputation::selective, zero_stage, Precision::no});
    some.push_back({1, 1, "none", 4, Recomputation::full, 0, Precision::no});
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
}

TEST(Layouts, ASelectionGivesTheWeightsOfOneRank) {
    Training training;
    for (const Layout& layout : selected())
        expect_as_one_rank(training, layout);
}

TEST(Layouts, EachKindGoesOnOnTheNext) {
    Training training;
    const std::vector<Layout> kinds = kinds_of_layouts(Precision::no);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        expect_resumes(training, kinds[i], kinds[(i + 1) % kinds.size()]);
        expect_resumes(training, kinds[i], kinds[i]);
    }
}

/// One ignored sample of sixteen changes every weight by more than the tolerance.
TEST(Layouts, TheComparisonNoticesOneMissingSample) {
    Training training;
    for (const Precision precision : {Precision::no, Precision::bf16, Precision::fp16}) {
        Layout one;
        one.precision = precision;
        config::Recipe recipe = training.recipe(one);
        recipe.training.batch_size -= 1;
        const Outcome other = Training::run(recipe, one);
        const Tolerance tolerance = tolerance_of(precision);
        for (const auto& [name, weight] : training.whole(one).weights)
            EXPECT_GT(weight.sub(other.weights.at(name)).abs().mean().item<double>(), tolerance.mean)
                << choice_name(precision) << ": " << name;
    }
}

/// Layouts that are not supported today are refused with a sentence; nothing is ignored silently.
TEST(Layouts, WhatIsRefusedSaysSo) {
    Training training;
    struct Refused {
        const char* what;
        std::function<void(config::Recipe&)> change;
        const char* sentence;
    };
    const Layout pipeline{2, 2, "1F1B", 2};
    const Refused refused[] = {
        {"how weights are gathered under ZeRO-2",
         [](config::Recipe& r) {
             r.parallel.zero_stage = 2;
             r.parallel.reshard_after_forward = false;
         },
         "says how sharded weights are gathered"},
        {"comparing weights that are on one rank",
         [](config::Recipe& r) {
             r.parallel.zero_stage = 3;
             r.parallel.pp_size = 1;
             r.health.divergence_every = 1;
         },
         "so there is nothing to compare"},
        {"more stages than blocks", [](config::Recipe& r) { r.parallel.pp_size = 5; },
         "5 pipeline stages cannot be cut from a model of 4 blocks"},
        {"hooks under ZeRO-2",
         [](config::Recipe& r) {
             r.parallel.zero_stage = 2;
             r.parallel.comm_hook = CommHookType::bf16;
         },
         "zero_stage"},
    };
    for (const Refused& one : refused) {
        config::Recipe recipe = training.recipe(pipeline);
        one.change(recipe);
        std::string said;
        for (const Problem& problem : config::check_recipe(recipe))
            said += problem.key + " " + problem.message.text() + "\n";
        EXPECT_THAT(said, ::testing::HasSubstr(one.sentence)) << one.what;
    }
    for (const Layout& layout : all_layouts()) {
        std::string said;
        for (const Problem& problem : config::check_recipe(training.recipe(layout)))
            said += problem.key + " " + problem.message.text() + "; ";
        EXPECT_EQ(said, "") << layout;
    }
}

const Layout kShared{4, 2, "1F1B", 2, Recomputation::no, 1};  ///< a pipeline whose replicas shard the optimizer state

/// The same files with the same content, whichever ranks write them.
TEST(Layouts, RanksWithoutOneDiskSendTheirFilesToTheFirst) {
    Training training;
    Layout replicas{2, 1, "none", 1, Recomputation::no, 0};
    for (const Layout& layout : {kShared, replicas}) {
        const fs::path own = training.folder() / "own", sent = training.folder() / "sent";
        Training::run(training.recipe(layout), layout, kSavedStep, own);
        Training::run(training.recipe(layout), layout, kSavedStep, sent, false);
        const auto expected = checkpoint::read_manifest(own / "checkpoint_3").files,
                   got = checkpoint::read_manifest(sent / "checkpoint_3").files;
        ASSERT_EQ(expected.size(), got.size());
        for (const fs::path& place : {own, sent})
            EXPECT_EQ(checkpoint::read_manifest(place / "checkpoint_3").world_size, layout.ranks) << place;
        for (const auto& [name, record] : expected) {
            ASSERT_TRUE(got.contains(name)) << name;
            EXPECT_EQ(record.tensors, got.at(name).tensors) << name;
            EXPECT_EQ(record.xxh128, got.at(name).xxh128) << name;
        }
        fs::remove_all(own);
        fs::remove_all(sent);
    }
}

TEST(Layouts, DamageOfAFileThatOneRankReadsIsToldOnAll) {
    Training training;
    Training::run(training.recipe(kShared), kShared, kSavedStep, training.folder() / "damaged");
    const fs::path checkpoint = training.folder() / "damaged" / "checkpoint_3";
    const fs::path file = checkpoint / "optimizer-3-of-4.safetensors";
    std::string bytes = read_file(file);
    bytes[bytes.size() - 3] ^= 1;
    std::ofstream(file, std::ios::binary) << bytes;
    config::Recipe recipe = training.recipe(kShared);
    recipe.checkpoint.resume_from = checkpoint.string();
    std::atomic<int> told{0};
    test::run_ranks(kShared.ranks, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(kShared.stages, kShared.ranks), std::move(world));
        Trainer trainer(recipe, mesh, at::kCPU);
        try {
            trainer.start();
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("optimizer-3-of-4.safetensors is damaged"));
            ++told;
        }
    });
    EXPECT_EQ(told, kShared.ranks);
}

TEST(Layouts, NotFiniteWeightsOfALaterStageMakeNoGoodCheckpoint) {
    Training training;
    const fs::path place = training.folder() / "bad";
    test::run_ranks(kShared.ranks, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(kShared.stages, kShared.ranks), std::move(world));
        Trainer trainer(training.recipe(kShared), mesh, at::kCPU);
        trainer.start();
        for (const auto& [name, weight] : trainer.weights())
            if (name == "transformer.ln_f.bias")
                weight.fill_(std::nan(""));
        trainer.save(place);
    });
    EXPECT_EQ(checkpoint::read_manifest(place / "checkpoint_0").not_good,
              "transformer.ln_f.bias in model-00002-of-00002.safetensors holds NaN");
}

/// Includes optimizer.safetensors, and the average in trainer.bin.
TEST(Layouts, CheckpointsOfEarlierVersionsGoOn) {
    Training training;
    const Layout one;
    const fs::path now = training.folder() / "now", earlier = training.folder() / "earlier" / "checkpoint_3";
    Training::run(training.recipe(one), one, kSavedStep, now);
    const auto weights_in = [&](const char* file) { return test::read_weights(now / "checkpoint_3" / file); };
    Tree trainer = checkpoint::load_trainer(now / "checkpoint_3"), average = Tree::dict();
    for (const auto& [name, tensor] : weights_in("average.safetensors"))
        average.set(name, tensor);
    trainer.find("average")->set("average", std::move(average));
    NamedTensors moments;
    const Tree optimizer = checkpoint::read_torch_file(now / "checkpoint_3" / "optimizer.bin");
    for (const Tree& group : optimizer.at("param_groups").items())
        for (std::size_t i = 0; i < group.at("params").items().size(); ++i)
            for (const char* key : {"exp_avg", "exp_avg_sq"})
                moments.emplace_back(
                    std::string(key) + "." + group.at("param_names").items()[i].as_text(),
                    optimizer.at("state").at(group.at("params").items()[i].as_integer()).at(key).as_tensor());
    const checkpoint::Manifest manifest = checkpoint::read_manifest(now / "checkpoint_3");
    checkpoint::SaveRequest request;
    request.folder = earlier;
    request.number = kSavedStep;
    request.position = manifest.position;
    request.files = {{"model.safetensors", checkpoint::WeightsFile{weights_in("model.safetensors")}},
                     {"optimizer.safetensors", checkpoint::WeightsFile{std::move(moments)}},
                     {"trainer.bin", std::move(trainer)},
                     {"position.json", manifest.position}};
    request.wait = true;
    checkpoint::Saver().save(std::move(request));
    config::Recipe rest = training.recipe(one);
    rest.checkpoint.resume_from = earlier.string();
    expect_same(training.whole(one), Training::run(rest, one), {}, "from a checkpoint of an earlier version");
}

}  // namespace
}  // namespace trainyard::train::layouts
