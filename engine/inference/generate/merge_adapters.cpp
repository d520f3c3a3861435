// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/merge_adapters.h"

#include <map>
#include <optional>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "checkpoint/model_export.h"
#include "checkpoint/weights.h"
#include "config/inputs/export_form.h"
#include "config/inputs/model_folder.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/model_files.h"
#include "inference/dispatch/stored_weights.h"
#include "inference/generate/adapters.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"

namespace trainyard::generate {

namespace fs = std::filesystem;

namespace {

void copy_model_files(const fs::path& from, weights::ModelFiles which, const fs::path& output) {
    for (const weights::ModelFile& file : weights::model_files(from, which)) {
        if (file.name == "config.json")
            continue;  // the model's own, written by it
        fs::create_directories((output / file.name).parent_path());
        write_file_atomically(output / file.name, read_file(file.path, 256u << 20), true, kUserFileMode);
    }
}

/// Nothing for auto: each weight has its own, or those of a training's checkpoint that of the training's base.
std::optional<at::ScalarType> written_type(const std::string& name, const fs::path& model) {
    if (name == "auto")
        return dtype_of_name(inputs::read_export_form(model).dtype);
    const std::optional<at::ScalarType> type = dtype_of_name(name);
    if (!type || (*type != at::kFloat && *type != at::kBFloat16 && *type != at::kHalf))
        throw UserError("dtype '{}' cannot be written: give float32, bfloat16, float16 or auto", name);
    return type;
}

/// The weights of the folder with what the adapters change, in their types.
class Merge {
  public:
    Merge(const LoadedModel& model, std::optional<at::ScalarType> type)
        : model_(model), type_(type), source_(weights::open_model(model.folder())) {
        for (std::size_t i = 0; i < source_->tensors().size(); ++i)
            by_name_.emplace(source_->tensors()[i].name, i);
        for (const dispatch::ModelTensor& tensor : dispatch::tensors_of(model.model()))
            if (!tensor.is_adapter())
                add(tensor);
    }

    const NamedTensors& weights() const { return weights_; }
    /// The type of most bytes of the weights.
    at::ScalarType type() const {
        std::map<at::ScalarType, std::size_t> bytes;
        for (const auto& [name, tensor] : weights_)
            if (tensor.is_floating_point())
                bytes[tensor.scalar_type()] += tensor.nbytes();
        at::ScalarType most = at::kFloat;
        std::size_t largest = 0;
        for (const auto& [type, count] : bytes)
            if (count > largest) {
                most = type;
                largest = count;
            }
        return most;
    }

  private:
    void add(const dispatch::ModelTensor& tensor) {
        at::Tensor value = stored(tensor.name);
        const at::ScalarType target = type_ && value.is_floating_point() ? *type_ : value.scalar_type();
        if (tensor.parameter == nullptr) {
            weights_.emplace_back(tensor.name, value.to(target));
            return;
        }
        const at::Tensor merged = merged_value(*tensor.parameter, value, target, model_.adapters());
        if (!merged.defined() && target == value.scalar_type()) {
            weights_.emplace_back(tensor.name, std::move(value));
            return;
        }
        const at::Tensor rounded = merged.defined() ? merged : value.to(target);
        if (!at::isfinite(rounded).all().item<bool>() && at::isfinite(value).all().item<bool>())
            throw UserError(
                "{} has values after the merge that {} cannot hold, or that are not "
                "finite: check the adapter, or give --dtype float32",
                tensor.name, dtype_name(target));
        weights_.emplace_back(tensor.name, rounded);
    }

    at::Tensor stored(const std::string& name) const {
        for (const std::string& candidate : families::stored_names(name))
            if (const auto found = by_name_.find(candidate); found != by_name_.end())
                return checkpoint::read_tensor(source_, found->second, model_.folder().string());
        throw UserError("{} has no tensor {}", model_.folder().string(), name);
    }

    const LoadedModel& model_;
    std::optional<at::ScalarType> type_;
    std::shared_ptr<const weights::WeightSource> source_;
    std::map<std::string, std::size_t> by_name_;
    NamedTensors weights_;
};

/// The experts of each block in two tensors (formats/weights/expert_tensors.h).
NamedTensors with_joined_experts(const NamedTensors& weights) {
    std::map<std::string, std::map<std::size_t, std::map<std::string, at::Tensor>>> blocks;
    NamedTensors joined;
    for (const auto& [name, tensor] : weights)
        if (const auto expert = weights::expert_name(name))
            blocks[expert->block][expert->expert][expert->matrix] = tensor;
        else
            joined.emplace_back(weights::joined_router(name), tensor);
    for (const auto& [block, experts] : blocks) {
        std::vector<at::Tensor> gate_up, down;
        for (const auto& [number, matrices] : experts) {
            gate_up.push_back(at::cat({matrices.at("w1"), matrices.at("w3")}));
            down.push_back(matrices.at("w2"));
        }
        joined.emplace_back(weights::joined_name(block, "w1"), at::stack(gate_up));
        joined.emplace_back(weights::joined_name(block, "w2"), at::stack(down));
    }
    return joined;
}

}  // namespace

std::vector<Message> merge_adapters(const ModelSource& given, const fs::path& output, const MergeOptions& options) {
    at::NoGradGuard no_grad;
    if (options.dtype != "auto")
        (void)written_type(options.dtype, {});  // refused before the model is loaded
    ModelSource source = given;
    source.placement.dtype = "auto";  // the values come from the files; the model needs the least memory so
    const LoadedModel model(source);
    if (model.adapters().empty())
        throw UserError("{} has no adapter, and none was named: there is nothing to merge", model.folder().string());
    load_adapters(model.adapters(), at::kFloat);  // not rounded
    const Merge merge(model, written_type(options.dtype, model.folder()));
    checkpoint::ExportOptions export_options;
    export_options.max_shard_size = options.max_shard_size;
    checkpoint::save_model(
        inputs::export_form_of(model.folder()).joined_experts ? with_joined_experts(merge.weights()) : merge.weights(),
        output, export_options);
    write_file_atomically(
        output / "config.json",
        families::write_config(model.model().config(), inputs::config_text(model.folder()), dtype_name(merge.type())),
        true, kUserFileMode);
    for (auto folder = model.folders().rbegin(); folder != model.folders().rend(); ++folder)
        copy_model_files(*folder, weights::ModelFiles::all, output);
    if (!source.tokenizer.empty())
        copy_model_files(source.tokenizer, weights::ModelFiles::tokenizer, output);
    return model.warnings();
}

}  // namespace trainyard::generate
