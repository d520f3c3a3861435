// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner.h>
#include <torch/headeronly/version.h>

#include <dlfcn.h>
#include <trainyard/compiled_model.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"
#include "inference/compiled/package_files.h"

namespace trainyard::compiled {

namespace {

using torch::inductor::AOTIModelContainerRunner;

/// Reason of LibTorch's error, without its stack trace and its own call: "run_func_(...) API call failed at ..., line
/// 361".
Message reason_of(const std::exception& error) {
    const auto* own = dynamic_cast<const c10::Error*>(&error);
    const std::string reason = own != nullptr ? own->what_without_backtrace() : error.what();
    const std::size_t call = reason.find("API call failed at"), line = reason.find(", line ", call);
    if (call == std::string::npos || line == std::string::npos)
        return Message::verbatim(reason);
    const std::size_t rest = reason.find_first_not_of("0123456789.:, \n", line + std::string_view(", line ").size());
    return rest == std::string::npos ? Message("its code reports an error, and wrote the reason to standard error")
                                     : Message::verbatim(reason.substr(rest));
}

Message why_not_loaded(const Message& message) {
    const std::string& reason = message.text();
    constexpr std::string_view kUndefined = "undefined symbol: ";
    if (const std::size_t at = reason.find(kUndefined); at != std::string::npos) {
        const std::string name = reason.substr(at + kUndefined.size());
        return Message("it needs {} of another version of PyTorch, and this is LibTorch {}: compile it with PyTorch {}",
                       name.substr(0, name.find_first_of(" \n)")), TORCH_VERSION, TORCH_VERSION);
    }
    // A file system that is mounted with noexec.
    if (reason.find("failed to map segment") != std::string::npos)
        return Message("the temporary folder {} forbids executing: set TMPDIR to another folder",
                       std::filesystem::temp_directory_path().string());
    return Message("{} (compile it with PyTorch {})", message, TORCH_VERSION);
}

std::unique_ptr<AOTIModelContainerRunner> make_runner(const std::filesystem::path& package, const PackageFiles& files,
                                                      c10::Device device) {
    const auto& makers = torch::inductor::getAOTIModelRunnerRegistry();
    const auto maker = makers.find(c10::DeviceTypeName(device.type(), true));
    if (maker == makers.end())
        throw UserError("{}: the LibTorch that is loaded runs no compiled packages on '{}'", package.string(),
                        device.str());
    // LibTorch binds functions when they are called first, and a missing one would then end the process.
    void* library = ::dlopen(files.library().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = ::dlerror();
        throw UserError("{} cannot be loaded: {}", package.string(),
                        why_not_loaded(Message::verbatim(reason == nullptr ? "no reason given" : reason)));
    }
    try {
        auto runner = maker->second(files.library().string(), 1, device.str(), files.folder().string(), false);
        ::dlclose(library);  // the runner has it open
        return runner;
    } catch (const std::exception& error) {
        ::dlclose(library);
        throw UserError("{} cannot be loaded: {}", package.string(), why_not_loaded(reason_of(error)));
    }
}

std::string shape_text(c10::IntArrayRef sizes) {
    std::string text = "[";
    for (const std::int64_t size : sizes)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

bool ends_with_name(std::string_view whole, std::string_view name) {
    return whole.ends_with(name) && (whole.size() == name.size() || whole[whole.size() - name.size() - 1] == '.');
}

}  // namespace

struct CompiledModel::Loaded {
    struct Constant {
        std::string name;  ///< inside the package
        std::vector<std::int64_t> shape;
        at::ScalarType dtype = at::kFloat;
    };

    Loaded(const std::filesystem::path& package, c10::Device where)
        : device(where), files(package, where), runner(make_runner(package, files, where)) {
        std::unordered_map<std::string, at::Tensor> values = runner->extract_constants_map(false);
        for (const auto& [name, own_name] : runner->getConstantNamesToOriginalFQNs())
            if (const auto value = values.find(own_name); value != values.end())
                constants[own_name] = {name, value->second.sizes().vec(), value->second.scalar_type()};
    }

