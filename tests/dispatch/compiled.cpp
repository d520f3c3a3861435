// SPDX-License-Identifier: GPL-3.0-or-later
// AOTInductor packages in place of a module's forward: the texts and results of eager operators, and one message for
// each package that does not fit. The packages are made here (support/compiled_package); those of PyTorch's own
// compiler are in packaging/interop compiled.

#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <torch/nn/functional/activation.h>
#include <torch/nn/modules/linear.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <trainyard/big_models.h>
#include <trainyard/compiled_block.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/zip_writer.h"
#include "cli/program.h"
#include "inference/generate/language_model.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Said;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kLargestLibrary = 256u << 20;

std::string machine() {
    utsname system{};
    ::uname(&system);
    return system.machine;
}

/// The metadata of a package of this machine.
json metadata() {
    return {{"AOTI_DEVICE_KEY", "cpu"}, {"AOTI_PLATFORM", "linux"}, {"AOTI_MACHINE", machine()}, {"AOTI_CPU_ISA", ""}};
}

class Compiled : public testing::Test {
  protected:
    /// A package of a module of support/compiled_package.
    fs::path package(const std::string& variant, const json& says = metadata(), const std::string& model = "model",
                     const fs::path& library = TRAINYARD_PACKAGE_LIBRARY) {
        const fs::path file = folder_.path() / (variant + std::to_string(made_++) + ".pt2");
        const std::string place = "data/aotinductor/" + model + "/";
        write_archive(file, {{"archive_format", "pt2"},
                             {place + "module.wrapper.so", read_file(library, kLargestLibrary)},
                             {place + "module.wrapper_metadata.json", says.dump()},
                             {place + "variant", variant}});
        return file;
    }
    static void write_archive(const fs::path& file, const std::map<std::string, std::string>& entries) {
        std::ofstream out(file, std::ios::binary);
        files::ZipWriter zip(
            [&](std::span<const std::byte> bytes) {
                out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            },
            "package");
        for (const auto& [name, content] : entries)
            zip.add(name, content);
        zip.finish();
    }
    static Said generate(std::vector<std::string> more, const std::string& model = model_folder().string()) {
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard",
                                       "generate",
                                       model,
                                       "--prompt",
                                       "TRAIN 12",
                                       "--max_new_tokens",
                                       "10",
                                       "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return test::Program(words).wait();
    }
    static fs::path model_folder() { return test::own_golden("generation") / "gpt2"; }
    static std::string text_of(const Said& said) {
        EXPECT_EQ(said.code, 0) << said.out << said.err;
        std::string text;
        std::istringstream lines(said.out);
        for (std::string line; std::getline(lines, line);)
            if (const json event = json::parse(line); event.at("event") == "text")
                text += event.at("text").get<std::string>();
        EXPECT_FALSE(text.empty()) << said.out;
        return text;
    }
    static std::string refused(const std::vector<std::string>& more,
                               const std::string& model = model_folder().string()) {
        const Said said = generate(more, model);
        EXPECT_EQ(said.code, 2) << said.out << said.err;
        return said.out + said.err;
    }
    static std::string problem_of(const fs::path& package) {
        try {
            compiled::CompiledModel model(package);
        } catch (const UserError& error) {
            return error.what();
        }
        return "none";
    }

    test::TemporaryFolder folder_;
    int made_ = 0;
};

TEST_F(Compiled, TextsAreThoseOfTheModel) {
    const std::string whole = package("whole").string(), block = package("block").string();
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {}, {"--num_beams", "3"}, {"--do_sample", "--seed", "7", "--temperature", "1.5"}}) {
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.end(), options.begin(), options.end());
            return text_of(generate(more));
        };
        const std::string eager = with({});
        EXPECT_EQ(with({"--compiled", whole}), eager);
        EXPECT_EQ(with({"--compiled-blocks", block}), eager);
        EXPECT_EQ(with({"--compiled-blocks", block, "--device-map", "disk"}), eager) << "weights are read for each use";
    }
}

