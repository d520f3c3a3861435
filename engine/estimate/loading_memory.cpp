// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/loading_memory.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "estimate/architectures.h"
#include "estimate/known_model.h"
#include "formats/weights/weight_source.h"
#include "models/spec/tasks.h"

namespace trainyard::estimate {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostNames = 1000;

struct TreeSizes {
    /// Elements; a shared weight counts once per use, as transformers counts a model on the meta device.
    double parameters = 0;
    double bytes = 0;  ///< parameters and buffers, in fp32
    double largest_layer = 0;
    std::vector<std::string> layers;  ///< names of all layers of that size, at most a thousand of each kind
};

void add_tensors(const Module& module, double count, TreeSizes& sizes) {
    for (const ModuleTensor& tensor : module.tensors) {
        sizes.bytes += count * tensor.elements() * tensor.element_bytes;
        sizes.parameters += tensor.buffer ? 0 : count * tensor.elements();
    }
    for (const Module& child : module.children)
        add_tensors(child, count * static_cast<double>(child.repeat), sizes);
}

double bytes_of(const Module& module) {
    TreeSizes sizes;
    add_tensors(module, 1, sizes);
    return sizes.bytes;
}

void find_layers(const Module& module, const std::string& path, const std::set<std::string>& no_split,
                 TreeSizes& sizes) {
    for (const Module& child : module.children)
        for (std::int64_t i = 0; i < std::min(child.repeat, kMostNames); ++i) {
            const std::string name = (path.empty() ? "" : path + ".") + families::module_name_at(child, i);
            if (!child.children.empty() && !no_split.contains(child.type)) {
                find_layers(child, name, no_split, sizes);
                continue;
            }
            const double bytes = bytes_of(child);
            if (bytes > sizes.largest_layer)
                sizes.layers.clear();
            if (bytes >= sizes.largest_layer) {
                sizes.largest_layer = bytes;
                sizes.layers.push_back(name);
            }
        }
}

/// As in accelerate.utils.get_max_layer_size, a layer is a module without children or of a class in `no_split`.
TreeSizes sizes_of(const Module& model, const std::set<std::string>& no_split) {
    TreeSizes sizes;
    add_tensors(model, 1, sizes);
    find_layers(model, "", no_split, sizes);
    return sizes;
}

std::string auto_class_of(const std::string& text) {
    const Json json = read_json(text);
    if (!json.is_object())
        return "AutoModel";
    if (auto map = json.find("auto_map"); map != json.end() && map->is_object())
        for (const auto& [name, ignored] : map->items())
            if (name.starts_with("AutoModelFor"))
                return name;
    return "AutoModel";
}

ModelSize size_of(const ModelTree& tree, const std::string& where) {
    const TreeSizes sizes = sizes_of(tree.root, tree.no_split);
    ModelSize size;
    size.model_class = tree.model_class;
    double parameters = sizes.parameters, bytes = sizes.bytes;
    for (const std::vector<std::string>& group : tree.tied)
        for (std::size_t i = 1; i < group.size(); ++i)
            if (const ModuleTensor* tensor = find_parameter(tree.root, group[i])) {
                parameters -= tensor->elements();
                bytes -= tensor->elements() * tensor->element_bytes;
            }
    if (bytes > 9e15)
        throw UserError("{} describes a model of {:.2g} parameters: check its numbers", where, parameters);
    size.parameter_count = static_cast<std::int64_t>(parameters);
    size.total_bytes = static_cast<std::uint64_t>(bytes);
    size.largest_layer = static_cast<std::uint64_t>(sizes.largest_layer);
    size.layers = sizes.layers;
    for (const std::vector<std::string>& group : tree.tied)
        size.tied.insert(size.tied.end(), group.begin(), group.end());
    return size;
}

std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// As Python's str.center: an odd remainder goes to the left if the width is odd.
std::string centred(const std::string& text, std::size_t width) {
    std::size_t length = columns(text), rest = width > length ? width - length : 0;
    std::size_t left = rest / 2 + (rest & width & 1);
    return std::string(left, ' ') + text + std::string(rest - left, ' ');
}

std::string line_of(const char* left, const char* middle, const char* right, const std::vector<std::size_t>& widths) {
    std::string line = left;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        for (std::size_t k = 0; k < widths[i]; ++k)
            line += "─";
        line += i + 1 < widths.size() ? middle : right;
    }
    return line;
}

}  // namespace

ModelSize model_size(const std::string& config_json, const std::string& where) {
    return size_of(model_tree(config_json, where, auto_class_of(config_json)), where);
}

ModelSize model_size(const std::string& config_json, const std::string& where, const std::string& auto_class) {
    return size_of(model_tree(config_json, where, auto_class), where);
}

ModelSize model_size(const families::ModelConfig& model) {
    require_listed_tensors(model);
    return size_of(families::model_tree(model, families::auto_class(model.task)), "the recipe");
}

namespace {

/// `no_split`: classes of modules that stay on one device.
ModelSize size_of_stored(const std::filesystem::path& weights, const std::set<std::string>& no_split) {
    const std::unique_ptr<weights::WeightSource> source = weights::open_weights(weights);
    std::vector<ModuleTensor> tensors;
    for (const weights::SourceTensor& tensor : source->tensors())
        tensors.push_back({tensor.name, tensor.shape, false, 4});
    const TreeSizes sizes = sizes_of(families::tree_of_names(tensors, true), no_split);
    ModelSize size;
    size.model_class = source->kind();
    size.notes = source->notes();
    size.parameter_count = static_cast<std::int64_t>(sizes.parameters);
    size.total_bytes = static_cast<std::uint64_t>(sizes.bytes);
    size.largest_layer = static_cast<std::uint64_t>(sizes.largest_layer);
    size.layers = sizes.layers;
    return size;
}

}  // namespace

