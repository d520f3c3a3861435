// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the big-model tools on a user's own torch modules: empty construction, device maps by registered names,
// loading, offloading, hooks. Results equal those of the resident module bit for bit.

#include <algorithm>
#include <fstream>
#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/big_models.h>

#include "base/error.h"
#include "checkpoint/model_export.h"
#include "device/device.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

using accelerator::Block;
using accelerator::CheckpointWrapper;
using accelerator::wrap_block;

/// at::manual_seed() also seeds the test device, which has no generator.
void seed(std::uint64_t value) {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(value);
}

/// Part of a layer that is wrapped itself.
struct Inner : torch::nn::Module {
    Inner()
        : wide(register_module("wide", torch::nn::Linear(8, 24))),
          narrow(register_module("narrow", torch::nn::Linear(24, 8))) {}
    at::Tensor forward(const at::Tensor& x) { return narrow(wide(x).relu()); }
    torch::nn::Linear wide, narrow;
};

struct Layer : torch::nn::Module {
    Layer()
        : norm(register_module("norm", torch::nn::BatchNorm1d(8))),
          inner(wrap_block(register_module("inner", std::make_shared<Inner>()))) {
        scale = register_parameter("scale", at::full({8}, 0.5));
    }
    at::Tensor forward(const at::Tensor& x) { return norm(inner(x)) * scale + x; }
    torch::nn::BatchNorm1d norm;
    CheckpointWrapper<Inner> inner;
    at::Tensor scale;
};

/// A table, two layers, a Sequential, a head that is the table (tied weights), and a buffer that its constructor
/// computes.
struct OwnNet : torch::nn::Module {
    OwnNet() {
        table = wrap_block(register_module("table", torch::nn::Embedding(6000, 8)));
        for (int i = 0; i < 2; ++i)
            layers.push_back(wrap_block(register_module("layer" + std::to_string(i), std::make_shared<Layer>())));
        tail = register_module(
            "tail", torch::nn::Sequential(torch::nn::Linear(8, 8), torch::nn::ReLU(), torch::nn::Linear(8, 8)));
        head = register_parameter("head", table->unwrap()->weight);
        positions = register_buffer("positions", at::arange(8000, at::kFloat).div(8000).reshape({1000, 8}));
        small = register_buffer("small", torch::tensor({1.0F, 2.0F}));
    }
    at::Tensor forward(const at::Tensor& tokens) {
        at::Tensor stream = (*table)(tokens) + positions.narrow(0, 0, tokens.size(0)) * small[1];
        for (auto& layer : layers)
            stream = layer(stream);
        return tail->forward(stream).matmul(head.narrow(0, 0, 16).t());
    }
    std::vector<Block*> blocks() {
        std::vector<Block*> all{&*table};
        for (auto& layer : layers) {
            all.push_back(&layer);
            all.push_back(&layer->inner);
        }
        return all;
    }
    std::optional<CheckpointWrapper<torch::nn::EmbeddingImpl>> table;
    std::vector<CheckpointWrapper<Layer>> layers;
    torch::nn::Sequential tail{nullptr};
    at::Tensor head, positions, small;
};

std::shared_ptr<OwnNet> resident() {
    seed(5);
    auto net = std::make_shared<OwnNet>();
    net->eval();
    return net;
}

at::Tensor tokens() {
    return at::arange(12, at::kLong).mul(37);
}

at::Tensor result_of(OwnNet& net) {
    const at::NoGradGuard no_grad;
    return net.forward(tokens()).clone();
}

std::filesystem::path save(OwnNet& net, const std::filesystem::path& folder) {
    NamedTensors state = accelerator::detail::named(net.named_parameters());
    for (const auto& item : net.named_buffers())
        state.emplace_back(item.key(), item.value());
    checkpoint::save_model(state, folder);
    return folder;
}

