// SPDX-License-Identifier: GPL-3.0-or-later
// Five-fold cross-validation: five trainings in one program, each tested on the fifth of the data that it has not seen.

#include <ATen/ops/argmax.h>
#include <torch/optim/adamw.h>

#include "main.h"
#include "rings.h"

using namespace samples;
namespace data = trainyard::data;

bool sample() {
    trainyard::Accelerator accelerator;
    auto all = points(500);
    constexpr int kFolds = 5;
    double worst = 1;
    for (int fold = 0; fold < kFolds; ++fold) {
        std::vector<std::int64_t> training, testing;
        for (std::int64_t i = 0; i < all->size(); ++i)
            (i % kFolds == fold ? testing : training).push_back(i);
        accelerator.set_seed(7);
        auto net = std::make_shared<Net>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 2e-2));
        auto [train, test] = accelerator.prepare(
            data::LoaderSpec{
                .dataset = std::make_shared<data::SubsetDataset>(all, training), .batch_size = 20, .shuffle = true},
            data::LoaderSpec{.dataset = std::make_shared<data::SubsetDataset>(all, testing), .batch_size = 20});
        for (int epoch = 0; epoch < 10; ++epoch)
            for (trainyard::Tree& batch : *train) {
                accelerator.backward(loss_of(model(x_of(batch)), label_of(batch)));
                optimizer->step();
                optimizer->zero_grad();
            }
        double right = 0, seen = 0;
        for (trainyard::Tree& batch : *test) {
            at::Tensor hits = at::argmax(model(x_of(batch)), -1).eq(label_of(batch));
            hits = accelerator.gather_for_metrics(hits);
            right += hits.sum().item<double>();
            seen += static_cast<double>(hits.size(0));
        }
        accelerator.print("fold " + std::to_string(fold) + ": " + std::to_string(right / seen));
        worst = std::min(worst, right / seen);
        accelerator.free_memory(model, optimizer, train, test);
    }
    return worst > 0.75;
}
