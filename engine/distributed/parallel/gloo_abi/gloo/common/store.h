// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#define GLOO_SHARED_STORE

namespace gloo {
/// The order of the virtual functions is that of Gloo's own header, because LibTorch calls them by their place.
class IStore {
  public:
    virtual ~IStore() = default;
    virtual void set(const std::string& key, const std::vector<char>& data) = 0;
    virtual std::vector<char> get(const std::string& key) = 0;
    virtual std::vector<char> wait_get(const std::string& key, const std::chrono::milliseconds& timeout) {
        wait({key}, timeout);
        return get(key);
    }
    virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
    virtual bool has_v2_support() = 0;
    virtual std::vector<std::vector<char>> multi_get(const std::vector<std::string>& keys) = 0;
    virtual void multi_set(const std::vector<std::string>& keys, const std::vector<std::vector<char>>& values) = 0;
    virtual void append(const std::string& key, const std::vector<char>& value) = 0;
    virtual std::int64_t add(const std::string& key, std::int64_t value) = 0;
};
}  // namespace gloo
