// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/fingerprint.h"

namespace trainyard::parallel {

Description describe_tensors(const NamedTensors& tensors) {
    Description description;
    for (const auto& [name, tensor] : tensors)
        description.emplace_back(name, describe(tensor));
    return description;
}

void check_same_on_all_ranks(Communicator& communicator, const Description& mine, const std::string& subject) {
    agree(communicator, mine, subject, "Give every rank the same recipe, the same files and the same code.");
}

void check_same_on_all_ranks(Communicator& communicator, const NamedTensors& tensors, const std::string& subject) {
    check_same_on_all_ranks(communicator, describe_tensors(tensors), subject);
}

}  // namespace trainyard::parallel
