// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with folders that Accelerate's save_state wrote (tests/golden/checkpoints): our GPT-2 resumes from them with
// the same results as Accelerate, also after we have saved and loaded them again.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/zeros.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/filesystem.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/described.h"
#include "checkpoint/random_state.h"
#include "checkpoint/saver.h"
#include "models/nn/model.h"
#include "optim/schedule.h"
#include "optim/torch_optimizer.h"
#include "support/golden.h"
#include "support/gpt2_config.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

using nlohmann::json;

json expectations(const fs::path& folder) {
    std::ifstream file(folder / "expected.json");
    return file ? json::parse(file) : json();
}

/// Folders of save_state, as the names of their files say.
Expected expected_of(const json& files, int rank, int world_size) {
    Expected expected;
    auto count = [&](const std::string& name, const std::string& ending) {
        std::size_t n = 0;
        while (files.contains(name + (n == 0 ? "" : "_" + std::to_string(n)) + ending))
            ++n;
        return n;
    };
    expected.models = std::max(count("model", ".safetensors"), count("pytorch_model", ".bin"));
    expected.optimizers = count("optimizer", ".bin");
    expected.schedulers = count("scheduler", ".bin");
    expected.loaders = count("dl_state_dict", ".bin");
    expected.scaler = files.contains("scaler.pt");
    while (files.contains("custom_checkpoint_" + std::to_string(expected.custom) + ".pkl"))
        ++expected.custom;
    expected.rank = rank;
    expected.world_size = world_size;
    return expected;
}

/// A run of the golden folder's model, from a checkpoint on.
class ResumedRun {
  public:
    ResumedRun(const fs::path& folder, const json& golden, const fs::path& checkpoint)
        : golden_(golden),
          batches_(read_weights(folder / "batches.safetensors").at(0).second),
          model_(models::make_model(test::gpt2_recipe(json::parse(std::ifstream(folder / "config.json"))))),
          arena_(model_->groups(), at::kFloat, at::kCPU, true) {
        ranks_ = golden.at("ranks").get<std::int64_t>();
        loaded_ = load_state(checkpoint, expected_of(golden.at("files"), 0, static_cast<int>(ranks_)));
        NamedTensors weights;
        for (const auto& group : arena_.groups())
            for (auto* parameter : group.parameters()) {
                weights.emplace_back(parameter->name(), parameter->value());
                by_name_[parameter->name()] = parameter;
            }
        copy_model(loaded_.state.models.at(0), weights, checkpoint.string());
        make_optimizer();
        const Tree& group = loaded_.state.optimizers.at(0).at("param_groups").items().at(0);
        const Tree& schedule = loaded_.state.schedulers.at(0);
        Tree arguments = Tree::dict({});
        arguments.set("max_lr", group.at("max_lr"));
        arguments.set("total_steps", schedule.at("total_steps"));
        schedule_ = optim::make_schedule("OneCycleLR", arguments, *optimizer_);
        optimizer_->load_state_dict(loaded_.state.optimizers.at(0));
        schedule_->load_state_dict(schedule);
    }

    /// Losses of the ranks and the norm before clipping.
    std::pair<std::vector<double>, double> step(std::int64_t number) {
        arena_.forget_gradients();
        std::vector<double> losses;
        for (std::int64_t rank = 0; rank < ranks_; ++rank) {
            at::Tensor ids = batches_[number][rank].contiguous();
            auto targets = static_cast<double>(ids.size(0) * (ids.size(1) - 1));
            parallel::StepContext context;
            context.tokens = ids;
            context.labels = ids;
            context.loss_scale = 1.0 / (targets * static_cast<double>(ranks_));
            context.loss_sum = at::zeros({}, at::kDouble);
            model_->forward(context).backward();
            losses.push_back(context.loss_sum.item<double>() / targets);
        }
        double squares = 0;
        for (auto& group : arena_.groups()) {
            group.settle_gradients();
            for (auto* parameter : group.parameters())
                squares += std::pow(parameter->gradient().norm().item<double>(), 2);
        }
        double norm = std::sqrt(squares);
        for (const at::Tensor& tensor : parameters_)
            tensor.mutable_grad() =
                gradient_of_.at(tensor.unsafeGetTensorImpl())->gradient() * std::min(1.0, 1.0 / (norm + 1e-6));
        optimizer_->step();
        for (std::int64_t rank = 0; rank < ranks_; ++rank)  // Accelerate's schedules step once per rank
            schedule_->step();
        return {losses, norm};
    }

