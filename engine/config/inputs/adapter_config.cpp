// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/adapter_config.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text_file.h"

namespace trainyard::inputs {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Start = AdapterConfig::Start;

constexpr std::int64_t kMostRank = 4096;
constexpr std::size_t kMostBytes = 1u << 20;

/// Fields that take effect here.
const std::set<std::string>& adapter_keys_with_effect() {
    static const std::set<std::string> keys{"peft_type",
                                            "base_model_name_or_path",
                                            "r",
                                            "lora_alpha",
                                            "use_rslora",
                                            "target_modules",
                                            "target_parameters",
                                            "rank_pattern",
                                            "alpha_pattern",
                                            "exclude_modules",
                                            "modules_to_save",
                                            "layers_to_transform",
                                            "layers_pattern",
                                            "init_lora_weights",
                                            "bias"};
    return keys;
}

/// Fields that do not change what a trained adapter computes.
const std::set<std::string>& adapter_keys_without_effect() {
    static const std::set<std::string> keys{
        // origin and loading
        "task_type", "auto_mapping", "peft_version", "revision", "inference_mode", "runtime_config",
        // the modules of the model say it themselves
        "fan_in_fan_out", "megatron_config", "megatron_core",
        // training
        "lora_dropout",
        // modules that would be tied are refused where they are named
        "ensure_weight_tying",
        // details of an init_lora_weights, and of use_qalora, which are refused where they change something
        "loftq_config", "eva_config", "corda_config", "lora_ga_config", "qalora_group_size"};
    return keys;
}

/// Fields that change what is computed in a way that this version cannot.
const std::set<std::string>& adapter_keys_not_computed() {
    static const std::set<std::string> keys{
        "use_dora",     "lora_bias",   "use_qalora",    "use_bdlora",        "layer_replication",
        "arrow_config", "kasa_config", "velora_config", "monteclora_config", "trainable_token_indices"};
    return keys;
}

bool is_unset_field(const OrderedJson& value) {
    return value.is_null() || value == false || value == "" || (value.is_array() && value.empty());
}

class AdapterConfigReader {
  public:
    AdapterConfigReader(const OrderedJson& json, std::string name) : json_(json), name_(std::move(name)) {}

    AdapterConfig read() {
        if (const OrderedJson* type = given("peft_type"); type == nullptr || *type != "LORA")
            throw UserError("{} is not an adapter of the type LORA: this version computes no other", name_);
        AdapterConfig made;
        take_numbers(made.lora);
        take_targets(made);
        take_exceptions(made.exceptions);
        take_start(made);
        refuse_others();
        if (!problems_.empty())
            throw UserError("{}: {}", name_, Message::joined(problems_, "; "));
        if (const OrderedJson* base = given("base_model_name_or_path"); base != nullptr && base->is_string())
            made.base = base->get<std::string>();
        return made;
    }

  private:
    const OrderedJson* given(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }

    void fail(const std::string& key, const Message& message) { problems_.push_back(Message("{}: {}", key, message)); }

    void take_numbers(config::LoraRecipe& lora) {
        if (const OrderedJson* rank = given("r"); rank == nullptr || !is_rank(*rank))
            fail("r", Message("must be a whole number from 1 to {}", kMostRank));
        else
            lora.r = rank->get<std::int64_t>();
        if (const OrderedJson* alpha = given("lora_alpha"); alpha == nullptr || !is_number(*alpha))
            fail("lora_alpha", "must be a number");
        else
            lora.lora_alpha = alpha->get<double>();
        if (const OrderedJson* stable = given("use_rslora"); stable != nullptr && !stable->is_boolean())
            fail("use_rslora", "must be true or false");
        else if (stable != nullptr)
            lora.use_rslora = stable->get<bool>();
    }

    static bool is_rank(const OrderedJson& value) {
        return value.is_number_integer() && value.get<double>() >= 1 && value.get<double>() <= kMostRank;
    }
    static bool is_number(const OrderedJson& value) { return value.is_number() && std::isfinite(value.get<double>()); }

    /// A list of texts, or an expression.
    std::vector<std::string> names(const char* key, bool may_be_expression) {
        const OrderedJson* value = given(key);
        if (value == nullptr)
            return {};
        if (may_be_expression && value->is_string())
            return {config::entry_of_expression(value->get<std::string>())};
        if (value->is_string())
            return {value->get<std::string>()};
        if (!value->is_array() ||
            !std::ranges::all_of(*value, [](const OrderedJson& one) { return one.is_string(); })) {
            fail(key, "must be a list of names");
            return {};
        }
        return value->get<std::vector<std::string>>();
    }

    void take_targets(AdapterConfig& made) {
        made.lora.target_modules = names("target_modules", true);
        made.lora.target_parameters = names("target_parameters", false);
        made.lora.modules_to_save = names("modules_to_save", false);
        if (problems_.empty() && made.lora.target_modules.empty() && made.lora.target_parameters.empty())
            fail("target_modules", "names no modules, and target_parameters names no parameters: name what it adapts");
    }

