// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of the self-check that train: who sees which sample, the same weights on any number of ranks, saving and resuming.

#include <map>
#include <memory>

#include <ATen/ATen.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "train/trainer.h"
#include "worker/selfcheck_stage.h"
#include "worker/shared_checkpoint.h"

namespace trainyard::worker {

namespace {

constexpr int kParitySteps = 6;
/// Sums in another order differ in the last bits; AdamW's eps in the recipe keeps it from magnifying them.
constexpr double kParityTolerance = 1e-5, kParityToleranceBf16 = 5e-3;

double largest_weight_difference(const at::Tensor& a, const at::Tensor& b) {
    return (a - b).abs().max().item<double>();
}

/// Blocks of the corpus begin with their number.
std::int64_t number_of_block(const at::Tensor& tokens) {
    std::string digits;
    for (std::int64_t i = 0; i < 9; ++i)
        digits += static_cast<char>(tokens[i].item<std::int64_t>());
    return parse_number<std::int64_t>(digits).value_or(-1);
}

struct Trained {
    at::Tensor weights;
    double loss = 0;
};

Trained train(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device, bool spoil = false) {
    train::Trainer trainer(recipe, mesh, device);
    trainer.start();
    if (spoil)
        trainer.arena().values().select(0, 0).add_(0.5);
    Trained result;
    for (int step = 0; step < kParitySteps; ++step)
        result.loss = trainer.step().loss;
    result.weights = trainer.arena().values().clone();
    return result;
}

/// The same samples per step in one process without accumulation.
config::Recipe whole_batch(config::Recipe recipe, int ranks) {
    recipe.training.batch_size *= recipe.training.gradient_accumulation_steps * ranks;
    recipe.training.gradient_accumulation_steps = 1;
    return recipe;
}

void compare_with_one_process(StageContext& context, const config::Recipe& recipe, double tolerance,
                              const std::string& what, bool spoil) {
    Trained together = train(recipe, context.mesh, context.device, spoil);
    at::Tensor expected = at::zeros_like(together.weights);
    at::Tensor loss = at::zeros({1}, context.options(at::kDouble));
    if (context.rank() == 0) {
        parallel::Rendezvous nobody;
        parallel::Mesh one(parallel::replicas(1), parallel::World::connect(nobody, context.device.str()));
        Trained alone = train(whole_batch(recipe, context.ranks()), one, context.device);
        expected.copy_(alone.weights);
        loss.fill_(alone.loss);
    }
    context.everyone.broadcast(expected, 0, "weights of one process");
    context.everyone.broadcast(loss, 0, "loss of one process");
    double difference = largest_weight_difference(together.weights, expected);
    context.expect(difference <= tolerance,
                   Message("{}: after {} steps a weight differs from one process' by {:.2g}, more than {:.0e}", what,
                           kParitySteps, difference, tolerance));
    double off = std::abs(together.loss - loss.item<double>());
    context.expect(off <= 20 * tolerance, Message("{}: after {} steps the loss differs from one process' by "
                                                  "{:.2g}",
                                                  what, kParitySteps, off));
}

}  // namespace

void write_numbered_blocks(const std::filesystem::path& file, int ranks) {
    std::string blocks;
    for (int i = 0; i < 12 * ranks; ++i)
        blocks += fmt::format("{:09} abcde\n", i);
    write_file_atomically(file, blocks, false);
}

Message check_data(StageContext& context) {
    constexpr int kEpochs = 2;
    train::DataLoader loader(context.recipe, context.mesh.batch(), context.device);
    std::int64_t blocks = loader.training_blocks();
    std::int64_t steps = kEpochs * blocks / loader.samples_per_step();
    auto micro_steps = static_cast<int>(context.recipe.training.gradient_accumulation_steps);
    at::Tensor seen = at::zeros({blocks}, context.options(at::kLong));
    std::vector<std::int64_t> order;
    bool spoil = context.damaged();
    for (std::int64_t step = 0; step < steps; ++step)
        for (int micro = 0; micro < micro_steps; ++micro) {
            // A rank that stays at the first step sees its samples again and misses the others.
            at::Tensor tokens = loader.training_batch(spoil ? 0 : step * loader.samples_per_step(), micro).tokens.cpu();
            for (std::int64_t row = 0; row < tokens.size(0); ++row) {
                std::int64_t block = number_of_block(tokens[row]);
                context.expect(block >= 0 && block < blocks, "a sample does not belong to the data set");
                if (block >= 0 && block < blocks)
                    seen[block] += 1;
                order.push_back(block);
            }
        }
    context.everyone.all_reduce(seen, "samples seen").wait();
    context.expect(seen.eq(kEpochs).all().item<bool>(),
                   Message("some of {} samples were not seen exactly {} times in {} epochs", blocks, kEpochs, kEpochs));
    std::size_t half = order.size() / 2;
    context.expect(order.size() < 8 || !std::equal(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half),
                                                   order.begin() + static_cast<std::ptrdiff_t>(half)),
                   "the second epoch has the order of the first");
    return Message("{} samples, each once per epoch over all ranks, in a new order each epoch", blocks);
}

Message check_parity(StageContext& context) {
    bool spoil = context.damaged();
    compare_with_one_process(context, context.recipe, kParityTolerance, "fp32", spoil);
    config::Recipe bf16 = context.recipe;
    bf16.training.mixed_precision = Precision::bf16;
    compare_with_one_process(context, bf16, kParityToleranceBf16, "bf16", false);
    return context.ranks() == 1
               ? Message("{} rank and 2 micro-steps give the weights of one process, fp32 and bf16", context.ranks())
               : Message("{} ranks and 2 micro-steps give the weights of one process, fp32 and bf16", context.ranks());
}

Message check_checkpoint(StageContext& context) {
    std::filesystem::path folder = context.folder / "checkpoints";
    train::Trainer trainer(context.recipe, context.mesh, context.device);
    trainer.start();
    for (int step = 0; step < 3; ++step)
        trainer.step();
    checkpoint::Saved saved = trainer.save(folder);
    if (context.damaged())
        trainer.arena().values().select(0, 0).add_(0.5);
    config::Recipe resumed = context.recipe;
    // Machines without a shared disk get the checkpoint that rank 0 saved, as when a run is resumed.
    SharedCheckpoint shared(context.everyone, folder.string(), "", folder, context.place.local_rank);
    resumed.checkpoint.resume_from = shared.resume_from();
    train::Trainer again(resumed, context.mesh, context.device);
    again.start();
    context.expect(again.position().step == 3, Message("it resumes at step {} instead of 3", again.position().step));
    context.expect(largest_weight_difference(again.arena().values(), trainer.arena().values()) == 0,
                   "the weights read back are not those that were saved");
    double loss = trainer.step().loss, loss_again = again.step().loss;
    context.expect(loss == loss_again,
                   Message("the step after resuming has the loss {:.9g} instead of {:.9g}", loss_again, loss));
    context.expect(largest_weight_difference(again.arena().values(), trainer.arena().values()) == 0,
                   "the step after resuming gives other weights");
    return Message("{} bytes saved, read back and trained on, bit by bit the same", saved.bytes);
}

}  // namespace trainyard::worker
