// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/adapters.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/mm.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "checkpoint/weights.h"
#include "config/inputs/stored_head.h"
#include "config/recipe/module_targets.h"
#include "inference/dispatch/stored_weights.h"
#include "models/nn/kernels/low_rank_product.h"
#include "models/nn/modules/low_rank.h"
#include "models/spec/family.h"

namespace trainyard::generate {

namespace {

using Start = inputs::AdapterConfig::Start;

std::string suffix_of(std::size_t number) {
    return fmt::format("_{}", number);
}

std::string config_name(const AdapterSource& adapter) {
    return (adapter.folder / "adapter_config.json").string();
}

/// The name of an adapter's own parameter without the suffix that tells it from those of other adapters; empty: it is
/// of another one, or of the model.
std::string own_name(const parallel::Parameter& parameter, std::size_t adapter) {
    constexpr std::string_view kWeight = ".weight";
    const std::string end = suffix_of(adapter) + std::string(kWeight);
    if (!config::is_adapter(parameter.name()) || !parameter.name().ends_with(end))
        return {};
    return parameter.name().substr(0, parameter.name().size() - end.size()) + std::string(kWeight);
}

template <class Do>
void for_each_parameter(const models::Model& model, const Do& take) {
    for (const parallel::Unit* unit : model.units())
        for (parallel::Parameter* parameter : unit->parameters())
            take(*parameter);
}

/// Whole modules are in the model, and the head of a tied model is not one of them.
void check_whole_modules(const models::Model& model, const AdapterSource& adapter,
                         const inputs::AdapterConfig& config) {
    const std::vector<std::string>& modules = config.lora.modules_to_save;
    bool any = modules.empty();
    for_each_parameter(model, [&](const parallel::Parameter& parameter) {
        any = any || config::is_in_module(parameter.name(), modules);
    });
    if (!any)
        throw UserError(
            "{} has modules_to_save {}, and the model has none of them: it is of another model or "
            "task",
            config_name(adapter), fmt::join(modules, ", "));
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->tied_parameters())
            if (config::is_in_module(parameter->name(), modules))
                throw UserError(
                    "{} brings {}, which is tied to the output layer here: merge it with "
                    "PEFT",
                    config_name(adapter), parameter->name());
}

/// A replaced weight comes from one adapter, as it is.
void check_whole_tensors(const LoadedAdapter& adapter, std::vector<std::string>& taken) {
    for (const auto& [tensor, parameter] : adapter.whole) {
        if (std::ranges::find(taken, parameter->name()) != taken.end())
            throw UserError("{} brings {}, and so does another adapter: use one of them", adapter.file.path().string(),
                            parameter->name());
        taken.push_back(parameter->name());
        if (adapter.from.weight != 1)
            throw UserError("{} brings whole tensors ({}), which cannot count {} times: leave the weight out",
                            adapter.file.path().string(), parameter->name(), adapter.from.weight);
    }
}

/// An adapter that was trained beside changed weights.
void check_start(LoadedAdapter& adapter) {
    if (adapter.config.start == Start::unchanged)
        return;
    const std::string& init = adapter.config.init_lora_weights;
    if (adapter.from.weight < 0)
        throw UserError(
            "{} has init_lora_weights '{}': it cannot be taken out of a model, because what it "
            "changed follows from the original weights alone",
            config_name(adapter.from), init);
    if (init.starts_with("pissa_niter_"))
        adapter.warnings.push_back(
            Message("{} has init_lora_weights '{}', a decomposition with random "
                    "numbers that cannot be repeated: the exact one is subtracted "
                    "from the weights instead, and the result may differ from the "
                    "trained model; convert the adapter with PEFT "
                    "(path_initial_model_for_weight_conversion of save_pretrained)",
                    config_name(adapter.from), init));
}

LoadedAdapter add_adapter(models::Model& model, const AdapterSource& source, std::size_t number) {
    inputs::AdapterConfig config = inputs::read_adapter_config(source.folder);
    check_whole_modules(model, source, config);
    config::LoraRecipe weighted = config.lora;
    config::ModuleExceptions exceptions = config.exceptions;
    weighted.lora_alpha *= source.weight;
    for (auto& [pattern, alpha] : exceptions.alpha_pattern)
        alpha *= source.weight;
    models::add_adapter(model, weighted, suffix_of(number), exceptions);
    LoadedAdapter adapter{source, std::move(config), inputs::AdapterFile(source.folder), {}, {}, {}};
    std::vector<inputs::AdapterTarget> wanted, others;
    std::vector<parallel::Parameter*> other_parameters, whole_modules;
    for_each_parameter(model, [&](parallel::Parameter& parameter) {
        if (const std::string name = own_name(parameter, number); !name.empty()) {
            wanted.push_back({name, parameter.shape()});
            adapter.own.emplace_back(0, &parameter);
        } else if (!config::is_adapter(parameter.name())) {
            const bool is_whole = config::is_in_module(parameter.name(), adapter.config.lora.modules_to_save);
            if (is_whole)
                whole_modules.push_back(&parameter);
            others.push_back({parameter.name(), parameter.shape()});
            other_parameters.push_back(&parameter);
        }
    });
    for (parallel::Parameter* parameter : whole_modules)
        wanted.push_back({parameter->name(), parameter->shape()});
    const bool tied = model.config().tie_word_embeddings;
    inputs::AdapterFile::Match match =
        adapter.file.match(wanted, others, tied ? families::family_of(model.config()).head_name() : std::string(),
                           tied ? inputs::tied_table(model.config()) : std::string());
    for (std::size_t i = 0; i < adapter.own.size(); ++i)
        adapter.own[i].first = match.wanted[i];
    for (const inputs::AdapterFile::Whole& whole : match.whole)
        adapter.whole.emplace_back(whole.tensor, other_parameters[whole.other]);
    adapter.warnings = adapter.file.source()->notes();
    adapter.warnings.insert(adapter.warnings.end(), match.warnings.begin(), match.warnings.end());
    check_start(adapter);
    return adapter;
}

/// What training subtracted from a weight before its first step: the product of the adapter's first values.
at::Tensor subtracted_at_start(const at::Tensor& weight, const LoadedAdapter& adapter,
                               const parallel::LowRank& low_rank) {
    const std::int64_t rank = std::min({low_rank.a->shape()[0], weight.size(0), weight.size(1)});
    if (adapter.config.start == Start::olora) {
        const auto [q, r] = at::linalg_qr(weight);
        return at::mm(q.narrow(1, 0, rank), r.narrow(0, 0, rank)).mul(low_rank.scale);
    }
    const auto [u, s, vh] = at::linalg_svd(weight, /*full_matrices=*/false);
    const at::Tensor product = at::mm(u.narrow(1, 0, rank).mul(s.narrow(0, 0, rank)), vh.narrow(0, 0, rank));
    return product.mul(adapter.from.weight);
}

/// The number of the adapter that a part of it belongs to.
const LoadedAdapter& adapter_of(const parallel::LowRank& low_rank, const std::vector<LoadedAdapter>& adapters) {
    return *std::ranges::find_if(adapters, [&](const LoadedAdapter& adapter) {
        return std::ranges::any_of(adapter.own, [&](const auto& own) { return own.second == low_rank.a; });
    });
}

/// What training subtracted from a weight, over all adapters; undefined: nothing. `weight` is in fp32.
at::Tensor subtracted_at_start(const parallel::Parameter& parameter, const at::Tensor& weight,
                               const std::vector<LoadedAdapter>& adapters) {
    at::Tensor sum;
    for (const parallel::LowRank& low_rank : parameter.adapters())
        if (const LoadedAdapter& adapter = adapter_of(low_rank, adapters); adapter.config.start != Start::unchanged) {
            const at::Tensor part = subtracted_at_start(weight, adapter, low_rank);
            sum = sum.defined() ? sum.add_(part) : part;
        }
    return sum;
}

/// The tensor of a file that replaces a parameter; undefined: none does.
at::Tensor replacement(const parallel::Parameter& parameter, const std::vector<LoadedAdapter>& adapters) {
    for (const LoadedAdapter& adapter : adapters)
        for (const auto& [tensor, whole] : adapter.whole)
            if (whole == &parameter)
                return checkpoint::read_tensor(adapter.file.source(), tensor, adapter.file.path().string());
    return {};
}

}  // namespace

