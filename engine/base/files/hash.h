// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// XXH3 with 128 bits, as `xxh128sum` prints it: detects any corruption of a file at memory bandwidth.
// https://xxhash.com

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace trainyard::files {

class Xxh128 {
  public:
    Xxh128();
    ~Xxh128();
    Xxh128(const Xxh128&) = delete;
    Xxh128& operator=(const Xxh128&) = delete;

    void add(std::span<const std::byte> bytes);
    /// 32 hexadecimal digits: the hash of all bytes so far.
    std::string digest() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace trainyard::files