TEST(EmptyWeights, ParametersHaveShapesAndBuffersHaveValues) {
    const auto net = init_empty_weights([] { return std::make_shared<OwnNet>(); });
    for (const auto& item : net->named_parameters())
        EXPECT_TRUE(item.value().is_meta()) << item.key();
    EXPECT_EQ(net->tail->named_parameters()["0.weight"].sizes(), (std::vector<std::int64_t>{8, 8}));
    const auto whole = resident();
    for (const auto& item : net->named_buffers())
        EXPECT_TRUE(item.value().equal(whole->named_buffers()[item.key()])) << item.key();
    EXPECT_TRUE(net->positions.equal(whole->positions)) << "members are the registered tensors";
    EXPECT_TRUE(net->head.is_meta());
    EXPECT_TRUE(net->head.requires_grad());
    const auto empty = init_empty_weights([] { return std::make_shared<OwnNet>(); }, true);
    EXPECT_TRUE(empty->positions.is_meta());
    EXPECT_TRUE(empty->small.is_meta());
}

TEST(EmptyWeights, InitOnDeviceHasTheValuesOfAPlainConstructor) {
    const auto whole = resident();
    seed(5);
    const auto net = init_on_device(test::guarded(), [] { return std::make_shared<OwnNet>(); });
    for (const auto& item : net->named_parameters()) {
        EXPECT_TRUE(item.value().is_privateuseone()) << item.key();
        EXPECT_TRUE(item.value().cpu().equal(whole->named_parameters()[item.key()])) << item.key();
    }
    EXPECT_TRUE(net->positions.is_cpu());
}

