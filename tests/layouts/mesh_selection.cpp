// SPDX-License-Identifier: GPL-3.0-or-later
// The selection from the matrix of meshes (mesh_matrix.cpp) for the default run: every mesh of 2 and 4 ranks, adapters,
// expert capacities, checkpoints that continue on other meshes, and what is refused.

#include <barrier>
#include <functional>
#include <map>

#include <ATen/ops/zeros_like.h>

#include <gmock/gmock.h>

#include "base/file.h"
#include "layouts/mesh_layout.h"
#include "support/allocation_peak.h"
#include "support/bad_meshes.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"

namespace trainyard::train::layouts {
namespace {

TEST(MeshSelection, MeshesOfTwoRanks) {
    MeshTraining training;
    for (const MeshLayout& layout : meshes_of(2, 2, {2, 3}))
        expect_curve_of_one_rank(training, layout);
}

/// Every pair of dimensions, each with one of the models in turn, and all those that divide experts.
TEST(MeshSelection, MeshesOfFourRanks) {
    MeshTraining training;
    std::map<std::string, std::vector<MeshLayout>> of_mesh;
    for (const MeshLayout& layout : meshes_of(4, 1, {3})) {
        MeshLayout any = layout;
        any.model = 0;
        if (std::ranges::count(layout.shape, 2) == 2)
            of_mesh[any.text()].push_back(layout);
    }
    std::size_t turn = 0;
    for (const auto& [mesh, layouts] : of_mesh)
        expect_curve_of_one_rank(training, layouts[turn++ % layouts.size()]);
    EXPECT_GT(turn, 20U);
}

/// Shapes are pp, dp_replicate, dp_shard, cp, sp, tp.
constexpr parallel::MeshShape kTensor2{1, 1, 1, 1, 1, 2}, kTensor4{1, 1, 1, 1, 1, 4}, kReplicasTensor{1, 2, 1, 1, 1, 2},
    kShardsTensor{1, 1, 2, 1, 1, 2}, kPipelineTensor{2, 1, 1, 1, 1, 2}, kContextTensor{1, 1, 1, 2, 1, 2};

/// The factor beside a divided one gets the gradients of all ranks. Others train another copy of it on each rank and
/// save that of the first, or one that is zero (mcore-bridge pull request 173), or train all weights of the model as
/// soon as layers are divided (NeMo Automodel issue 547).
TEST(MeshSelection, AdaptersOfSharedLayers) {
    MeshTraining training;
    const std::string more = "lora: {r: 2, target_modules: [all-linear]}\n";
    for (std::size_t model = 0; model < kMatrixModels; ++model)
        for (const MeshLayout& layout : {MeshLayout{model, kTensor2, 1, 2, 0, false, more},
                                         {model, kTensor4, 1, 1, 0, true, more},
                                         {model, kReplicasTensor, 1, 1, 0, false, more},
                                         {model, kShardsTensor, 1, 2, 2, false, more},
                                         {model, kShardsTensor, 1, 1, 3, true, more},
                                         {model, kContextTensor, 1, 1, 0, false, more}})
            expect_curve_of_one_rank(training, layout);
}

/// Of Falcon's first form each rank has the whole projection of queries, keys and values, and its adapter.
TEST(MeshSelection, AdaptersOfBloomFalconAndMpt) {
    MeshTraining training;
    const std::string more = "lora: {r: 2, target_modules: [all-linear]}\n";
    for (std::size_t model = kBloomModel; model < kUnevenModel; ++model)
        for (const MeshLayout& layout : {MeshLayout{model, kTensor2, 1, 2, 0, false, more},
                                         {model, kTensor4, 1, 1, 0, true, more},
                                         {model, kShardsTensor, 1, 1, 3, true, more},
                                         {model, kContextTensor, 1, 1, 0, false, more}})
            expect_curve_of_one_rank(training, layout);
}

/// Stages train the adapters of their blocks, those without any pass gradients on, and one file has all of them. Others
/// compute with the adapters of other stages' blocks (Aphrodite pull request 659), or do not have this.
TEST(MeshSelection, AdaptersOfPipelines) {
    MeshTraining training;
    const std::string all = "lora: {r: 2, target_modules: [all-linear]}\n",
                      first = "lora: {r: 2, target_modules: '.*\\.0\\..*(q_proj|down_proj)'}\n",
                      last = "lora: {r: 2, target_modules: '.*\\.3\\..*(q_proj|down_proj)'}\n",
                      both_ways = all + "parallel: {pipeline_schedule: ZBVZeroBubble}\n",
                      deferred = all + "parallel: {pipeline_schedule: ZBH1}\n";
    constexpr parallel::MeshShape kStages2{2, 1, 1, 1, 1, 1}, kStages4{4, 1, 1, 1, 1, 1},
        kStagesShards{2, 1, 2, 1, 1, 1}, kStagesReplicas{2, 2, 1, 1, 1, 1};
    std::vector<MeshLayout> layouts{{0, kStages4, 1, 1, 0, false, all},        {1, kStages2, 1, 2, 0, false, all},
                                    {1, kPipelineTensor, 1, 1, 0, true, all},  {1, kStagesShards, 1, 1, 3, false, all},
                                    {2, kStagesReplicas, 2, 1, 0, false, all}, {1, kStages4, 1, 1, 0, false, first},
                                    {1, kStages4, 1, 1, 0, false, last}};
    for (const MeshLayout& layout : layouts)
        expect_curve_of_one_rank(training, layout);
    for (const std::string& schedule : {both_ways, deferred}) {
        MeshLayout layout{1, kStages2, 1, 2, 0, false, schedule};
        const MeshOutcome got = training.run(layout);
        layout.more = all;
        expect_same(training.of_one_rank(layout), got, schedule);
    }
}

/// Those of parameters have the layout of the matrix, and those of experts are one for all of them.
TEST(MeshSelection, AdaptersOfSharedParameters) {
    MeshTraining training;
    for (const auto& [model, targets] :
         {std::pair{0, "attn.c_attn.weight, attn.c_proj.weight, mlp.c_fc.weight, mlp.c_proj.weight"},
          {1, "q_proj.weight, k_proj.weight, o_proj.weight, down_proj.weight"},
          {2, "mlp.experts.gate_up_proj, mlp.experts.down_proj, mlp.gate.weight, v_proj.weight"}}) {
        const std::string more =
            std::string("lora: {r: 2, target_modules: [], target_parameters: [") + targets + "]}\n";
        const auto number = static_cast<std::size_t>(model);
        for (const MeshLayout& layout : {MeshLayout{number, kTensor2, 1, 2, 0, false, more},
                                         {number, kTensor4, 1, 1, 0, true, more},
                                         {number, kShardsTensor, 1, 1, 3, true, more}})
            expect_curve_of_one_rank(training, layout);
    }
}

/// Adapters of experts, and experts next to adapters.
TEST(MeshSelection, AdaptersOfDividedExperts) {
    MeshTraining training;
    for (const char* targets :
         {"target_modules: [q_proj, w1, w2]", "target_modules: [], target_parameters: [mlp.experts.gate_up_proj]"}) {
        const std::string more = std::string("lora: {r: 2, ") + targets + "}\n";
        for (const MeshLayout& layout :
             {MeshLayout{2, {1, 2, 1, 1, 1, 1}, 2, 1, 0, false, more}, {2, {1, 1, 4, 1, 1, 1}, 2, 1, 3, false, more}})
            expect_curve_of_one_rank(training, layout);
    }
}

/// Whatever the layout, the same tokens of a sample find an expert full.
TEST(MeshSelection, TokensThatExpertsDrop) {
    MeshTraining training;
    const std::string more = "training: {expert_capacity_factor: 0.75}\n";
    MeshLayout dropless;
    dropless.model = 2;
    MeshLayout dropping = dropless;
    dropping.more = more;
    EXPECT_GT(std::abs(training.of_one_rank(dropless).losses.back() - training.of_one_rank(dropping).losses.back()),
              1e-4)
        << "some tokens are dropped";
    for (const MeshLayout& layout : {MeshLayout{2, {1, 1, 1, 1, 1, 1}, 1, 4, 0, false, more},
                                     {2, {1, 2, 1, 1, 1, 1}, 1, 1, 0, false, more},
                                     {2, {1, 2, 1, 1, 1, 1}, 2, 2, 0, false, more},
                                     {2, {1, 1, 4, 1, 1, 1}, 2, 1, 3, false, more},
                                     {2, kTensor2, 1, 1, 0, true, more},
                                     {2, kPipelineTensor, 1, 1, 0, false, more}})
        expect_curve_of_one_rank(training, layout);
}

/// The expert that computes every token is divided as the layers are, and the others among the ranks of experts. Other
/// programs compute it for a part of the tokens twice where positions are divided (vLLM issue 37856).
TEST(MeshSelection, ExpertsNextToOneOfAllTokens) {
    MeshTraining training;
    for (const MeshLayout& layout : {MeshLayout{kSharedExpertModel, kTensor2, 1, 2, 0, false},
                                     {kSharedExpertModel, kTensor4, 1, 1, 0, true},
                                     {kSharedExpertModel, {1, 4, 1, 1, 1, 1}, 2, 1, 0, false},
                                     {kSharedExpertModel, {1, 1, 4, 1, 1, 1}, 4, 1, 3, false},
                                     {kSharedExpertModel, {1, 1, 1, 2, 2, 1}, 2, 1, 0, false},
                                     {kSharedExpertModel, kPipelineTensor, 1, 1, 0, true},
                                     {kSharedExpertModel, kReplicasTensor, 2, 1, 0, true}})
        expect_curve_of_one_rank(training, layout);
}

/// Three of four blocks have no experts: stages of a pipeline and groups of experts differ in what they have.
TEST(MeshSelection, BlocksWithoutExperts) {
    MeshTraining training;
    for (const MeshLayout& layout : {MeshLayout{kDenseBlocksModel, kTensor4, 1, 1, 0, true},
                                     {kDenseBlocksModel, {4, 1, 1, 1, 1, 1}, 1, 1, 0, false},
                                     {kDenseBlocksModel, {2, 2, 1, 1, 1, 1}, 2, 1, 0, false},
                                     {kDenseBlocksModel, {2, 1, 2, 1, 1, 1}, 2, 2, 1, false},
                                     {kDenseBlocksModel, {1, 1, 4, 1, 1, 1}, 4, 1, 3, false},
                                     {kDenseBlocksModel, {1, 1, 1, 2, 2, 1}, 2, 1, 0, false},
                                     {kDenseBlocksModel, kPipelineTensor, 1, 1, 0, true}})
        expect_curve_of_one_rank(training, layout);
}

/// Products of chunks of the positions, while others are on their way, are those of all positions at once.
TEST(MeshSelection, OverlappedChunksChangeNothing) {
    MeshTraining training;
    const std::string more = "parallel: {tp_size: 2, tp_sequence_parallel: yes, tp_overlap_chunks: ";
    // Chunks that divide the positions, that do not, and more than there are positions: all with the first mesh, and
    // each with others.
    const std::vector<const char*> all{"2}\n", "3}\n", "64}\n"}, even{all[0]}, uneven{all[1]}, many{all[2]};
    for (const auto& [layout, sizes] : {std::pair(MeshLayout{0, kTensor2, 1, 2, 0, true}, all),
                                        {{1, kTensor4, 1, 1, 0, true}, uneven},
                                        {{1, kPipelineTensor, 1, 1, 0, true}, even},
                                        {{2, kReplicasTensor, 2, 1, 0, true}, uneven},
                                        {{1, kShardsTensor, 1, 1, 3, true}, many},
                                        {{0, kContextTensor, 1, 1, 0, true}, even}}) {
        const MeshOutcome at_once = training.run(layout);
        for (const char* chunks : sizes) {
            MeshLayout parts = layout;
            parts.more = more + chunks;
            const MeshOutcome overlapped = training.run(parts);
            EXPECT_THAT(overlapped.losses, ::testing::Pointwise(::testing::DoubleNear(1e-6), at_once.losses)) << layout;
            for (const auto& [name, weight] : at_once.weights)
                EXPECT_LT(weight.sub(overlapped.weights.at(name)).abs().max().item<double>(), 1e-5) << name;
        }
    }
    const std::string lora = "lora: {r: 2, target_modules: [q_proj, down_proj]}\n";
    const MeshLayout adapters{1, kTensor2, 1, 1, 0, true, lora},
        parts{1, kTensor2, 1, 1, 0, true, more + "4}\n" + lora};
    expect_same(training.run(adapters), training.run(parts), "matrices with adapters and without");
    MeshLayout undivided{0, kTensor2};
    undivided.more = more + "4}\n";
    EXPECT_THAT(
        training.refusal(undivided),
        test::says("{}: has an effect with parallel.tp_sequence_parallel alone: set that, or leave this out", 4));
}

TEST(MeshSelection, CheckpointsWithBlocksWithoutExpertsContinueOnOtherMeshes) {
    MeshTraining training;
    const MeshLayout first{kDenseBlocksModel, {2, 2, 1, 1, 1, 1}, 2, 1, 0};
    const std::filesystem::path place = training.folder() / first.text();
    training.run(first, 4, {}, place);
    for (const MeshLayout& next :
         {first, MeshLayout{kDenseBlocksModel, {1, 1, 4, 1, 1, 1}, 4, 1, 3}, {kDenseBlocksModel, kTensor2, 1, 1, 0}})
        expect_same(training.of_one_rank(next), training.run(next, kMeshSteps, place), "continued as " + next.text());
}

/// Lines of uneven length: positions that are filled up count neither in the loss nor in that of the routers, whichever
/// rank has them. Other programs mix up the number of tokens of a rank and that of all ranks that divide the positions
/// (Megatron-LM issue 7452), or report a loss that shrinks with the ranks (torchtitan issues 3280 and 3329).
TEST(MeshSelection, LinesOfUnevenLength) {
    MeshTraining training;
    const MeshLayout one{2, {1, 1, 1, 1, 1, 1}, 1, 1, 0, false, {}, true};
    EXPECT_NE(training.of_one_rank(one).losses, training.of_one_rank({.model = 2}).losses);
    for (const MeshLayout& layout : {MeshLayout{2, kTensor2, 1, 1, 0, true, {}, true},
                                     {2, kTensor4, 1, 2, 0, true, {}, true},
                                     {2, {1, 2, 1, 1, 1, 1}, 2, 1, 0, false, {}, true},
                                     {2, kContextTensor, 1, 1, 0, true, {}, true},
                                     {2, kContextTensor, 2, 1, 0, false, {}, true},
                                     {2, kPipelineTensor, 1, 1, 0, true, {}, true},
                                     {2, kShardsTensor, 2, 1, 3, true, {}, true}})
        expect_curve_of_one_rank(training, layout);
}

TEST(MeshSelection, CheckpointsContinueOnOtherMeshes) {
    MeshTraining training;
    const std::vector<MeshLayout> layouts{{2, {1, 1, 4, 1, 1, 1}, 2, 1, 3},      {2, {1, 2, 1, 1, 1, 2}, 2, 1, 0},
                                          {2, {2, 1, 2, 1, 1, 1}, 2, 1, 1},      {2, {1, 1, 1, 2, 2, 1}, 4, 1, 0},
                                          {2, {1, 2, 2, 1, 1, 1}, 2, 1, 2},      {2, kTensor4, 1, 1, 0, true},
                                          {2, {1, 1, 2, 1, 1, 2}, 2, 2, 2, true}};
    constexpr std::int64_t kSaved = 4;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const MeshLayout &first = layouts[i], &second = layouts[(i + 1) % layouts.size()];
        const std::filesystem::path place = training.folder() / first.text();
        training.run(first, kSaved, {}, place);
        for (const MeshLayout& next : {first, second})
            expect_same(training.of_one_rank(next), training.run(next, kMeshSteps, place),
                        first.text() + ", then " + next.text());
    }
}

/// Between the layers that they share, four ranks keep a quarter of the positions each.
TEST(MeshSelection, DividedPositionsNeedLessMemory) {
    MeshTraining training;
    const auto peak_of = [&](bool divides_positions) {
        config::Recipe recipe = training.recipe({0, kTensor4, 1, 1, 0, divides_positions});
        recipe.data.sequence_length = recipe.model.n_positions = 256;
        recipe.model.n_embd = 128;
        recipe.model.attn_pdrop = 0;  // the probabilities of attention would be most of it
        recipe.training.batch_size = 8;
        const test::AllocationPeak peak;
        test::run_ranks(4, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(kTensor4, std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            for (int step = 0; step < 2; ++step)
                trainer.step();
        });
        return static_cast<double>(peak.bytes());
    };
    const double whole = peak_of(false), divided = peak_of(true);
    RecordProperty("whole_bytes", std::to_string(whole));
    RecordProperty("divided_bytes", std::to_string(divided));
    EXPECT_LT(divided, 0.75 * whole) << divided << " of " << whole << " bytes";
}

/// Ranks whose experts get no token take part in every exchange, forward and backward. Other trainers wait forever
/// there (Megatron-LM pull request 4851, DeepSpeed issue 5794).
TEST(MeshSelection, RanksWhoseExpertsGetNoToken) {
    MeshTraining training;
    const auto train = [&](const MeshLayout& layout) {
        std::vector<double> losses(kMeshSteps);
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(layout.shape, std::move(world));
            Trainer trainer(training.recipe(layout), mesh, at::kCPU);
            trainer.start();
            for (std::size_t step = 0; step < losses.size(); ++step) {
                trainer.visit_weights([&](const parallel::Parameter& parameter, const at::Tensor& whole) {
                    if (parameter.name().ends_with("gate.weight"))  // every token chooses the first two of four
                        trainer.arena().set_value(parameter, at::zeros_like(whole));
                });
                trainer.arena().refresh_compute();
                const double loss = trainer.step().loss;
                if (mesh.rank() == 0)
                    losses[step] = loss;
            }
        };
        if (layout.ranks() == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(layout.ranks(), body);
        return losses;
    };
    MeshLayout one;
    one.model = 2;
    const std::vector<double> expected = train(one);
    for (const MeshLayout& layout : {MeshLayout{2, {1, 4, 1, 1, 1, 1}, 4, 1, 0},
                                     {2, {1, 1, 4, 1, 1, 1}, 2, 1, 3},
                                     {2, {1, 2, 1, 1, 1, 2}, 2, 1, 0, true},
                                     {2, {2, 2, 1, 1, 1, 1}, 2, 1, 0}})
        EXPECT_THAT(train(layout), ::testing::Pointwise(::testing::DoubleNear(1e-5), expected)) << layout;
}

/// Ranks with the same experts compare them, and all data ranks compare the rest.
TEST(MeshSelection, AWeightOfAnExpertThatDiffersIsNamed) {
    MeshTraining training;
    for (const char* differs : {"model.layers.1.block_sparse_moe.experts.3.w2.weight", "model.norm.weight"}) {
        config::Recipe recipe = training.recipe({2, {1, 4, 1, 1, 1, 1}, 2, 1, 0});
        recipe.health.divergence_every = 1;
        std::vector<bool> diverged(4);
        std::vector<std::string> notices(4);
        test::run_ranks(4, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(4), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            EXPECT_EQ(trainer.step().diverged, false);
            if (mesh.rank() == 3)  // has experts 2 and 3, as rank 1
                for (const parallel::FlatGroup& group : trainer.arena().groups())
                    for (const parallel::Parameter* parameter : group.parameters())
                        if (parameter->name() == differs)
                            parameter->value().view(-1)[0].add_(1);
            const StepReport report = trainer.step();
            const auto rank = static_cast<std::size_t>(mesh.rank());
            diverged[rank] = report.diverged.value();
            for (const Notice& notice : report.notices)
                notices[rank] += notice.text.text();
        });
        EXPECT_TRUE(diverged[3]) << differs;
        for (std::size_t rank = 0; rank < 4; ++rank)
            EXPECT_THAT(notices[rank], ::testing::HasSubstr(differs)) << rank;
    }
}

