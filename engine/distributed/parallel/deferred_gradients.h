// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Gradients of weights that are put off: backward makes the gradients of its inputs, which the pipeline stage before waits for, and what is
// left is done later (ActionKind::backward_weight). Kernels hand over each such product; without anybody who puts it off it is made
// at once. Qi et al., "Zero bubble pipeline parallelism", 2024.

#include <functional>
#include <utility>
#include <vector>

namespace trainyard::parallel {

class DeferredGradients {
  public:
    /// Makes a weight's gradient, now or when run() is called, in the order in which they came.
    static void make(std::function<void()> work);

    void run();
    bool empty() const { return work_.empty(); }

    /// Puts off what this thread's backward makes, for as long as it lives.
    class Scope {
      public:
        explicit Scope(DeferredGradients& target);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        DeferredGradients* before_;
    };

  private:
    std::vector<std::function<void()>> work_;
};

}  // namespace trainyard::parallel