std::vector<LoadedAdapter> add_adapters(models::Model& model, const std::vector<AdapterSource>& sources) {
    std::vector<LoadedAdapter> adapters;
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        adapters.push_back(add_adapter(model, sources[i], i));
        check_whole_tensors(adapters.back(), taken);
    }
    return adapters;
}

void load_adapters(const std::vector<LoadedAdapter>& adapters, at::ScalarType type) {
    at::NoGradGuard no_grad;
    for (const LoadedAdapter& adapter : adapters)
        for (const auto& [tensor, parameter] : adapter.own) {
            const at::Tensor value =
                checkpoint::read_tensor(adapter.file.source(), tensor, adapter.file.path().string())
                    .to(type, /*non_blocking=*/false, /*copy=*/true);
            parameter->place(value, value);
        }
}

bool changes_base(const LoadedAdapter& adapter) {
    return !adapter.whole.empty() || adapter.config.start != Start::unchanged;
}

void change_base(const models::Model& model, const std::vector<LoadedAdapter>& adapters) {
    if (std::ranges::none_of(adapters, changes_base))
        return;
    at::NoGradGuard no_grad;
    for (const dispatch::ModelTensor& tensor : dispatch::tensors_of(model)) {
        if (tensor.parameter == nullptr || tensor.is_adapter())
            continue;
        const at::Tensor now = tensor.parameter->value();
        at::Tensor value = replacement(*tensor.parameter, adapters);
        if (!tensor.parameter->adapters().empty()) {
            const at::Tensor weight = (value.defined() ? value : now).to(at::kFloat);
            if (const at::Tensor part = subtracted_at_start(*tensor.parameter, weight, adapters); part.defined())
                value = weight.sub(part);
        }
        if (!value.defined())
            continue;
        const auto [placed, compute] =
            dispatch::values_for(tensor, value, tensor.parameter->compute().scalar_type(), now.device(), true);
        tensor.place(placed, compute);
    }
}

