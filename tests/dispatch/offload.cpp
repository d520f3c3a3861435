// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of offloading in a program: generated texts of a model with weights on disk, prefetched and tied weights,
// chains of models, and errors.

#include <fstream>

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "dispatch/loaded_case.h"
#include "distributed/parallel/load_device.h"
#include "formats/weights/offload_folder.h"
#include "inference/generate/language_model.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

namespace fs = std::filesystem;

fs::path golden_gpt2() {
    return test::own_golden("models") / "gpt2";
}

std::uint64_t bytes_of_largest_unit(const models::Model& model) {
    std::uint64_t most = 0;
    for (const parallel::Unit* unit : model.units()) {
        std::uint64_t bytes = 0;
        for (const parallel::Parameter* parameter : unit->parameters())
            bytes += 4 * static_cast<std::uint64_t>(parameter->numel()) + 64;
        for (const parallel::Parameter* parameter : unit->tied_parameters())
            bytes += 4 * static_cast<std::uint64_t>(parameter->numel()) + 64;
        most = std::max(most, bytes);
    }
    return most;
}

TEST(Offload, TextsAreTheSameWhereverTheWeightsLie) {
    const fs::path folder = test::own_golden("generation") / "gpt2";
    const auto text = [&](const generate::ModelPlacement& placement) {
        const generate::LanguageModel model({.path = folder, .tokenizer = {}, .adapters = {}, .placement = placement});
        generate::GenerationOptions options;
        options.max_new_tokens = 12;
        return generate::generate(model.model(), {1, 2, 3}, model.context(), model.dispatched().first_device(), options)
            .tokens;
    };
    const std::vector<std::int64_t> resident = text({});
    EXPECT_EQ(text({.device_map = "disk"}), resident);
    EXPECT_EQ(text({.device_map = "auto", .max_memory = {{"cpu", "100KB"}}}), resident);
    EXPECT_EQ(text({.device_map = "auto"}), resident);
    const std::string library = TRAINYARD_GUARDED_DEVICE;
    EXPECT_EQ(text({.device_map = "balanced",
                    .max_memory = {{"0", "60KB"}, {"1", "60KB"}, {"cpu", "40KB"}},
                    .accelerator = "guarded",
                    .device_library = library}),
              resident);
    EXPECT_EQ(text({.device_map = "guarded:1", .device_library = library}), resident);
}

TEST(Offload, MemoryIsTwoBuffersAndUnitsAreReadAhead) {
    const c10::Device device = parallel::load_device("guarded", 0, TRAINYARD_GUARDED_DEVICE);
    const std::unique_ptr<models::Model> model = test::empty_model(golden_gpt2());
    LoadOptions options;
    options.device_map = DeviceMap{{"", "disk"}};
    options.main_device = device;
    const DispatchedCheckpoint loaded = load_checkpoint_and_dispatch(*model, golden_gpt2(), options);
    constexpr int kPasses = 3;
    for (int pass = 0; pass < kPasses; ++pass)
        test::forward(*model, golden_gpt2());
    const PrefetchFigures figures = loaded.dispatched->figures();
    // Each unit is read once a pass, and the first of the next pass ahead of it.
    EXPECT_GE(figures.loads, kPasses * model->units().size());
    EXPECT_LE(figures.loads, kPasses * model->units().size() + 1);
    EXPECT_LE(figures.most_buffered, 2 * bytes_of_largest_unit(*model));
    for (const ModelTensor& tensor : tensors_of(*model))
        EXPECT_TRUE(tensor.parameter->value().is_meta()) << tensor.name << " is still loaded after its use";
}

TEST(Offload, TiedWeightsAreOne) {
    const std::unique_ptr<models::Model> model = test::empty_model(golden_gpt2());
    LoadOptions options;
    options.device_map = DeviceMap{{"", "disk"}};
    const LoadedCheckpoint loaded = load_checkpoint_in_model(*model, golden_gpt2(), options);
    EXPECT_EQ(loaded.offloaded.count("transformer.wte.weight"), 1u);
    EXPECT_EQ(loaded.offloaded.count("lm_head.weight"), 0u);
    const parallel::Unit* head = model->units().back();
    ASSERT_EQ(head->tied_parameters().size(), 1u);
    const auto dispatched = dispatch_model(*model, *options.device_map, loaded.offloaded);
    test::forward(*model, golden_gpt2());
    EXPECT_TRUE(head->tied_parameters().front()->value().is_meta());
}

