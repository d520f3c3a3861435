#include "models/spec/table_family.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "models/spec/activation.h"

namespace trainyard::families {

namespace {

double as_double(std::int64_t number) {
    return static_cast<double>(number);
}

}  // namespace

bool TableFamily::same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const {
    if (const auto* member = std::get_if<std::string ModelConfig::*>(&key.member))
        if (*member == &ModelConfig::activation_function && activation_of(a.activation_function))
            return activation_of(a.activation_function) == activation_of(b.activation_function);
    return Family::same_weights(key, resolved(a), resolved(b));
}

std::vector<double> TableFamily::block_costs(const ModelConfig& config, const SampleSize& size) const {
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

ActivationBytes TableFamily::activation_bytes(const ModelConfig& config, std::uint64_t product_bytes) const {
    // Every matrix of a block keeps its input; so does what lies between two of them: norms and activation functions.
    std::uint64_t inputs = 0, widest = 0;
    for (const TensorShape& tensor : tensors(config))
        if (tensor.part == Part::block && tensor.block == 0 && tensor.shape.size() >= 2) {
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

}  // namespace trainyard::families
