// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/bnb_config.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "distributed/tensors/dtype.h"

namespace trainyard::dispatch {

namespace {

constexpr std::pair<const char*, at::ScalarType> kTypes[] = {
    {"fp32", at::kFloat}, {"fp16", at::kHalf}, {"bf16", at::kBFloat16}};

std::optional<at::ScalarType> type_named(std::string_view name) {
    for (const auto& [known, type] : kTypes)
        if (name == known || name == std::string("torch.") + dtype_name(type))
            return type;
    return std::nullopt;
}

/// Values of a JSON object by their types.
class Fields {
  public:
    explicit Fields(const nlohmann::json& json) : json_(json) {}

    void read(const char* name, bool& to) {
        if (const auto* value = find(name))
            value->is_boolean() ? void(to = value->get<bool>()) : misfit(name, "true or false", *value);
    }
    void read(const char* name, double& to) {
        if (const auto* value = find(name))
            value->is_number() ? void(to = value->get<double>()) : misfit(name, "a number", *value);
    }
    void read(const char* name, std::string& to) {
        if (const auto* value = find(name))
            value->is_string() ? void(to = value->get<std::string>()) : misfit(name, "a text", *value);
    }
    void read(const char* name, std::vector<std::string>& to) {
        const auto* value = find(name);
        if (value == nullptr)
            return;
        if (value->is_array() && std::ranges::all_of(*value, [](const auto& each) { return each.is_string(); }))
            to = value->get<std::vector<std::string>>();
        else
            misfit(name, "a list of names", *value);
    }
    template <class T>
    void read(const char* name, std::optional<T>& to) {
        T value;
        const auto given = json_.find(name);
        read(name, value);
        if (given != json_.end() && !given->is_null())
            to = std::move(value);
    }

    std::vector<Message> problems() {
        for (const auto& [name, value] : json_.items())
            if (std::ranges::find(known_, name) == known_.end())
                problems_.push_back(
                    Message("{} is not a key of a quantization: there are {}", name, fmt::join(known_, ", ")));
        return std::move(problems_);
    }

  private:
    const nlohmann::json* find(const char* name) {
        if (std::ranges::find(known_, name) == known_.end())
            known_.emplace_back(name);
        const auto found = json_.find(name);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }
    void misfit(const char* name, const Message& wanted, const nlohmann::json& value) {
        problems_.push_back(Message("{} is {}, and has to be {}", name, json_text(value), wanted));
    }

    const nlohmann::json& json_;
    std::vector<std::string> known_;
    std::vector<Message> problems_;
};

std::vector<Message> problems_of(const BnbQuantizationConfig& config) {
    std::vector<Message> problems;
    if (config.load_in_4bit == config.load_in_8bit)
        problems.push_back("set load_in_4bit or load_in_8bit, and one of them alone");
    if (config.bnb_4bit_quant_type != "fp4" && config.bnb_4bit_quant_type != "nf4")
        problems.push_back(Message("bnb_4bit_quant_type is '{}': choose fp4 or nf4", config.bnb_4bit_quant_type));
    if (!(config.llm_int8_threshold >= 0))
        problems.push_back(
            Message("llm_int8_threshold is {}: give a magnitude, or 0 for none", config.llm_int8_threshold));
    for (const auto& [key, type] : {std::pair{"bnb_4bit_compute_dtype", &config.bnb_4bit_compute_dtype},
                                    std::pair{"torch_dtype", config.torch_dtype ? &*config.torch_dtype : nullptr}})
        if (type != nullptr && !type_named(*type))
            problems.push_back(Message("{} is '{}': choose fp32, fp16 or bf16", key, *type));
    return problems;
}

}  // namespace

at::ScalarType BnbQuantizationConfig::compute_type() const {
    return type_named(bnb_4bit_compute_dtype).value_or(at::kHalf);
}

at::ScalarType BnbQuantizationConfig::type() const {
    return torch_dtype ? type_named(*torch_dtype).value_or(at::kHalf) : load_in_8bit ? at::kHalf : compute_type();
}

BnbQuantizationConfig read_bnb_config(std::string_view json) {
    nlohmann::json values;
    try {
        values = parse_json(json);
    } catch (const nlohmann::json::exception&) {
        values = nullptr;
    }
    if (!values.is_object())
        throw UserError("a quantization is a JSON object with the names of BnbQuantizationConfig");
    BnbQuantizationConfig config;
    Fields fields(values);
    fields.read("load_in_8bit", config.load_in_8bit);
    fields.read("llm_int8_threshold", config.llm_int8_threshold);
    fields.read("load_in_4bit", config.load_in_4bit);
    fields.read("bnb_4bit_quant_type", config.bnb_4bit_quant_type);
    fields.read("bnb_4bit_use_double_quant", config.bnb_4bit_use_double_quant);
    fields.read("bnb_4bit_compute_dtype", config.bnb_4bit_compute_dtype);
    fields.read("torch_dtype", config.torch_dtype);
    fields.read("skip_modules", config.skip_modules);
    fields.read("keep_in_fp32_modules", config.keep_in_fp32_modules);
    if (const std::vector<Message> problems = fields.problems(); !problems.empty())
        throw UserError(Message::joined(problems));
    check_bnb_config(config);
    return config;
}

std::vector<Message> check_bnb_config(const BnbQuantizationConfig& config) {
    if (const std::vector<Message> problems = problems_of(config); !problems.empty())
        throw UserError(Message::joined(problems));
    std::vector<Message> warnings;
    if (config.load_in_4bit && config.llm_int8_threshold != BnbQuantizationConfig().llm_int8_threshold)
        warnings.push_back("llm_int8_threshold has no effect with load_in_4bit");
    return warnings;
}

}  // namespace trainyard::dispatch
