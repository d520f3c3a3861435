// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Do all ranks mean the same operation? Each describes its own in lines; equal descriptions cost one message of 24 bytes a rank (a hash
// and two lengths), different ones are exchanged and become the same exception on every rank, so that nobody hangs and nothing aborts.
// Gloo ends the process where sizes differ, and may report success with wrong numbers where the order does: this comes before.

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

/// The ranks are about to do different things. what() holds a table of every rank's part.
class DistributedOperationError : public UserError {
  public:
    using UserError::UserError;
};

/// What is compared: name and value, e.g. {"input_ids", "float32 [8, 128] on cpu"}. A name may occur once.
using Description = std::vector<std::pair<std::string, std::string>>;

/// Collective. Throws DistributedOperationError on all ranks when one differs. `subject` opens the message ("gather of predictions"),
/// the suggested fix ("give every rank the same recipe") ends it. `size`, how much this rank is about to send, is not
/// compared.
/// Returns the size of every rank.
std::vector<std::int64_t> agree(Communicator& communicator, const Description& mine, const std::string& subject,
                                const Message& mend, std::int64_t size = 0);

/// Collective. The message of the first rank that has one, on all ranks.
Message first_message(Communicator& communicator, const Message& own, const std::string& name);

/// "float32 [8, 128] on cpu"; "undefined"
std::string describe(const at::Tensor& tensor);

/// The table: a line for every name whose value is not the same everywhere, ranks with equal values joined:
///   h.0.attn.weight   ranks 0-2: float32 [768, 768]   rank 3: float32 [768, 1024]
/// At most `lines` lines, then "and 12 more".
std::string differences(const std::vector<Description>& ranks, std::size_t lines = 20);

}  // namespace trainyard::parallel
