// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text_file.h"
#include "formats/onnx/onnx_model.h"
#include "observe/graph/graph.h"
#include "observe/inspect/reader.h"
#include "run/spec.h"

namespace trainyard::graph {

bool is_graph_file(const std::filesystem::path& path) {
    return onnx::has_onnx_name(path) || is_export_file(path);
}

Graph open_graph(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    if (onnx::has_onnx_name(path))
        return graph_of_onnx(path);
    if (ending == ".pt2" || is_export_file(path))
        return graph_of_export(path);
    if (ending == ".yaml" || ending == ".yml")
        return run::is_spec_file(path) ? graph_of_run(path) : graph_of_recipe(text::read_text_file(path), path);
    if (ending == ".json" && path.filename() != "model.safetensors.index.json")
        return graph_of_config_file(path);
    const inspect::Contents contents = inspect::read_contents(path);
    return graph_of_checkpoint(inspect::Reader(contents));
}

}  // namespace trainyard::graph
