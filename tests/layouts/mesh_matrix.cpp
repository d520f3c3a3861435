// SPDX-License-Identifier: GPL-3.0-or-later
// All meshes of 2, 4 and 8 ranks whose factors divide a model: pp x dp_replicate x dp_shard x cp x sp x tp with ep
// inside the data ranks, with accumulation 1 and 2 and, on 2 and 4 ranks, every ZeRO stage. packaging/test -L layouts

#include "layouts/mesh_layout.h"

namespace trainyard::train::layouts {
namespace {

std::vector<MeshLayout> all_meshes() {
    std::vector<MeshLayout> all;
    for (const int ranks : {2, 4, 8})
        for (const std::int64_t accumulation : {1, 2})
            std::ranges::copy(meshes_of(ranks, accumulation,
                                        ranks == 8 ? std::set<std::int64_t>{2, 3} : std::set<std::int64_t>{1, 2, 3}),
                              std::back_inserter(all));
    return all;
}

class MeshMatrix : public ::testing::TestWithParam<MeshLayout> {
  protected:
    static void SetUpTestSuite() { training_ = new MeshTraining; }
    static void TearDownTestSuite() { delete std::exchange(training_, nullptr); }
    static inline MeshTraining* training_ = nullptr;
};

TEST_P(MeshMatrix, TheCurveOfOneRank) {
    expect_curve_of_one_rank(*training_, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, MeshMatrix, ::testing::ValuesIn(all_meshes()),
                         [](const auto& one) { return one.param.text(); });

}  // namespace
}  // namespace trainyard::train::layouts