    /// The prefix of the names of most weights in the package.
    std::string prefix_of(const std::vector<WeightShape>& weights) const {
        std::map<std::string, int> found;
        for (const WeightShape& weight : weights)
            for (const auto& [name, constant] : constants)
                if (ends_with_name(name, weight.name))
                    ++found[name.substr(0, name.size() - weight.name.size())];
        const auto best = std::ranges::max_element(found, {}, [](const auto& entry) { return entry.second; });
        return best == found.end() ? std::string() : best->first;
    }
    const Constant* find(const std::string& prefix, const WeightShape& weight) const {
        if (const auto found = constants.find(prefix + weight.name); found != constants.end())
            return &found->second;
        for (const std::string& alias : weight.aliases)
            if (const auto found = constants.find(prefix + alias); found != constants.end())
                return &found->second;
        return nullptr;
    }

    c10::Device device;
    PackageFiles files;
    std::unique_ptr<AOTIModelContainerRunner> runner;
    std::map<std::string, Constant> constants;  ///< with values in the package, by their names in the module
    /// The package refers to these objects.
    std::unordered_map<std::string, at::Tensor> used;
};

CompiledModel::CompiledModel(const std::filesystem::path& package, c10::Device device) : package_(package) {
    // Read by the package when it runs first; the user's own value counts.
    ::setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 0);
    loaded_ = std::make_unique<Loaded>(package_, device);
}

CompiledModel::~CompiledModel() = default;

std::vector<at::Tensor> CompiledModel::run(const std::vector<at::Tensor>& inputs) {
    const at::NoGradGuard no_grad;
    const c10::OptionalDeviceGuard guard(loaded_->device.is_cpu() ? std::nullopt : std::optional(loaded_->device));
    std::vector<at::Tensor> taken;
    std::vector<Message> shapes;
    for (const at::Tensor& input : inputs) {
        if (input.device() != loaded_->device)
            throw UserError("{} computes on {}, and an input is on {}", package_.string(), loaded_->device.str(),
                            input.device().str());
        taken.push_back(input.detach().contiguous());
        shapes.push_back(Message::verbatim(shape_text(input.sizes())));
    }
    ++runs_;
    try {
        return loaded_->runner->run(taken);
    } catch (const std::exception& error) {
        throw UserError(
            "{} does not compute inputs of the shapes {}: {} (give torch.export dynamic_shapes for sizes that change)",
            package_.string(), Message::joined(shapes, ", "), reason_of(error));
    }
}

Message CompiledModel::why_not(const std::vector<WeightShape>& weights) const {
    const std::string prefix = loaded_->prefix_of(weights);
    for (const WeightShape& weight : weights) {
        const Loaded::Constant* constant = loaded_->find(prefix, weight);
        if (constant == nullptr)
            return Message(
                "{} has no value for the weight '{}': export the module whose weights these are, without "
                "aot_inductor.package_constants_in_so=False and without freezing",
                package_.string(), weight.name);
        if (constant->shape != weight.shape)
            return Message(
                "{} was compiled for '{}' of the shape {}, and the model's has {}: compile it for this model",
                package_.string(), weight.name, shape_text(constant->shape), shape_text(weight.shape));
        if (constant->dtype != weight.dtype)
            return Message("{} computes with '{}' in {}, and the model has {}: load the model in that dtype",
                           package_.string(), weight.name, dtype_name(constant->dtype), dtype_name(weight.dtype));
    }
    return {};
}

void CompiledModel::use_weights(const std::vector<WeightShape>& weights, const std::vector<at::Tensor>& values) {
    if (const Message problem = why_not(weights); !problem.empty())
        throw UserError(problem);
    const std::string prefix = loaded_->prefix_of(weights);
    std::unordered_map<std::string, at::Tensor> used;
    for (std::size_t number = 0; number < weights.size(); ++number) {
        const at::Tensor& value = values.at(number);
        if (value.device() != loaded_->device)
            throw UserError("{} computes on {}, and the weight '{}' is on {}", package_.string(), loaded_->device.str(),
                            weights[number].name, value.device().str());
        used[loaded_->find(prefix, weights[number])->name] = value.detach().contiguous();
    }
    torch::inductor::TensorConstantMap references;
    for (auto& [name, value] : used)
        references[name] = &value;
    try {
        loaded_->runner->update_constant_buffer(references, false, false, true);
    } catch (const std::exception& error) {
        throw UserError("{} does not take other weights: {}", package_.string(), why_not_loaded(reason_of(error)));
    }
    // Weights that an earlier call gave and this one does not are still referred to.
    used.merge(loaded_->used);
    loaded_->used.swap(used);
}

}  // namespace trainyard::compiled