TEST_F(Compiled, LogitsAreThoseOfTheModelWithItsOwnWeights) {
    const at::NoGradGuard no_grad;
    for (const std::string variant : {"whole", "block", "bloom"}) {
        const generate::ModelSource source{
            .path = variant == "bloom" ? test::own_golden("models") / "bloom" : model_folder(),
            .tokenizer = {},
            .adapters = {}};
        const generate::LoadedModel eager(source);
        generate::ModelSource with = source;
        (variant == "block" ? with.placement.compiled_blocks : with.placement.compiled) = package(variant);
        const generate::LoadedModel model(with);
        ASSERT_TRUE(model.is_compiled());
        parallel::KeyValueCache cache;
        std::vector<std::int64_t> seen;
        for (const std::vector<std::int64_t>& piece : std::vector<std::vector<std::int64_t>>{{5, 9, 2, 40}, {7}, {1}}) {
            seen.insert(seen.end(), piece.begin(), piece.end());
            const at::Tensor next =
                model.next_compiled(at::tensor(piece, at::TensorOptions().dtype(at::kLong)).unsqueeze(0), cache);
            parallel::StepContext context;
            at::Tensor logits;
            context.tokens = at::tensor(seen, at::TensorOptions().dtype(at::kLong)).unsqueeze(0);
            context.training = false;
            context.logits = &logits;
            eager.model().forward(context);
            EXPECT_TRUE(at::allclose(next, logits.select(1, logits.size(1) - 1), 1e-4, 1e-4)) << variant;
        }
        EXPECT_EQ(cache.length, 6);
    }
}

TEST_F(Compiled, APackageIsUsedOnlyWhereItIsNamed) {
    const fs::path copy = folder_.path() / "model";
    fs::copy(model_folder(), copy);
    fs::copy(package("whole"), copy / "model.pt2");
    const Said said = generate({}, copy.string());
    EXPECT_EQ(text_of(said), text_of(generate({})));
    EXPECT_THAT(said.out, test::says("{} is a compiled package, which is code, and is not used: name it with "
                                     "--compiled or --compiled-blocks if you trust it",
                                     (copy / "model.pt2").string()));
    EXPECT_THAT(generate({"--compiled", (copy / "model.pt2").string()}, copy.string()).out,
                testing::Not(HasSubstr("is not used")));
    EXPECT_THAT(refused({}, (copy / "model.pt2").string()),
                HasSubstr("has no config.json and no tokenizer: give the folder of its model"));
}

TEST_F(Compiled, WhatDoesNotFitIsRefusedBeforeWeightsAreRead) {
    const std::string whole = package("whole").string(), block = package("block").string();
    EXPECT_THAT(refused({"--compiled", whole, "--compiled-blocks", block}), HasSubstr("use one of both"));
    EXPECT_THAT(refused({"--compiled", whole, "--num_processes", "2"}), HasSubstr("computed by one process"));
    EXPECT_THAT(refused({"--compiled", whole, "--device-map", "disk"}), HasSubstr("all weights on one device"));
    EXPECT_THAT(refused({"--compiled-blocks", block, "--storage-dtype", "bfloat16"}),
                HasSubstr("leave storage_dtype out"));
    EXPECT_THAT(refused({"--compiled", block}), HasSubstr("has no value for the weight"));
    EXPECT_THAT(refused({"--compiled-blocks", block, "--dtype", "bfloat16"}),
                AllOf(HasSubstr("float32"), HasSubstr("bfloat16"), HasSubstr("load the model in that dtype")));
    EXPECT_THAT(generate({"--compiled", whole, "--prompt", std::string(55, 'A')}).out,
                AllOf(HasSubstr("unmatched dim"), HasSubstr("dynamic_shapes")))
        << "the package reads no further than it was compiled for";
    EXPECT_THAT(refused({"--compiled", (folder_.path() / "none.pt2").string()}), HasSubstr("none.pt2"));
}