    std::vector<double> rates() const { return {optimizer_->lr(0), optimizer_->lr(1)}; }
    const LoadedState& loaded() const { return loaded_; }

    TrainingState state() const {
        TrainingState state;
        state.models.emplace_back();
        for (const auto& [name, parameter] : by_name_)
            state.models[0].emplace_back(name, parameter->value());
        for (const auto& [name, tensor] : loaded_.state.models[0])  // torch.save keeps both names of tied weights
            if (name == "lm_head.weight")
                state.models[0].emplace_back(name, by_name_.at("transformer.wte.weight")->value());
        state.optimizers = {optimizer_->state_dict()};
        // Keys of the parameter groups that OneCycleLR adds, and torch's optimizers do not store.
        for (std::size_t i = 0; i < 2; ++i)
            for (const Tree::Entry& entry : loaded_.state.optimizers[0].at("param_groups").items()[i].entries())
                if (Tree& group = state.optimizers[0].find("param_groups")->items()[i];
                    group.find(entry.key) == nullptr)
                    group.set(entry.key, entry.value);
        state.schedulers = {schedule_->state_dict()};
        state.loaders = loaded_.state.loaders;
        state.scaler = loaded_.state.scaler;
        state.custom = loaded_.state.custom;
        state.random = loaded_.state.random;
        return state;
    }

  private:
    void make_optimizer() {
        std::vector<at::Tensor> decayed, plain;
        for (const json& name : golden_.at("parameter_order_in_optimizer")) {
            parallel::Parameter* parameter = by_name_.at(name.get<std::string>());
            at::Tensor leaf = parameter->value();
            (leaf.dim() >= 2 ? decayed : plain).push_back(leaf);
            gradient_of_[leaf.unsafeGetTensorImpl()] = parameter;
            parameters_.push_back(leaf);
        }
        std::vector<torch::optim::OptimizerParamGroup> groups;
        double lr = loaded_.state.optimizers.at(0).at("param_groups").items().at(0).at("lr").as_real();
        auto add = [&](auto options) {
            for (auto* tensors : {&decayed, &plain})
                groups.emplace_back(*tensors, std::make_unique<decltype(options)>(options));
        };
        std::unique_ptr<torch::optim::Optimizer> inner;
        const std::string kind = golden_.value("optimizer", "AdamW");
        if (kind == "SGD") {
            add(torch::optim::SGDOptions(lr));
            inner = std::make_unique<torch::optim::SGD>(groups, torch::optim::SGDOptions(lr));
        } else if (kind == "Adam") {
            add(torch::optim::AdamOptions(lr));
            inner = std::make_unique<torch::optim::Adam>(groups, torch::optim::AdamOptions(lr));
        } else if (kind == "RMSprop") {
            add(torch::optim::RMSpropOptions(lr));
            inner = std::make_unique<torch::optim::RMSprop>(groups, torch::optim::RMSpropOptions(lr));
        } else if (kind == "Adagrad") {
            add(torch::optim::AdagradOptions(lr));
            inner = std::make_unique<torch::optim::Adagrad>(groups, torch::optim::AdagradOptions(lr));
        } else {
            ASSERT_EQ(kind, "AdamW") << "an optimizer that LibTorch lacks";
            add(torch::optim::AdamWOptions(lr));
            inner = std::make_unique<torch::optim::AdamW>(groups, torch::optim::AdamWOptions(lr));
        }
        optimizer_ = std::make_unique<optim::TorchOptimizer>(std::move(inner));
    }

