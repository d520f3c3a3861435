// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/optimizer_file.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "config/recipe/optimizer_kinds.h"
#include "formats/weights/torch_file.h"

namespace trainyard::checkpoint {

namespace {

bool lies_in_one_run(const weights::TensorPart& tensor) {
    std::int64_t stride = 1;
    for (std::size_t d = tensor.shape.size(); d-- > 0; stride *= tensor.shape[d])
        if (tensor.shape[d] != 1 && tensor.strides[d] != stride)
            return false;
    return true;
}

}  // namespace

std::vector<OptimizerTensor> tensors_of_optimizer(std::span<const std::byte> bytes, const std::string& where) {
    using weights::Kind;
    using weights::Value;
    const weights::TorchFile file(bytes, where);
    const Value* groups = weights::find(file.root(), "param_groups");
    const Value* state = weights::find(file.root(), "state");
    if (groups == nullptr || state == nullptr)
        throw UserError("{} is not the state of an optimizer: it lacks \"state\" or \"param_groups\"", where);
    std::map<std::int64_t, std::string_view> names;
    for (const Value& group : groups->items()) {
        const Value* numbers = weights::find(group, "params");
        const Value* texts = weights::find(group, "param_names");
        if (numbers == nullptr || texts == nullptr || numbers->items().size() != texts->items().size())
            throw UserError("{} lacks the names of its parameters: it was not saved by the trainer", where);
        for (std::size_t i = 0; i < numbers->items().size(); ++i)
            names[numbers->items()[i].integer] = texts->items()[i].text();
    }
    std::vector<OptimizerTensor> tensors;
    const auto add = [&](std::string_view key, const weights::TensorPart& tensor, std::int64_t number) {
        OptimizerTensor one{std::string(key) + "." + std::string(names[number]), std::string(tensor.dtype),
                            tensor.shape};
        if (!lies_in_one_run(tensor))
            throw UserError("{}: '{}' is not contiguous", where, one.name);
        const std::uint64_t element = weights::element_size(tensor.dtype);
        if (const std::int64_t count = weights::element_count(tensor.shape).value_or(0); count > 0) {
            const std::span<const std::byte> storage = file.storage_bytes(tensor, true);
            one.begin = static_cast<std::uint64_t>(storage.data() - bytes.data()) +
                        static_cast<std::uint64_t>(tensor.offset) * element;
            one.end = one.begin + static_cast<std::uint64_t>(count) * element;
        }
        tensors.push_back(std::move(one));
    };
    std::set<std::string> nested;  // names of tables with the states of a parameter
    for (const config::OptimizerKind& kind : config::optimizer_kinds())
        if (!kind.states_under.empty())
            nested.insert(kind.states_under);
    const std::span<const Value> states = state->items();
    for (std::size_t i = 0; i + 1 < states.size(); i += 2) {
        std::vector<std::span<const Value>> tables{states[i + 1].items()};
        for (const std::string& name : nested)
            if (const Value* under = weights::find(states[i + 1], name))
                tables.push_back(under->items());
        for (const std::span<const Value> own : tables)
            for (std::size_t j = 0; j + 1 < own.size(); j += 2) {
                const std::string_view key = own[j].text();
                if (!config::is_beside_states(key) && own[j + 1].kind == Kind::tensor)
                    add(key, *own[j + 1].object->tensor, states[i].integer);
            }
    }
    return tensors;
}

}  // namespace trainyard::checkpoint