    void take_exceptions(config::ModuleExceptions& exceptions) {
        exceptions.exclude_modules = names("exclude_modules", true);
        exceptions.layers_pattern = names("layers_pattern", false);
        std::erase(exceptions.layers_pattern, "");
        const OrderedJson* layers = given("layers_to_transform");
        const auto is_layer = [](const OrderedJson& one) { return one.is_number_integer(); };
        if (layers != nullptr && is_layer(*layers))
            exceptions.layers = {layers->get<std::int64_t>()};
        else if (layers != nullptr && layers->is_array() && std::ranges::all_of(*layers, is_layer))
            exceptions.layers = layers->get<std::vector<std::int64_t>>();
        else if (layers != nullptr)
            fail("layers_to_transform", "must be a whole number, or a list of them");
        if (const OrderedJson* targets = given("target_modules");
            targets != nullptr && targets->is_string() && !exceptions.layers.empty())
            fail("layers_to_transform", "is for a list of target_modules, and they are an expression: leave one out");
        take_pattern("rank_pattern", is_rank, exceptions.rank_pattern);
        take_pattern("alpha_pattern", is_number, exceptions.alpha_pattern);
        if (given("target_parameters") != nullptr && !given("target_parameters")->empty() && !exceptions.empty())
            fail("target_parameters",
                 "is not computed with exclude_modules, layers_to_transform, rank_pattern or alpha_pattern: merge the "
                 "adapter with PEFT");
    }

    template <class Value>
    void take_pattern(const char* key, bool (*fits)(const OrderedJson&),
                      std::vector<std::pair<std::string, Value>>& target) {
        const OrderedJson* table = given(key);
        if (table == nullptr)
            return;
        if (!table->is_object() || !std::ranges::all_of(*table, fits))
            return fail(key, "must be a table of numbers by the names of modules");
        for (const auto& [pattern, value] : table->items())
            target.emplace_back(pattern, value.template get<Value>());
    }

    void take_start(AdapterConfig& made) {
        const OrderedJson* given_start = given("init_lora_weights");
        if (given_start == nullptr || given_start->is_boolean())
            return;
        const std::string init = given_start->is_string() ? given_start->get<std::string>() : given_start->dump();
        std::string lower = init;
        std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
        static const std::set<std::string> changed{"corda", "lora_ga", "loftq"};
        constexpr std::string_view kSteps = "pissa_niter_";
        const bool steps = init.starts_with(kSteps) && init.size() > kSteps.size() &&
                           init.find_first_not_of("0123456789", kSteps.size()) == std::string::npos;
        if (lower == "gaussian" || lower == "mica" || init == "eva" || init == "orthogonal")
            return;
        if (changed.contains(lower) || init.starts_with("corda"))
            fail("init_lora_weights",
                 Message("'{}' trains beside changed weights, which cannot be computed from the model's: "
                         "convert the adapter with PEFT (path_initial_model_for_weight_conversion of "
                         "save_pretrained)",
                         init));
        else if (init == "pissa" || steps)
            made.start = Start::pissa;
        else if (lower == "olora")
            made.start = Start::olora;
        else
            fail("init_lora_weights",
                 Message("'{}' is not known, and it may stand for training beside changed weights: convert "
                         "the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)",
                         init));
        made.init_lora_weights = init;
        if (made.start != Start::unchanged && !made.lora.target_parameters.empty())
            fail("init_lora_weights",
                 Message("'{}' is not computed with target_parameters: convert the adapter with PEFT "
                         "(path_initial_model_for_weight_conversion of save_pretrained)",
                         init));
    }

    void refuse_others() {
        if (const OrderedJson* bias = given("bias"); bias != nullptr && *bias != "none")
            fail("bias", "trained biases are not computed: merge the adapter with PEFT");
        if (const OrderedJson* tokens = given("alora_invocation_tokens"); tokens != nullptr && !is_unset_field(*tokens))
            fail("alora_invocation_tokens",
                 "an adapter that counts from certain tokens on (aLoRA) is not computed, and cannot be merged: use it "
                 "with PEFT");
        for (const auto& [key, value] : json_.items()) {
            if (adapter_keys_with_effect().contains(key) || adapter_keys_without_effect().contains(key) ||
                key == "alora_invocation_tokens")
                continue;
            const bool is_empty_table = value.is_object() && value.empty();
            if (adapter_keys_not_computed().contains(key)) {
                // An empty table asks for a method with its defaults.
                if (!is_unset_field(value) && !(is_empty_table && key == "trainable_token_indices"))
                    fail(key, "is not computed: merge the adapter with PEFT");
            } else if (!is_unset_field(value) && !is_empty_table) {
                fail(key,
                     "this version does not know the field, so it cannot tell what it changes: remove it if it "
                     "changes nothing of the result");
            }
        }
    }

    const OrderedJson& json_;
    std::string name_;
    std::vector<Message> problems_;
};

}  // namespace

AdapterConfig parse_adapter_config(const std::string& text, const std::string& name) {
    const OrderedJson json = read_ordered_json(text);
    if (!json.is_object())
        throw UserError(json.is_discarded()
                            ? Message("{} is not a configuration of an adapter: it is not JSON", name)
                            : Message("{} is not a configuration of an adapter: it is not an object", name));
    return AdapterConfigReader(json, name).read();
}

AdapterConfig read_adapter_config(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "adapter_config.json";
    return parse_adapter_config(text::read_text_file(file, kMostBytes), file.string());
}

}  // namespace trainyard::inputs