    json golden_;
    at::Tensor batches_;  ///< [step, rank, row, position]
    std::unique_ptr<models::Model> model_;
    parallel::FlatArena arena_;
    std::int64_t ranks_ = 1;
    LoadedState loaded_;
    std::map<std::string, parallel::Parameter*> by_name_;
    std::map<const void*, parallel::Parameter*> gradient_of_;
    std::vector<at::Tensor> parameters_;
    std::unique_ptr<optim::TorchOptimizer> optimizer_;
    std::unique_ptr<optim::Schedule> schedule_;
};

std::vector<fs::path> folders(const char* key) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::golden("checkpoints")))
        if (json golden = expectations(entry.path()); golden.is_object() && golden.contains(key))
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

class Resumed : public ::testing::TestWithParam<fs::path> {};

void expect_goes_on(ResumedRun& run, const json& golden) {
    auto first = static_cast<std::int64_t>(golden.at("steps_before").size());
    for (std::size_t i = 0; i < golden.at("steps_after").size(); ++i) {
        auto [losses, norm] = run.step(first + static_cast<std::int64_t>(i));
        const json& was = golden["steps_after"][i];
        for (std::size_t rank = 0; rank < losses.size(); ++rank)
            EXPECT_NEAR(losses[rank], was.at("losses_per_rank")[rank].get<double>(), 1e-5) << "step " << i;
        EXPECT_NEAR(norm, was.at("gradient_norm").get<double>(), 1e-4) << "step " << i;
    }
    for (std::size_t group = 0; group < 2; ++group)
        EXPECT_NEAR(run.rates()[group], golden.at("learning_rate_after")[group].get<double>(), 1e-12);
}

TEST_P(Resumed, GoesOnAsAccelerateDid) {
    json golden = expectations(GetParam());
    ResumedRun run(GetParam(), golden, GetParam() / "ckpt");
    EXPECT_EQ(run.loaded().saved_world_size, golden.at("ranks").get<int>());
    EXPECT_TRUE(run.loaded().notes.empty());
    for (std::size_t group = 0; group < 2; ++group)
        EXPECT_EQ(run.rates()[group], golden.at("learning_rate_at_save")[group].get<double>());
    expect_goes_on(run, golden);
}

TEST_P(Resumed, SavedByUsGoesOnTheSame) {
    json golden = expectations(GetParam());
    ResumedRun first(GetParam(), golden, GetParam() / "ckpt");
    test::TemporaryFolder folder;
    // tests/interop/checkpoints resumes the checkpoint that is written here with the real Accelerate.
    const char* wanted = std::getenv("TRAINYARD_INTEROP_OUT");
    fs::path place = wanted != nullptr ? fs::path(wanted) / GetParam().filename() : folder.path() / "checkpoint_0";
    bool safe = golden.at("files").contains("model.safetensors");
    int ranks = golden.at("ranks").get<int>();
    SaveRequest request;
    request.folder = place;
    request.files = files_of(first.state(), WriteAs{0, true, safe});
    for (int rank = 1; rank < ranks; ++rank) {
        TrainingState own;
        own.random = load_state(GetParam() / "ckpt", expected_of(golden.at("files"), rank, ranks)).state.random;
        for (FileToSave& file : files_of(own, WriteAs{rank, false, safe}))
            request.files.push_back(std::move(file));
    }
    Saver saver;
    saver.save(std::move(request));
    first.step(0);  // a copy is being written
    saver.flush();
    ResumedRun second(GetParam(), golden, place);
    expect_goes_on(second, golden);
}