TEST(Offload, DiskAndHostOffloadOfAModelThatIsLoaded) {
    const std::unique_ptr<models::Model> model = test::empty_model(golden_gpt2());
    load_checkpoint_in_model(*model, golden_gpt2(), {});
    const test::Outputs resident = test::forward(*model, golden_gpt2());
    test::TemporaryFolder folder;
    {
        const auto offloaded = disk_offload(*model, folder.path() / "weights");
        EXPECT_TRUE(is_empty(*model));
        EXPECT_TRUE(at::equal(test::forward(*model, golden_gpt2()).logits, resident.logits));
    }
    EXPECT_EQ(weights::open_offload_folder(folder.path() / "weights")->tensors().size(), tensors_of(*model).size());
    {
        // The folder alone has the weights now.
        const auto again = disk_offload(*model, folder.path() / "weights");
        EXPECT_TRUE(at::equal(test::forward(*model, golden_gpt2()).logits, resident.logits));
    }
    const c10::Device device = parallel::load_device("guarded", 0, TRAINYARD_GUARDED_DEVICE);
    load_checkpoint_in_model(*model, golden_gpt2(), {});
    const auto on_host = cpu_offload(*model, device);
    EXPECT_EQ(on_host->first_device(), device);
    EXPECT_TRUE(at::allclose(test::forward(*model, golden_gpt2()).logits, resident.logits, 1e-4, 1e-4));
}

TEST(Offload, ChainsOfModels) {
    const c10::Device device = parallel::load_device("guarded", 0, TRAINYARD_GUARDED_DEVICE);
    const std::unique_ptr<models::Model> first = test::empty_model(golden_gpt2()),
                                         second = test::empty_model(golden_gpt2());
    load_checkpoint_in_model(*first, golden_gpt2(), {});
    load_checkpoint_in_model(*second, golden_gpt2(), {});
    const test::Outputs resident = test::forward(*first, golden_gpt2());
    const auto hook_1 = cpu_offload_with_hook(*first, device);
    const auto hook_2 = cpu_offload_with_hook(*second, device, hook_1.get());
    EXPECT_FALSE(hook_1->is_on_device());
    EXPECT_TRUE(at::allclose(test::forward(*first, golden_gpt2()).logits, resident.logits, 1e-4, 1e-4));
    EXPECT_TRUE(hook_1->is_on_device());
    test::forward(*second, golden_gpt2());
    EXPECT_FALSE(hook_1->is_on_device());
    EXPECT_TRUE(hook_2->is_on_device());
    hook_2->offload();
    EXPECT_TRUE(second->units().front()->parameters().front()->value().is_cpu());
    hook_1->remove();
    EXPECT_TRUE(at::equal(test::forward(*first, golden_gpt2()).logits, resident.logits));
}

std::string refusal_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const UserError& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

TEST(Offload, WhatCannotBeIsOneSentence) {
    const std::unique_ptr<models::Model> model = test::empty_model(golden_gpt2());
    EXPECT_THAT(
        refusal_of([&] {
            dispatch_model(*model, {{"", "cpu"}});
        }),
        test::says("{} has no value yet: load a checkpoint into the model before it is dispatched", testing::_));
    load_checkpoint_in_model(*model, golden_gpt2(), {});
    EXPECT_THAT(refusal_of([&] {
                    dispatch_model(*model, {{"", "disk"}});
                }),
                test::says("the device map puts {} on disk: name a folder for it (offload_dir)", testing::_));
    EXPECT_THAT(refusal_of([&] { load_checkpoint_in_model(*model, test::own_golden("models") / "llama_gqa", {}); }),
                test::says("{} has no tensor {}: {}", testing::_, testing::_, testing::_));
    // The file is truncated after loading. The weights that are in use are copies on the device.
    const c10::Device device = parallel::load_device("guarded", 0, TRAINYARD_GUARDED_DEVICE);
    test::TemporaryFolder folder;
    fs::copy(golden_gpt2(), folder.path() / "model");
    LoadOptions options;
    options.device_map = DeviceMap{{"", "disk"}};
    options.main_device = device;
    const std::unique_ptr<models::Model> other = test::empty_model(folder.path() / "model");
    const DispatchedCheckpoint loaded = load_checkpoint_and_dispatch(*other, folder.path() / "model", options);
    test::forward(*other, golden_gpt2());
    fs::resize_file(folder.path() / "model" / "model.safetensors", 4096);
    EXPECT_NE(refusal_of([&] {
                  for (int pass = 0; pass < 2; ++pass)  // the first unit was read ahead
                      test::forward(*other, golden_gpt2());
              }).find("cannot be read any more"),
              std::string::npos);
}

}  // namespace
}  // namespace trainyard::dispatch