/// An adapter that ranks with parts of it have saved is that of one rank. Others lose the parts of all ranks but one
/// (Megatron-Bridge issue 2240), or save what is not gathered (PEFT pull request 3251).
TEST(MeshSelection, AdapterFilesOfSharedLayersAreWhole) {
    MeshTraining training;
    const std::string more = "lora: {r: 2, target_modules: [all-linear]}\n";
    const auto adapter_of = [&](const MeshLayout& layout) {
        const std::filesystem::path place = training.folder() / layout.text();
        training.run(layout, kMeshSteps, {}, place);
        return test::read_weights(place / "checkpoint_6" / "adapter_model.safetensors");
    };
    const MeshLayout one{1, {1, 1, 1, 1, 1, 1}, 1, 1, 0, false, more};
    const NamedTensors expected = adapter_of(one);
    ASSERT_FALSE(expected.empty());
    for (const MeshLayout& layout : {MeshLayout{1, kTensor4, 1, 1, 0, false, more},
                                     {1, kShardsTensor, 1, 1, 3, true, more},
                                     {1, {4, 1, 1, 1, 1, 1}, 1, 1, 0, false, more},
                                     {1, {2, 1, 2, 1, 1, 1}, 1, 1, 3, false, more},
                                     {1, kPipelineTensor, 1, 1, 0, false, more}}) {
        const NamedTensors got = adapter_of(layout);
        ASSERT_EQ(expected.size(), got.size()) << layout;
        for (const auto& [name, tensor] : expected) {
            const auto found = std::ranges::find(got, name, &NamedTensors::value_type::first);
            ASSERT_NE(found, got.end()) << layout << ": " << name;
            ASSERT_EQ(tensor.sizes(), found->second.sizes()) << layout << ": " << name;
            EXPECT_LT(tensor.sub(found->second).abs().max().item<double>(), 5e-5) << layout << ": " << name;
        }
        MeshLayout next = layout;
        next.more = "lora: {r: 2, target_modules: [all-linear], adapter: " +
                    (training.folder() / one.text() / "checkpoint_6").string() + "}\n";
        expect_curve_of_one_rank(training, next);
    }
}