TEST(EmptyWeights, ValuesThatAConstructorReadsAreComputed) {
    struct Reads : torch::nn::Module {
        Reads() {
            const at::Tensor table = at::arange(100'000, at::kFloat).mul(2);
            last = table[99'999].item<double>();
            register_parameter("weight", table.add(1));
        }
        double last = 0;
    };
    const auto net = init_empty_weights([] { return std::make_shared<Reads>(); });
    EXPECT_EQ(net->last, 199'998);
    EXPECT_TRUE(net->named_parameters()["weight"].is_meta());
}

TEST(EmptyWeights, AnErrorInAConstructorEndsTheScope) {
    EXPECT_THROW(init_empty_weights([]() -> std::shared_ptr<OwnNet> { throw std::runtime_error("no"); }),
                 std::runtime_error);
    EXPECT_FALSE(at::zeros({100'000}).is_meta());
}

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t whole = 0, pages = 0;
    file >> whole >> pages;
    return pages * 4096;
}

TEST(EmptyWeights, AThousandLayersOf400MegabytesTakeLessThan100) {
    const std::int64_t before = resident_bytes();
    const torch::nn::Sequential net = init_empty_weights([] {
        torch::nn::Sequential layers;
        for (int i = 0; i < 1000; ++i)
            layers->push_back(torch::nn::Linear(10'000, 10'000));
        return layers;
    });
    EXPECT_LT(resident_bytes() - before, 100'000'000);
    EXPECT_EQ(calculate_maximum_sizes(*net).first, 1000.0 * (10'000.0 * 10'000 + 10'000) * 4);
}

TEST(ModuleDeviceMap, SizesAndMapsHaveTheRegisteredNames) {
    // The example of Accelerate's documents: 64, 72 and 100 bytes.
    struct Three : torch::nn::Module {
        Three() {
            register_module("linear1", torch::nn::Linear(3, 4));
            register_module("batchnorm", torch::nn::BatchNorm1d(4));
            register_module("linear2", torch::nn::Linear(4, 5));
        }
    };
    const auto net = init_empty_weights([] { return std::make_shared<Three>(); });
    std::map<std::string, double> sizes;
    for (const auto& [name, bytes] : compute_module_sizes(*net))
        sizes[name] = bytes;
    EXPECT_EQ(sizes[""], 236);
    EXPECT_EQ(sizes["linear1"], 64);
    EXPECT_EQ(sizes["batchnorm"], 72);
    EXPECT_EQ(sizes["linear2.weight"], 80);
    EXPECT_EQ(calculate_maximum_sizes(*net).first, 236);
    EXPECT_EQ(calculate_maximum_sizes(*net).second, (std::pair<double, std::vector<std::string>>{100, {"linear2"}}));
    using Limits = std::map<std::string, std::string>;
    const auto map = [&](const Limits& limits) { return infer_auto_device_map(*net, {.max_memory = limits}).map; };
    EXPECT_EQ(map({{"0", "200"}}), (DeviceMap{{"linear1", "0"}, {"batchnorm", "disk"}, {"linear2", "disk"}}));
    EXPECT_EQ(map({{"0", "200"}, {"1", "200"}}), (DeviceMap{{"linear1", "0"}, {"linear2", "1"}, {"batchnorm", "1"}}));
    EXPECT_EQ(map({{"0", "300"}}), (DeviceMap{{"", "0"}}));
    EXPECT_EQ(compute_module_sizes(*net, {.dtype = "float16"}).front().second,
              236 / 2.0 + 4);  // an integer keeps its 8
}

TEST(ModuleDeviceMap, TiedTensorsAndMapsThatLeaveSomeOut) {
    const auto net = resident();
    EXPECT_EQ(find_tied_parameters(*net), (std::vector<std::vector<std::string>>{{"head", "table.weight"}}));
    EXPECT_THAT(
        [&] {
            check_device_map(*net, {{"table", "cpu"}, {"tail", "0"}});
        },
        testing::ThrowsMessage<UserError>(testing::HasSubstr("head")));
    const std::vector<Message> notes = check_device_map(*net, {{"", "cpu"}, {"layer7", "0"}});
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_THAT(notes[0].text(), testing::HasSubstr("layer7"));
}

/// Parameters of the module itself besides a layer, larger than what is left for them.
struct DirectNet : torch::nn::Module {
    DirectNet() {
        a = register_parameter("a", at::linspace(-1, 1, 64).reshape({8, 8}));
        b = register_parameter("b", at::linspace(1, 2, 64).reshape({8, 8}));
        layer = register_module("layer", torch::nn::Linear(8, 8));
    }
    at::Tensor forward(const at::Tensor& x) { return layer(x.matmul(a)).matmul(b); }
    at::Tensor a, b;
    torch::nn::Linear layer{nullptr};
};

/// Two modules of one tensor, and nothing else.
struct TiedNet : torch::nn::Module {
    struct Half : torch::nn::Module {
        explicit Half(const at::Tensor& shared) { weight = register_parameter("weight", shared); }
        at::Tensor forward(const at::Tensor& x) { return x.matmul(weight); }
        at::Tensor weight;
    };
    TiedNet() {
        one = register_module("one", std::make_shared<Half>(at::linspace(-1, 1, 64).reshape({8, 8})));
        two = register_module("two", std::make_shared<Half>(one->weight));
    }
    at::Tensor forward(const at::Tensor& x) { return two->forward(one->forward(x).relu()); }
    std::shared_ptr<Half> one, two;
};

/// Modules that users reported of Accelerate: issues 1548, 1510, 1759, 3276 of huggingface/accelerate.
TEST(ModuleDeviceMap, ModulesThatOthersCannotPlace) {
    test::guarded();
    const at::NoGradGuard no_grad;
    const at::Tensor x = at::linspace(-1, 1, 16).reshape({2, 8});
    const auto place = [&](auto make, const std::map<std::string, std::string>& limits) {
        seed(9);
        const auto whole = make(), net = make();
        for (const auto& item : net->named_parameters())
            item.value().copy_(whole->named_parameters()[item.key()]);
        const DeviceMap map = infer_auto_device_map(*net, {.max_memory = limits}).map;
        EXPECT_TRUE(check_device_map(*net, map).empty());
        const test::TemporaryFolder folder;
        const auto model =
            dispatch_model(net, map, {.offload_dir = folder.path(), .force_hooks = true, .accelerator = "guarded"});
        EXPECT_TRUE(model(x).cpu().equal(whole->forward(x)));
        return map;
    };
    using Limits = std::map<std::string, std::string>;
    const auto direct = [] { return std::make_shared<DirectNet>(); };
    const auto tied = [] { return std::make_shared<TiedNet>(); };
    for (const Limits& limits :
         {Limits{{"cpu", "300"}}, Limits{{"0", "900"}}, Limits{{"disk", "1000000"}, {"cpu", "600"}, {"0", "600"}}}) {
        const DeviceMap map = place(direct, limits);
        std::map<std::string, std::size_t> bytes;
        for (const auto& item : direct()->named_parameters())
            bytes[config::place_in(map, item.key())->second] += item.value().nbytes();
        for (const auto& [where, most] : limits)
            EXPECT_LE(bytes[where], std::stoul(most)) << where;
    }
    for (const Limits& limits : {Limits{{"0", "300"}}, Limits{{"0", "600"}}, Limits{{"cpu", "10"}}, Limits{}}) {
        const DeviceMap map = place(tied, limits);
        std::set<std::string> places;
        for (const auto& [name, where] : map)
            places.insert(where);
        EXPECT_EQ(places.size(), 1U) << "one tensor is in one place";
    }
}

/// Which blocks have weights while they compute, and where.
struct Residency : ModelHook {
    std::vector<std::string>* log;
    std::string name;
    Residency(std::vector<std::string>* lines, std::string own) : log(lines), name(std::move(own)) {}
    void pre_forward(parallel::Unit&, parallel::Tensors&) override { log->push_back(name + " <"); }
    void post_forward(parallel::Unit&, parallel::Tensors&) override { log->push_back(name + " >"); }
    void before_backward(parallel::Unit&, const parallel::Tensors&, int) override { log->push_back(name + " b<"); }
    void after_backward(parallel::Unit&, const parallel::Tensors&, int) override { log->push_back(name + " b>"); }
    void init_hook(const Block& block) override { log->push_back(name + " added to " + block.class_name()); }
    void detach_hook(const Block&) override { log->push_back(name + " removed"); }
};

const std::vector<DeviceMap>& five_maps() {
    static const std::vector<DeviceMap> maps{{{"", "guarded:0"}},
                                             {{"table", "guarded:0"},
                                              {"head", "guarded:0"},
                                              {"layer0", "guarded:1"},
                                              {"layer1", "cpu"},
                                              {"tail", "disk"},
                                              {"positions", "guarded:0"},
                                              {"small", "cpu"}},
                                             {{"", "disk"}},
                                             {{"", "cpu"}, {"layer0.inner", "disk"}, {"tail.2", "disk"}},
                                             {{"", "guarded:0"},
                                              {"layer0.inner.wide", "cpu"},
                                              {"layer1.scale", "disk"},
                                              {"tail.0.bias", "guarded:1"},
                                              {"table", "disk"},
                                              {"head", "disk"}}};
    return maps;
}

TEST(OwnModules, FiveDeviceMapsEqualTheResidentModule) {
    test::guarded(1);
    const auto whole = resident();
    const at::Tensor expected = result_of(*whole);
    const test::TemporaryFolder folder;
    save(*whole, folder.path());
    for (std::size_t i = 0; i < five_maps().size(); ++i)
        for (bool offload_buffers : {false, true}) {
            const auto net = init_empty_weights([] { return std::make_shared<OwnNet>(); }, true);
            net->eval();
            const auto model = load_checkpoint_and_dispatch(net, folder.path(),
                                                            {.device_map = five_maps()[i],
                                                             .offload_buffers = offload_buffers,
                                                             .strict = true,
                                                             .accelerator = "guarded"});
            const at::NoGradGuard no_grad;
            for (int pass = 0; pass < 2; ++pass) {
                // One device has no hooks, which would move the inputs.
                const at::Tensor result = model(i == 0 ? tokens().to(test::guarded()) : tokens());
                EXPECT_TRUE(result.cpu().equal(expected)) << "map " << i;
            }
            const NamedTensors state = model.hooks().state_dict();
            EXPECT_EQ(state.size(), whole->named_parameters().size() + whole->named_buffers().size());
            for (const auto& [name, value] : state)
                EXPECT_TRUE(value.equal(whole->named_parameters().contains(name) ? whole->named_parameters()[name]
                                                                                 : whole->named_buffers()[name]))
                    << name;
        }
}

/// Issue 1297 of huggingface/accelerate: no map is a map.
TEST(OwnModules, WithoutAMapACheckpointIsLoadedIntoTheProcessorsMemory) {
    const auto whole = resident();
    const test::TemporaryFolder folder;
    save(*whole, folder.path());
    const auto net = init_empty_weights([] { return std::make_shared<OwnNet>(); });
    net->eval();
    const auto model = load_checkpoint_and_dispatch(net, folder.path());
    const at::NoGradGuard no_grad;
    EXPECT_TRUE(model(tokens()).equal(result_of(*whole)));
    EXPECT_FALSE(model.hooks().has_offloaded_params());
}

TEST(OwnModules, WeightsAreThereOnlyWhileABlockComputes) {
    test::guarded();
    const auto net = resident();
    std::vector<std::string> seen;
    struct Look : ModelHook {
        OwnNet* net;
        std::vector<std::string>* seen;
        void pre_forward(parallel::Unit&, parallel::Tensors&) override {
            for (const auto& item : net->named_parameters())
                if (!item.value().is_meta())
                    seen->push_back(item.key() + " on " + item.value().device().str());
        }
    };
    auto look = std::make_shared<Look>();
    look->net = net.get();
    look->seen = &seen;
    const auto model = cpu_offload(net, test::guarded());
    EXPECT_TRUE(model.hooks().has_offloaded_params());
    for (const auto& item : net->named_parameters())
        EXPECT_TRUE(item.value().is_meta()) << item.key();
    add_hook_to_module(net->layers[0]->inner, look);
    const at::NoGradGuard no_grad;
    model(tokens());
    // The head is in no block, and the table is the same tensor; the layer's own parameters are those around the inner
    // block.
    EXPECT_THAT(seen, testing::UnorderedElementsAre(
                          "head on guarded:0", "table.weight on guarded:0", "layer0.scale on guarded:0",
                          "layer0.norm.weight on guarded:0", "layer0.norm.bias on guarded:0",
                          "layer0.inner.wide.weight on guarded:0", "layer0.inner.wide.bias on guarded:0",
                          "layer0.inner.narrow.weight on guarded:0", "layer0.inner.narrow.bias on guarded:0"));
    for (const auto& item : net->named_parameters())
        EXPECT_TRUE(item.value().is_meta()) << item.key();
    const at::Tensor result = model(tokens());
    model.hooks().remove_hooks();
    remove_hook_from_submodules(net->blocks());
    EXPECT_TRUE(net->forward(tokens()).equal(result.cpu()));
    EXPECT_TRUE(net->tail->at<torch::nn::LinearImpl>(0).weight.is_cpu()) << "elements are themselves again";
}

TEST(OwnModules, PreloadedClassesLoadWhatIsInThem) {
    test::guarded();
    const auto net = resident();
    std::size_t loaded = 0;
    struct Count : ModelHook {
        Layer* layer;
        std::size_t* loaded;
        void pre_forward(parallel::Unit&, parallel::Tensors&) override {
            *loaded = static_cast<std::size_t>(
                std::ranges::count_if(layer->parameters(), [](const at::Tensor& each) { return !each.is_meta(); }));
        }
    };
    for (const bool preloads : {false, true}) {
        const auto model = cpu_offload(net, test::guarded(), false,
                                       preloads ? std::set<std::string>{"Layer"} : std::set<std::string>{});
        auto count = std::make_shared<Count>();
        count->layer = &*net->layers[0];
        count->loaded = &loaded;
        add_hook_to_module(net->layers[0], count);
        const at::NoGradGuard no_grad;
        model(tokens());
        EXPECT_EQ(loaded, preloads ? 7U : 3U);
        remove_hook_from_module(net->layers[0]);
        model.hooks().remove_hooks();
    }
}

TEST(OwnModules, DiskOffloadWritesAFolderThatAnEmptyModuleReads) {
    const auto whole = resident();
    const at::Tensor expected = result_of(*whole);
    const test::TemporaryFolder folder;
    {
        const auto model = disk_offload(whole, folder.path() / "weights");
        const at::NoGradGuard no_grad;
        EXPECT_TRUE(model(tokens()).equal(expected));
        EXPECT_TRUE(std::filesystem::exists(folder.path() / "weights" / "layer0.inner.wide.weight.dat"));
    }
    const auto empty = init_empty_weights([] { return std::make_shared<OwnNet>(); });
    empty->eval();
    const auto model = disk_offload(empty, folder.path() / "weights");
    const at::NoGradGuard no_grad;
    EXPECT_TRUE(model(tokens()).equal(expected));
}

TEST(OwnModules, GradientsThroughOffloadedWeightsAreThoseOfTheResidentModule) {
    test::guarded();
    const auto run = [](const auto& call, const at::Tensor& input) {
        call(input).pow(2).sum().backward();
        return input.grad();
    };
    seed(3);
    torch::nn::Sequential plain(torch::nn::Linear(6, 7), torch::nn::Tanh(), torch::nn::Linear(7, 5));
    const at::Tensor x = at::randn({3, 6});
    at::Tensor here = x.clone().requires_grad_(true), there = x.clone().requires_grad_(true);
    const at::Tensor expected = run([&](const at::Tensor& input) { return plain->forward(input); }, here);
    const at::Tensor weight = plain->parameters()[0].grad().clone();
    plain->zero_grad();
    const auto model = cpu_offload(plain.ptr(), test::guarded());
    const at::Tensor gradient = run(model, there);
    EXPECT_TRUE(gradient.equal(expected));
    EXPECT_TRUE(plain->parameters()[0].is_meta()) << "also after backward";
    EXPECT_TRUE(plain->parameters()[0].grad().cpu().equal(weight));
}

TEST(OwnModules, HooksRunInOrderAndAreReplacedAppendedAndRemoved) {
    std::vector<std::string> log;
    auto layer = wrap_block(std::make_shared<Inner>());
    add_hook_to_module(layer, std::make_shared<Residency>(&log, "first"));
    add_hook_to_module(layer, std::make_shared<Residency>(&log, "second"));  // replaces it
    add_hook_to_module(layer, std::make_shared<Residency>(&log, "third"), true);
    layer(at::linspace(0, 1, 16).reshape({2, 8}).requires_grad_(true) * 1).sum().backward();
    EXPECT_EQ(log, (std::vector<std::string>{"first added to Inner", "first removed", "second added to Inner",
                                             "third added to Inner", "second <", "third <", "second >", "third >",
                                             "second b<", "third b<", "third b>", "second b>"}));
    log.clear();
    EXPECT_NE(std::dynamic_pointer_cast<SequentialHook>(hook_of(layer)), nullptr);
    remove_hook_from_module(layer);
    EXPECT_EQ(hook_of(layer), nullptr);
    layer(at::zeros({2, 8}));
    EXPECT_EQ(log, (std::vector<std::string>{"second removed", "third removed"}));
}

TEST(OwnModules, AHookMayReplaceTensorsAndSwitchGradientsOff) {
    struct Half : ModelHook {
        Half() : ModelHook(true) {}
        void pre_forward(parallel::Unit&, parallel::Tensors& inputs) override { inputs[0] = inputs[0] * 0; }
        void post_forward(parallel::Unit&, parallel::Tensors& outputs) override { outputs[0] = outputs[0] + 7; }
    };
    auto inner = wrap_block(std::make_shared<Inner>());
    const at::Tensor zero = inner(at::zeros({2, 8}));
    add_hook_to_module(inner, std::make_shared<Half>());
    const at::Tensor result = inner(at::full({2, 8}, 3.0));
    EXPECT_FALSE(result.requires_grad());
    EXPECT_TRUE(result.equal(zero.detach() + 7));
}

TEST(OwnModules, AlignDevicesHookOffloadsOneBlock) {
    test::guarded();
    const auto net = std::make_shared<Inner>();
    const at::Tensor x = at::linspace(-1, 1, 16).reshape({2, 8});
    const at::NoGradGuard no_grad;
    const at::Tensor expected = net->forward(x);
    auto block = wrap_block(net);
    add_hook_to_module(
        block,
        std::make_shared<AlignDevicesHook>(AlignDevicesOptions{
            .execution_device = test::guarded(), .offload = true, .io_same_device = true, .place_submodules = true}));
    EXPECT_TRUE(has_offloaded_params(block));
    EXPECT_TRUE(net->wide->weight.is_meta());
    const at::Tensor result = block(x);
    EXPECT_TRUE(result.is_cpu());
    EXPECT_TRUE(result.equal(expected));
    remove_hook_from_module(block);
    EXPECT_FALSE(has_offloaded_params(block));
    EXPECT_TRUE(net->forward(x).equal(expected));
}

TEST(OwnModules, AnErrorInABlockReleasesItsWeights) {
    struct Fails : torch::nn::Module {
        Fails() { weight = register_parameter("weight", at::zeros({4})); }
        at::Tensor forward(const at::Tensor&) { throw std::runtime_error("on purpose"); }
        at::Tensor weight;
    };
    test::guarded();
    const auto net = std::make_shared<Fails>();
    const auto model = cpu_offload(net, test::guarded());
    EXPECT_THROW(model(at::zeros({4})), std::runtime_error);
    EXPECT_TRUE(net->weight.is_meta());
}

TEST(OwnModules, AChainOfModulesHasOneOnTheDevice) {
    const c10::Device device = test::guarded();
    const auto a = std::make_shared<Inner>(), b = std::make_shared<Inner>();
    auto [first, first_hook] = cpu_offload_with_hook(a, device);
    auto [second, second_hook] = cpu_offload_with_hook(b, device, first_hook);
    EXPECT_FALSE(first_hook->is_on_device());
    const at::NoGradGuard no_grad;
    const at::Tensor stream = first(at::zeros({2, 8}));
    EXPECT_TRUE(a->wide->weight.is_privateuseone());
    first(stream);
    EXPECT_TRUE(first_hook->is_on_device());
    second(stream);
    EXPECT_TRUE(a->wide->weight.is_cpu());
    EXPECT_TRUE(b->wide->weight.is_privateuseone());
    second_hook->offload();
    EXPECT_TRUE(b->wide->weight.is_cpu());
    second_hook->remove();
    EXPECT_TRUE(second(at::zeros({2, 8})).is_cpu());
}

/// Two pipelines share a module, each with a hook of its own (issue 2907 of huggingface/diffusers).
TEST(OwnModules, ModulesOfTwoChainsAreMovedByEither) {
    const c10::Device device = test::guarded();
    const auto shared = std::make_shared<Inner>();
    auto [one, one_hook] = cpu_offload_with_hook(shared, device);
    auto [two, two_hook] = cpu_offload_with_hook(shared, device);
    const at::NoGradGuard no_grad;
    const at::Tensor x = at::linspace(-1, 1, 16).reshape({2, 8}), expected = shared->forward(x);
    EXPECT_TRUE(one(x).cpu().equal(expected));
    EXPECT_TRUE(two_hook->is_on_device());
    two_hook->offload();
    EXPECT_FALSE(one_hook->is_on_device());
    EXPECT_TRUE(one(x).cpu().equal(expected));
    one_hook->offload();
    EXPECT_TRUE(two(x).cpu().equal(expected));
    EXPECT_TRUE(one(x).cpu().equal(expected));
}

/// A parameter of the module itself, in no block, and hooks that are removed (issues 767 and 1869 of
/// huggingface/accelerate).
TEST(OwnModules, OffloadedParametersOfTheRootComeBack) {
    test::guarded();
    const at::NoGradGuard no_grad;
    const auto net = std::make_shared<DirectNet>();
    const at::Tensor x = at::linspace(-1, 1, 16).reshape({2, 8}), expected = net->forward(x);
    {
        auto model = cpu_offload(net, test::guarded());
        for (int call = 0; call < 2; ++call)
            EXPECT_TRUE(model(x).cpu().equal(expected));
        EXPECT_TRUE(net->a.is_meta());
        model.hooks().remove_hooks();
        EXPECT_TRUE(net->a.is_cpu());
    }
    EXPECT_TRUE(net->forward(x).equal(expected));
    EXPECT_TRUE(cpu_offload(net, test::guarded())(x).cpu().equal(expected)) << "offloaded again";
}

TEST(OwnModules, TensorsAreOnADeviceForAsLongAsTheyAreAligned) {
    test::guarded(1);
    const c10::Device device = test::guarded();
    const auto whole = resident();
    {
        const auto net = resident();
        {
            const auto aligned = align_module_device(*net, device);
            for (const auto& item : net->named_parameters())
                EXPECT_EQ(item.value().device(), device) << item.key();
            EXPECT_EQ(net->positions.device(), device);
            EXPECT_EQ(net->head.device(), device) << "a second name of the table";
            const at::NoGradGuard no_grad;
            net->layers[0].unwrap()->scale.mul_(2);
        }
        EXPECT_TRUE(net->head.is_cpu());
        EXPECT_TRUE(net->layers[0].unwrap()->scale.equal(at::full({8}, 1.0))) << "what was written stays";
        EXPECT_TRUE(net->layers[0].unwrap()->scale.requires_grad());
    }
    const test::TemporaryFolder folder;
    const auto net = resident();
    const auto model = dispatch_model(net, {{"", "guarded:0"}, {"layer0", "disk"}, {"layer1", "cpu"}},
                                      {.offload_dir = folder.path(), .accelerator = "guarded"});
    const torch::nn::Module& layer = *net->layers[0].unwrap();
    ASSERT_TRUE(net->layers[0].unwrap()->scale.is_meta());
    {
        const auto aligned = align_module_device(model, layer, at::kCPU);
        for (const auto& item : layer.named_parameters())
            EXPECT_TRUE(item.value().equal(whole->named_parameters()["layer0." + item.key()])) << item.key();
        EXPECT_TRUE(net->layers[1].unwrap()->scale.is_meta()) << "only what was asked for";
    }
    EXPECT_TRUE(net->layers[0].unwrap()->scale.is_meta());
    {
        const auto aligned = align_module_device(model, at::kCPU);
        for (const auto& item : net->named_parameters())
            EXPECT_TRUE(item.value().equal(whole->named_parameters()[item.key()])) << item.key();
    }
    const at::NoGradGuard no_grad;
    EXPECT_TRUE(model(tokens()).cpu().equal(result_of(*whole))) << "it computes as before";
    const auto empty = init_empty_weights([] { return std::make_shared<OwnNet>(); });
    EXPECT_THAT([&] { align_module_device(*empty, at::kCPU); },
                testing::ThrowsMessage<UserError>(test::says(
                    "{} has no value yet: load a checkpoint into the model before it is dispatched", testing::_)));
}

TEST(OwnModules, WhatDoesNotFitIsNamed) {
    const auto whole = resident();
    const test::TemporaryFolder folder;
    save(*whole, folder.path());
    const auto other = init_empty_weights([] { return std::make_shared<Inner>(); });
    EXPECT_THAT([&] { load_checkpoint_in_model(*other, folder.path()); },
                testing::ThrowsMessage<UserError>(testing::HasSubstr("wide.weight")));
    const auto empty = init_empty_weights([] { return std::make_shared<OwnNet>(); });
    EXPECT_THAT(
        [&] {
            dispatch_model(empty, {{"", "cpu"}});
        },
        testing::ThrowsMessage<UserError>(
            test::says("{} has no value yet: load a checkpoint into the model before it is dispatched", "head")));
    EXPECT_THAT(
        [&] {
            dispatch_model(whole, {{"", "disk"}});
        },
        testing::ThrowsMessage<UserError>(
            test::says("the device map puts {} on disk: name a folder for it (offload_dir)", testing::_)));
    EXPECT_THAT([&] { resolve_device_map(*empty, "everywhere", {}); }, testing::Throws<UserError>());
}

}  // namespace
}  // namespace trainyard::dispatch
