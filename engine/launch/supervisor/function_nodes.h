// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the nodes of launch_function() find each other: the one with node_rank 0 listens, learns how many ranks each
// starts, and says where the ranks meet.

#include <string>

#include "base/file_descriptor.h"

namespace trainyard::launch {

struct FunctionOptions;

struct NodePlace {
    int first_rank = 0;   ///< of this node
    int world = 0;        ///< ranks of all nodes
    std::string address;  ///< where the ranks meet
    int port = 0;
    FileDescriptor store;  ///< listens there; of the node with node_rank 0
};

/// Waits until all nodes are there, for the same `attempt`. Throws UserError naming the node that is missing, or that
/// gives another number of nodes.
NodePlace meet_nodes(int ranks, int attempt, const FunctionOptions& options);

}  // namespace trainyard::launch
