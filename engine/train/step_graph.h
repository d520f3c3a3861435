// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// StepGraph: forward and backward of a step's micro-batches as one graph of the device (CUDA graphs,
// distributed/parallel/device_graph.h), with training.cuda_graph. The first steps warm up the device's libraries
// without it, as torch recommends; then the passes are captured once, and every step copies its batches and numbers to
// where the graph reads them and replays it. The update (norm, clipping, health, optimizer) is not captured: the host
// decides on it.
//
// What differs from step to step is on the device:
//
// - the tensors of the batches, in buffers with the shapes of the capture;
// - step and first sample, which seed dropout: StepContext::counters;
// - the factor of the loss, fp16's loss scale included: the gradient of the root.
//
// The passes compute the same values with and without a graph, to the bit. config/recipe/graph_checks.cpp lists the
// recipes that cannot be captured.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/device_graph.h"
#include "distributed/parallel/flat_group.h"
#include "train/data_loader.h"

namespace trainyard::train {

class StepGraph {
  public:
    /// `arena` has the parameters and outlives the graph. Throws UserError for a device without graphs.
    StepGraph(at::Device device, std::int64_t micro_batches, parallel::FlatArena& arena);
    StepGraph(const StepGraph&) = delete;
    StepGraph& operator=(const StepGraph&) = delete;

    /// Counts a step. Returns false for the first steps, which run without the graph.
    bool is_due() { return ++steps_ > kWarmUpSteps; }
    /// Copies what the next replay reads: the micro-batches of a step, its number, and the factor of the loss. Throws
    /// UserError for batches with masks, or of other shapes than the capture had.
    void set_inputs(const std::vector<Batch>& batches, std::int64_t step, double loss_factor);
    bool is_captured() const { return captured_; }
    /// Captures `passes`, which uses the accessors below. Throws UserError with what cannot be captured.
    void capture(const std::function<void()>& passes);
    /// Runs the passes. The gradients are those that the passes add to parameters without any.
    void replay();

    // --- for the passes while they are captured
    bool is_capturing() const { return capturing_; }
    const Batch& batch(int micro_batch) const { return batches_.at(static_cast<std::size_t>(micro_batch)); }
    /// StepContext::counters.
    at::Tensor counters(int micro_batch) const { return counters_.select(0, micro_batch); }
    /// 0-dim float64.
    const at::Tensor& loss_factor() const { return loss_factor_; }

  private:
    static constexpr std::int64_t kWarmUpSteps = 3;

    at::Device device_;
    parallel::FlatArena& arena_;
    std::unique_ptr<parallel::DeviceGraph> graph_;
    std::vector<Batch> batches_;  ///< buffers that the graph reads; empty before set_inputs()
    at::Tensor counters_;         ///< [micro-batches, 2] int64
    at::Tensor loss_factor_;
    std::vector<parallel::Parameter*> written_;  ///< parameters that the passes add gradients to
    std::int64_t steps_ = 0;
    bool captured_ = false, capturing_ = false;
};

}  // namespace trainyard::train
