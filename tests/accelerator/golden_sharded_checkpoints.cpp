// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that Accelerate's FSDP saved (golden/sharded_checkpoints): an Accelerator that divides weights continues from
// each on other numbers of ranks, with the losses and gradient norms of torch.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "accelerator/training.h"
#include "checkpoint/accelerate_folder.h"
#include "support/golden.h"
#include "support/sha256.h"

namespace trainyard::sharded_checkpoints {
namespace {

using Json = nlohmann::json;

Json read_json_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    return Json::parse(file);
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) {
    return x.mul(at::rsqrt(x.pow(2).mean(-1, true).add(eps))).mul(weight);
}

/// A decoder layer of Llama.
struct Layer {
    NamedTensors parameters;
    std::int64_t heads, kv_heads, head_dim;
    double theta, eps;

    Layer(const Json& config, const std::string& prefix)
        : heads(config["num_attention_heads"].get<std::int64_t>()),
          kv_heads(config["num_key_value_heads"].get<std::int64_t>()),
          head_dim(config["head_dim"].get<std::int64_t>()),
          theta(config["rope_parameters"]["rope_theta"].get<double>()),
          eps(config["rms_norm_eps"].get<double>()) {
        const auto hidden = config["hidden_size"].get<std::int64_t>(),
                   wide = config["intermediate_size"].get<std::int64_t>();
        const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
            parameters.emplace_back(prefix + name, at::zeros(shape));
        };
        add("self_attn.q_proj.weight", {heads * head_dim, hidden});
        add("self_attn.k_proj.weight", {kv_heads * head_dim, hidden});
        add("self_attn.v_proj.weight", {kv_heads * head_dim, hidden});
        add("self_attn.o_proj.weight", {hidden, heads * head_dim});
        add("mlp.gate_proj.weight", {wide, hidden});
        add("mlp.up_proj.weight", {wide, hidden});
        add("mlp.down_proj.weight", {hidden, wide});
        add("input_layernorm.weight", {hidden});
        add("post_attention_layernorm.weight", {hidden});
    }
    const NamedTensors& named_parameters() const { return parameters; }
    NamedTensors named_buffers() const { return {}; }
    const at::Tensor& weight(std::size_t i) const { return parameters[i].second; }

    /// [rows, positions, heads * head_dim] -> [rows, heads, positions, head_dim], turned by the positions.
    at::Tensor split(const at::Tensor& x, std::int64_t count, bool turned) const {
        const at::Tensor by_head = x.view({x.size(0), x.size(1), count, head_dim}).transpose(1, 2);
        if (!turned)
            return by_head;
        const at::Tensor frequency =
            at::pow(theta, at::arange(0, head_dim, 2, at::kFloat).div(static_cast<double>(-head_dim)));
        const at::Tensor half = at::outer(at::arange(x.size(1), at::kFloat), frequency),
                         angle = at::cat({half, half}, -1);
        const std::vector<at::Tensor> halves = by_head.chunk(2, -1);
        return by_head.mul(angle.cos()).add(at::cat({halves[1].neg(), halves[0]}, -1).mul(angle.sin()));
    }
    at::Tensor forward(const at::Tensor& x) const {
        const at::Tensor normed = rms_norm(x, weight(7), eps);
        const at::Tensor q = split(at::linear(normed, weight(0)), heads, true);
        const at::Tensor k =
            split(at::linear(normed, weight(1)), kv_heads, true).repeat_interleave(heads / kv_heads, 1);
        const at::Tensor v =
            split(at::linear(normed, weight(2)), kv_heads, false).repeat_interleave(heads / kv_heads, 1);
        at::Tensor scores = q.matmul(k.transpose(-1, -2)).div(std::sqrt(static_cast<double>(head_dim)));
        const at::Tensor later = at::ones({x.size(1), x.size(1)}, at::kBool).triu(1);
        scores = scores.masked_fill(later, -INFINITY).softmax(-1);
        const at::Tensor mixed = scores.matmul(v).transpose(1, 2).reshape({x.size(0), x.size(1), -1});
        const at::Tensor y = x.add(at::linear(mixed, weight(3)));
        const at::Tensor inner = rms_norm(y, weight(8), eps);
        const at::Tensor wide = at::silu(at::linear(inner, weight(4))).mul(at::linear(inner, weight(5)));
        return y.add(at::linear(wide, weight(6)));
    }
};

