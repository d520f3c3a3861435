#include "models/model.h"

#include "base/error.h"
#include "config/gpt2_shapes.h"
#include "models/gpt2.h"

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

std::unique_ptr<Model> make_model(const config::ModelRecipe& recipe) {
    std::unique_ptr<Model> model;
    if (recipe.model_type == "gpt2")
        model = std::make_unique<Gpt2>(recipe);
    if (model) {
        for (parallel::Unit* unit : model->units())
            for (parallel::Parameter* parameter : unit->parameters())
                if (config::is_frozen(recipe, parameter->name()))
                    parameter->freeze();
        return model;
    }
    throw UserError("model_type '" + recipe.model_type + "' is not known to this version: use gpt2");
}

}  // namespace trainyard::models
