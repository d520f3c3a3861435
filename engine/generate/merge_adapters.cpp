#include "generate/merge_adapters.h"

#include <ATen/core/grad_mode.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/model_export.h"
#include "families/config_file.h"
#include "inputs/model_folder.h"
#include "models/kernels/low_rank_product.h"
#include "tensors/dtype.h"
#include "weights/model_files.h"

namespace trainyard::generate {

namespace fs = std::filesystem;

namespace {

void copy_model_files(const fs::path& from, weights::ModelFiles which, const fs::path& output) {
    for (const weights::ModelFile& file : weights::model_files(from, which)) {
        if (file.name == "config.json")
            continue;  // the model's own, written by it
        make_private_folder((output / file.name).parent_path());
        write_file_atomically(output / file.name, read_file(file.path, 256u << 20), true, 0644);
    }
}

}  // namespace

void merge_adapters(const ModelSource& source, const fs::path& output, const std::string& max_shard_size) {
    at::NoGradGuard no_grad;
    const LoadedModel model(source);
    NamedTensors weights;
    bool any = false;
    for (const parallel::Unit* unit : model.model().units()) {
        for (const parallel::Parameter* parameter : unit->parameters()) {
            if (parameter->name().find(".lora_") != std::string::npos)
                continue;
            at::Tensor value = parameter->value().clone();
            for (const parallel::LowRank& adapter : parameter->adapters()) {
                value.add_(models::low_rank_matrix(*parameter, adapter));
                any = true;
            }
            weights.emplace_back(parameter->name(), std::move(value));
        }
        for (const auto& buffer : unit->buffers())
            weights.emplace_back(buffer->name, buffer->value);
    }
    if (!any)
        throw UserError(model.folder().string() + " has no adapter, and none was named: there is nothing to merge");
    checkpoint::ExportOptions options;
    options.max_shard_size = max_shard_size;
    checkpoint::save_model(weights, output, options);
    const std::string dtype = dtype_name(weights.front().second.scalar_type());
    write_file_atomically(output / "config.json",
                          families::write_config(model.model().config(), inputs::config_text(model.folder()), dtype),
                          true, 0644);
    for (auto folder = model.folders().rbegin(); folder != model.folders().rend(); ++folder)
        copy_model_files(*folder, weights::ModelFiles::all, output);
    if (!source.tokenizer.empty())
        copy_model_files(source.tokenizer, weights::ModelFiles::tokenizer, output);
}

}  // namespace trainyard::generate