ModelSize model_size_of_file(const std::filesystem::path& weights) {
    return size_of_stored(weights, {families::kNumbered});
}

ModelSize timm_size_of_file(const std::filesystem::path& weights) {
    return size_of_stored(weights, {});
}

double DtypeRow::training() const {
    return std::max({weights, gradients, optimizer, step});
}

namespace {

/// A magnitude of 4 bytes for each 64 elements; or one of a byte, and of 256 of these 4 bytes.
constexpr double kFourBit = 0.5 + 4.0 / 64, kFourBitDouble = 0.5 + 1.0 / 64 + 4.0 / (64 * 256);

struct ElementBytes {
    const char* dtype;
    double bytes;
};
constexpr ElementBytes kElementBytes[] = {{"float32", 4},    {"float16", 2},    {"bfloat16", 2},
                                          {"fp8", 1},        {"int8", 1},       {"int4", 0.5},
                                          {"nf4", kFourBit}, {"fp4", kFourBit}, {"nf4_double", kFourBitDouble}};

}  // namespace

const std::vector<std::string>& dtype_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const ElementBytes& row : kElementBytes)
            all.emplace_back(row.dtype);
        return all;
    }();
    return names;
}

DtypeRow dtype_row(const ModelSize& size, const std::string& dtype) {
    const auto* found =
        std::ranges::find_if(kElementBytes, [&](const ElementBytes& element) { return element.dtype == dtype; });
    if (found == std::end(kElementBytes))
        throw UserError("unknown dtype '{}'{}", dtype, text::did_you_mean(dtype, dtype_names()));
    const double share = found->bytes / 4;
    auto whole = static_cast<double>(size.total_bytes);
    DtypeRow row;
    row.dtype = dtype;
    row.largest_layer = static_cast<double>(size.largest_layer) * share;
    row.total = whole * share;
    // Mixed precision keeps weights and moments in fp32 and adds a copy of the gradients in half precision.
    row.trainable = found->bytes >= 2;
    if (row.trainable) {
        row.weights = whole;
        row.optimizer = 2 * whole;
        row.gradients = dtype == "float32" ? whole : 1.5 * whole;
        row.step = dtype == "float32" ? 4 * whole : 2 * whole;
    }
    return row;
}

std::string loading_size(double bytes) {
    constexpr const char* kUnits[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit)
        bytes /= 1024;
    std::string number = fmt::format("{:.2f}", bytes);
    while (number.ends_with('0'))
        number.pop_back();
    if (number.ends_with('.') && unit == 0)
        number.pop_back();
    else if (number.ends_with('.'))
        number += '0';
    return number + " " + kUnits[unit];
}

std::vector<std::string> loading_table(const std::string& name, const std::vector<DtypeRow>& rows) {
    std::vector<std::vector<std::string>> cells{{"dtype", "Largest Layer", "Total Size", "Training using Adam"}};
    for (const DtypeRow& row : rows)
        cells.push_back({row.dtype, loading_size(row.largest_layer), loading_size(row.total),
                         row.trainable ? loading_size(row.training()) : "N/A"});
    std::vector<std::size_t> widths(4, 0);
    for (const auto& line : cells)
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], columns(line[i]));
    std::string title = fmt::format("Memory Usage for loading `{}`", name);
    const std::size_t cells_width = widths[0] + widths[1] + widths[2] + widths[3], length = columns(title);
    // Accelerate widens the last column for a long title by twice the difference between title and frame.
    if (length > cells_width)
        widths[3] += 2 * (std::max(length, cells_width + 5) - std::min(length, cells_width + 5));
    std::size_t inside = widths[0] + widths[1] + widths[2] + widths[3] + 3;
    if (length > inside) {  // here Accelerate's frame is too short
        widths[3] += length - inside;
        inside = length;
    }
    std::vector<std::string> lines{line_of("┌", "─", "┐", widths), "│" + centred(title, inside) + "│",
                                   line_of("├", "┬", "┤", widths)};
    for (const auto& line : cells) {
        std::string text = "│";
        for (std::size_t i = 0; i < widths.size(); ++i)
            text += centred(line[i], widths[i]) + "│";
        lines.push_back(text);
        if (&line == &cells.front())
            lines.push_back(line_of("├", "┼", "┤", widths));
    }
    lines.push_back(line_of("└", "┴", "┘", widths));
    return lines;
}

std::vector<std::string> loading_hints(const std::vector<DtypeRow>& rows) {
    std::vector<std::string> lines{
        fmt::format("Inference takes up to {:.0f} % more than the total size.", 100 * kInferenceShare)};
    std::vector<std::string> figures;
    for (const DtypeRow& row : rows)
        if (!row.trainable)  // four times the weights: themselves, gradients, and two moments
            figures.push_back(fmt::format("{}: {}", row.dtype, loading_size(4 * row.total)));
    if (!figures.empty())
        lines.push_back(fmt::format(
            "Adam cannot train weights of these types; Accelerate's guide gives four times the weights ({}).",
            fmt::join(figures, ", ")));
    return lines;
}

}  // namespace trainyard::estimate
