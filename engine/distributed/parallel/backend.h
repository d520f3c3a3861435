// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Inside of communicator.h: what backends give.

#include <memory>
#include <string>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

class Pending::Work {
  public:
    virtual ~Work() = default;
    virtual void wait() = 0;
};

std::unique_ptr<World> connect_c10d(const Rendezvous& rendezvous, const std::string& device);

}  // namespace trainyard::parallel
