// SPDX-License-Identifier: GPL-3.0-or-later
// Groups and shares of samples of a mesh beside torch's and Accelerate's (golden/mesh.json, kind `mesh`): every
// factorisation of the ranks.

#include <algorithm>
#include <fstream>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "distributed/parallel/mesh.h"
#include "support/golden.h"
#include "support/golden_mesh_names.h"

namespace trainyard::parallel {
namespace {

using MeshJson = nlohmann::json;
using MeshRanks = std::vector<int>;

/// One rank of a mesh that is not connected: it notes which ranks a group has.
class NotingWorld final : public World {
  public:
    NotingWorld(int rank, int size) : rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::shared_ptr<Communicator> group(std::span<const int> ranks, const std::string& name) override {
        newest.assign(ranks.begin(), ranks.end());
        const int alone[] = {0};
        return World::connect({}, "cpu")->group(alone, name);
    }
    MeshRanks newest;

  private:
    int rank_, size_;
};

MeshShape shape_of(const MeshJson& input) {
    const auto size = [&](const char* name) { return input.value(name, 1); };
    return {1, size("dp_replicate"), size("dp_shard"), size("cp"), size("sp"), size("tp")};
}

/// The ranks of this rank's group along one to three dimensions; itself where the group has no other.
MeshRanks group_of(const MeshShape& shape, int rank, int size, const std::vector<Dimension>& dimensions) {
    auto world = std::make_shared<NotingWorld>(rank, size);
    Mesh mesh(shape, world);
    if (dimensions.size() == 1)
        mesh.group({dimensions[0]});
    else if (dimensions.size() == 2)
        mesh.group({dimensions[0], dimensions[1]});
    else
        mesh.group({dimensions.at(0), dimensions.at(1), dimensions.at(2)});
    return world->newest.empty() ? MeshRanks{rank} : world->newest;
}

/// Position among the ranks that have samples of their own.
int batch_of(const MeshShape& shape, int rank, int size) {
    const MeshRanks sharing = group_of(shape, rank, size, {Dimension::dp_replicate, Dimension::dp_shard});
    return static_cast<int>(std::ranges::find(sharing, rank) - sharing.begin());
}

TEST(Mesh, GroupsAndSharesAreTorchs) {
    std::ifstream file(test::golden("mesh.json"));
    const MeshJson cases = MeshJson::parse(file)["cases"];
    int seen = 0;
    for (const MeshJson& one : cases) {
        const MeshJson &input = one["input"], &expected = one["expected"];
        if (input["kind"] != "mesh" || expected.contains("error"))
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const MeshShape shape = shape_of(input);
        const int size = input["ranks"].get<int>();
        for (const auto& [name, groups] : expected["groups"].items()) {
            ASSERT_TRUE(test::golden_mesh_names().contains(name)) << name;
            const std::vector<Dimension>& dimensions = test::golden_mesh_names().at(name);
            std::set<MeshRanks> ours;
            for (int rank = 0; rank < size; ++rank)
                ours.insert(group_of(shape, rank, size, dimensions));
            EXPECT_EQ(ours, groups.get<std::set<MeshRanks>>()) << name;
        }
        // Accelerate's loader gives ranks that share a sequence other samples, and DeepSpeed's adapter exchanges them;
        // ours have the same samples at once.
        const bool shares_sequences = input.value("sp", 1) > 1;
        for (int rank = 0; rank < size; ++rank) {
            const int batch = batch_of(shape, rank, size);
            if (shares_sequences) {
                EXPECT_LT(batch, input.value("dp_replicate", 1) * input.value("dp_shard", 1));
            } else {
                EXPECT_EQ(batch, expected["batch_of_rank"][static_cast<std::size_t>(rank)].get<int>());
            }
        }
    }
    EXPECT_GT(seen, 0);
}

/// Ranks that share every layer (tp) have the same samples, whatever their other dimensions are: DeepSpeed's tensor
/// parallelism (kind `autotp`), and what one rank reads for all (kind `dispatch`). Accelerate's dispatching loader
/// looks for dimensions that its mesh never has: with tp beside others it gives one batch to all ranks, with cp
/// another one to each rank of a sequence. Ours gives ranks of one sequence the same samples there, too.
TEST(Mesh, RanksOfOneModelHaveTheSameSamples) {
    std::ifstream file(test::golden("mesh.json"));
    const MeshJson cases = MeshJson::parse(file)["cases"];
    int seen = 0;
    for (const MeshJson& one : cases) {
        const MeshJson &input = one["input"], &expected = one["expected"];
        const bool dispatches = input["kind"] == "dispatch";
        if (!dispatches && input["kind"] != "autotp")
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const int size = input["ranks"].get<int>();
        MeshShape shape = shape_of(dispatches ? input["sizes"] : input);
        if (!dispatches)
            shape[static_cast<std::size_t>(Dimension::dp_replicate)] = size / input["tp"].get<int>();
        std::vector<int> batches;
        for (int rank = 0; rank < size; ++rank)
            batches.push_back(batch_of(shape, rank, size));
        if (!dispatches) {
            EXPECT_EQ(batches, expected["batch_of_rank"].get<std::vector<int>>());
            continue;
        }
        std::vector<int> theirs;
        for (const MeshJson& batch : expected["first_batch_of_rank"])
            theirs.push_back(batch.front().get<int>());
        const int data = shape[static_cast<std::size_t>(Dimension::dp_replicate)] *
                         shape[static_cast<std::size_t>(Dimension::dp_shard)];
        if (data == 1 || data == size) {
            EXPECT_EQ(batches, theirs);
        } else {
            for (int rank = 0; rank < size; ++rank)
                EXPECT_EQ(batches[static_cast<std::size_t>(rank)], rank * data / size);
        }
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace trainyard::parallel
