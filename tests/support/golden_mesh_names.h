// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dimensions by the names that golden/mesh.json gives to groups of ranks.

#include <map>
#include <string>
#include <vector>

#include "distributed/pipeline/mesh_shape.h"

namespace trainyard::test {

inline const std::map<std::string, std::vector<parallel::Dimension>>& golden_mesh_names() {
    using enum parallel::Dimension;
    static const std::map<std::string, std::vector<parallel::Dimension>> names{{"dp_replicate", {dp_replicate}},
                                                                               {"dp_shard", {dp_shard}},
                                                                               {"cp", {cp}},
                                                                               {"sp", {sp}},
                                                                               {"tp", {tp}},
                                                                               {"dp", {dp_replicate, dp_shard}},
                                                                               {"dp_shard_cp", {dp_shard, cp}},
                                                                               {"dp_cp", {dp_replicate, dp_shard, cp}}};
    return names;
}

}  // namespace trainyard::test
