#include "estimate/loading_memory.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "config/gpt2_shapes.h"

namespace trainyard::estimate {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kLargestNumber = 1'000'000'000;  ///< of a size in a configuration; products are checked too

struct Gpt2Config {
    config::ModelRecipe model;
    bool cross_attention = false;
    bool tied = true;
};

/// GPT-2's configuration, under its own names or those that all models share.
class Gpt2Reader {
  public:
    Gpt2Reader(const Json& json, const std::string& where) : json_(json), where_(where) {}

    Gpt2Config read() {
        Gpt2Config config;
        config::ModelRecipe& model = config.model;
        model.vocab_size = number({"vocab_size"}, 50257);
        model.n_positions = number({"n_positions", "max_position_embeddings"}, 1024);
        model.n_embd = number({"n_embd", "hidden_size"}, 768);
        model.n_layer = number({"n_layer", "num_hidden_layers"}, 12);
        model.n_head = number({"n_head", "num_attention_heads"}, 12);
        model.n_inner = number({"n_inner"}, 0);
        config.cross_attention = truth("add_cross_attention", false);
        config.tied = truth("tie_word_embeddings", true);
        if (model.n_embd % std::max<std::int64_t>(model.n_head, 1) != 0)
            fail("n_embd", fmt::format("{} is not divisible by n_head, {}", model.n_embd, model.n_head));
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
        return config;
    }

  private:
    void fail(const std::string& key, const std::string& message) { problems_.push_back({where_, 0, 0, key, message}); }
    std::int64_t number(std::initializer_list<const char*> names, std::int64_t otherwise) {
        for (const char* name : names) {
            auto found = json_.find(name);
            if (found == json_.end() || found->is_null())
                continue;
            if (!found->is_number_integer() || found->get<double>() < 1 ||
                found->get<double>() > static_cast<double>(kLargestNumber)) {
                fail(name, fmt::format("must be a whole number from 1 to {}", kLargestNumber));
                return 1;
            }
            return found->get<std::int64_t>();
        }
        return otherwise;
    }
    bool truth(const char* name, bool otherwise) {
        auto found = json_.find(name);
        if (found == json_.end() || found->is_null())
            return otherwise;
        if (!found->is_boolean())
            fail(name, "must be true or false");
        return found->is_boolean() ? found->get<bool>() : otherwise;
    }

    const Json& json_;
    const std::string& where_;
    std::vector<Problem> problems_;
};

/// Elements of a shape, times `count`; a configuration may claim anything.
double elements(const std::vector<std::int64_t>& shape) {
    double product = 1;
    for (std::int64_t size : shape)
        product *= static_cast<double>(size);
    return product;
}

ModelSize gpt2_size(const Gpt2Config& config, bool head, const std::string& where) {
    const config::ModelRecipe& model = config.model;
    config::ModelRecipe one_layer = model;
    one_layer.n_layer = 1;  // all are alike, and a configuration may claim a billion of them
    double tokens = 0, positions = 0, block = 0, norm = 0;
    for (const config::ParameterShape& parameter : config::gpt2_shapes(one_layer)) {
        double count = elements(parameter.shape);
        if (parameter.name.starts_with("transformer.h."))
            block += count;
        else if (parameter.name.starts_with("transformer.wte"))
            tokens += count;
        else if (parameter.name.starts_with("transformer.wpe"))
            positions += count;
        else
            norm += count;
    }
    auto width = static_cast<double>(model.n_embd);
    if (config.cross_attention)  // keys and values of the other sequence, queries, projection, norm
        block += width * 2 * width + 2 * width + 2 * (width * width + width) + 2 * width;
    double total = tokens + positions + static_cast<double>(model.n_layer) * block + norm;
    if (head && !config.tied)
        total += tokens;
    if (total * 4 > 9e15)
        throw UserError(fmt::format("{} describes a model of {:.2g} parameters: check its numbers", where, total));

    ModelSize size;
    size.model_class = head ? "GPT2LMHeadModel" : "GPT2Model";
    size.parameter_count = static_cast<std::int64_t>(total);
    size.total_bytes = static_cast<std::uint64_t>(total) * 4;
    std::string prefix = head ? "transformer." : "";
    std::vector<std::pair<std::string, double>> layers{{prefix + "wte", tokens}, {prefix + "wpe", positions}};
    for (std::int64_t layer = 0; layer < std::min<std::int64_t>(model.n_layer, 1000); ++layer)
        layers.emplace_back(fmt::format("{}h.{}", prefix, layer), block);
    layers.emplace_back(prefix + "ln_f", norm);
    if (head)
        layers.emplace_back("lm_head", tokens);
    double largest = 0;
    for (const auto& [name, count] : layers)
        largest = std::max(largest, count);
    for (const auto& [name, count] : layers)
        if (count == largest)
            size.layers.push_back(name);
    size.largest_layer = static_cast<std::uint64_t>(largest) * 4;
    if (head && config.tied)
        size.tied = {"lm_head.weight", "transformer.wte.weight"};
    return size;
}

Json parse_config(const std::string& text, const std::string& where) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object())
        throw UserError(fmt::format("{} is no configuration of a model: it is no JSON object", where));
    if (auto type = json.find("model_type"); type == json.end() || !type->is_string())
        throw UserError(fmt::format("{} is no configuration of a model: it has no model_type", where));
    return json;
}

std::string auto_class_of(const Json& json) {
    if (auto map = json.find("auto_map"); map != json.end() && map->is_object())
        for (const auto& [name, ignored] : map->items())
            if (name.starts_with("AutoModelFor"))
                return name;
    return "AutoModel";
}

ModelSize size_of(const Json& json, const std::string& where, const std::string& auto_class) {
    auto type = json["model_type"].get<std::string>();
    if (type != "gpt2")
        throw UserError(
            fmt::format("{} describes a model of type '{}', and this version estimates gpt2 only", where, type));
    if (auto_class != "AutoModel" && auto_class != "AutoModelForCausalLM")
        throw UserError(fmt::format(
            "{} is to be loaded with {}, and this version estimates AutoModel and AutoModelForCausalLM only", where,
            auto_class));
    return gpt2_size(Gpt2Reader(json, where).read(), auto_class == "AutoModelForCausalLM", where);
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
    Json json = parse_config(config_json, where);
    return size_of(json, where, auto_class_of(json));
}

ModelSize model_size(const std::string& config_json, const std::string& where, const std::string& auto_class) {
    return size_of(parse_config(config_json, where), where, auto_class);
}

ModelSize model_size(const config::ModelRecipe& model) {
    return gpt2_size({model, false, true}, true, "the recipe");
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
