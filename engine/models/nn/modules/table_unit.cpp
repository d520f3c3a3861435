// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/modules/table_unit.h"

#include <stdexcept>

namespace trainyard::models {

namespace {

parallel::Initialiser initialiser_of(const families::Start& start) {
    using Kind = parallel::Initialiser::Kind;
    switch (start.kind) {
        case families::Start::Kind::zeros:
            return {Kind::zeros, 0};
        case families::Start::Kind::ones:
            return {Kind::ones, 0};
        case families::Start::Kind::uniform:
            return {Kind::uniform, start.deviation};
        case families::Start::Kind::positive:
            return {Kind::positive, start.deviation};
        case families::Start::Kind::constant:
            return {Kind::constant, start.deviation};
        case families::Start::Kind::normal:
            break;
    }
    return {Kind::normal, start.deviation};
}

}  // namespace

std::vector<families::TensorShape> tensors_of_part(const std::vector<families::TensorShape>& all, families::Part part,
                                                   std::int64_t block) {
    std::vector<families::TensorShape> found;
    for (const families::TensorShape& each : all)
        if (each.part == part && (part != families::Part::block || each.block == block))
            found.push_back(each);
    return found;
}

TableUnit::TableUnit(std::string name, const std::vector<families::TensorShape>& tensors, const ModulePlan& plan)
    : Unit(std::move(name)), plan_(plan) {
    for (const families::TensorShape& each : tensors)
        add_parameter(each.name, each.shape, initialiser_of(each.start));
}

Parameter* TableUnit::find_parameter(const std::string& name) const {
    for (Parameter* each : parameters())
        if (each->name() == name)
            return each;
    return nullptr;
}

Parameter& TableUnit::parameter(const std::string& name) const {
    if (Parameter* found = find_parameter(name))
        return *found;
    throw std::invalid_argument("the family's table has no parameter " + name + " for the unit " + this->name());
}

ModuleBuilder TableUnit::builder() const {
    return {
        plan_,
        [this](const std::string& name, const std::vector<std::int64_t>& shape, parallel::Initialiser) -> Parameter& {
            Parameter& found = parameter(name);
            if (found.shape() != shape)
                throw std::invalid_argument("the module of " + name + " has another layout than the family's table");
            return found;
        }};
}

Linear TableUnit::linear(const std::string& module) const {
    const std::vector<std::int64_t>& shape = parameter(module + ".weight").shape();
    return builder().linear(module, shape[1], shape[0], 0, find_parameter(module + ".bias") != nullptr);
}

std::optional<Linear> TableUnit::find_linear(const std::string& module) const {
    return find_parameter(module + ".weight") == nullptr ? std::nullopt : std::optional(linear(module));
}

Embedding TableUnit::embedding(const std::string& module, std::int64_t padding) const {
    const std::vector<std::int64_t>& shape = parameter(module + ".weight").shape();
    return Embedding(builder().embedding(module, shape[0], shape[1], 0).table(), padding);
}

VocabularyHead TableUnit::head(const std::string& module, Parameter* table, LogitOptions options) const {
    return builder().tied_head(module, table != nullptr ? *table : parameter(module + ".weight"), options);
}

CausalAttention TableUnit::attention(const std::string& module, std::int64_t heads, double scale) const {
    return builder().attention(module, heads, scale, false);
}

Norm TableUnit::layer_norm(const std::string& module, double epsilon) const {
    return Norm(builder().layer_norm(module, parameter(module + ".weight").shape()[0], epsilon,
                                     find_parameter(module + ".bias") != nullptr));
}

Norm TableUnit::rms_norm(const std::string& module, double epsilon, double offset) const {
    return Norm(builder().rms_norm(module, parameter(module + ".weight").shape()[0], epsilon, offset));
}

}  // namespace trainyard::models
