// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/family.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "models/spec/activation.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/encoder/encoder_options.h"
#include "models/spec/external/external_family.h"
#include "models/spec/gpt2/gpt2_family.h"
#include "models/spec/resnet/resnet_family.h"
#include "models/spec/segformer/segformer_family.h"
#include "models/spec/t5/t5_family.h"
#include "models/spec/tasks.h"
#include "models/spec/wav2vec2/wav2vec2_family.h"

namespace trainyard::families {

namespace {

/// A new family is one more entry here and one in models/nn/model.cpp.
const std::vector<const Family*>& all_families() {
    static const std::vector<const Family*> all = [] {
        std::vector<const Family*> made{&gpt2_family(), &t5_family(), &resnet_family(), &segformer_family(),
                                        &wav2vec2_family()};
        for (const std::vector<const Family*>& kind : {decoder_families(), encoder_families(), external_families()})
            made.insert(made.end(), kind.begin(), kind.end());
        return made;
    }();
    return all;
}

double as_double(std::int64_t number) {
    return static_cast<double>(number);
}

/// A # in both stands for the same number.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
    if (const std::size_t place = from.find('#'); place != std::string_view::npos) {
        const std::string_view before = from.substr(0, place), after = from.substr(place + 1);
        const std::size_t begin = text.find(before), digits = begin + before.size();
        if (begin == std::string::npos)
            return;
        const std::size_t end = text.find_first_not_of("0123456789", digits);
        if (end == std::string::npos || end == digits || !std::string_view(text).substr(end).starts_with(after))
            return;
        std::string made(to);
        made.replace(made.find('#'), 1, text.substr(digits, end - digits));
        text.replace(begin, end + after.size() - begin, made);
        return;
    }
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Names that transformers maps on loading, of earlier and of later versions, and second names of tied tensors, of
/// which a file may hold either.
std::vector<std::string> other_spellings(const std::string& name) {
    using Pair = std::pair<std::string_view, std::string_view>;
    std::vector<std::string> found;
    // TensorFlow's names, which BERT's files have, and those of torch.nn.utils.weight_norm, of magnitude and direction.
    for (const auto& [now, old] :
         {Pair(".LayerNorm.weight", ".LayerNorm.gamma"), Pair(".LayerNorm.bias", ".LayerNorm.beta"),
          Pair(".parametrizations.weight.original0", ".weight_g"),
          Pair(".parametrizations.weight.original1", ".weight_v")})
        if (name.ends_with(now))
            found.push_back(name.substr(0, name.size() - now.size()).append(old));
    if (std::string later = module_name(name); later != name)
        found.push_back(std::move(later));
    for (const Family* family : all_families())
        for (const SharedName& shared : family->modules().shared)
            if (shared.stored == name)
                found.push_back(shared.other);
    return found;
}

}  // namespace

std::int64_t TensorShape::elements() const {
    std::int64_t count = 1;
    for (std::int64_t size : shape)
        count *= size;
    return count;
}

double Family::flops_per_sample(const ModelConfig& config, const SampleSize& size) const {
    const bool unknown_image = reads_images(config.task) && size.height == 0;
    if (unknown_image)
        return 0;
    double forward = 0;
    for (double cost : block_costs(config, size))
        forward += cost;
    return 6 * forward + 4 * image_cost(config, size);
}

bool Family::same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const {
    if (key.member == ConfigKey::Member(&ModelConfig::activation_function) && activation_of(a.activation_function))
        return activation_of(a.activation_function) == activation_of(b.activation_function);
    const ModelConfig x = resolved(a), y = resolved(b);
    if (const auto* table = std::get_if<JsonText ModelConfig::*>(&key.member))
        return read_json((x.**table).text) == read_json((y.**table).text);
    return std::visit([&](auto member) { return x.*member == y.*member; }, key.member);
}

bool Family::is_constant(const std::string& name) const {
    return name != head_name() &&
           std::ranges::find(modules().shared, name, &SharedName::other) != modules().shared.end();
}

std::vector<double> Family::block_costs(const ModelConfig& config, const SampleSize& size) const {
    std::vector<double> costs;
    double head = 0;
    for (const TensorShape& tensor : tensors(config)) {
        const bool in_block = tensor.part == Part::block;
        if (in_block)
            for (std::int64_t block = std::ssize(costs); block <= tensor.block; ++block)
                costs.push_back(2 * as_double(attention_width(config)) * attention_pairs(config, size, block));
        if (tensor.shape.size() < 2 || !(in_block || tensor.part == Part::head || tensor.tied_to_head))
            continue;
        (in_block ? costs[static_cast<std::size_t>(tensor.block)] : head) +=
            as_double(tensor.elements()) * used_share(config, tensor) * rows(config, size, tensor);
    }
    if (!costs.empty())
        costs.back() += head;
    return costs;
}

ActivationBytes Family::activation_bytes(const ModelConfig& config, std::uint64_t product_bytes,
                                         std::int64_t block) const {
    // Every matrix of a block keeps its input; so does what lies between two of them: norms and activation functions.
    std::uint64_t inputs = 0, widest = 0;
    for (const TensorShape& tensor : tensors(config))
        if (tensor.part == Part::block && tensor.block == block && tensor.shape.size() >= 2) {
            const auto in = static_cast<std::uint64_t>(tensor.shape[1]),
                       out = static_cast<std::uint64_t>(tensor.shape[0]);
            inputs +=
                static_cast<std::uint64_t>(as_double(static_cast<std::int64_t>(in + out)) * used_share(config, tensor));
            widest = std::max({widest, in, out});
        }
    const auto width = static_cast<std::uint64_t>(config.n_embd);
    ActivationBytes bytes;
    bytes.block_input = width * 4;
    bytes.block = 2 * width * 4 + inputs * product_bytes;
    bytes.probabilities = config.attn_pdrop > 0 ? static_cast<std::uint64_t>(config.n_head) * 4 : 0;
    bytes.outside = 3 * width * 4;
    bytes.head_input = width * product_bytes;
    bytes.in_flight = (2 * widest + 2 * width) * 4;
    return bytes;
}

void check_activation(const std::string& key, const std::string& name, std::vector<ConfigProblem>& problems) {
    if (name == "prelu" || name == "xielu")
        problems.push_back({key,
                            {},
                            Message("{} has trained parameters of its own, which this version does not have: "
                                    "take another one, e.g. gelu",
                                    name)});
    else if (!activation_of(name))
        problems.push_back(
            {key, {}, Message("'{}' is not known{}", name, text::did_you_mean(name, activation_names()))});
}

std::vector<ModuleTensor> Family::module_buffers(const ModelConfig& config) const {
    std::vector<ModuleTensor> all;
    for (const TensorShape& buffer : buffers(config))  // a number without dimensions is a count
        all.push_back({buffer.name, buffer.shape, true, buffer.shape.empty() ? 8 : 4});
    for (const std::string& name : modules().positions)
        all.push_back({name, {1, config.n_positions}, true, 8});
    return all;
}

std::int64_t Family::image_size(const ModelConfig& config) const {
    const bool fixed = std::ranges::any_of(
        keys(), [](const ConfigKey& key) { return key.member == ConfigKey::Member(&ModelConfig::image_size); });
    return fixed ? config.image_size : 0;
}

std::string Family::architecture(const ModelConfig& config) const {
    for (const TaskClass& each : tasks())
        if (each.task == config.task)
            return each.architecture;
    return base_architecture();
}

const std::vector<ConfigKey>& all_keys() {
    static const std::vector<ConfigKey> all = [] {
        std::vector<ConfigKey> made;
        for (const Family* family : all_families())
            for (const ConfigKey& key : family->keys()) {
                const auto known = std::ranges::find(made, key.name, &ConfigKey::name);
                if (known == made.end())
                    made.push_back(key);
                else if (known->help.empty())
                    known->help = key.help;
            }
        return made;
    }();
    return all;
}

const ConfigKey* find_key(const Family& family, const std::string& name) {
    for (const ConfigKey& key : family.keys())
        if (key.name == name)
            return &key;
    return nullptr;
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
    throw UserError("model_type '{}' is not known to this version{}: use {}", model_type,
                    text::did_you_mean(model_type, model_types()), fmt::join(model_types(), " or "));
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
    std::vector<std::string> names;
    const auto add = [&](const std::string& candidate) {
        if (std::ranges::find(names, candidate) == names.end())
            names.push_back(candidate);
    };
    const auto add_without_prefix = [&](const std::string& candidate) {
        add(candidate);
        for (const Family* family : all_families())
            if (const std::string prefix = family->base_prefix(); !prefix.empty() && candidate.starts_with(prefix))
                add(candidate.substr(prefix.size()));
    };
    add_without_prefix(name);
    for (const std::string& spelling : other_spellings(name))
        add_without_prefix(spelling);
    return names;
}

std::string module_name(const std::string& stored) {
    std::string name = stored;
    for (const Family* family : all_families())
        for (const auto& [in_file, now] : family->modules().renamed)
            if (stored.starts_with(family->base_prefix()) || stored == family->head_name() ||
                (family->head_name().empty() && stored.starts_with(in_file)))
                replace_all(name, in_file, now);
    return name;
}

}  // namespace trainyard::families
