// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA graphs as a device library exports them (distributed/parallel/device_graph.h).

#include <exception>
#include <memory>
#include <utility>

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "distributed/parallel/device_graph.h"

namespace {

class CudaGraph final : public trainyard::parallel::DeviceGraph {
  public:
    explicit CudaGraph(c10::Device device) : device_(device) {}

    void capture(const std::function<void()>& work) override {
        const c10::cuda::CUDAGuard guard(device_);
        // A capture knows nothing of work that other streams still do.
        c10::cuda::device_synchronize();
        graph_.reset();
        auto graph = std::make_unique<at::cuda::CUDAGraph>();
        {
            // The default stream cannot be captured. Autograd runs a backward pass on the stream of its forward pass.
            const c10::cuda::CUDAStreamGuard stream(c10::cuda::getStreamFromPool(false, device_.index()));
            // Other threads read batches and watch NCCL meanwhile.
            graph->capture_begin(at::cuda::graph_pool_handle(), cudaStreamCaptureModeThreadLocal);
            try {
                work();
            } catch (...) {
                abandon(*graph);
                throw;
            }
            graph->capture_end();
        }
        graph_ = std::move(graph);
    }

    void replay() override {
        const c10::cuda::CUDAGuard guard(device_);
        TORCH_CHECK(graph_ != nullptr, "replay() without a capture");
        graph_->replay();
    }

  private:
    /// Ends a capture that failed: else the stream and the memory pool stay in it.
    static void abandon(at::cuda::CUDAGraph& graph) noexcept {
        try {
            graph.capture_end();
        } catch (const std::exception&) {
            // CUDA reports again that the capture failed. What work() threw is the reason.
        }
        try {
            graph.reset();
        } catch (const std::exception&) {
            // The same.
        }
    }

    c10::Device device_;
    std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) trainyard::parallel::DeviceGraph* trainyard_make_device_graph(
    c10::Device device) {
    return new CudaGraph(device);
}
