// SPDX-License-Identifier: GPL-3.0-or-later
// The mesh without LibTorch beside torch's DeviceMesh (golden/mesh.json, kind `mesh`): the table of ranks, coordinates,
// groups and their order.

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "distributed/pipeline/mesh_shape.h"
#include "support/golden.h"
#include "support/golden_mesh_names.h"

namespace trainyard::parallel {
namespace {

using ShapeJson = nlohmann::json;
using ::testing::ElementsAre;

/// The rank in a nested table of torch by coordinates in the dimensions that it has.
int rank_in_table(const ShapeJson& table, const std::vector<std::string>& dimensions, const MeshShape& coordinates) {
    const ShapeJson* at = &table;
    for (const std::string& name : dimensions)
        at = &(*at)[static_cast<std::size_t>(
            coordinates[static_cast<std::size_t>(test::golden_mesh_names().at(name).front())])];
    return at->get<int>();
}

TEST(GoldenMeshShape, RankTablesAndGroupsAreTorchs) {
    std::ifstream file(test::golden("mesh.json"));
    const ShapeJson cases = ShapeJson::parse(file)["cases"];
    int seen = 0;
    for (const ShapeJson& one : cases) {
        const ShapeJson &input = one["input"], &expected = one["expected"];
        if (input["kind"] != "mesh" || expected.contains("error"))
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        const auto size = [&](const char* name) { return input.value(name, 1); };
        const MeshShape shape{1, size("dp_replicate"), size("dp_shard"), size("cp"), size("sp"), size("tp")};
        const int ranks = input["ranks"].get<int>();
        ASSERT_EQ(rank_count(shape), ranks);
        if (!expected["ranks"].is_null())
            ++seen;
        for (int rank = 0; rank < ranks; ++rank) {
            const MeshShape place = coordinates_of(shape, rank);
            EXPECT_EQ(rank_at(shape, place), rank);
            if (!expected["ranks"].is_null()) {
                EXPECT_EQ(
                    rank_in_table(expected["ranks"], expected["dimensions"].get<std::vector<std::string>>(), place),
                    rank);
            }
        }
        for (const auto& [name, groups] : expected["groups"].items()) {
            const std::vector<Dimension>& dimensions = test::golden_mesh_names().at(name);
            std::set<std::vector<int>> ours;
            for (int rank = 0; rank < ranks; ++rank) {
                const std::vector<int> group = ranks_along(shape, rank, dimensions);
                ours.insert(group);
                const int position = place_in_ring(shape, rank, dimensions);
                EXPECT_EQ(group[static_cast<std::size_t>(position)], rank);
                EXPECT_EQ(next_in_ring(shape, rank, dimensions),
                          group[static_cast<std::size_t>(position + 1) % group.size()]);
            }
            EXPECT_EQ(ours, groups.get<std::set<std::vector<int>>>()) << name;
        }
    }
    EXPECT_GT(seen, 50);
}

TEST(GoldenMeshShape, ExpertsDivideNeighbouringDataRanks) {
    // pp 2 x dp_replicate 2 x cp 2 x tp 2: the data ranks of rank 9 are 9, 11, 13, 15.
    const MeshShape shape{2, 2, 1, 2, 1, 2};
    EXPECT_THAT(ranks_along(shape, 13, kDataDimensions), ElementsAre(9, 11, 13, 15));
    EXPECT_THAT(ranks_of_experts(shape, 13, 2), ElementsAre(13, 15));
    EXPECT_THAT(copies_of_experts(shape, 13, 2), ElementsAre(9, 13));
    EXPECT_EQ(rank_place(shape, 13, 2), "pp 1, dp_replicate 1, cp 0, tp 1, ep 0");
    EXPECT_EQ(rank_place(shape, 15, 4), "pp 1, dp_replicate 1, cp 1, tp 1, ep 3");
    EXPECT_EQ(describe(shape), "pp 2 × dp_replicate 2 × cp 2 × tp 2");
    EXPECT_EQ(rank_place({1, 4, 1, 1, 1, 1}, 3), "") << "of replicas the coordinate is the rank";
    EXPECT_EQ(describe({1, 1, 1, 1, 1, 1}), "1 rank");
}

}  // namespace
}  // namespace trainyard::parallel
