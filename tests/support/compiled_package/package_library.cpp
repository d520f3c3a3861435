// SPDX-License-Identifier: GPL-3.0-or-later
// The library of a compiled package, with the interface of AOTInductor's
// (torch/csrc/inductor/aoti_runtime/interface.h) and eager operators inside. The file `variant` beside it says which
// module it computes: the GPT-2 of golden/generation (whole), a block of it (block), the BLOOM of golden/models
// (bloom), or a layer of tests/dispatch/compiled.cpp (layer). Its own values of the weights are zeros. As AOTInductor's
// libraries do, it checks its inputs only if AOTI_RUNTIME_CHECK_INPUTS is 1. packaging/interop compiled does the same
// with packages that PyTorch compiled.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/inductor/aoti_runtime/interface.h>

#include <dlfcn.h>

namespace {

constexpr std::int64_t kWidth = 32, kHeads = 4, kLayers = 2, kPositions = 64, kTokens = 96;
constexpr std::int64_t kBloomWidth = 48, kBloomHeads = 6, kBloomTokens = 300;  ///< with as many layers
constexpr std::int64_t kMostInputs = 48;  ///< positions that the module was "compiled" for

thread_local std::string last_error;

at::Tensor& tensor_of(AtenTensorHandle handle) {
    return *reinterpret_cast<at::Tensor*>(handle);
}
AtenTensorHandle handle_of(at::Tensor tensor) {
    return reinterpret_cast<AtenTensorHandle>(new at::Tensor(std::move(tensor)));
}

struct Constant {
    std::string name, own_name;
    at::Tensor value;
};

class Container {
  public:
    explicit Container(const std::string& variant) : variant_(variant) {
        if (variant_ == "layer") {
            add("up.weight", {24, 8});
            add("up.bias", {24});
            add("down.weight", {8, 24});
            add("down.bias", {8});
        } else if (variant_ == "block") {
            add_block("block.");
        } else if (variant_ == "bloom") {
            add("model.lm_head.weight", {kBloomTokens, kBloomWidth});
            add_bloom_norm("model.transformer.word_embeddings_layernorm");
            for (std::int64_t layer = 0; layer < kLayers; ++layer) {
                const std::string prefix = "model.transformer.h." + std::to_string(layer) + ".";
                add_bloom_norm(prefix + "input_layernorm");
                add_linear(prefix + "self_attention.query_key_value", 3 * kBloomWidth, kBloomWidth);
                add_linear(prefix + "self_attention.dense", kBloomWidth, kBloomWidth);
                add_bloom_norm(prefix + "post_attention_layernorm");
                add_linear(prefix + "mlp.dense_h_to_4h", 4 * kBloomWidth, kBloomWidth);
                add_linear(prefix + "mlp.dense_4h_to_h", kBloomWidth, 4 * kBloomWidth);
            }
            add_bloom_norm("model.transformer.ln_f");
        } else {
            add("model.lm_head.weight", {kTokens, kWidth});
            add("model.transformer.wpe.weight", {kPositions, kWidth});
            for (std::int64_t layer = 0; layer < kLayers; ++layer)
                add_block("model.transformer.h." + std::to_string(layer) + ".");
            add("model.transformer.ln_f.weight", {kWidth});
            add("model.transformer.ln_f.bias", {kWidth});
        }
    }

    std::vector<Constant> constants;
    std::map<std::string, at::Tensor*> replaced;  ///< user-managed values, by Constant::name

    at::Tensor run(const at::Tensor& input) const {
        const char* checks = std::getenv("AOTI_RUNTIME_CHECK_INPUTS");
        if (checks != nullptr && std::string(checks) == "1" && input.size(1) > kMostInputs)
            throw std::runtime_error("unmatched dim value at 1, expected at most " + std::to_string(kMostInputs));
        if (variant_ == "layer") {
            const at::Tensor inner = at::gelu(at::linear(input, value("up.weight"), value("up.bias")));
            return input + at::linear(inner, value("down.weight"), value("down.bias"));
        }
        if (variant_ == "block")
            return block(input, "block.");
        if (variant_ == "bloom")
            return bloom(input);
        at::Tensor hidden = at::embedding(value("model.lm_head.weight"), input) +
                            at::embedding(value("model.transformer.wpe.weight"),
                                          at::arange(input.size(1), at::TensorOptions().dtype(at::kLong)));
        for (std::int64_t layer = 0; layer < kLayers; ++layer)
            hidden = block(hidden, "model.transformer.h." + std::to_string(layer) + ".");
        return at::linear(norm(hidden, "model.transformer.ln_f"), value("model.lm_head.weight"));
    }