/// Output layers, tables and norms that are trained whole beside adapters (PEFT's modules_to_save), where ranks divide
/// the vocabulary, the positions, the weights or the blocks. One file has them all, and starts other meshes.
TEST(MeshSelection, WholeModulesBesideAdapters) {
    MeshTraining training;
    const auto more = [](const std::string& modules, const std::string& rest = "") {
        return "lora: {r: 2, target_modules: [q_proj, o_proj, down_proj], modules_to_save: [" + modules + "]" + rest +
               "}\n";
    };
    constexpr parallel::MeshShape kStages4{4, 1, 1, 1, 1, 1}, kStagesShards{2, 1, 2, 1, 1, 1};
    const auto layouts = [](const std::string& modules) {
        return std::vector<MeshLayout>{
            {1, kTensor2, 1, 2, 0, false, modules},      {1, kTensor4, 1, 1, 0, true, modules},
            {1, kShardsTensor, 1, 1, 3, true, modules},  {1, kPipelineTensor, 1, 1, 0, false, modules},
            {1, kStages4, 1, 1, 0, false, modules},      {1, kStagesShards, 1, 1, 3, false, modules},
            {1, kContextTensor, 1, 1, 0, false, modules}};
    };
    for (const char* modules : {"lm_head", "embed_tokens, norm", "lm_head, 3.mlp.gate_proj"})
        for (const MeshLayout& layout : layouts(more(modules)))
            expect_curve_of_one_rank(training, layout);
    const MeshLayout one{1, {1, 1, 1, 1, 1, 1}, 1, 1, 0, false, more("lm_head, embed_tokens")};
    const auto adapter_of = [&](const MeshLayout& layout) {
        const std::filesystem::path place = training.folder() / layout.text();
        training.run(layout, kMeshSteps, {}, place);
        return test::read_weights(place / "checkpoint_6" / "adapter_model.safetensors");
    };
    const NamedTensors expected = adapter_of(one);
    EXPECT_TRUE(std::ranges::any_of(expected, [](const auto& each) { return each.first.ends_with("lm_head.weight"); }));
    for (const MeshLayout& layout : layouts(one.more)) {
        const NamedTensors got = adapter_of(layout);
        ASSERT_EQ(expected.size(), got.size()) << layout;
        for (const auto& [name, tensor] : expected) {
            const auto found = std::ranges::find(got, name, &NamedTensors::value_type::first);
            ASSERT_NE(found, got.end()) << layout << ": " << name;
            ASSERT_EQ(tensor.sizes(), found->second.sizes()) << layout << ": " << name;
            EXPECT_LT(tensor.sub(found->second).abs().max().item<double>(), 5e-5) << layout << ": " << name;
        }
        MeshLayout next = layout;
        next.more =
            more("lm_head, embed_tokens", ", adapter: " + (training.folder() / one.text() / "checkpoint_6").string());
        expect_curve_of_one_rank(training, next);
    }
}

