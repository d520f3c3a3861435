// SPDX-License-Identifier: GPL-3.0-or-later
// Public reports on other programs that divide models among ranks, tried here. Reports that other tests try are named
// beside them (mesh_selection.cpp, train/tensor_parallel.cpp, train/shared_sequences.cpp).

#include <cmath>

#include "layouts/mesh_layout.h"

namespace trainyard::train::layouts {
namespace {

/// The norm that gradients are clipped by is that of all stages, all parts of layers and all experts, each once, and
/// gradients are means over micro-batches. Others clip each stage by its own norm (torchtitan issue 596, pull request
/// 649), add up what they should average in a pipeline (torchtitan issue 2972, DeepSpeed issue 7773), or count experts
/// too rarely (DeepSpeed issue 8475, Megatron-LM pull request 5916, ColossalAI issue 2192).
TEST(MeshReports, GradientsAreClippedByTheNormOfTheWholeModel) {
    MeshTraining training;
    const std::string clipped = "training: {max_grad_norm: 0.25}\n";
    for (const MeshLayout& layout : {MeshLayout{0, {4, 1, 1, 1, 1, 1}, 1, 2, 0, false, clipped},
                                     {1, {2, 1, 1, 1, 1, 2}, 1, 1, 0, true, clipped},
                                     {1, {2, 1, 2, 1, 1, 1}, 1, 2, 2, false, clipped},
                                     {2, {1, 1, 2, 1, 1, 2}, 2, 1, 3, false, clipped},
                                     {2, {2, 2, 1, 1, 1, 1}, 2, 1, 0, false, clipped},
                                     {2, {1, 4, 1, 1, 1, 1}, 4, 1, 0, false, clipped}}) {
        for (const double norm : training.of_one_rank(layout).norms)
            EXPECT_GT(norm, 0.25) << "gradients are clipped";
        expect_curve_of_one_rank(training, layout);
    }
}

/// The norm does not depend on how parameters are grouped by ranks in 16 bits either. Elsewhere each group's norm is
/// rounded to bf16 (torchtitan pull request 4135).
TEST(MeshReports, NormsInHalfPrecisionDoNotDependOnTheStages) {
    MeshTraining training;
    const std::string half = "training: {mixed_precision: bf16}\n";
    for (const MeshLayout& layout :
         {MeshLayout{1, {2, 1, 1, 1, 1, 1}, 1, 1, 0, false, half}, {1, {4, 1, 1, 1, 1, 1}, 1, 1, 0, false, half}}) {
        const double whole = training.of_one_rank(layout).norms.front(), parts = training.run(layout).norms.front();
        EXPECT_NEAR(parts, whole, 5e-4 * whole) << layout;
    }
}

/// Seven blocks on two and four stages. Others drop the blocks that are left over (Megatron-LM issue 1304), or refuse
/// them (Megatron-LM issue 381).
TEST(MeshReports, BlocksThatDoNotDivideAmongStagesAreAllThere) {
    MeshTraining training;
    for (const MeshLayout& layout : {MeshLayout{kUnevenModel, {2, 1, 1, 1, 1, 1}, 1, 1, 0},
                                     {kUnevenModel, {4, 1, 1, 1, 1, 1}, 1, 1, 0},
                                     {kUnevenModel, {4, 1, 1, 1, 1, 2}, 1, 1, 0}})
        expect_curve_of_one_rank(training, layout);
}

/// Optimizer state of a tied table and of blocks moves between pipelines of other lengths and shared layers. Others
/// cannot resume a pipeline (nanotron issue 221), nor one of another length (nanotron issue 38), nor other tensor
/// parallel ranks (nanotron issue 106), or stop at the tied head (nanotron pull request 68).
TEST(MeshReports, StateOfAPipelineMovesToOtherMeshes) {
    MeshTraining training;
    const MeshLayout first{0, {4, 1, 1, 1, 1, 1}, 1, 1, 0};
    const std::filesystem::path place = training.folder() / first.text();
    training.run(first, 4, {}, place);
    for (const MeshLayout& next : {first,
                                   MeshLayout{0, {2, 1, 1, 1, 1, 1}, 1, 1, 0},
                                   {0, {2, 1, 1, 1, 1, 2}, 1, 1, 0},
                                   {0, {1, 1, 2, 1, 1, 2}, 1, 1, 3}})
        expect_same(training.of_one_rank(next), training.run(next, kMeshSteps, place), next.text());
}

/// Ranks that share a sequence keep the windows of its positions. Others attend to all positions before one instead
/// (accelerate pull request 4177).
TEST(MeshReports, WindowsAreThoseOfTheWholeSequence) {
    MeshTraining training;
    const std::string alltoall = "parallel: {cp_rotate_method: alltoall}\n";
    for (const MeshLayout& layout : {MeshLayout{kWindowModel, {1, 1, 1, 2, 1, 1}, 1, 1, 0},
                                     {kWindowModel, {1, 1, 1, 4, 1, 1}, 1, 1, 0},
                                     {kWindowModel, {1, 1, 1, 1, 2, 1}, 1, 1, 0},
                                     {kWindowModel, {1, 1, 1, 2, 2, 1}, 1, 1, 0},
                                     {kWindowModel, {1, 1, 1, 2, 1, 2}, 1, 1, 0, true}})
        expect_curve_of_one_rank(training, layout);
    MeshLayout rotated{kWindowModel, {1, 1, 1, 4, 1, 1}, 1, 1, 0, false, alltoall};
    const MeshOutcome got = training.run(rotated);
    rotated.more.clear();
    expect_same(training.of_one_rank(rotated), got, alltoall);
}

/// Every tensor parallel rank has the norms of single heads, with a part of their gradient, and they count once in the
/// norm that gradients are clipped by. Others count them once for each rank (NeMo RL pull request 3788).
TEST(MeshReports, NormsOfHeadsCountOnce) {
    MeshTraining training;
    const std::string clipped = "training: {max_grad_norm: 0.25}\n";
    for (const MeshLayout& layout : {MeshLayout{kHeadNormModel, {1, 1, 1, 1, 1, 2}, 1, 1, 0, false, clipped},
                                     {kHeadNormModel, {1, 1, 1, 1, 1, 4}, 1, 1, 0, true, clipped},
                                     {kHeadNormModel, {2, 1, 1, 1, 1, 2}, 1, 1, 0, false, clipped},
                                     {kHeadNormModel, {1, 1, 2, 1, 1, 2}, 1, 1, 3, false, clipped}}) {
        for (const double norm : training.of_one_rank(layout).norms)
            EXPECT_GT(norm, 0.25) << "gradients are clipped";
        expect_curve_of_one_rank(training, layout);
    }
}

/// A checkpoint has the experts of all ranks, with their optimizer state, and continues on other meshes. Others save
/// those of one rank (KempnerForge issue 202), continue with another curve (Megatron-LM issue 761), or cannot go from a
/// pipeline to divided experts (Megatron-LM issue 1517).
TEST(MeshReports, StateOfExpertsMovesToOtherMeshes) {
    MeshTraining training;
    const MeshLayout experts{2, {1, 2, 1, 1, 1, 1}, 2, 1, 0}, stages{2, {4, 1, 1, 1, 1, 1}, 1, 1, 0};
    for (const MeshLayout& first : {experts, stages}) {
        const std::filesystem::path place = training.folder() / first.text();
        training.run(first, 3, {}, place);
        for (const MeshLayout& next : {experts,
                                       MeshLayout{2, {1, 1, 1, 1, 1, 1}, 1, 1, 0},
                                       {2, {1, 4, 1, 1, 1, 1}, 4, 1, 0},
                                       {2, {1, 1, 2, 1, 1, 1}, 2, 1, 3},
                                       {2, {1, 1, 1, 1, 1, 2}, 1, 1, 0, true}})
            expect_same(training.of_one_rank(next), training.run(next, kMeshSteps, place),
                        first.text() + ", then " + next.text());
    }
}

/// Recomputed blocks send tokens to the same experts again, with dropout. Elsewhere the number of tokens differs
/// (Automodel issue 3325).
TEST(MeshReports, RecomputedBlocksSendTokensToTheSameExperts) {
    MeshTraining training;
    for (const char* kind : {"full", "selective"}) {
        const std::string more = std::string("training: {activation_checkpointing: ") + kind + "}\n";
        for (const MeshLayout& layout :
             {MeshLayout{2, {1, 2, 1, 1, 1, 1}, 2, 2, 0, false, more}, {2, {1, 1, 4, 1, 1, 1}, 4, 1, 3, false, more}})
            expect_curve_of_one_rank(training, layout);
    }
}

/// Adapters and a head that is trained whole continue on other meshes. Another program saved those of one stage only
/// (Automodel pull request 3096).
TEST(MeshReports, StateOfAdaptersMovesToOtherMeshes) {
    MeshTraining training;
    const std::string more = "lora: {r: 2, target_modules: [all-linear], modules_to_save: [lm_head]}\n";
    const MeshLayout meshes[] = {{1, {2, 1, 1, 1, 1, 1}, 1, 1, 0, false, more},
                                 {1, {1, 1, 1, 1, 1, 2}, 1, 1, 0, true, more},
                                 {1, {1, 1, 2, 1, 1, 1}, 1, 1, 3, false, more}};
    for (const MeshLayout& first : meshes) {
        const std::filesystem::path place = training.folder() / first.text();
        training.run(first, 3, {}, place);
        for (const MeshLayout& next : meshes)
            expect_same(training.of_one_rank(next), training.run(next, kMeshSteps, place),
                        first.text() + ", then " + next.text());
    }
}

/// Ranks do not divide the 259 tokens of the vocabulary evenly. Elsewhere the curve changes after a resumption
/// (torchtitan issue 1136).
TEST(MeshReports, AVocabularyThatDoesNotDivideIsResumed) {
    MeshTraining training;
    const MeshLayout first{0, {1, 1, 4, 1, 1, 1}, 1, 1, 3};
    const std::filesystem::path place = training.folder() / first.text();
    training.run(first, 3, {}, place);
    for (const MeshLayout& next : {first, MeshLayout{0, {1, 1, 2, 1, 1, 1}, 1, 1, 2}, {0, {1, 1, 1, 1, 1, 4}, 1, 1, 0}})
        expect_same(training.of_one_rank(next), training.run(next, kMeshSteps, place), next.text());
}

/// More ranks share the heads of a sequence than there are heads of keys: each is repeated. verl (issue 1226) and
/// prime-rl (pull request 3042) limit the ranks to the heads of keys.
TEST(MeshReports, RanksRepeatTheOneHeadOfKeys) {
    MeshTraining training;
    for (const MeshLayout& layout : {MeshLayout{kBloomModel + 1, {1, 1, 1, 1, 4, 1}, 1, 1, 0},
                                     {kBloomModel + 1, {1, 1, 1, 1, 2, 2}, 1, 1, 0},
                                     {kBloomModel + 1, {1, 1, 1, 2, 2, 1}, 1, 1, 0}})
        expect_curve_of_one_rank(training, layout);
}

}  // namespace
}  // namespace trainyard::train::layouts