  private:
    void add(const std::string& own_name, const std::vector<std::int64_t>& shape) {
        std::string name = own_name;
        for (char& letter : name)
            letter = letter == '.' ? '_' : letter;
        constants.push_back({name, own_name, at::zeros(shape)});
    }
    void add_block(const std::string& prefix) {
        for (const char* name : {"ln_1.weight", "ln_1.bias", "ln_2.weight", "ln_2.bias"})
            add(prefix + name, {kWidth});
        add(prefix + "attn.c_attn.weight", {kWidth, 3 * kWidth});
        add(prefix + "attn.c_attn.bias", {3 * kWidth});
        add(prefix + "attn.c_proj.weight", {kWidth, kWidth});
        add(prefix + "attn.c_proj.bias", {kWidth});
        add(prefix + "mlp.c_fc.weight", {kWidth, 4 * kWidth});
        add(prefix + "mlp.c_fc.bias", {4 * kWidth});
        add(prefix + "mlp.c_proj.weight", {4 * kWidth, kWidth});
        add(prefix + "mlp.c_proj.bias", {kWidth});
    }
    void add_linear(const std::string& name, std::int64_t out, std::int64_t in) {
        add(name + ".weight", {out, in});
        add(name + ".bias", {out});
    }
    void add_bloom_norm(const std::string& name) {
        add(name + ".weight", {kBloomWidth});
        add(name + ".bias", {kBloomWidth});
    }
    const at::Tensor& value(const std::string& own_name) const {
        for (const Constant& constant : constants)
            if (constant.own_name == own_name) {
                const auto other = replaced.find(constant.name);
                return other == replaced.end() ? constant.value : *other->second;
            }
        throw std::runtime_error("no constant " + own_name);
    }
    at::Tensor norm(const at::Tensor& x, const std::string& name) const {
        return at::layer_norm(x, {x.size(-1)}, value(name + ".weight"), value(name + ".bias"), 1e-5);
    }
    /// Conv1D of transformers.
    at::Tensor product(const at::Tensor& x, const std::string& name) const {
        const at::Tensor& weight = value(name + ".weight");
        return at::addmm(value(name + ".bias"), x.flatten(0, 1), weight).unflatten(0, {x.size(0), x.size(1)});
    }
    at::Tensor block(const at::Tensor& input, const std::string& prefix) const {
        const std::vector<at::Tensor> parts =
            product(norm(input, prefix + "ln_1"), prefix + "attn.c_attn").split(kWidth, 2);
        const auto heads = [](const at::Tensor& x) {
            return x.unflatten(2, {kHeads, kWidth / kHeads}).transpose(1, 2);
        };
        const at::Tensor mixed =
            at::scaled_dot_product_attention(heads(parts[0]), heads(parts[1]), heads(parts[2]), {}, 0, true);
        const at::Tensor middle = input + product(mixed.transpose(1, 2).flatten(2), prefix + "attn.c_proj");
        const at::Tensor inner = at::gelu(product(norm(middle, prefix + "ln_2"), prefix + "mlp.c_fc"), "tanh");
        return middle + product(inner, prefix + "mlp.c_proj");
    }

    at::Tensor linear(const at::Tensor& x, const std::string& name) const {
        return at::linear(x, value(name + ".weight"), value(name + ".bias"));
    }
    /// ALiBi: scores fall with the distance, by a slope of each head.
    at::Tensor bloom(const at::Tensor& tokens) const {
        const at::Tensor slopes = at::tensor({0.25F, 1 / 16.0F, 1 / 64.0F, 1 / 256.0F, 0.5F, 0.125F});
        const at::Tensor positions = at::arange(tokens.size(1), at::kFloat);
        const at::Tensor bias =
            slopes.view({kBloomHeads, 1, 1}).mul(positions) +
            at::full({tokens.size(1), tokens.size(1)}, -std::numeric_limits<float>::infinity()).triu(1);
        at::Tensor hidden =
            norm(at::embedding(value("model.lm_head.weight"), tokens), "model.transformer.word_embeddings_layernorm");
        for (std::int64_t layer = 0; layer < kLayers; ++layer) {
            const std::string prefix = "model.transformer.h." + std::to_string(layer) + ".";
            const at::Tensor heads =
                linear(norm(hidden, prefix + "input_layernorm"), prefix + "self_attention.query_key_value")
                    .unflatten(2, {kBloomHeads, 3, kBloomWidth / kBloomHeads})
                    .transpose(1, 2);
            const at::Tensor query = heads.select(3, 0), key = heads.select(3, 1), values = heads.select(3, 2);
            const at::Tensor scores =
                at::matmul(query, key.transpose(-1, -2)) / std::sqrt(static_cast<double>(kBloomWidth / kBloomHeads));
            const at::Tensor mixed = at::matmul((scores + bias).softmax(-1), values);
            hidden = hidden + linear(mixed.transpose(1, 2).flatten(2), prefix + "self_attention.dense");
            const at::Tensor inner = at::gelu(
                linear(norm(hidden, prefix + "post_attention_layernorm"), prefix + "mlp.dense_h_to_4h"), "tanh");
            hidden = hidden + linear(inner, prefix + "mlp.dense_4h_to_h");
        }
        return at::linear(norm(hidden, "model.transformer.ln_f"), value("model.lm_head.weight"));
    }