TEST_F(Compiled, PackagesOfOtherMachinesAndVersionsAreNamed) {
    const auto with = [&](const char* key, const char* value) {
        json says = metadata();
        says[key] = value;
        return problem_of(package("whole", says));
    };
    EXPECT_EQ(problem_of(package("whole")), "none");
    EXPECT_THAT(with("AOTI_DEVICE_KEY", "cuda"),
                HasSubstr("was compiled for the device 'cuda', and the model is on 'cpu'"));
    EXPECT_THAT(with("AOTI_MACHINE", "riscv64"), HasSubstr("was compiled for 'riscv64', and this machine is"));
    EXPECT_THAT(with("AOTI_PLATFORM", "win32"), HasSubstr("was compiled for 'win32'"));
    EXPECT_THAT(with("AOTI_CPU_ISA", "AVX9000"), HasSubstr("does not have (AVX9000)"));
    EXPECT_THAT(problem_of(package("whole", metadata(), "model", TRAINYARD_NEWER_PACKAGE_LIBRARY)),
                AllOf(HasSubstr("aoti_torch_function_of_another_version of another version of PyTorch"),
                      HasSubstr("this is LibTorch 2.")));
    EXPECT_EQ(problem_of(package("whole", metadata(), "own_name")), "none") << "the only model of a package";
    const fs::path text = folder_.path() / "text.pt2";
    std::ofstream(text) << "weights";
    EXPECT_THAT(problem_of(text), HasSubstr("is not a compiled package (.pt2)"));
    const fs::path other = folder_.path() / "other.pt2";
    write_archive(other, {{"data.pkl", "x"}});
    EXPECT_THAT(problem_of(other), HasSubstr("has no compiled model"));
    std::string damaged = read_file(package("whole"), kLargestLibrary);
    damaged[damaged.size() / 2] ^= 1;
    std::ofstream(other, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_THAT(problem_of(other), HasSubstr("other.pt2"));
}

struct OwnLayer : torch::nn::Module {
    OwnLayer()
        : up(register_module("up", torch::nn::Linear(8, 24))),
          down(register_module("down", torch::nn::Linear(24, 8))) {}
    at::Tensor forward(const at::Tensor& x) { return x + down(torch::nn::functional::gelu(up(x))); }
    torch::nn::Linear up, down;
};

struct OwnNet : torch::nn::Module {
    OwnNet() {
        for (int number = 0; number < 3; ++number)
            layers.push_back(accelerator::wrap_block(
                register_module("layer" + std::to_string(number), std::make_shared<OwnLayer>())));
    }
    at::Tensor forward(at::Tensor x) {
        for (const auto& layer : layers)
            x = layer(x);
        return x;
    }
    std::vector<accelerator::Block*> blocks() {
        std::vector<accelerator::Block*> all;
        for (auto& layer : layers)
            all.push_back(&layer);
        return all;
    }
    std::vector<accelerator::CheckpointWrapper<OwnLayer>> layers;
};

TEST_F(Compiled, BlocksOfAProgramsOwnModel) {
    OwnNet net;
    const at::Tensor x = at::randn({2, 5, 8});
    auto compiled_layer = std::make_shared<compiled::CompiledModel>(package("layer"));
    {
        const at::NoGradGuard no_grad;
        const at::Tensor eager = net.forward(x);
        for (accelerator::Block* block : net.blocks())
            dispatch::add_hook_to_module(*block, std::make_shared<dispatch::CompiledBlockHook>(compiled_layer));
        EXPECT_TRUE(at::allclose(net.forward(x), eager, 1e-5, 1e-6));
        EXPECT_EQ(compiled_layer->runs(), 3);
        net.layers[1]->down->weight.mul_(2);
        const at::Tensor changed = net.forward(x);
        EXPECT_FALSE(at::allclose(changed, eager)) << "with the weights of the time of the call";
        dispatch::remove_hook_from_submodules(net.blocks());
        EXPECT_TRUE(at::allclose(net.forward(x), changed, 1e-5, 1e-6));
        EXPECT_EQ(compiled_layer->runs(), 6);
    }
    dispatch::add_hook_to_module(*net.blocks()[0], std::make_shared<dispatch::CompiledBlockHook>(compiled_layer));
    EXPECT_THROW(net.forward(x), UserError) << "a package has no backward";
    auto other = std::make_shared<compiled::CompiledModel>(package("block"));
    try {
        dispatch::add_hook_to_module(*net.blocks()[1], std::make_shared<dispatch::CompiledBlockHook>(other));
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("OwnLayer"));
    }
    compiled::WeightShape narrow{.name = "up.weight", .shape = {24, 4}};
    EXPECT_THAT(compiled_layer->why_not({narrow}).text(), AllOf(HasSubstr("[24, 8]"), HasSubstr("[24, 4]")));
}

}  // namespace
}  // namespace trainyard
