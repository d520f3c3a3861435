#include "families/family.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/text.h"
#include "families/gpt2/gpt2_family.h"

namespace trainyard::families {

namespace {

/// A new family is one more entry here and one in models/model.cpp.
const std::array<const Family*, 1>& all_families() {
    static const std::array<const Family*, 1> all{&gpt2_family()};
    return all;
}

}  // namespace

std::int64_t TensorShape::elements() const {
    std::int64_t count = 1;
    for (std::int64_t size : shape)
        count *= size;
    return count;
}

bool Family::same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const {
    return std::visit([&](auto member) { return a.*member == b.*member; }, key.member);
}

const std::vector<std::string>& model_types() {
    static const std::vector<std::string> types = [] {
        std::vector<std::string> made;
        for (const Family* family : all_families())
            made.push_back(family->model_type());
        return made;
    }();
    return types;
}

const Family* find_family(const std::string& model_type) {
    for (const Family* family : all_families())
        if (family->model_type() == model_type)
            return family;
    return nullptr;
}

const Family& family_of(const std::string& model_type) {
    if (const Family* family = find_family(model_type))
        return *family;
    throw UserError(fmt::format("model_type '{}' is not known to this version{}: use {}", model_type,
                                text::did_you_mean(model_type, model_types()), fmt::join(model_types(), " or ")));
}

const Family& family_of(const ModelConfig& config) {
    return family_of(config.model_type);
}

std::int64_t parameter_count(const ModelConfig& config) {
    std::int64_t count = 0;
    for (const TensorShape& tensor : family_of(config).tensors(config))
        count += tensor.elements();
    return count;
}

std::vector<std::string> stored_names(const std::string& name) {
    std::vector<std::string> names{name};
    for (const Family* family : all_families())
        if (name.starts_with(family->base_prefix()))
            names.push_back(name.substr(family->base_prefix().size()));
    return names;
}

}  // namespace trainyard::families
