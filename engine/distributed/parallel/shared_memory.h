// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Collectives of ranks on one machine through memory that they share, in place of sockets: about a copy in and a copy out. An
// operation is started by copying this rank's part in, which waits for nobody as long as there is room, and finished in wait(): each
// rank reduces its slice of all parts in the order of the ranks (half formats summed in fp32), so that every rank gets the same bits.
//
// The memory is a memfd: it has no name, and is gone with the last process. A peer that dies (pidfd) or leaves is PeerLost within
// 50 ms; one that stands still, after the time-out. Sizes and operations are compared for free, since every part carries a note.

#include <chrono>
#include <memory>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

/// Collective. Nothing on all ranks when one of them cannot reach the memory (another machine, another container). What memory is
/// not used for (scatter, send, receive, dtypes without a kernel) goes through `sockets`.
std::shared_ptr<Communicator> share_memory(c10d::Store& store, std::shared_ptr<Communicator> sockets,
                                           std::chrono::milliseconds timeout);
/// Whether a communicator is one of these: its ranks are processes of one machine that can share further memory.
bool shares_memory(const Communicator& ranks);

}  // namespace trainyard::parallel
