// SPDX-License-Identifier: GPL-3.0-or-later
// Duration of a step of a user-defined module on two ranks: with our DataParallel, with torch's reducer, and without
// reduction. Ranks are threads of this program with one core each; the variants alternate several times. Torch's
// reducer uses Gloo; ours uses shared memory, as on one machine, or Gloo with the last argument `gloo`.
//
//   bench_data_parallel [layers] [width] [batch] [rounds] [gloo]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>

#include "base/clock.h"
#include "distributed/parallel/data_parallel.h"
#include "support/ranks.h"
#include "support/torch_reducer.h"

namespace trainyard {
namespace {

constexpr int kRanks = 2, kStepsPerRound = 5;

struct Module {
    std::vector<at::Tensor> weights, biases;
    Module(std::int64_t layers, std::int64_t width) {
        for (std::int64_t i = 0; i < layers; ++i) {
            weights.push_back((at::randn({width, width}) * 0.02).detach().set_requires_grad(true));
            biases.push_back((at::randn({width}) * 0.02).detach().set_requires_grad(true));
        }
    }
    at::Tensor loss(at::Tensor x) const {
        for (std::size_t i = 0; i < weights.size(); ++i)
            x = at::relu(at::linear(x, weights[i], biases[i]));
        return x.sum();
    }
    NamedTensors parameters() const {
        NamedTensors named;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            named.emplace_back(std::to_string(i) + ".weight", weights[i]);
            named.emplace_back(std::to_string(i) + ".bias", biases[i]);
        }
        return named;
    }
    void zero_grad() {
        for (auto& [name, parameter] : parameters())
            parameter.mutable_grad() = at::Tensor();
    }
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Contestant {
    std::string name;
    std::function<void(const at::Tensor& x)> step;
};

void run(std::int64_t layers, std::int64_t width, std::int64_t batch, int rounds, bool share_memory) {
    std::map<std::string, std::vector<double>> seconds, processor_seconds;
    test::TorchStore store_own, store_views;
    test::run_ranks(
        kRanks,
        [&](std::unique_ptr<parallel::World> world) {
            at::set_num_threads(1);
            std::vector<int> all{0, 1};
            auto communicator = world->group(all, "data");
            Module plain(layers, width), own(layers, width), views(layers, width), torch_own(layers, width),
                torch_views(layers, width);
            parallel::DataParallelOptions as_views;
            as_views.gradient_as_bucket_view = true;
            parallel::DataParallel ours_own(own.parameters(), {}, *communicator),
                ours_views(views.parameters(), {}, *communicator, as_views);
            auto tensors = [](const Module& module) {
                std::vector<at::Tensor> list;
                for (const auto& [name, parameter] : module.parameters())
                    list.push_back(parameter);
                return list;
            };
            test::TorchReducer reducer_own(store_own, world->rank(), kRanks, tensors(torch_own), 25, 1, false, false),
                reducer_views(store_views, world->rank(), kRanks, tensors(torch_views), 25, 1, false, true);
            auto ours = [](Module& module) {
                return [&module](const at::Tensor& x) {
                    module.zero_grad();
                    module.loss(x).backward();
                };
            };
            auto torchs = [](Module& module, test::TorchReducer& reducer) {
                return [&module, &reducer](const at::Tensor& x) {
                    module.zero_grad();
                    at::Tensor loss = module.loss(x);
                    reducer.prepare_for_backward(loss);
                    loss.backward();
                };
            };
            std::vector<Contestant> contestants{{"no reduction", ours(plain)},
                                                {"c10d::Reducer", torchs(torch_own, reducer_own)},
                                                {"DataParallel", ours(own)},
                                                {"c10d::Reducer, bucket views", torchs(torch_views, reducer_views)},
                                                {"DataParallel, bucket views", ours(views)}};
            at::Tensor x = at::randn({batch, width});
            for (int round = -1; round < rounds; ++round)  // the first round is a warm-up
                for (Contestant& contestant : contestants) {
                    communicator->barrier("round");
                    double begin = monotonic_seconds();
                    std::clock_t used = std::clock();
                    for (int step = 0; step < kStepsPerRound; ++step)
                        contestant.step(x);
                    communicator->barrier("round is over");
                    if (round < 0 || world->rank() != 0)
                        continue;
                    seconds[contestant.name].push_back((monotonic_seconds() - begin) / kStepsPerRound);
                    processor_seconds[contestant.name].push_back(static_cast<double>(std::clock() - used) /
                                                                 CLOCKS_PER_SEC / kStepsPerRound);
                }
        },
        share_memory);
    std::printf("%lld layers of %lld, %.1f M parameters, batch %lld, %d ranks; ours through %s; median of %d rounds\n",
                static_cast<long long>(layers), static_cast<long long>(width),
                static_cast<double>(layers * width * (width + 1)) / 1e6, static_cast<long long>(batch), kRanks,
                share_memory ? "shared memory" : "Gloo", rounds);
    for (const char* name :
         {"no reduction", "c10d::Reducer", "DataParallel", "c10d::Reducer, bucket views", "DataParallel, bucket views"})
        std::printf("%-30s %8.2f ms a step, %8.2f ms of processor time on all ranks\n", name,
                    1e3 * median(seconds[name]), 1e3 * median(processor_seconds[name]));
    for (const char* kind : {"", ", bucket views"})
        std::printf(
            "DataParallel / c10d::Reducer%s: %.3f\n", kind,
            median(seconds[std::string("DataParallel") + kind]) / median(seconds[std::string("c10d::Reducer") + kind]));
}

}  // namespace
}  // namespace trainyard

int main(int argc, char** argv) {
    auto number = [&](int index, int otherwise) { return index < argc ? std::atoi(argv[index]) : otherwise; };
    int layers = number(1, 10), width = number(2, 1024), batch = number(3, 64), rounds = number(4, 9);
    if (layers < 1 || width < 1 || batch < 1 || rounds < 1) {
        std::fprintf(stderr, "bench_data_parallel [layers] [width] [batch] [rounds] [gloo]: whole numbers from 1\n");
        return 2;
    }
    trainyard::run(layers, width, batch, rounds, argc < 6 || std::string(argv[5]) != "gloo");
    return 0;
}