constexpr parallel::MeshShape kReplicas4{1, 4, 1, 1, 1, 1}, kPipelineReplicas{2, 2, 1, 1, 1, 1},
    kPipelineReplicasTensor{2, 2, 1, 1, 1, 2};

/// With the full rank of the matrices nothing is approximated: the curve is that of exact sums.
TEST(MeshSelection, PowerSgdOfFullRank) {
    MeshTraining training;
    const std::string more =
        "parallel: {comm_hook: power_sgd, comm_state_option: {matrix_approximation_rank: 300, start_powerSGD_iter: 0, "
        "min_compression_rate: 0.001}}\n";
    for (const MeshLayout& layout : {MeshLayout{0, kPipelineReplicas, 1, 1, 0, false, more},
                                     {0, kReplicasTensor, 1, 2, 0, false, more},
                                     {1, kReplicasTensor, 1, 1, 0, true, more},
                                     {2, kReplicas4, 2, 1, 0, false, more},
                                     {2, kReplicas4, 4, 1, 0, false, more},
                                     {2, kReplicasTensor, 2, 1, 0, false, more},
                                     {kSharedExpertModel, kPipelineReplicasTensor, 2, 1, 0, true, more}})
        expect_curve_of_one_rank(training, layout);
}

/// Approximated gradients leave the weights equal on all ranks that have them (run() compares them), and each rank of
/// the mesh saves its own errors for the next step.
TEST(MeshSelection, PowerSgdOfLowRankContinues) {
    MeshTraining training;
    const std::string options =
        "power_sgd, comm_state_option: {matrix_approximation_rank: 2, start_powerSGD_iter: 1, "
        "min_compression_rate: 1}}\n";
    const std::string more = "parallel: {comm_hook: " + options, batched = "parallel: {comm_hook: batched_" + options;
    constexpr std::int64_t kSaved = 4;
    int number = 0;
    for (const MeshLayout& layout : {MeshLayout{0, kPipelineReplicas, 1, 1, 0, false, more},
                                     {0, kPipelineReplicas, 1, 1, 0, false, batched},
                                     {0, kReplicasTensor, 1, 1, 0, false, more},
                                     {1, kReplicasTensor, 1, 1, 0, true, more},
                                     {2, kReplicas4, 2, 1, 0, false, more},
                                     {2, kReplicas4, 2, 1, 0, false, batched},
                                     {2, kReplicasTensor, 2, 1, 0, false, more}}) {
        const std::filesystem::path place = training.folder() / (layout.text() + std::to_string(number++));
        training.run(layout, kSaved, {}, place);
        for (int rank = 0; rank < layout.ranks(); ++rank)
            EXPECT_TRUE(
                std::filesystem::exists(place / "checkpoint_4" / ("comm_hook_" + std::to_string(rank) + ".bin")))
                << layout << rank;
        const MeshOutcome whole = training.run(layout), continued = training.run(layout, kMeshSteps, place);
        EXPECT_GT(std::abs(whole.losses.back() - training.of_one_rank(layout).losses.back()), 1e-4)
            << layout << ": gradients are approximated";
        ASSERT_EQ(continued.losses.size(), static_cast<std::size_t>(kMeshSteps - kSaved)) << layout;
        EXPECT_EQ(continued.losses, std::vector(whole.losses.begin() + kSaved, whole.losses.end())) << layout;
        for (const auto& [name, weight] : whole.weights)
            EXPECT_TRUE(weight.equal(continued.weights.at(name))) << layout << ": " << name;
    }
}

