// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of save_state and load_state: training resumes bitwise exactly; hooks, names, and custom objects of the
// program.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <torch/optim/adamw.h>

#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/torch_archive.h"
#include "support/temporary_folder.h"
#include "train/loop/weight_average.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using test::loss_of;
using test::Net;
using test::on_ranks;
using test::samples;

/// A training of two epochs of 8 batches that can stop after any of them.
struct Training {
    explicit Training(std::shared_ptr<parallel::ProcessState> process, AcceleratorOptions options = {},
                      std::int64_t batch_size = 4)
        : accelerator(std::move(options), std::move(process)), net(std::make_shared<Net>()) {
        model = accelerator.prepare(net);
        optimizer = accelerator.prepare(
            std::make_unique<torch::optim::AdamW>(net->parameters(), torch::optim::AdamWOptions(0.02)));
        schedule = accelerator.prepare(
            optim::make_schedule("linear", Tree::dict({{"num_warmup_steps", 2}, {"num_training_steps", 20}}),
                                 *optimizer),
            optimizer);
        loader = accelerator.prepare(
            test::loader_over(samples(batch_size * 8 * accelerator.num_processes()), batch_size, true));
        average = std::make_unique<train::WeightAverage>(model.model().parameters(), train::exponential(0.9));
        accelerator.register_for_checkpointing(*average);
    }
    /// `after(n)` is called when the n-th step is done.
    void run(std::int64_t steps, const std::function<void(std::int64_t)>& after = {}) {
        std::int64_t done = 0;
        while (done < steps)
            for (Tree& batch : *loader) {
                auto scope = accelerator.accumulate(model);
                const at::Tensor loss = loss_of(model(batch.at("x").as_tensor()), batch);
                losses.push_back(loss.item<double>());
                accelerator.backward(loss);
                optimizer->step();
                schedule->step();
                optimizer->zero_grad();
                if (accelerator.sync_gradients() && !optimizer->step_was_skipped())
                    average->update();
                ++done;
                if (after)
                    after(done);
                if (done == steps)
                    return;
            }
    }
    Accelerator accelerator;
    std::shared_ptr<Net> net;
    accelerator::Prepared<Net> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::shared_ptr<accelerator::Scheduler> schedule;
    std::shared_ptr<data::Loader> loader;
    std::unique_ptr<train::WeightAverage> average;
    std::vector<double> losses;
};

AcceleratorOptions with(Precision precision, std::int64_t accumulation = 1) {
    AcceleratorOptions options;
    options.mixed_precision = precision;
    options.gradient_accumulation_steps = accumulation;
    options.loaders.use_seedable_sampler = true;
    options.loaders.data_seed = 3;
    return options;
}

TEST(Checkpoints, FiveAndFiveAreTen) {
    for (const Precision precision : {Precision::no, Precision::fp16})
        for (const std::int64_t accumulation : {1, 3}) {
            const test::TemporaryFolder folder;
            const auto process = std::make_shared<parallel::ProcessState>();
            Training whole(process, with(precision, accumulation));
            whole.run(12);
            {
                Training half(process, with(precision, accumulation));
                half.run(6);  // an update is complete; the epoch is not
                EXPECT_EQ(half.accelerator.save_state(folder.path() / "state"), folder.path() / "state");
            }
            EXPECT_TRUE(fs::exists(folder.path() / "state" / "model.safetensors"));
            EXPECT_TRUE(fs::exists(folder.path() / "state" / "random_states_0.pkl"));
            EXPECT_EQ(fs::exists(folder.path() / "state" / "scaler.pt"), precision == Precision::fp16);
            Training second(process, with(precision, accumulation));
            second.accelerator.load_state(folder.path() / "state");
            EXPECT_EQ(second.accelerator.step(), 6);
            second.run(6);
            const std::vector<double> tail(whole.losses.end() - 6, whole.losses.end());
            EXPECT_EQ(second.losses, tail);
            EXPECT_TRUE(at::equal(second.net->flat(), whole.net->flat()));
            EXPECT_DOUBLE_EQ(second.optimizer->lr(0), whole.optimizer->lr(0));
            EXPECT_TRUE(second.average->state_dict() == whole.average->state_dict());
            if (precision == Precision::fp16) {
                EXPECT_TRUE(second.accelerator.scaler()->state_dict() == whole.accelerator.scaler()->state_dict());
            }
        }
}

