// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with folders that Accelerate's save_state wrote (tests/golden/save_state): a recipe resumes from those of AdamW
// with each moment assigned to its parameter, for any parameter groups, and refuses the others before any rank starts.

#include <filesystem>
#include <fstream>
#include <map>

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "checkpoint/files/saved_optimizer.h"
#include "checkpoint/torch_archive.h"
#include "checkpoint/weights.h"
#include "config/inputs/check_resume.h"
#include "optim/rule_optimizer.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using testing::_;
using testing::EndsWith;
using ::testing::HasSubstr;
using testing::StartsWith;

class GoldenSaveState : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;

    void SetUp() override {
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 4000; ++i)
            text << static_cast<char>(i * i % 11);
    }

    struct Case {
        fs::path folder;
        json expected;
        config::Recipe recipe;
    };
    std::vector<Case> cases() const {
        std::vector<Case> all;
        for (const fs::directory_entry& entry : fs::directory_iterator(test::golden("save_state")))
            all.push_back(read(entry.path()));
        EXPECT_FALSE(all.empty());
        return all;
    }

    Case read(const fs::path& folder) const {
        Case one{folder, json::parse(std::ifstream(folder / "expected.json")), {}};
        const json& net = one.expected.at("net");
        config::ModelRecipe& model = one.recipe.model;
        model.vocab_size = net.at("vocab_size");
        model.n_positions = net.at("n_positions");
        model.n_embd = net.at("n_embd");
        model.n_layer = net.at("n_layer");
        model.n_head = net.at("n_head");
        model.n_inner = net.value("n_inner", 0);
        model.freeze = one.expected.at("freeze").get<std::vector<std::string>>();
        one.recipe.data.paths = {(folder_.path() / "text.txt").string()};
        one.recipe.data.sequence_length = model.n_positions;
        one.recipe.training.batch_size = 4;
        one.recipe.training.gradient_accumulation_steps = 2;
        one.recipe.schedule.name = "constant";
        one.recipe.checkpoint.resume_from = (folder / "ckpt").string();
        return one;
    }

    /// Returns the tensors that `ranks` ranks hold after start(), assembled from their slices.
    static std::map<std::string, at::Tensor> resumed(const config::Recipe& recipe, int stages, int ranks,
                                                     std::string* sentence = nullptr,
                                                     std::vector<Message>* notices = nullptr) {
        std::map<std::string, at::Tensor> tensors;
        std::mutex mutex;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(stages, ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            const std::string where = trainer.start();
            const checkpoint::Content content = trainer.content();
            std::lock_guard lock(mutex);
            if (mesh.rank() == 0 && sentence != nullptr)
                *sentence = where;
            if (mesh.rank() == 0 && notices != nullptr)
                for (const Notice& notice : trainer.start_notices())
                    notices->push_back(notice.text);
            for (const auto* list : {&content.weights, &content.optimizer})
                for (const checkpoint::LogicalTensor& part : *list) {
                    auto [place, is_new] = tensors.emplace(part.name, at::Tensor());
                    if (is_new)
                        place->second = at::full(part.shape, std::nan(""), at::kFloat);
                    checkpoint::copy_overlap(part, checkpoint::LogicalTensor::of_whole(part.name, place->second));
                }
        });
        return tensors;
    }

    static void expect_everything(const Case& one, const std::map<std::string, at::Tensor>& got) {
        std::size_t compared = 0;
        for (const auto& [name, tensor] : test::read_weights(one.folder / "moments.safetensors")) {
            ASSERT_TRUE(got.contains(name)) << one.folder << ": " << name;
            EXPECT_TRUE(got.at(name).equal(tensor)) << one.folder << ": " << name;
            ++compared;
        }
        EXPECT_GT(compared, 0u) << one.folder;
        const auto weights = checkpoint::read_model(one.folder / "ckpt", 0);
        for (const checkpoint::SavedParameter& parameter : inputs::parameters_of(one.recipe.model)) {
            const auto stored = std::ranges::find(*weights, parameter.name, &NamedTensors::value_type::first);
            ASSERT_NE(stored, weights->end()) << parameter.name;
            EXPECT_TRUE(got.at(parameter.name).equal(stored->second)) << one.folder << ": " << parameter.name;
        }
    }
};

TEST_F(GoldenSaveState, MomentsGoToTheirParametersOrTheStartIsRefused) {
    std::size_t resumes = 0, refused = 0;
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.folder.filename().string());
        const std::vector<Message> problems = inputs::check_resume(one.recipe);
        if (one.expected.at("resumes")) {
            ++resumes;
            EXPECT_THAT(problems, ::testing::IsEmpty());
            std::string sentence;
            expect_everything(one, resumed(one.recipe, 1, 1, &sentence));
            EXPECT_THAT(
                sentence,
                says("resumed from Accelerate's {} at step {}: weights, moments and the number of steps are its own; "
                     "learning rate, its schedule, betas, eps, weight decay and the order of the data are the recipe's",
                     _, std::to_string(one.expected.at("steps").get<int>())));
            continue;
        }
        ++refused;
        ASSERT_FALSE(problems.empty());
        std::string all;
        for (const Message& problem : problems)
            all += problem.text() + "\n";
        EXPECT_THAT(all, HasSubstr(one.folder.string())) << "the file is named";
        for (const json& word : one.expected.at("words"))
            EXPECT_THAT(all, HasSubstr(word.get<std::string>()));
        EXPECT_THROW(resumed(one.recipe, 1, 1), UserError);
    }
    EXPECT_GT(resumes, 0u);
    EXPECT_GT(refused, 0u);
}