    std::string variant_;
};

Container& container_of(AOTInductorModelContainerHandle handle) {
    return *reinterpret_cast<Container*>(handle);
}

template <class Function>
AOTIRuntimeError guarded(Function&& function) {
    try {
        function();
        return AOTI_RUNTIME_SUCCESS;
    } catch (const std::exception& error) {
        last_error = error.what();
        return AOTI_RUNTIME_FAILURE;
    }
}

}  // namespace

extern "C" {

AOTI_API AOTIRuntimeError AOTInductorModelContainerCreateWithDevice(AOTInductorModelContainerHandle* handle,
                                                                    size_t /*models*/, const char* /*device*/,
                                                                    const char* /*folder*/) {
    return guarded([&] {
        Dl_info own{};
        ::dladdr(reinterpret_cast<const void*>(&AOTInductorModelContainerDelete), &own);
        std::string variant;
        std::ifstream(std::filesystem::path(own.dli_fname).parent_path() / "variant") >> variant;
        *handle = reinterpret_cast<AOTInductorModelContainerHandle>(new Container(variant));
    });
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerDelete(AOTInductorModelContainerHandle handle) {
    delete &container_of(handle);
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerRun(AOTInductorModelContainerHandle handle, AtenTensorHandle* inputs,
                                                       size_t count, AtenTensorHandle* outputs, size_t /*output_count*/,
                                                       AOTInductorStreamHandle /*stream*/,
                                                       AOTIProxyExecutorHandle /*proxy*/) {
    std::vector<at::Tensor> taken;
    for (size_t number = 0; number < count; ++number) {
        taken.push_back(std::move(tensor_of(inputs[number])));
        delete &tensor_of(inputs[number]);
        inputs[number] = nullptr;  // LibTorch frees what is left
    }
    return guarded([&] {
        if (taken.size() != 1)
            throw std::runtime_error("takes one input");
        outputs[0] = handle_of(container_of(handle).run(taken[0]));
    });
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerRunSingleThreaded(AOTInductorModelContainerHandle handle,
                                                                     AtenTensorHandle* inputs, size_t count,
                                                                     AtenTensorHandle* outputs, size_t output_count,
                                                                     AOTInductorStreamHandle stream,
                                                                     AOTIProxyExecutorHandle proxy) {
    return AOTInductorModelContainerRun(handle, inputs, count, outputs, output_count, stream, proxy);
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerGetNumConstants(AOTInductorModelContainerHandle handle,
                                                                   size_t* count) {
    *count = container_of(handle).constants.size();
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerGetConstantName(AOTInductorModelContainerHandle handle,
                                                                   size_t number, const char** name) {
    *name = container_of(handle).constants.at(number).name.c_str();
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerGetConstantOriginalFQN(AOTInductorModelContainerHandle handle,
                                                                          size_t number, const char** name) {
    *name = container_of(handle).constants.at(number).own_name.c_str();
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerGetConstantDtype(AOTInductorModelContainerHandle handle,
                                                                    size_t number, int32_t* dtype) {
    *dtype = static_cast<int32_t>(container_of(handle).constants.at(number).value.scalar_type());
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerExtractConstantsMap(AOTInductorModelContainerHandle handle,
                                                                       AOTInductorConstantMapHandle map,
                                                                       bool /*inactive*/) {
    auto& found = *reinterpret_cast<std::unordered_map<std::string, AtenTensorHandle>*>(map);
    for (Constant& constant : container_of(handle).constants)
        found[constant.own_name] = reinterpret_cast<AtenTensorHandle>(&constant.value);
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerUpdateUserManagedConstantBuffer(
    AOTInductorModelContainerHandle handle, AOTInductorConstantMapHandle map, bool /*inactive*/, bool /*all*/) {
    for (const auto& [name, value] : *reinterpret_cast<std::unordered_map<std::string, AtenTensorHandle>*>(map))
        container_of(handle).replaced[name] = &tensor_of(value);
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerUpdateConstantBuffer(AOTInductorModelContainerHandle,
                                                                        AOTInductorConstantMapHandle, bool, bool) {
    return AOTI_RUNTIME_FAILURE;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerUpdateInactiveConstantBuffer(AOTInductorModelContainerHandle,
                                                                                AOTInductorConstantMapHandle) {
    return AOTI_RUNTIME_FAILURE;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerRunConstantFolding(AOTInductorModelContainerHandle, bool,
                                                                      AOTInductorStreamHandle,
                                                                      AOTIProxyExecutorHandle) {
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerSwapConstantBuffer(AOTInductorModelContainerHandle) {
    return AOTI_RUNTIME_FAILURE;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerFreeInactiveConstantBuffer(AOTInductorModelContainerHandle) {
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerGetNumOutputs(AOTInductorModelContainerHandle, size_t* count) {
    *count = 1;
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorModelContainerGetCallSpec(AOTInductorModelContainerHandle, const char** in_spec,
                                                               const char** out_spec) {
    *in_spec = *out_spec = "";
    return AOTI_RUNTIME_SUCCESS;
}

AOTI_API AOTIRuntimeError AOTInductorGetLastError(const char** message) {
    *message = last_error.c_str();
    return AOTI_RUNTIME_SUCCESS;
}

}  // extern "C"
