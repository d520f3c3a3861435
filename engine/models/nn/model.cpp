// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/model.h"

#include "base/error.h"
#include "distributed/parallel/communicator.h"
#include "models/networks/decoder_network.h"
#include "models/networks/encoder_network.h"
#include "models/networks/gpt2_network.h"
#include "models/networks/resnet_network.h"
#include "models/networks/segformer_network.h"
#include "models/networks/t5_network.h"
#include "models/networks/wav2vec2_network.h"
#include "models/nn/external/external_model.h"
#include "models/nn/modules/low_rank.h"
#include "models/nn/modules/modules.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"

namespace trainyard::models {

std::vector<parallel::Unit*> Model::units() const {
    std::vector<parallel::Unit*> result;
    for (const auto& unit : units_)
        result.push_back(unit.get());
    return result;
}

std::vector<parallel::GroupRequest> Model::groups() const {
    std::vector<parallel::GroupRequest> result;
    for (const auto& unit : units_)
        result.push_back({unit->name(), unit->parameters()});
    return result;
}

at::Tensor Model::forward(parallel::StepContext& context) const {
    at::Tensor result = parallel::run_units(units(), {}, context).at(0);
    if (context.cache != nullptr)
        context.cache->length += context.tokens.size(1);
    return result;
}

std::int64_t Model::stream_length(const parallel::StepContext& context) {
    const std::int64_t length = context.tokens.size(1);
    return context.stream_positions != nullptr ? length / context.tensor_ranks->size() : length;
}

double Model::count_targets(const parallel::StepContext& context) const {
    return count_next_targets(context);
}

std::vector<double> Model::block_costs(std::int64_t seq) const {
    return families::family_of(config_).block_costs(config_, families::SampleSize::text(seq));
}

double Model::flops_per_sample(const families::SampleSize& size) const {
    return families::family_of(config_).flops_per_sample(config_, size);
}

std::string Model::config_json() const {
    return families::write_config(config_);
}

namespace {

std::unique_ptr<Model> network_of(const config::ModelRecipe& config) {
    const families::Family& family = families::family_of(config);
    for (const families::ConfigProblem& problem : family.problems(config))
        throw UserError("model.{}: {}", problem.key, problem.message);
    switch (family.network()) {
        case families::Network::gpt2:
            return std::make_unique<Gpt2>(config);
        case families::Network::decoder:
            return std::make_unique<Decoder>(config);
        case families::Network::encoder:
            return std::make_unique<Encoder>(config);
        case families::Network::t5:
            return std::make_unique<T5>(config);
        case families::Network::resnet:
            return std::make_unique<ResNet>(config);
        case families::Network::segformer:
            return std::make_unique<Segformer>(config);
        case families::Network::wav2vec2:
            return std::make_unique<Wav2Vec2>(config);
        case families::Network::plugin:
            return make_plugin_model(config);
        case families::Network::script:
            return make_script_model(config, config.script);
    }
    throw UserError("model_type '{}' has no network in this version", config.model_type);
}

}  // namespace

std::unique_ptr<Model> make_model(const config::ModelRecipe& recipe) {
    std::unique_ptr<Model> model = network_of(recipe);
    if (recipe.lora.r > 0) {
        config::LoraRecipe lora = recipe.lora;
        lora.modules_to_save = config::modules_to_save(recipe);
        add_adapter(*model, lora);
    }
    for (parallel::Unit* unit : model->units())
        for (parallel::Parameter* parameter : unit->parameters())
            if (config::is_frozen(recipe, parameter->name()))
                parameter->freeze();
    return model;
}

}  // namespace trainyard::models