TEST_P(Resumed, RandomNumbersGoOn) {
    json golden = expectations(GetParam());
    int ranks = golden.at("ranks").get<int>();
    for (int rank = 0; rank < ranks; ++rank) {
        LoadedState loaded = load_state(GetParam() / "ckpt", expected_of(golden.at("files"), rank, ranks));
        const json& next = golden.at("next_random_numbers_per_rank")[static_cast<std::size_t>(rank)];
        auto expect_next = [&] {
            at::Tensor uniform = at::rand({static_cast<std::int64_t>(next.at("torch_rand").size())});
            at::Tensor normal = at::randn({static_cast<std::int64_t>(next.at("torch_randn").size())});
            at::Tensor order = at::randperm(static_cast<std::int64_t>(next.at("torch_randperm_12").size()), at::kLong);
            for (std::int64_t i = 0; i < uniform.size(0); ++i)
                EXPECT_EQ(uniform[i].item<double>(), next["torch_rand"][static_cast<std::size_t>(i)].get<double>());
            for (std::int64_t i = 0; i < normal.size(0); ++i)
                EXPECT_NEAR(normal[i].item<double>(), next["torch_randn"][static_cast<std::size_t>(i)].get<double>(),
                            1e-6);
            for (std::int64_t i = 0; i < order.size(0); ++i)
                EXPECT_EQ(order[i].item<std::int64_t>(),
                          next["torch_randperm_12"][static_cast<std::size_t>(i)].get<std::int64_t>());
        };
        restore_random_state(loaded.state.random);
        Tree captured = capture_random_state(7, loaded.state.random);
        expect_next();
        restore_random_state(captured);
        expect_next();
        EXPECT_TRUE(captured.at("random_state") == loaded.state.random.at("random_state"));
        EXPECT_TRUE(captured.at("numpy_random_seed") == loaded.state.random.at("numpy_random_seed"));
        EXPECT_EQ(captured.at("step").as_integer(), 7);
    }
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Resumed, ::testing::ValuesIn(folders("parameter_order_in_optimizer")),
                         [](const auto& one) { return test::case_name(one.param.filename().string(), one.index); });

TEST(GoldenFolders, EveryModelHoldsWhatPythonReads) {
    int compared = 0;
    for (const fs::path& folder : folders("files")) {
        SCOPED_TRACE(folder.filename().string());
        json golden = expectations(folder);
        std::map<std::string, json> tensors;  // of all files of a model
        for (const auto& [name, file] : golden["files"].items())
            if (file.contains("tensors") && name.starts_with("model") && !name.starts_with("model_"))
                for (const auto& [key, tensor] : file["tensors"].items())
                    tensors[key] = tensor;
        if (golden.contains("merged"))
            for (const auto& [key, tensor] : golden["merged"]["model.safetensors"]["tensors"].items())
                tensors[key] = tensor;
        if (golden.contains("all_tensors"))
            for (const auto& [key, tensor] : golden["all_tensors"].items())
                if (tensors.empty() || tensors.contains(key))
                    tensors[key] = tensor;
        if (tensors.empty())
            continue;
        NamedTensors stored = read_weights(folder / "ckpt");
        for (const auto& [name, tensor] : stored) {
            SCOPED_TRACE(name);
            if (tensors.contains(name)) {
                test::expect_tensor(tensor, tensors[name]);
                ++compared;
            }
        }
        std::set<std::string> names;
        for (const auto& [name, tensor] : stored)
            names.insert(name);
        for (const auto& [name, tensor] : tensors)
            EXPECT_TRUE(names.contains(name)) << name;
    }
    EXPECT_GT(compared, 0);
}

TEST(GoldenFolders, EveryStateLoadsWithItsContent) {
    int folders_read = 0;
    for (const fs::path& folder : folders("files")) {
        json files = expectations(folder)["files"];
        if (!files.contains("random_states_0.pkl") || !files.contains("optimizer.bin"))
            continue;
        SCOPED_TRACE(folder.filename().string());
        LoadedState loaded = load_state(folder / "ckpt", expected_of(files, 0, 1));
        for (std::size_t i = 0; i < loaded.state.optimizers.size(); ++i)
            test::expect_described(loaded.state.optimizers[i],
                                   files["optimizer" + (i == 0 ? "" : "_" + std::to_string(i)) + ".bin"]["content"],
                                   "optimizer");
        for (std::size_t i = 0; i < loaded.state.custom.size(); ++i)
            test::expect_described(loaded.state.custom[i],
                                   files["custom_checkpoint_" + std::to_string(i) + ".pkl"]["content"], "custom");
        ++folders_read;
    }
    EXPECT_GT(folders_read, 0);
}

}  // namespace
}  // namespace trainyard::checkpoint