struct TinyLlama {
    explicit TinyLlama(const Json& config) : eps(config["rms_norm_eps"].get<double>()) {
        const auto hidden = config["hidden_size"].get<std::int64_t>();
        embedding = at::zeros({config["vocab_size"].get<std::int64_t>(), hidden});
        norm = at::zeros({hidden});
        for (std::int64_t i = 0; i < config["num_hidden_layers"].get<std::int64_t>(); ++i)
            layers.push_back(
                accelerator::wrap_block(std::make_shared<Layer>(config, "model.layers." + std::to_string(i) + ".")));
    }
    NamedTensors named_parameters() const {
        NamedTensors all{{"model.embed_tokens.weight", embedding}};
        for (const auto& layer : layers)
            all.insert(all.end(), layer->parameters.begin(), layer->parameters.end());
        all.emplace_back("model.norm.weight", norm);
        all.emplace_back("lm_head.weight", embedding);  // tied
        return all;
    }
    NamedTensors named_buffers() const { return {}; }
    std::vector<accelerator::Block*> blocks() {
        std::vector<accelerator::Block*> all;
        for (auto& layer : layers)
            all.push_back(&layer);
        return all;
    }
    /// Mean loss of the next tokens.
    at::Tensor forward(const at::Tensor& ids) const {
        at::Tensor x = at::embedding(embedding, ids);
        for (const auto& layer : layers)
            x = layer(x);
        const at::Tensor logits = at::linear(rms_norm(x, norm, eps), embedding);
        const std::int64_t last = ids.size(1) - 1;
        return at::cross_entropy_loss(logits.narrow(1, 0, last).flatten(0, 1), ids.narrow(1, 1, last).flatten());
    }
    double eps;
    at::Tensor embedding, norm;
    std::vector<accelerator::CheckpointWrapper<Layer>> layers;
};

std::unique_ptr<torch::optim::Optimizer> optimizer_of(const Json& expected, const NamedTensors& parameters) {
    const bool is_adamw = expected["optimizer"].get<std::string>().starts_with("AdamW");
    std::vector<torch::optim::OptimizerParamGroup> groups;
    for (const Json& group : expected["groups"]) {
        std::vector<at::Tensor> tensors;
        for (const Json& name : group["parameters"])
            tensors.push_back(
                std::ranges::find(parameters, name.get<std::string>(), &NamedTensors::value_type::first)->second);
        // The options of the checkpoint replace these.
        std::unique_ptr<torch::optim::OptimizerOptions> options;
        if (is_adamw)
            options = std::make_unique<torch::optim::AdamWOptions>(1.0);
        else
            options = std::make_unique<torch::optim::SGDOptions>(1.0);
        groups.emplace_back(std::move(tensors), std::move(options));
    }
    if (is_adamw)
        return std::make_unique<torch::optim::AdamW>(groups);
    return std::make_unique<torch::optim::SGD>(groups, torch::optim::SGDOptions(1.0));
}

std::string hash_of(const at::Tensor& tensor) {
    const at::Tensor bytes = tensor.detach().cpu().contiguous();
    return test::sha256({static_cast<const std::byte*>(bytes.const_data_ptr()), bytes.nbytes()});
}

struct Step {
    double loss = 0, norm = 0;
};

