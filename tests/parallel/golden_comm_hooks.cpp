// SPDX-License-Identifier: GPL-3.0-or-later
// Communication hooks against those of torch.distributed: the same gradients of the same ranks, step by step, random start included.

#include <cstddef>
#include <fstream>
#include <mutex>

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/power_sgd.h"
#include "formats/weights/safetensors.h"
#include "support/golden.h"
#include "support/ranks.h"

namespace trainyard::parallel {
namespace {

using nlohmann::json;

/// Part of the largest value of a tensor by which results may differ: 1e-4. Sums of more than two ranks in half
/// precision depend on their order, which is the backend's affair: there it is a few units in the last place.
double tolerance(const json& one) {
    std::string words = one.at("hook").get<std::string>() + " " + one.value("wrapper", "");
    double ranks = one.at("ranks");
    if (ranks <= 2)
        return 1e-4;
    if (words.find("bf16") != std::string::npos)
        return 4 * ranks * 0x1p-7;
    return words.find("fp16") != std::string::npos ? 4 * ranks * 0x1p-10 : 1e-4;
}

json read_cases() {
    return json::parse(std::ifstream(test::golden("comm_hooks") / "cases.json"));
}

at::Tensor tensor(const weights::SafetensorsFile& file, const std::string& name) {
    const weights::TensorInfo* info = file.find(name);
    if (info == nullptr)
        throw std::runtime_error("no tensor " + name + " in " + file.path().string());
    auto bytes = file.bytes(*info);
    return at::from_blob(const_cast<std::byte*>(bytes.data()), info->shape, at::TensorOptions(at::kFloat)).clone();
}

Tree options_of(const json& options) {
    Tree tree = Tree::dict();
    for (const auto& [name, value] : options.items()) {
        if (value.is_boolean())
            tree.set(name, value.get<bool>());
        else if (value.is_number_integer())
            tree.set(name, value.get<std::int64_t>());
        else
            tree.set(name, value.get<double>());
    }
    return tree;
}

/// The generator's words. An all-reduce below a wrapper is no comm_hook of DistributedDataParallelKwargs, but one of ours.
std::shared_ptr<CommHook> hook_of(const json& one) {
    std::string kind = one.at("hook"), wrapper = one.value("wrapper", "");
    PowerSgdOptions options = PowerSgdOptions::from(options_of(one.value("options", json::object())));
    std::shared_ptr<CommHook> hook;
    if (kind == "allreduce")
        hook = all_reduce_hook();
    else if (kind == "fp16" || kind == "bf16")
        hook = make_comm_hook(find_choice<CommHookType>(kind).value());
    else if (kind == "powerSGD")
        hook = power_sgd_hook(options);
    else if (kind == "batched_powerSGD")
        hook = batched_power_sgd_hook(options);
    else
        throw std::runtime_error("no hook " + kind);
    if (wrapper.empty())
        return hook;
    return compress_wrapper(wrapper == "fp16" ? at::kHalf : at::kBFloat16, hook);
}

struct Result {
    std::vector<std::vector<at::Tensor>> gradients;  ///< [step][parameter]
};

Result train(const json& one, const weights::SafetensorsFile& file, Communicator& communicator) {
    NamedTensors parameters;
    std::vector<at::Tensor> given;
    for (std::size_t i = 0; i < one.at("shapes").size(); ++i) {
        auto shape = one.at("shapes")[i].get<std::vector<std::int64_t>>();
        parameters.emplace_back("p." + std::to_string(i), at::zeros(shape).set_requires_grad(true));
        given.push_back(tensor(file, "given." + std::to_string(communicator.rank()) + "." + std::to_string(i)));
    }
    DataParallelOptions options;
    options.comm_hook = hook_of(one);
    DataParallel module(parameters, {}, communicator, options);
    Result result;
    for (std::int64_t step = 0; step < one.at("steps").get<std::int64_t>(); ++step) {
        at::Tensor loss = at::zeros({});
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            parameters[i].second.mutable_grad() = at::Tensor();
            loss = loss + (parameters[i].second * given[i].select(0, step)).sum();
        }
        loss.backward();
        result.gradients.emplace_back();
        for (const auto& [name, parameter] : parameters)
            result.gradients.back().push_back(parameter.grad().clone());
    }
    return result;
}

class GoldenCommHooks : public ::testing::TestWithParam<json> {};

TEST_P(GoldenCommHooks, AveragesAsTorchDoes) {
    const json& one = GetParam();
    std::string name = one.at("name");
    weights::SafetensorsFile file(test::golden("comm_hooks") / (name + ".safetensors"));
    int ranks = one.at("ranks");
    std::vector<Result> results(static_cast<std::size_t>(ranks));
    test::run_ranks(ranks, [&](std::unique_ptr<World> world) {
        std::vector<int> all;
        for (int rank = 0; rank < ranks; ++rank)
            all.push_back(rank);
        auto communicator = world->group(all, "data");
        results[static_cast<std::size_t>(world->rank())] = train(one, file, *communicator);
    });
    for (std::size_t i = 0; i < one.at("shapes").size(); ++i) {
        at::Tensor averaged = tensor(file, "averaged." + std::to_string(i));
        double largest = averaged.abs().max().item<double>();
        for (std::size_t step = 0; step < results[0].gradients.size(); ++step) {
            at::Tensor expected = averaged.select(0, static_cast<std::int64_t>(step));
            at::Tensor got = results[0].gradients[step][i];
            // Written so that NaN fails.
            double distance = (got - expected).abs().max().item<double>();
            ASSERT_TRUE(distance <= tolerance(one) * largest)
                << name << ", parameter " << i << ", step " << step << ": " << distance << " of " << largest;
            for (const Result& other : results)
                ASSERT_TRUE(other.gradients[step][i].equal(got)) << "ranks differ in step " << step;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenCommHooks, ::testing::ValuesIn([] {
                             json cases = read_cases();
                             return std::vector<json>(cases.begin(), cases.end());
                         }()),
                         [](const auto& one) {
                             return test::case_name(one.param.at("name").template get<std::string>(), one.index);
                         });

}  // namespace
}  // namespace trainyard::parallel
