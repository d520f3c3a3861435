// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include <gloo/common/store.h>

#define GLOO_STORE_HAS_STORE_V2 1

namespace gloo::rendezvous {
class Store : public IStore {
  public:
    static constexpr std::chrono::milliseconds kDefaultTimeout = std::chrono::seconds(30);
    using IStore::wait;
    virtual void wait(const std::vector<std::string>& keys) = 0;
};
}  // namespace gloo::rendezvous