TEST(Checkpoints, TwoRanksGoOn) {
    const test::TemporaryFolder folder;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const auto rank = static_cast<std::size_t>(process->rank());
        Training whole(process, with(Precision::no));
        whole.run(10, [&](std::int64_t done) {
            if (done == 5)
                whole.accelerator.save_state(folder.path() / "state");
        });
        Training second(process, with(Precision::no));
        second.accelerator.load_state(folder.path() / "state");
        second.run(5);
        EXPECT_EQ(second.losses, std::vector<double>(whole.losses.end() - 5, whole.losses.end())) << rank;
        EXPECT_TRUE(at::equal(second.net->flat(), whole.net->flat()));
    });
    EXPECT_TRUE(fs::exists(folder.path() / "state" / "random_states_1.pkl"));
}

TEST(Checkpoints, GoOnOnAnotherNumberOfRanks) {
    constexpr std::int64_t kGlobalBatch = 8,
                           kPart = 5;  // parts end in the middle of an epoch of 8 steps, and after its end
    const test::TemporaryFolder folder;
    Training whole(std::make_shared<parallel::ProcessState>(), with(Precision::no), kGlobalBatch);
    whole.run(20);
    fs::path before;
    std::size_t done = 0;
    for (const int ranks : {1, 2, 4, 1}) {
        const fs::path state = folder.path() / ("after_" + std::to_string(ranks) + "_" + std::to_string(done));
        std::vector<double> losses(kPart, 0);
        std::mutex guard;
        on_ranks(ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
            Training part(process, with(Precision::no), kGlobalBatch / ranks);
            if (!before.empty())
                part.accelerator.load_state(before);
            part.run(kPart);
            part.accelerator.save_state(state);
            const std::lock_guard lock(guard);
            for (std::size_t i = 0; i < losses.size(); ++i)
                losses[i] += part.losses.at(i) / ranks;
        });
        for (std::size_t i = 0; i < losses.size(); ++i)
            EXPECT_NEAR(losses[i], whole.losses.at(done + i), 1e-5) << "step " << done + i + 1 << " on " << ranks;
        done += losses.size();
        before = state;
    }
}

TEST(Checkpoints, NamedByThemselves) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options = with(Precision::no);
    options.project.project_dir = folder.path();
    options.project.automatic_checkpoint_naming = true;
    options.project.total_limit = 2;
    const auto process = std::make_shared<parallel::ProcessState>();
    at::Tensor saved;
    {
        Training training(process, options);
        for (int i = 0; i < 3; ++i) {
            training.run(1);
            EXPECT_EQ(training.accelerator.save_state(),
                      folder.path() / "checkpoints" / ("checkpoint_" + std::to_string(i)));
        }
        saved = training.net->flat();
    }
    EXPECT_FALSE(fs::exists(folder.path() / "checkpoints" / "checkpoint_0"));
    EXPECT_TRUE(fs::exists(folder.path() / "checkpoints" / "checkpoint_1"));
    {
        Training fresh(process, options);
        fresh.run(1);
        EXPECT_EQ(fresh.accelerator.save_iteration(), 0);
        fresh.accelerator.load_state();  // the newest
        EXPECT_TRUE(at::equal(fresh.net->flat(), saved));
        EXPECT_EQ(fresh.accelerator.save_iteration(), 3);
        EXPECT_EQ(fresh.accelerator.save_state().filename(), "checkpoint_3");
    }
    options.project.iteration = 3;
    Training again(process, options);
    EXPECT_THROW(again.accelerator.save_state(), UserError);  // is there already
    options.project.project_dir.clear();
    Training nowhere(process, options);
    EXPECT_THROW(nowhere.accelerator.save_state(), UserError);
    EXPECT_THROW(nowhere.accelerator.load_state(), UserError);
}

