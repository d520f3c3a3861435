// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that every golden model computes the same on several pipeline ranks, each with only its own stage, as on one
// rank.

#include "inference/dispatch/pipeline_inference.h"

#include <algorithm>

#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>

#include "base/error.h"
#include "dispatch/loaded_case.h"
#include "parallel/over_ranks.h"
#include "support/says.h"

namespace trainyard::dispatch {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> golden_folders() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::golden("models")))
        if (entry.is_directory())
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

Tree golden_batch(const fs::path& folder) {
    const weights::SafetensorsFile values(folder / "expected.safetensors");
    Tree batch = Tree::dict();
    for (const char* name : {"input_ids", "attention_mask", "token_type_ids", "pixel_values"})
        if (at::Tensor input = test::golden_tensor_or_none(values, name); input.defined())
            batch.set(std::string(name), input);
    if (const std::unique_ptr<models::Model> model = test::empty_model(folder); model->config().model_type == "t5") {
        // The decoder input that training derives from the labels.
        const at::Tensor labels = test::golden_tensor(values, "labels");
        const at::Tensor begin = at::full({labels.size(0), 1}, model->config().decoder_start_token_id, at::kLong);
        const at::Tensor shifted = at::cat({begin, labels.narrow(1, 0, labels.size(1) - 1)}, 1);
        batch.set(std::string("decoder_input_ids"), shifted.masked_fill(shifted.lt(0), model->config().pad_token_id));
    }
    return batch;
}

/// Returns the outputs of the last rank, or of all ranks.
std::vector<at::Tensor> piped(const fs::path& folder, const Tree& batch, int ranks,
                              const PipelineInferenceOptions& options) {
    std::vector<at::Tensor> outputs(static_cast<std::size_t>(ranks));
    test::over_ranks(ranks, [&](parallel::Communicator& communicator) {
        const std::unique_ptr<models::Model> model = test::empty_model(folder);
        const auto pipelined = prepare_pippy(*model, communicator, at::kCPU, options);
        load_checkpoint_in_model(*model, folder, {.device_map = pipelined->device_map()});
        const std::vector<ModelTensor> tensors = tensors_of(*model);
        const auto is_empty = [](const ModelTensor& tensor) {
            return tensor.parameter != nullptr && tensor.parameter->value().is_meta();
        };
        EXPECT_EQ(std::ranges::any_of(tensors, is_empty), ranks > 1) << "every rank holds the whole model";
        const at::Tensor first = pipelined->forward(communicator.rank() == 0 ? batch : Tree());
        outputs[static_cast<std::size_t>(communicator.rank())] =
            pipelined->forward(communicator.rank() == 0 ? batch : Tree());
        EXPECT_EQ(first.defined(), outputs[static_cast<std::size_t>(communicator.rank())].defined());
        if (first.defined()) {
            EXPECT_TRUE(at::equal(first, outputs[static_cast<std::size_t>(communicator.rank())]));
        }
    });
    return outputs;
}

std::string refusal(const fs::path& folder, const Tree& batch, const PipelineInferenceOptions& options) {
    std::vector<std::string> said(2);
    test::over_ranks(2, [&](parallel::Communicator& communicator) {
        try {
            const std::unique_ptr<models::Model> model = test::empty_model(folder);
            prepare_pippy(*model, communicator, at::kCPU, options)->forward(communicator.rank() == 0 ? batch : Tree());
        } catch (const UserError& error) {
            said[static_cast<std::size_t>(communicator.rank())] = error.what();
        }
    });
    EXPECT_EQ(said[0], said[1]) << "one rank would wait for the other";
    return said[0];
}

class PipelinedFamilies : public ::testing::TestWithParam<fs::path> {};

TEST_P(PipelinedFamilies, TwoStagesAreOneModel) {
    const std::unique_ptr<models::Model> model = test::empty_model(GetParam());
    const Tree batch = golden_batch(GetParam());
    load_checkpoint_in_model(*model, GetParam(), {});
    const at::Tensor whole = test::forward(*model, GetParam()).logits;
    const std::vector<at::Tensor> last = piped(GetParam(), batch, 2, {.num_chunks = 1});
    EXPECT_FALSE(last[0].defined());
    EXPECT_TRUE(at::equal(last[1], whole)) << last[1].sub(whole).abs().max().item<float>();
    for (const at::Tensor& output : piped(GetParam(), batch, 2, {.num_chunks = 3, .gather_output = true})) {
        ASSERT_EQ(output.sizes(), whole.sizes());
        EXPECT_TRUE(at::allclose(output, whole, 1e-4, 1e-4)) << output.sub(whole).abs().max().item<float>();
    }
}

INSTANTIATE_TEST_SUITE_P(All, PipelinedFamilies, ::testing::ValuesIn(golden_folders()),
                         [](const auto& of) { return of.param.filename().string(); });

TEST(PipelineInference, BeginsStagesWhereItIsTold) {
    const fs::path folder = test::golden("models") / "gpt2";
    const std::unique_ptr<models::Model> model = test::empty_model(folder);
    std::vector<std::string> blocks;
    for (const parallel::Unit* block : model->blocks())
        blocks.push_back(block->name());
    ASSERT_GE(blocks.size(), 2U);
    test::over_ranks(2, [&](parallel::Communicator& communicator) {
        const auto pipelined = prepare_pippy(*model, communicator, at::kCPU, {.split_points = {blocks[1]}});
        const bool first = communicator.rank() == 0;
        EXPECT_EQ(std::ranges::find(pipelined->units(), blocks[1], &parallel::Unit::name) == pipelined->units().end(),
                  first);
        EXPECT_EQ(std::ranges::find(pipelined->units(), blocks[0], &parallel::Unit::name) != pipelined->units().end(),
                  first);
    });
    const Tree batch = golden_batch(folder);
    EXPECT_NE(refusal(folder, batch, {.split_points = {"transformer.h.77"}}).find(blocks[1]), std::string::npos);
    EXPECT_NE(refusal(folder, batch, {.split_points = {blocks[0]}}).find("without blocks"), std::string::npos);
    EXPECT_NE(refusal(folder, batch, {.split_points = {blocks[1], blocks[1]}}).find("2 ranks need 1"),
              std::string::npos);
}

TEST(PipelineInference, ABadBatchIsRefusedOnAllRanks) {
    const fs::path folder = test::golden("models") / "gpt2";
    const Tree batch = golden_batch(folder);
    EXPECT_NE(refusal(folder, Tree(), {}).find("on rank 0"), std::string::npos);
    Tree labelled = batch;
    labelled.set(std::string("labels"), batch.at(std::string("input_ids")));
    EXPECT_THAT(refusal(folder, labelled, {}),
                test::says("pipeline inference computes logits and no loss: leave 'labels' out of the batch"));
    Tree uneven = batch;
    uneven.set(std::string("attention_mask"), batch.at(std::string("input_ids")).as_tensor().narrow(0, 0, 1));
    EXPECT_NE(refusal(folder, uneven, {}).find("has 1 rows"), std::string::npos);
    EXPECT_NE(refusal(folder, batch, {.num_chunks = -1}).find("num_chunks is -1"), std::string::npos);
}

}  // namespace
}  // namespace trainyard::dispatch
