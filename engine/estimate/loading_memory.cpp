#include "estimate/loading_memory.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "families/config_file.h"

namespace trainyard::estimate {

namespace {

using Json = nlohmann::json;

/// Of one module, which stays on one device: the tensors of an embedding, a block, a norm.
struct Module {
    std::string name;
    double elements = 0;
};

/// "h.7" of "transformer.h.7.ln_1.weight", "wte" of "transformer.wte.weight", "lm_head" of "lm_head.weight".
std::string module_of(const families::TensorShape& tensor, const std::string& prefix) {
    std::string name = tensor.name.starts_with(prefix) ? tensor.name.substr(prefix.size()) : tensor.name;
    std::size_t end = name.find('.');
    if (tensor.part == families::Part::block)
        end = name.find('.', end + 1);
    return name.substr(0, end);
}

ModelSize size_of_model(const families::ModelConfig& config, bool head, const std::string& where) {
    const families::Family& family = families::family_of(config);
    families::ModelConfig one_block = config;
    one_block.n_layer = 1;  // all are alike, and a configuration may claim a billion of them
    const std::string base = family.base_prefix(), prefix = head ? base : "";
    std::vector<Module> modules;
    double total = 0, tied = 0, largest = 0;
    std::string table;  ///< of a tied head
    for (const families::TensorShape& tensor : family.tensors(one_block)) {
        if (!head && !tensor.name.starts_with(base))
            continue;
        double count = 1;
        for (std::int64_t size : tensor.shape)  // their product may be beyond 64 bits
            count *= static_cast<double>(size);
        std::string name = module_of(tensor, base);
        if (tensor.name.starts_with(base))
            name = prefix + name;
        if (modules.empty() || modules.back().name != name)
            modules.push_back({name});
        modules.back().elements += count;
        total += tensor.part == families::Part::block ? count * static_cast<double>(config.n_layer) : count;
        if (tensor.tied_to_head) {
            tied = count;
            table = tensor.name;
        }
    }
    if (head && tied > 0)
        modules.push_back({"lm_head", tied});
    if (total * 4 > 9e15)
        throw UserError(fmt::format("{} describes a model of {:.2g} parameters: check its numbers", where, total));

    ModelSize size;
    size.model_class = head ? family.architecture() : family.base_architecture();
    size.parameter_count = static_cast<std::int64_t>(total);
    size.total_bytes = static_cast<std::uint64_t>(total) * 4;
    for (const Module& module : modules)
        largest = std::max(largest, module.elements);
    for (const Module& module : modules) {
        if (module.elements != largest)
            continue;
        size.layers.push_back(module.name);
        if (module.name.ends_with(".0"))
            for (std::int64_t block = 1; block < std::min<std::int64_t>(config.n_layer, 1000); ++block)
                size.layers.push_back(fmt::format("{}{}", module.name.substr(0, module.name.size() - 1), block));
    }
    size.largest_layer = static_cast<std::uint64_t>(largest) * 4;
    if (head && tied > 0)
        size.tied = {"lm_head.weight", table};
    return size;
}

std::string auto_class_of(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return "AutoModel";
    if (auto map = json.find("auto_map"); map != json.end() && map->is_object())
        for (const auto& [name, ignored] : map->items())
            if (name.starts_with("AutoModelFor"))
                return name;
    return "AutoModel";
}

ModelSize size_of(const std::string& text, const std::string& where, const std::string& auto_class) {
    const families::ConfigFile file = families::read_config(text, where);  // what cannot be trained may be loaded
    if (auto_class != "AutoModel" && auto_class != "AutoModelForCausalLM")
        throw UserError(fmt::format(
            "{} is to be loaded with {}, and this version estimates AutoModel and AutoModelForCausalLM only", where,
            auto_class));
    return size_of_model(file.config, auto_class == "AutoModelForCausalLM", where);
}

std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// As Python's str.center: of an odd rest the left side gets more where the width is odd.
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
    return size_of(config_json, where, auto_class_of(config_json));
}

ModelSize model_size(const std::string& config_json, const std::string& where, const std::string& auto_class) {
    return size_of(config_json, where, auto_class);
}

ModelSize model_size(const families::ModelConfig& model) {
    return size_of_model(model, true, "the recipe");
}

double DtypeRow::training() const {
    return std::max({weights, gradients, optimizer, step});
}

DtypeRow dtype_row(const ModelSize& size, const std::string& dtype) {
    auto found = std::find(kDtypes.begin(), kDtypes.end(), dtype);
    if (found == kDtypes.end())
        throw UserError(fmt::format("unknown dtype '{}'{}", dtype, text::did_you_mean(dtype, kDtypes)));
    double share = 1.0 / static_cast<double>(1 << (found - kDtypes.begin()));
    auto whole = static_cast<double>(size.total_bytes);
    DtypeRow row;
    row.dtype = dtype;
    row.largest_layer = static_cast<double>(size.largest_layer) * share;
    row.total = whole * share;
    // Mixed precision keeps weights and moments in fp32 and adds a copy of the gradients in half.
    row.trainable = dtype == "float32" || dtype == "float16";
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
    std::size_t inside = widths[0] + widths[1] + widths[2] + widths[3] + 3;
    if (columns(title) > inside) {
        widths[3] += columns(title) - inside;
        inside = columns(title);
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

}  // namespace trainyard::estimate
