// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Inference with an AOTInductor package (.pt2), which PyTorch compiles from an exported module:
//
//     exported = torch.export.export(module, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
//     torch._inductor.aoti_compile_and_package(exported, package_path="module.pt2")
//
//     compiled::CompiledModel module("module.pt2");
//     at::Tensor result = module.run({x}).at(0);
//
// A package is machine code that runs with the rights of this process. Load packages only that you made or trust, as
// you would a shared library. Nothing loads one that was not named.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "base/message.h"

namespace trainyard::compiled {

/// Name, shape and dtype of a weight.
struct WeightShape {
    /// Its name in the module that was exported, or a part of that after a common prefix.
    std::string name;
    /// The sizes of its dimensions.
    std::vector<std::int64_t> shape;
    /// The type that it has where the package computes.
    at::ScalarType dtype = at::kFloat;
    /// Other names that the package may have for it: tied weights are stored once.
    std::vector<std::string> aliases = {};
};

/// A compiled module. Not thread-safe.
class CompiledModel {
  public:
    /// Loads a package, which must have been compiled for this kind of device and processor and by a version of PyTorch
    /// that the linked LibTorch accepts. Throws UserError with the file and what does not fit. Sets
    /// $AOTI_RUNTIME_CHECK_INPUTS, so that inputs of a wrong shape are refused instead of being read beyond their end.
    explicit CompiledModel(const std::filesystem::path& package, c10::Device device = at::kCPU);
    ~CompiledModel();
    CompiledModel(const CompiledModel&) = delete;
    CompiledModel& operator=(const CompiledModel&) = delete;

    /// Returns the outputs of the module, without gradients. Throws UserError if the inputs do not fit.
    std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs);
    /// Number of calls of run().
    std::int64_t runs() const { return runs_; }

    /// Returns why the package cannot compute with such weights, or an empty message. All of them must be in the
    /// package; what else the package has (tables of positions, masks) keeps its values.
    Message why_not(const std::vector<WeightShape>& weights) const;
    /// Computes with these tensors from now on, instead of the values in the package. They are not copied, and must be
    /// on the device of the package. Throws UserError as why_not() says.
    void use_weights(const std::vector<WeightShape>& weights, const std::vector<at::Tensor>& values);

    /// The file that was loaded.
    const std::filesystem::path& package() const { return package_; }

  private:
    struct Loaded;
    std::filesystem::path package_;
    std::unique_ptr<Loaded> loaded_;
    std::int64_t runs_ = 0;
};

}  // namespace trainyard::compiled