TEST_F(GoldenSaveState, EveryLayoutGetsTheSame) {
    for (Case& one : cases()) {
        if (!one.expected.at("resumes") || one.recipe.model.n_layer < 2)
            continue;
        SCOPED_TRACE(one.folder.filename().string());
        one.recipe.parallel.zero_stage = 1;
        expect_everything(one, resumed(one.recipe, 1, 2));
        one.recipe.parallel.zero_stage = 0;
        one.recipe.parallel.pp_size = 2;
        expect_everything(one, resumed(one.recipe, 2, 2));
    }
}

TEST_F(GoldenSaveState, WhatTheRecipeReplacesIsSaid) {
    int seen = 0;
    for (Case& one : cases()) {
        if (!one.expected.at("resumes"))
            continue;
        SCOPED_TRACE(one.folder.filename().string());
        std::set<double> rates;
        for (const json& group : one.expected.at("groups"))
            rates.insert(group.at("lr").get<double>());
        one.recipe.optimizer.lr = *rates.begin();
        std::vector<Message> notices;
        resumed(one.recipe, 1, 1, nullptr, &notices);
        const bool said = std::ranges::any_of(
            notices, [](const Message& text) { return text.text().starts_with("optimizer.lr is "); });
        EXPECT_EQ(said, rates.size() > 1);
        one.recipe.optimizer.lr = 0.125;
        one.recipe.optimizer.weight_decay = 0.25;
        one.recipe.optimizer.decay_all = true;
        notices.clear();
        resumed(one.recipe, 1, 1, nullptr, &notices);
        EXPECT_THAT(notices, ::testing::Contains(
                                 says("{} is {} as the recipe says, not {}", EndsWith("optimizer.lr"), "0.125", _)));
        EXPECT_THAT(notices,
                    ::testing::Contains(says("the weight decay of {} is {} as the recipe says, not {}", _, "0.25", _)));
        for (const Message& text : notices)
            EXPECT_THAT(text, HasSubstr("optimizer.bin"));
        ++seen;
    }
    EXPECT_GT(seen, 0);
}

/// The package of schedule-free optimizers advises to save after eval(): then the weights are not those that step()
/// updates.
TEST_F(GoldenSaveState, AScheduleFreeStateOfAveragedWeightsIsRefused) {
    Case one = read(test::golden("save_state") / "sgd");
    one.recipe.optimizer.name = "schedule_free_adamw";
    config::follow_optimizer(one.recipe.optimizer, "adamw", {});
    NamedTensors named;
    const std::vector<checkpoint::SavedParameter> parameters = inputs::parameters_of(one.recipe.model);
    for (const checkpoint::SavedParameter& parameter : parameters) {
        named.emplace_back(parameter.name, at::zeros(parameter.shape).requires_grad_());
        named.back().second.mutable_grad() = at::ones(parameter.shape);
    }
    const auto optimizer = optim::make_optimizer("AdamWScheduleFree", named, Tree::dict({{"lr", 0.01}}));
    optimizer->step();
    const fs::path file = folder_.path() / "optimizer.bin";
    const auto read = [&] {
        checkpoint::write_torch_file(file, optimizer->state_dict());
        (void)checkpoint::read_saved_optimizer(file, parameters, one.recipe.optimizer);
    };
    EXPECT_NO_THROW(read());
    optimizer->eval();
    EXPECT_THAT(read,
                ::testing::Throws<UserError>(says(
                    "was saved after the eval() of {}: the weights beside it are the average, from which training "
                    "cannot continue. Save it again after train(), or start from the folder's weights (model.weights)",
                    StartsWith("AdamWScheduleFree"))));
    optimizer->train();
    EXPECT_NO_THROW(read());
}

TEST_F(GoldenSaveState, TheNewestOfAProjectFolderIsChecked) {
    Case one = read(test::golden("save_state") / "sgd");
    const fs::path place = folder_.path() / "project" / "checkpoints" / "checkpoint_3";
    fs::create_directories(place.parent_path());
    fs::copy(one.folder / "ckpt", place);
    one.recipe.checkpoint.resume_from = (folder_.path() / "project").string();
    EXPECT_THAT(inputs::check_resume(one.recipe), ::testing::ElementsAre(HasSubstr("SGD")));
}

}  // namespace
}  // namespace trainyard::train