/// A program that makes a model of a recipe (Accelerator) reports what `launch` says of the mesh.
TEST(MeshSelection, AProgramRefusesAMeshWithTheMessageOfLaunch) {
    const ::trainyard::test::TemporaryFolder folder;
    const std::string data = (folder.path() / "text.txt").string();
    write_file_atomically(data, std::string(20000, 'a'));
    using Setter = std::function<void(config::Recipe&, double)>;
    const auto size = [](std::int64_t config::ParallelRecipe::*member) -> Setter {
        return [member](config::Recipe& r, double value) { r.parallel.*member = static_cast<std::int64_t>(value); };
    };
    using config::ParallelRecipe;
    const std::map<std::string, Setter> setters{
        {"parallel.tp_size", size(&ParallelRecipe::tp_size)},
        {"parallel.pp_size", size(&ParallelRecipe::pp_size)},
        {"parallel.cp_size", size(&ParallelRecipe::cp_size)},
        {"parallel.ep_size", size(&ParallelRecipe::ep_size)},
        {"parallel.dp_replicate_size", size(&ParallelRecipe::dp_replicate_size)},
        {"parallel.tp_sequence_parallel",
         [](config::Recipe& r, double value) { r.parallel.tp_sequence_parallel = value != 0; }},
        {"training.gradient_accumulation_steps",
         [](config::Recipe& r, double value) {
             r.training.gradient_accumulation_steps = static_cast<std::int64_t>(value);
         }},
        {"training.expert_capacity_factor",
         [](config::Recipe& r, double value) { r.training.expert_capacity_factor = value; }},
        {"data.sequence_length",
         [](config::Recipe& r, double value) { r.data.sequence_length = static_cast<std::int64_t>(value); }}};
    for (const ::trainyard::test::BadMesh& bad : ::trainyard::test::bad_meshes()) {
        SCOPED_TRACE(bad.what);
        config::Recipe recipe = config::parse_recipe(::trainyard::test::recipe_of(bad, {}, data), "recipe.yaml");
        for (const auto& [key, value] : bad.recipe)
            setters.at(key)(recipe, std::stod(value == "true" ? "1" : value));
        std::vector<std::string> said(static_cast<std::size_t>(bad.ranks));
        std::barrier all(bad.ranks);  // the first rank serves the others while they connect
        ::trainyard::test::run_ranks(bad.ranks, [&](std::unique_ptr<parallel::World> world) {
            std::string& mine = said[static_cast<std::size_t>(world->rank())];
            const std::shared_ptr<parallel::World> shared = std::move(world);
            parallel::Mesh mesh(parallel::replicas(shared->size()), shared);
            try {
                const FlatModel model(recipe, mesh, at::kCPU);
            } catch (const InvalidInput& error) {
                mine = error.problems().front().key + ": " + error.problems().front().message.text();
            }
            all.arrive_and_wait();
        });
        for (const std::string& one : said)
            EXPECT_EQ(one, bad.message);
    }
}

