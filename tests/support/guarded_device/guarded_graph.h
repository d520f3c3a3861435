// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Graphs of the device `guarded` (distributed/parallel/device_graph.h), with the rules of CUDA: captured operators do
// not run before the first replay (they run once, to know the shapes, and the memory of the device is restored), their
// tensors are addresses, and numbers and tensors of the host are those of the capture. What CUDA refuses while it
// captures is refused here: copies between host and device, and results that the host reads or that decide on shapes.

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/Device.h>

namespace trainyard::test {

inline constexpr const char* kNotWhileCapturing = "not permitted while a graph is captured: ";

class GraphCapture {
  public:
    /// The capture on the device of the calling thread; nullptr: there is none, or an operator runs.
    static GraphCapture* current();

    void add(std::function<void()> work) { steps_.push_back(std::move(work)); }
    /// Runs an operator, and adds it.
    void run_and_add(const c10::OperatorHandle& op, torch::jit::Stack* stack,
                     void (*run)(const c10::OperatorHandle&, torch::jit::Stack*));

  private:
    friend class GuardedGraph;
    std::vector<std::function<void()>> steps_;
};

/// While it lives, what the calling thread does is a part of an operator and is not captured.
class WithinOperator {
  public:
    WithinOperator();
    ~WithinOperator();
    WithinOperator(const WithinOperator&) = delete;
    WithinOperator& operator=(const WithinOperator&) = delete;

  private:
    bool before_;
};

/// A tensor at the same address, which does not keep the memory; of a tensor of the host a copy.
at::Tensor without_owner(const at::Tensor& tensor);

}  // namespace trainyard::test
