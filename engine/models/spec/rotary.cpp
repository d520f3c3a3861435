// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/rotary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"

namespace trainyard::families {

namespace {

using Json = nlohmann::json;

/// A type's parameters: those that it needs, and those that it may have.
struct RotaryType {
    std::vector<std::string> needed, further;
};

const std::map<std::string, RotaryType>& rotary_types() {
    static const std::map<std::string, RotaryType> types{
        {"default", {}},
        {"linear", {{"factor"}, {}}},
        {"dynamic", {{"factor"}, {}}},
        {"yarn",
         {{"factor"},
          {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate",
           "original_max_position_embeddings"}}},
        {"llama3", {{"factor", "low_freq_factor", "high_freq_factor"}, {"original_max_position_embeddings"}}},
        {"longrope",
         {{"short_factor", "long_factor"}, {"factor", "attention_factor", "original_max_position_embeddings"}}}};
    return types;
}

/// Empty: the type is not known.
std::set<std::string> parameters_read_by(const std::string& type) {
    const auto known = rotary_types().find(type);
    if (known == rotary_types().end())
        return {};
    std::set<std::string> names{"rope_type", "type", "rope_theta", "partial_rotary_factor"};
    names.insert(known->second.needed.begin(), known->second.needed.end());
    names.insert(known->second.further.begin(), known->second.further.end());
    return names;
}

std::map<std::string, double Rotary::*> number_members() {
    return {{"rope_theta", &Rotary::theta},
            {"partial_rotary_factor", &Rotary::partial_factor},
            {"factor", &Rotary::factor},
            {"attention_factor", &Rotary::attention_factor},
            {"mscale", &Rotary::mscale},
            {"mscale_all_dim", &Rotary::mscale_all_dim},
            {"beta_fast", &Rotary::beta_fast},
            {"beta_slow", &Rotary::beta_slow},
            {"low_freq_factor", &Rotary::low_freq_factor},
            {"high_freq_factor", &Rotary::high_freq_factor}};
}

std::string type_of(const Json& parameters) {
    for (const char* key : {"rope_type", "type"})
        if (auto type = parameters.find(key); type != parameters.end() && type->is_string())
            return type->get<std::string>();
    return "default";
}

Json parameters_of(const ModelConfig& config) {
    Json parameters = read_json(config.rope_parameters.text);
    return parameters.is_object() ? parameters : Json::object();
}

std::vector<double> numbers_of(const Json& list) {
    std::vector<double> numbers;
    for (const Json& each : list)
        if (each.is_number())
            numbers.push_back(each.get<double>());
    return numbers;
}

/// Elements of a head that are turned.
std::int64_t turned_width(const Rotary& rotary, std::int64_t head_width) {
    return static_cast<std::int64_t>(static_cast<double>(head_width) * rotary.partial_factor);
}

}  // namespace

Rotary rotary_of(const ModelConfig& config, const Rotary& defaults) {
    Rotary rotary = defaults;
    rotary.max_positions = config.n_positions;
    const Json parameters = parameters_of(config);
    rotary.type = type_of(parameters);
    for (const auto& [name, member] : number_members())
        if (auto value = parameters.find(name); value != parameters.end() && value->is_number())
            rotary.*member = value->get<double>();
    if (auto value = parameters.find("truncate"); value != parameters.end() && value->is_boolean())
        rotary.truncate = value->get<bool>();
    if (rotary.original_max_position_embeddings == 0)
        rotary.original_max_position_embeddings = config.n_positions;
    if (auto value = parameters.find("original_max_position_embeddings");
        value != parameters.end() && value->is_number_integer())
        rotary.original_max_position_embeddings = value->get<std::int64_t>();
    for (const auto& [name, list] :
         {std::pair("short_factor", &rotary.short_factor), std::pair("long_factor", &rotary.long_factor)})
        if (auto value = parameters.find(name); value != parameters.end())
            *list = numbers_of(*value);
    if (rotary.type == "longrope" && !parameters.contains("factor"))
        rotary.factor = static_cast<double>(config.n_positions) /
                        static_cast<double>(std::max<std::int64_t>(1, rotary.original_max_position_embeddings));
    return rotary;
}

std::vector<ConfigProblem> rotary_problems(const ModelConfig& config, const Rotary& defaults, std::int64_t head_width) {
    const std::string& text = config.rope_parameters.text;
    const Json given = text.empty() ? Json::object() : read_json(text);
    std::vector<ConfigProblem> found;
    auto complain = [&](Message message) { found.push_back({"rope_parameters", {}, std::move(message)}); };
    if (!given.is_object()) {
        complain("must be a table such as {rope_type: default, rope_theta: 10000.0}");
        return found;
    }
    const std::string type = type_of(given);
    const auto known = rotary_types().find(type);
    if (known == rotary_types().end()) {
        std::vector<std::string> names;
        for (const auto& [name, ignored] : rotary_types())
            names.push_back(name);
        complain(type == "su"
                     ? Message("the rope_type 'su' is not known: it is the former name of longrope, which only Phi-3 "
                               "has under it: write longrope")
                     : Message("the rope_type '{}' is not known{}", type, text::did_you_mean(type, names)));
        return found;
    }
    const std::set<std::string> allowed = parameters_read_by(type);
    for (const std::string& name : known->second.needed)
        if (!given.contains(name) || given[name].is_null())
            complain(Message("the rope_type {} needs {}", type, name));
    const auto numbers = number_members();
    for (const auto& [name, value] : given.items()) {
        if (value.is_null())
            continue;
        if (!allowed.contains(name))
            complain(Message("the rope_type {} has no {}", type, name));
        else if (numbers.contains(name) &&
                 !(value.is_number() && value.get<double>() > 0 && std::isfinite(value.get<double>())))
            complain(Message("{} must be a number above 0", name));
        else if (name == "original_max_position_embeddings" && !(value.is_number_integer() && value.get<double>() >= 1))
            complain(Message("{} must be a whole number from 1 on", name));
    }
    if (!found.empty())
        return found;
    const Rotary rotary = rotary_of(config, defaults);
    const std::int64_t turned = turned_width(rotary, head_width);
    if (rotary.partial_factor > 1 || turned < 2 || turned % 2 != 0)
        complain(
            Message("{} of {} elements of a head would be turned, and they go in pairs: change the heads' "
                    "width or partial_rotary_factor",
                    turned, head_width));
    for (const auto& [name, list] :
         {std::pair("short_factor", &rotary.short_factor), std::pair("long_factor", &rotary.long_factor)})
        if (rotary.type == "longrope" && std::ssize(*list) != turned / 2)
            complain(Message("{} has {} numbers, and a head turns {} pairs", name, list->size(), turned / 2));
    return found;
}

RotaryFrequencies rotary_frequencies(const Rotary& rotary, std::int64_t head_width, std::int64_t length) {
    const std::int64_t width = turned_width(rotary, head_width), count = width / 2;
    const auto dimension = static_cast<double>(width);
    double base = rotary.theta;
    if (rotary.type == "dynamic") {
        const auto positions = static_cast<double>(rotary.max_positions);
        const double longest = std::max(positions, static_cast<double>(length));
        base *= std::pow(rotary.factor * longest / positions - (rotary.factor - 1), dimension / (dimension - 2));
    }
    RotaryFrequencies made;
    std::vector<double> all(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        all[static_cast<std::size_t>(i)] = 1.0 / std::pow(base, static_cast<double>(2 * i) / dimension);
    const auto original = static_cast<double>(rotary.original_max_position_embeddings);
    if (rotary.type == "linear") {
        for (double& each : all)
            each /= rotary.factor;
    } else if (rotary.type == "llama3") {
        const double longest = original / rotary.low_freq_factor, shortest = original / rotary.high_freq_factor;
        for (double& each : all) {
            const double wave = 2 * std::numbers::pi / each;
            const double smooth =
                (original / wave - rotary.low_freq_factor) / (rotary.high_freq_factor - rotary.low_freq_factor);
            if (wave > longest)
                each /= rotary.factor;
            else if (wave >= shortest)
                each = (1 - smooth) * each / rotary.factor + smooth * each;
        }
    } else if (rotary.type == "yarn") {
        auto scale = [&](double mscale) {
            return rotary.factor <= 1 ? 1.0 : 0.1 * mscale * std::log(rotary.factor) + 1.0;
        };
        made.attention_factor = static_cast<float>(rotary.attention_factor > 0 ? rotary.attention_factor
                                                   : rotary.mscale > 0 && rotary.mscale_all_dim > 0
                                                       ? scale(rotary.mscale) / scale(rotary.mscale_all_dim)
                                                       : scale(1));
        auto turning = [&](double turns) {
            return dimension * std::log(original / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
        };
        double low = turning(rotary.beta_fast), high = turning(rotary.beta_slow);
        if (rotary.truncate) {
            low = std::floor(low);
            high = std::ceil(high);
        }
        low = std::max(low, 0.0);
        high = std::min(high, dimension - 1);
        if (low == high)
            high += 0.001;
        for (std::int64_t i = 0; i < count; ++i) {
            double& each = all[static_cast<std::size_t>(i)];
            const double kept = 1 - std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
            each = each / rotary.factor * (1 - kept) + each * kept;
        }
    } else if (rotary.type == "longrope") {
        made.attention_factor =
            static_cast<float>(rotary.attention_factor > 0 ? rotary.attention_factor
                               : rotary.factor <= 1        ? 1.0
                                                    : std::sqrt(1 + std::log(rotary.factor) / std::log(original)));
        const std::vector<double>& factors =
            length > rotary.original_max_position_embeddings ? rotary.long_factor : rotary.short_factor;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] /= factors.at(i);
    }
    made.frequencies.assign(all.begin(), all.end());
    return made;
}

void modernise_rotary(Json& config, const Rotary& defaults, const RenamedTypes& renamed) {
    Json parameters = Json::object();
    for (const char* key : {"rope_parameters", "rope_scaling"})
        if (auto given = config.find(key); given != config.end() && !given->is_null()) {
            if (!given->is_object()) {
                config["rope_parameters"] = *given;  // for the reader to refuse
                return;
            }
            if (!given->empty())
                parameters = *given;
        }
    std::string type = type_of(parameters);
    for (const auto& [old, now] : renamed)
        if (type == old)
            type = now;
    parameters.erase("type");
    parameters["rope_type"] = type;
    for (const char* key : {"rope_theta", "partial_rotary_factor"})
        if (auto given = config.find(key); given != config.end() && !given->is_null() && !parameters.contains(key))
            parameters[key] = *given;
    if (!parameters.contains("rope_theta"))
        parameters["rope_theta"] = defaults.theta;
    if (!parameters.contains("partial_rotary_factor") && defaults.partial_factor != 1)
        parameters["partial_rotary_factor"] = defaults.partial_factor;
    if (type == "longrope" || type == "yarn" || type == "llama3") {
        constexpr const char* kLength = "original_max_position_embeddings";
        if (auto original = config.find(kLength); original != config.end() && !original->is_null())
            parameters[kLength] = *original;
        else if (defaults.original_max_position_embeddings > 0 && parameters.value(kLength, Json()).is_null())
            parameters[kLength] = defaults.original_max_position_embeddings;
    }
    for (const char* key : {"rope_theta", "rope_scaling", "partial_rotary_factor", "original_max_position_embeddings"})
        config.erase(key);
    config["rope_parameters"] = std::move(parameters);
}

std::vector<Message> drop_unread_parameters(Json& config) {
    std::vector<Message> notes;
    const auto parameters = config.find("rope_parameters");
    if (parameters == config.end() || !parameters->is_object())
        return notes;
    const std::string type = type_of(*parameters);
    const std::set<std::string> read = parameters_read_by(type);
    if (read.empty())
        return notes;
    const Json given = *parameters;
    for (const auto& [name, value] : given.items())
        if (!read.contains(name) && !value.is_object()) {
            parameters->erase(name);
            if (value.is_null() || (name == "attn_factor" && value == 1))
                continue;
            const Message is = value.is_array() ? Message("a list") : Message::verbatim(json_text(value));
            notes.push_back(name == "attn_factor"
                                ? Message("rope_parameters: {} is {}, which has no effect: transformers does not read "
                                          "it for the rope_type {} (it reads attention_factor)",
                                          name, is, type)
                                : Message("rope_parameters: {} is {}, which has no effect: transformers does not read "
                                          "it for the rope_type {}",
                                          name, is, type));
        }
    return notes;
}

}  // namespace trainyard::families
