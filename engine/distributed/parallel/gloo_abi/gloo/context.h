// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>

#include <gloo/transport/device.h>

namespace gloo {
class Context {
  public:
    void setTimeout(std::chrono::milliseconds timeout);
};
}  // namespace gloo