/// Meshes whose sizes divide those of the model and the batch are accepted, and all others are refused before a rank
/// starts. What the accepted ones train is the matrix's to prove (mesh_matrix.cpp).
TEST(MeshSelection, EveryMeshIsAcceptedOrRefused) {
    const MeshTraining training;
    std::size_t accepted = 0, refused = 0;
    for (const int ranks : {2, 4, 8})
        for (const std::int64_t accumulation : {1, 2})
            for (const MeshLayout& layout : any_meshes_of(ranks, accumulation, {2, 3})) {
                const std::string said = training.refusal(layout);
                EXPECT_EQ(said.empty(), divides(layout)) << layout << ": " << said;
                ++(said.empty() ? accepted : refused);
            }
    EXPECT_GT(accepted, 1200u);
    EXPECT_GT(refused, 1000u);
}

/// The recipe of a program divides the model, and the ranks of its Accelerator are replicas.
TEST(MeshSelection, AProgramRefusesARecipeOfAnotherMesh) {
    MeshTraining training;
    const std::map<const char*, std::int64_t config::ParallelRecipe::*> sizes{
        {"pp_size", &config::ParallelRecipe::pp_size},
        {"cp_size", &config::ParallelRecipe::cp_size},
        {"sp_size", &config::ParallelRecipe::sp_size},
        {"tp_size", &config::ParallelRecipe::tp_size}};
    for (const auto& [key, size] : sizes) {
        config::Recipe recipe = training.recipe({});
        recipe.parallel.*size = 2;
        recipe.training.gradient_accumulation_steps = 2;
        std::barrier both(2);
        ::trainyard::test::run_ranks(2, [&, name = key](std::unique_ptr<parallel::World> world) {
            const std::shared_ptr<parallel::World> shared = std::move(world);
            parallel::Mesh mesh(parallel::replicas(2), shared);
            try {
                const FlatModel model(recipe, mesh, at::kCPU);
                ADD_FAILURE() << name;
            } catch (const UserError& error) {
                EXPECT_THAT(error.message(),
                            ::trainyard::test::says("parallel.{}: it is {}, and the mesh of this program has {} there: "
                                                    "set it to {}, or train the recipe with trainyard launch",
                                                    name, 2, 1, 1));
            }
            both.arrive_and_wait();
        });
    }
}

}  // namespace
}  // namespace trainyard::train::layouts
