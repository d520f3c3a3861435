// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Collectives of devices that have none of their own: what is sent is copied to the host, what comes is copied back.

#include <memory>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

/// Over the same ranks as `host`, a communicator of the processor, for tensors on `device`.
std::shared_ptr<Communicator> through_host(std::shared_ptr<Communicator> host, at::Device device);

}  // namespace trainyard::parallel