at::Tensor merged_value(const parallel::Parameter& parameter, const at::Tensor& stored, at::ScalarType type,
                        const std::vector<LoadedAdapter>& adapters) {
    at::NoGradGuard no_grad;
    const at::Tensor base = replacement(parameter, adapters);
    if (parameter.adapters().empty())
        return base.defined() ? base.to(type) : base;
    const at::ScalarType wide = stored.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor sum = (base.defined() ? base : stored).to(wide, /*non_blocking=*/false, /*copy=*/true);
    if (const at::Tensor part = subtracted_at_start(parameter, sum, adapters); part.defined())
        sum.sub_(part);
    for (const parallel::LowRank& low_rank : parameter.adapters())
        sum.add_(models::low_rank_matrix(parameter, low_rank));
    return sum.to(type);
}

std::filesystem::path base_of_adapter(const std::filesystem::path& folder) {
    const std::string named = inputs::read_adapter_config(folder).base;
    std::error_code error;
    for (const std::filesystem::path& base : {std::filesystem::path(named), folder / named})
        if (!named.empty() && std::filesystem::exists(base / "config.json", error))
            return base;
    throw UserError(
        "{} is an adapter of {}, which is not a folder with a config.json here: give the model's folder, and this one "
        "as --adapter",
        folder.string(), named.empty() ? Message("a model that it does not name") : Message::verbatim(named));
}

}  // namespace trainyard::generate
