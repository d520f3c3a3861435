// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model of any task that is loaded to be used: a checkpoint of a run, a folder of transformers, a run (its newest
// whole checkpoint), or an adapter of PEFT's layout, which names its model. With adapters beside it.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <trainyard/compiled_model.h>

#include "base/message.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/adapter_file.h"
#include "config/recipe/recipe.h"
#include "inference/dispatch/load_checkpoint.h"
#include "inference/dispatch/pipeline_inference.h"
#include "models/nn/model.h"

namespace trainyard::compiled {
class CompiledBlocks;
}

namespace trainyard::generate {

struct AdapterSource {
    std::filesystem::path folder;  ///< with adapter_config.json and adapter_model.safetensors, as PEFT writes them
    double weight = 1;             ///< factor of its contribution

    void fields(auto& field) const {
        field("path", folder).required();
        field("weight", weight);
    }
};

/// An adapter of a model, with the tensors of its file (inputs::AdapterFile::source()) by the parameters that they are
/// for.
struct LoadedAdapter {
    AdapterSource from;
    inputs::AdapterConfig config;
    inputs::AdapterFile file;
    std::vector<std::pair<std::size_t, parallel::Parameter*>> own;    ///< parameters of the adapter
    std::vector<std::pair<std::size_t, parallel::Parameter*>> whole;  ///< parameters of the model that it replaces
    std::vector<Message> warnings;
};

/// Placement and dtypes of the weights; names and meanings are those of Accelerate's load_checkpoint_and_dispatch.
struct ModelPlacement {
    std::string device_map =
        "cpu";  ///< auto, balanced, balanced_low_0, sequential, a device, or a JSON file with a map
    std::map<std::string, std::string> max_memory = {};  ///< by device: {"cpu", "200MB"}
    std::vector<std::string> no_split_module_classes = {};
    std::filesystem::path offload_folder = {};
    bool offload_buffers = false;
    std::string dtype = "float32";   ///< float32, bfloat16, float16, auto (the checkpoint's)
    std::string storage_dtype = {};  ///< float8_e4m3fn, float8_e5m2, bfloat16, float16: layerwise casting; empty: dtype
    std::string accelerator = {};    ///< kind of the devices that have numbers alone; empty: cuda
    std::string device_library = {};  ///< that brings an accelerator of another kind
    /// AOTInductor packages: of the whole model (token ids in, logits out), or of one of its blocks, used for each.
    std::filesystem::path compiled = {}, compiled_blocks = {};

    void fields(auto& field) const {
        field.no_other_keys();
        field("device_map", device_map)("max_memory", max_memory)("no_split_module_classes", no_split_module_classes);
        field("offload_folder", offload_folder)("offload_buffers", offload_buffers)("dtype", dtype);
        field("storage_dtype", storage_dtype)("accelerator", accelerator)("device_library", device_library);
        field("compiled", compiled)("compiled_blocks", compiled_blocks);
    }
};

struct ModelSource {
    std::filesystem::path path;
    std::filesystem::path tokenizer;  ///< tokenizer.json, or a folder with one; empty: the one in `path`, else bytes
    std::vector<AdapterSource> adapters;  ///< side by side
    ModelPlacement placement = {};
    parallel::Communicator* ranks =
        nullptr;  ///< each computes a stage of the model, and holds the weights of it alone; null: this one
};

class LoadedModel {
  public:
    /// Reads everything. Throws UserError with the file and what is wrong with it.
    explicit LoadedModel(const ModelSource& source);
    ~LoadedModel();
    LoadedModel(const LoadedModel&) = delete;
    LoadedModel& operator=(const LoadedModel&) = delete;

    /// The checkpoint that was loaded.
    const std::filesystem::path& folder() const { return folder_; }
    /// Folders that may hold a tokenizer: the adapter that was named in the model's place, then the model.
    const std::vector<std::filesystem::path>& folders() const { return folders_; }
    const config::ModelRecipe& config() const { return config_; }
    const models::Model& model() const { return *model_; }
    const std::vector<LoadedAdapter>& adapters() const { return adapters_; }
    std::int64_t parameter_count() const;
    /// Placement of the weights. Not for a model in pipeline stages.
    const dispatch::Dispatched& dispatched() const { return *dispatched_; }
    const dispatch::DeviceMap& device_map() const { return map_; }
    c10::Device first_device() const { return dispatched_ ? dispatched_->first_device() : c10::Device(at::kCPU); }
    /// The stages of a model that ranks compute together; else null.
    dispatch::PipelinedModel* stages() const { return stages_.get(); }
    /// Whether a compiled package computes the model or its blocks.
    bool is_compiled() const { return package_ != nullptr; }
    /// Appends tokens to the sequences of a cache and returns their logits, as NextLogits (generate.h) does. Packages
    /// have no cache of keys and values: the whole sequences are computed. Only if is_compiled().
    at::Tensor next_compiled(const at::Tensor& tokens, parallel::KeyValueCache& cache) const;
    /// Sentences on the device map and the checkpoint.
    const std::vector<Message>& warnings() const { return warnings_; }

  private:
    void place(const ModelSource& source);
    void open_package(const ModelSource& source);
    void use_package(const ModelPlacement& placement);

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> folders_;
    config::ModelRecipe config_;
    std::unique_ptr<models::Model> model_;
    std::vector<LoadedAdapter> adapters_;
    dispatch::DeviceMap map_;
    std::unique_ptr<dispatch::Dispatched> dispatched_;
    std::unique_ptr<dispatch::PipelinedModel> stages_;
    std::unique_ptr<compiled::CompiledModel> package_;
    std::unique_ptr<compiled::CompiledBlocks> compiled_blocks_;  ///< empty: the package is the whole model
    std::vector<Message> warnings_;
};

}  // namespace trainyard::generate