/// Three steps from the folder on, on this rank; losses are means over the ranks.
std::vector<Step> continue_from(const std::filesystem::path& folder, const Json& expected, std::int64_t zero_stage,
                                std::shared_ptr<parallel::ProcessState> process) {
    const bool is_first = process->rank() == 0;
    const int rank = process->rank(), ranks = process->world_size();
    const Json config = read_json_file(folder / "config.json");
    Accelerator accelerator({.zero_stage = zero_stage}, std::move(process));
    auto net = std::make_shared<TinyLlama>(config);
    const NamedTensors parameters = net->named_parameters();
    const auto frozen = expected["frozen"].get<std::vector<std::string>>();
    for (const auto& [name, parameter] : parameters)
        parameter.set_requires_grad(std::ranges::find(frozen, name) == frozen.end());
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(optimizer_of(expected, parameters));
    accelerator.load_state(folder / "ckpt");

    const NamedTensors loaded = accelerator.get_state_dict(model);
    if (is_first) {
        EXPECT_EQ(loaded.size(), expected["model_whole"].size());
        for (const auto& [name, tensor] : loaded)
            EXPECT_EQ(hash_of(tensor), expected["model_whole"][name]["sha256"].get<std::string>()) << name;
    }
    const Tree state = optimizer->whole_state_dict();
    if (is_first) {
        std::vector<std::string> names;
        for (const Json& group : expected["groups"])
            for (const Json& name : group["parameters"])
                names.push_back(name.get<std::string>());
        std::size_t compared = 0;
        for (const Tree::Entry& entry : state.at("state").entries()) {
            const Json& whole = expected["optimizer_whole"]["state"]
                                        [names.at(static_cast<std::size_t>(std::get<std::int64_t>(entry.key)))];
            for (const Tree::Entry& value : entry.value.entries())
                if (value.value.is_tensor() && value.value.as_tensor().dim() > 0 &&
                    whole.contains(to_string(value.key))) {
                    EXPECT_EQ(hash_of(value.value.as_tensor()),
                              whole[to_string(value.key)]["sha256"].get<std::string>());
                    ++compared;
                }
        }
        EXPECT_GE(compared, names.size());
    }
    for (std::size_t g = 0; g < optimizer->group_count(); ++g)
        EXPECT_DOUBLE_EQ(optimizer->lr(g), expected["learning_rates_at_save"][g].get<double>());

    const NamedTensors batches = checkpoint::read_weights(folder / "batches.safetensors");
    const at::Tensor& ids = batches.front().second;
    const auto first = static_cast<std::int64_t>(expected["steps_before"].size());
    const std::int64_t rows = ids.size(1) / ranks;
    std::vector<Step> steps;
    for (std::size_t i = 0; i < expected["steps_after"].size(); ++i) {
        auto scope = accelerator.accumulate(model);
        const at::Tensor loss = model(ids[first + static_cast<std::int64_t>(i)].narrow(0, rank * rows, rows));
        accelerator.backward(loss);
        Step& step = steps.emplace_back();
        step.loss = accelerator.reduce(loss.detach().reshape({1}), parallel::Reduction::mean).item<double>();
        if (!expected["clip"].is_null())
            step.norm = accelerator.clip_grad_norm(model, expected["clip"].get<double>()).item<double>();
        optimizer->step();
        optimizer->zero_grad();
        for (std::size_t g = 0; g < optimizer->group_count(); ++g)  // ExponentialLR
            optimizer->set_lr(g, optimizer->lr(g) * 0.9);
    }
    for (std::size_t g = 0; g < optimizer->group_count(); ++g)
        EXPECT_NEAR(optimizer->lr(g), expected["learning_rates"][g].get<double>(), 1e-12);
    return steps;
}

TEST(ShardedCheckpoints, AreContinuedOnAnyNumberOfRanks) {
    int cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("sharded_checkpoints"))) {
        if (!entry.is_directory())
            continue;
        ++cases;
        const Json expected = read_json_file(entry.path() / "expected.json");
        std::map<int, Json> runs{{1, expected["one_process"]}};
        runs[expected["ranks"].get<int>()] = expected["steps_after"];
        for (const auto& [ranks, steps] : expected["resumed_on_ranks"].items())
            runs[std::stoi(ranks)] = steps;
        for (const auto& [ranks, steps] : runs)
            for (const std::int64_t stage : {std::int64_t{0}, std::int64_t{3}}) {
                SCOPED_TRACE(entry.path().filename().string() + " on " + std::to_string(ranks) + " ranks, stage " +
                             std::to_string(stage));
                std::vector<Step> got;
                std::mutex mutex;
                const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
                    const bool is_first = process->rank() == 0;
                    std::vector<Step> own = continue_from(entry.path(), expected, stage, std::move(process));
                    const std::lock_guard lock(mutex);
                    if (is_first)
                        got = std::move(own);
                };
                if (ranks == 1)
                    body(test::alone());
                else
                    test::on_ranks(ranks, body);
                ASSERT_EQ(got.size(), steps.size());
                for (std::size_t i = 0; i < got.size(); ++i) {
                    EXPECT_NEAR(got[i].loss, steps[i]["loss"].get<double>(), 1e-5) << "step " << i;
                    if (steps[i].contains("gradient_norm") && !expected["clip"].is_null()) {
                        EXPECT_NEAR(got[i].norm, steps[i]["gradient_norm"].get<double>(), 1e-5) << "step " << i;
                    }
                }
            }
    }
    EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace trainyard::sharded_checkpoints