TEST(Checkpoints, EachNthIterationIsKeptBesideTheNewest) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options = with(Precision::no);
    options.project.project_dir = folder.path();
    options.project.automatic_checkpoint_naming = true;
    options.project.total_limit = 1;
    options.project.keep_every = 2;
    Training training(std::make_shared<parallel::ProcessState>(), options);
    for (int i = 0; i < 4; ++i) {
        training.run(1);
        training.accelerator.save_state();
    }
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(fs::exists(folder.path() / "checkpoints" / ("checkpoint_" + std::to_string(i))), i != 1) << i;
}

TEST(Checkpoints, InTheBackground) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options = with(Precision::no);
    options.project.save_in_background = true;
    Training training(std::make_shared<parallel::ProcessState>(), options);
    training.run(2);
    const at::Tensor then = training.net->flat();
    training.accelerator.save_state(folder.path() / "state");
    training.run(3);
    training.accelerator.wait_for_checkpoint();
    Training second(std::make_shared<parallel::ProcessState>(), options);
    second.accelerator.load_state(folder.path() / "state");
    EXPECT_TRUE(at::equal(second.net->flat(), then));
}

TEST(Checkpoints, HooksChangeWhatIsKept) {
    const test::TemporaryFolder folder;
    Training training(std::make_shared<parallel::ProcessState>(), with(Precision::no));
    training.run(2);
    const int number = training.accelerator.register_save_state_pre_hook(
        [](std::vector<accelerator::ModelToSave>& models, checkpoint::FilesToSave& files) {
            for (auto& [name, tensor] : models.at(0).weights)
                tensor = at::full(tensor.sizes(), 0.5);
            files.push_back({"note.txt", std::string("from a hook")});
        });
    training.accelerator.save_state(folder.path() / "changed");
    training.accelerator.remove_hook(number);
    training.accelerator.save_state(folder.path() / "plain");
    std::ifstream note(folder.path() / "changed" / "note.txt");
    std::string text;
    std::getline(note, text);
    EXPECT_EQ(text, "from a hook");
    EXPECT_FALSE(fs::exists(folder.path() / "plain" / "note.txt"));

    const at::Tensor before = training.net->flat();
    training.accelerator.load_state(folder.path() / "changed");
    EXPECT_TRUE(at::equal(training.net->flat(), at::full({48}, 0.5)));
    training.accelerator.load_state(folder.path() / "plain");
    EXPECT_TRUE(at::equal(training.net->flat(), before));
    // A model that a hook removes from the list is not loaded.
    bool called = false;
    training.accelerator.register_load_state_pre_hook(
        [&](std::vector<std::shared_ptr<accelerator::PreparedModel>>& models, const fs::path& from) {
            called = from == folder.path() / "changed";
            models.clear();
        });
    fs::remove(folder.path() / "changed" / "manifest.json");
    fs::remove(folder.path() / "changed" / "model.safetensors");
    training.accelerator.load_state(folder.path() / "changed");
    EXPECT_TRUE(called);
    EXPECT_TRUE(at::equal(training.net->flat(), before));
}

TEST(Checkpoints, WhatDoesNotFitIsToldFirst) {
    const test::TemporaryFolder folder;
    Training training(std::make_shared<parallel::ProcessState>(), with(Precision::no));
    training.run(1);
    training.accelerator.save_state(folder.path() / "state");
    const at::Tensor before = training.net->flat();
    training.run(1);
    const at::Tensor after = training.net->flat();
    train::WeightAverage more(training.model.model().parameters());
    training.accelerator.register_for_checkpointing(more);
    EXPECT_THROW(training.accelerator.load_state(folder.path() / "state"), UserError);
    EXPECT_TRUE(at::equal(training.net->flat(), after));
    EXPECT_THROW(training.accelerator.load_state(folder.path() / "nothing"), UserError);
    EXPECT_THROW(training.accelerator.load_state(), UserError);
    EXPECT_THROW(training.accelerator.save_state(), UserError);
    EXPECT_FALSE(at::equal(before, after));
}

