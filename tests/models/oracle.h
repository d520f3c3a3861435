// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Helpers of tests that put a kernel beside LibTorch's plain operations.

#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include <gtest/gtest.h>

#include "base/instruction_set.h"

namespace trainyard::test {

/// Tests that run once for each instruction set: one that this processor lacks is reported as skipped, by its name.
class OnInstructionSet {
  public:
    void use(InstructionSet set) {
        if (set > best_instruction_set())
            GTEST_SKIP() << "this processor has no " << to_string(set);
        used_.emplace(set);
    }

  private:
    std::optional<UseInstructionSet> used_;
};

/// ||a - b|| / ||b||
inline double distance(const at::Tensor& a, const at::Tensor& b) {
    at::Tensor reference = b.to(at::kDouble);
    return (a.to(at::kDouble).sub(reference).norm().item<double>()) / (reference.norm().item<double>() + 1e-30);
}

/// A copy that autograd writes a gradient to.
inline at::Tensor leaf(const at::Tensor& x, at::ScalarType type) {
    at::Tensor copy = x.detach().to(type).clone();
    copy.set_requires_grad(true);
    return copy;
}

}  // namespace trainyard::test
