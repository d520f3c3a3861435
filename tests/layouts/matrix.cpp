// SPDX-License-Identifier: GPL-3.0-or-later
// All layouts: ranks 1, 2, 4 x gradient accumulation x activation checkpointing x ZeRO 0-3 x pipeline schedule x
// precision, without pipelines also three ranks, Llama and Mixtral, and resuming from each kind on each other.
// packaging/test -L layouts

#include "layouts/layout.h"

namespace trainyard::train::layouts {
namespace {

class LayoutMatrixWhole : public ::testing::TestWithParam<Layout> {
  protected:
    static void SetUpTestSuite() { training_ = new Training; }
    static void TearDownTestSuite() { delete std::exchange(training_, nullptr); }
    static inline Training* training_ = nullptr;
};

TEST_P(LayoutMatrixWhole, EveryWeightIsThatOfOneRank) {
    expect_as_one_rank(*training_, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, LayoutMatrixWhole, ::testing::ValuesIn(all_layouts()),
                         [](const auto& one) { return one.param.text(); });

class ResumeMatrix : public ::testing::TestWithParam<Precision> {};

TEST_P(ResumeMatrix, EveryKindGoesOnOnEveryOther) {
    Training training;
    for (const Layout& first : kinds_of_layouts(GetParam()))
        for (const Layout& second : kinds_of_layouts(GetParam()))
            expect_resumes(training, first, second);
}

INSTANTIATE_TEST_SUITE_P(Precisions, ResumeMatrix, ::testing::Values(Precision::no, Precision::bf16, Precision::fp16),
                         [](const auto& one) {
                             return std::string(one.param == Precision::no ? "fp32" : choice_name(one.param));
                         });

}  // namespace
}  // namespace trainyard::train::layouts