TEST(Checkpoints, AStateThatDoesNotFitLeavesEverythingAsItWas) {
    const test::TemporaryFolder folder;
    Training training(std::make_shared<parallel::ProcessState>(), with(Precision::no));
    const auto other = std::make_shared<Net>();
    const auto other_model = training.accelerator.prepare(other);
    const auto other_optimizer = training.accelerator.prepare(
        std::make_unique<torch::optim::AdamW>(other->parameters(), torch::optim::AdamWOptions(0.01)));
    training.run(1);
    training.accelerator.save_state(folder.path() / "state");
    training.run(2);
    const auto states = [&] {
        return Tree::list({training.optimizer->state_dict(), other_optimizer->state_dict(),
                           training.schedule->state_dict(), training.average->state_dict(), training.net->flat(),
                           other->flat(), training.accelerator.step()})
            .map_tensors([](const at::Tensor& tensor) { return tensor.clone(); });
    };
    const Tree before = states();
    const fs::path broken = folder.path() / "broken";
    const auto load_with = [&](const char* file, const Tree& content) {
        fs::remove_all(broken);
        fs::copy(folder.path() / "state", broken, fs::copy_options::recursive);
        fs::remove(broken / "manifest.json");
        checkpoint::write_torch_file(broken / file, content);
        EXPECT_THROW(training.accelerator.load_state(broken), UserError) << file;
        EXPECT_TRUE(states() == before) << file;
    };
    const auto flattened = [](const Tree& tree) {
        return tree.map_tensors([](const at::Tensor& tensor) { return tensor.flatten().clone(); });
    };
    load_with("optimizer_1.bin", flattened(training.optimizer->state_dict()));
    load_with("custom_checkpoint_0.pkl", flattened(training.average->state_dict()));
    load_with("random_states_0.pkl", Tree::dict({{"step", 1}}));
    training.accelerator.load_state(folder.path() / "state");
    EXPECT_FALSE(states() == before);
}

TEST(Checkpoints, WeightsAlone) {
    const test::TemporaryFolder folder;
    Training training(std::make_shared<parallel::ProcessState>(), with(Precision::no));
    training.accelerator.save_model(training.model, folder.path() / "model");
    const NamedTensors weights = checkpoint::read_weights(folder.path() / "model");
    ASSERT_EQ(weights.size(), 3U);
    for (const auto& [name, tensor] : weights)
        if (name == "second") {
            EXPECT_TRUE(at::equal(tensor, training.net->second.detach()));
        }
    training.accelerator.save_model(training.model, folder.path() / "shards", "150B");
    EXPECT_TRUE(fs::exists(folder.path() / "shards" / "model.safetensors.index.json"));
    ::unsetenv("SM_MODEL_DIR");
    EXPECT_THROW(training.accelerator.save_model(training.model, ""), UserError);
    ::setenv("SM_MODEL_DIR", (folder.path() / "job").c_str(), 1);
    training.accelerator.save_model(training.model, "");
    EXPECT_EQ(checkpoint::read_weights(folder.path() / "job").size(), 3U) << "what a job of SageMaker uploads";
    training.accelerator.save_model(training.model, folder.path() / "own");
    EXPECT_TRUE(fs::exists(folder.path() / "own" / "model.safetensors")) << "a folder that is named counts";
    ::unsetenv("SM_MODEL_DIR");
    training.accelerator.save(Tree::dict({{"a", at::full({2}, 3.0)}, {"b", 4}}), folder.path() / "object.bin");
    EXPECT_EQ(checkpoint::read_torch_file(folder.path() / "object.bin").at("b").as_integer(), 4);
}

TEST(Trackers, ReceiveWhatIsLogged) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options;
    options.log_with = {std::string("jsonl")};
    options.project.project_dir = folder.path();
    Accelerator accelerator(options, std::make_shared<parallel::ProcessState>());
    accelerator.log({{"before", 1}});  // no trackers yet: nothing happens
    EXPECT_THROW(accelerator.get_tracker("jsonl"), UserError);
    accelerator.init_trackers("test", {{"lr", 0.1}});
    for (int step = 0; step < 3; ++step)
        accelerator.log({{"loss", 1.0 / (step + 1)}}, step);
    EXPECT_EQ(accelerator.get_tracker("jsonl").name(), "jsonl");
    EXPECT_TRUE(accelerator.end_training().empty());
    std::string all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path()))
        if (entry.is_regular_file()) {
            std::ifstream file(entry.path());
            all.append(std::istreambuf_iterator<char>(file), {});
        }
    EXPECT_NE(all.find("loss"), std::string::npos) << all;
    EXPECT_EQ(all.find("before"), std::string::npos);
}

/// Two machines with a rank and a disk each: with save_on_each_node both have everything that a resume needs, without
/// it that is refused.
void expect_whole_on_each_node(std::int64_t zero_stage) {
    for (const bool each : {false, true}) {
        const test::TemporaryFolder disks[2];
        std::mutex mutex;
        at::Tensor weights[2];
        std::vector<double> losses[2];
        const auto on_two_machines = [&](const std::function<void(Training&, const fs::path& disk, int rank)>& body) {
            test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
                const int rank = world->rank();
                parallel::ProcessPlace place;
                place.rank = rank;
                place.world_size = 2;
                place.local_rank = 0;
                place.local_world_size = 1;
                AcceleratorOptions options = with(Precision::no);
                options.project.save_on_each_node = each;
                options.zero_stage = zero_stage;
                Training training(std::make_shared<parallel::ProcessState>(
                                      std::shared_ptr<parallel::World>(std::move(world)), place, at::Device(at::kCPU)),
                                  options);
                body(training, disks[rank].path(), rank);
                training.accelerator.wait_for_everyone();
            });
        };
        on_two_machines([&](Training& training, const fs::path& disk, int rank) {
            if (!each) {
                training.run(1);
                EXPECT_THROW(training.accelerator.save_state(disk / "state"), UserError);
                return;
            }
            training.run(5, [&](std::int64_t done) {
                if (done != 3)
                    return;
                training.accelerator.save_state(disk / "state");
                training.accelerator.save_model(training.model, disk / "weights");
                training.accelerator.save(Tree::dict({{"rank", rank}}), disk / "own.pt");
            });
            const std::lock_guard lock(mutex);
            weights[rank] = training.net->flat();
            losses[rank].assign(training.losses.end() - 2, training.losses.end());
        });
        if (!each) {
            EXPECT_FALSE(fs::exists(disks[0].path() / "state"));
            continue;
        }
        for (const char* file : {"state/model.safetensors", "state/optimizer.bin", "state/scheduler.bin",
                                 "weights/model.safetensors", "own.pt"}) {
            EXPECT_TRUE(fs::exists(disks[0].path() / file)) << file;
            EXPECT_TRUE(fs::exists(disks[1].path() / file)) << file;
        }
        EXPECT_TRUE(fs::exists(disks[0].path() / "state" / "random_states_0.pkl"));
        EXPECT_TRUE(fs::exists(disks[1].path() / "state" / "random_states_1.pkl"));
        on_two_machines([&](Training& training, const fs::path& disk, int rank) {
            training.accelerator.load_state(disk / "state");
            training.run(2);
            const std::lock_guard lock(mutex);
            EXPECT_TRUE(at::equal(training.net->flat(), weights[rank])) << rank;
            EXPECT_EQ(training.losses, losses[rank]) << "the place in the data";
        });
        on_two_machines([&](Training& training, const fs::path&, int) {
            training.run(1);
            EXPECT_THROW(training.accelerator.save_state(disks[0].path() / "shared"), UserError);
        });
        EXPECT_FALSE(fs::exists(disks[0].path() / "shared"));
    }
}

TEST(Checkpoints, OfEachNodeAreWhole) {
    expect_whole_on_each_node(0);
}

TEST(Checkpoints, OfEachNodeAreWholeWhereRanksShareOutTheState) {
    expect_whole_on_each_node(1);
    expect_whole_on_each_node(2);
}

}  // namespace
}  // namespace trainyard
