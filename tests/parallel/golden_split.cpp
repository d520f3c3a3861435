// SPDX-License-Identifier: GPL-3.0-or-later
// split_between_processes as Accelerate does it: the cases of that kind in data_sharding.json.

#include <algorithm>
#include <fstream>
#include <set>

#include <ATen/ops/tensor.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "distributed/parallel/process_state.h"
#include "distributed/tensors/operations.h"
#include "support/golden.h"
#include "support/json_tree.h"

namespace trainyard::parallel {
namespace {

using test::Json;
using test::tree_of;

/// A world that nobody talks in: shares of work need no communication.
class SilentWorld final : public World {
  public:
    SilentWorld(int rank, int size) : rank_(rank), size_(size), alone_(World::connect({}, "cpu")) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::shared_ptr<Communicator> group(std::span<const int> ranks, const std::string& name) override {
        return alone_->group(ranks, name);
    }

  private:
    int rank_, size_;
    std::unique_ptr<World> alone_;
};

struct Numbers {
    std::vector<std::int64_t> shape;
    std::vector<double> values;
    bool only_flags = true, only_whole = true;
};

void flatten(const Json& json, std::size_t depth, Numbers& numbers) {
    if (!json.is_array()) {
        numbers.values.push_back(json.is_boolean() ? json.get<bool>() : json.get<double>());
        numbers.only_flags = numbers.only_flags && json.is_boolean();
        numbers.only_whole = numbers.only_whole && (json.is_boolean() || json.is_number_integer());
        return;
    }
    if (numbers.shape.size() == depth)
        numbers.shape.push_back(static_cast<std::int64_t>(json.size()));
    for (const Json& item : json)
        flatten(item, depth + 1, numbers);
}

/// torch.tensor(json)
Tree tensor_of(const Json& json) {
    Numbers numbers;
    flatten(json, 0, numbers);
    at::Tensor tensor = at::tensor(numbers.values, at::TensorOptions(at::kDouble)).view(numbers.shape);
    bool empty = numbers.values.empty();
    return tensor.to(!empty && numbers.only_flags ? at::kBool : !empty && numbers.only_whole ? at::kLong : at::kFloat);
}

Tree value_of(const Json& input) {
    const Json& value = input.at("value");
    std::string as = input.at("as");
    if (as == "tensor")
        return tensor_of(value);
    if (as == "dict_of_tensors") {
        Tree dict = Tree::dict();
        for (const auto& [key, item] : value.items())
            dict.set(key, tensor_of(item));
        return dict;
    }
    Tree tree = tree_of(value);
    return as == "tuple" ? Tree::tuple(tree.items()) : tree;
}

/// The plain rule, on lists: what a rank should get where Accelerate fails.
Json share(const Json& whole, std::size_t rank, std::size_t ranks, bool pad) {
    if (whole.is_object()) {
        Json parts = Json::object();
        for (const auto& [key, value] : whole.items())
            parts[key] = share(value, rank, ranks, pad);
        return parts;
    }
    if (!whole.is_array())
        return whole;
    std::size_t each = whole.size() / ranks, longer = whole.size() % ranks;
    std::size_t begin = rank * each + std::min(rank, longer), length = each + (rank < longer);
    Json part = Json::array();
    for (std::size_t i = begin; i < begin + length; ++i)
        part.push_back(whole[i]);
    while (pad && !whole.empty() && part.size() < each + (longer > 0))
        part.push_back(whole.back());
    return part;
}

/// Lengths of all lists in a dictionary and in those in it.
void lengths(const Json& whole, std::set<std::size_t>& found) {
    if (whole.is_array())
        found.insert(whole.size());
    else if (whole.is_object())
        for (const Json& value : whole)
            lengths(value, found);
}

bool is_empty_sequence(const Json& value) {
    return value.is_array() && value.empty();
}

/// Where we do something else, and why. Ours is then what share() says, and an error where lists differ in length.
struct Deviation {
    const char* reason;
    bool (*applies)(const Json& input);
};
const Deviation kDeviations[] = {
    {"padding appends a list to a tuple, which Python refuses; we pad tuples as lists",
     [](const Json& input) { return input.at("as") == "tuple" && input.at("apply_padding").get<bool>(); }},
    {"padding asks for the last item of nothing; we give every rank nothing",
     [](const Json& input) {
         if (!input.at("apply_padding").get<bool>())
             return false;
         const Json& value = input.at("value");
         if (value.is_object())
             return std::any_of(value.begin(), value.end(), is_empty_sequence);
         return is_empty_sequence(value);
     }},
    {"the length of a dictionary without entries is asked of its first one; we give every rank an empty dictionary",
     [](const Json& input) { return input.at("value").is_object() && input.at("value").empty(); }},
    {"a value of a dictionary without a length is an error, or its letters are counted; we hand it to every rank whole",
     [](const Json& input) {
         const Json& value = input.at("value");
         return value.is_object() &&
                std::any_of(value.begin(), value.end(), [](const Json& item) { return !item.is_structured(); });
     }},
    {"of a dictionary in the dictionary the keys are counted; we look at the lists in it",
     [](const Json& input) {
         const Json& value = input.at("value");
         return value.is_object() &&
                std::any_of(value.begin(), value.end(), [](const Json& item) { return item.is_object(); });
     }},
};

TEST(Golden, SplitBetweenProcesses) {
    std::ifstream file(test::golden("data_sharding.json"));
    Json golden = Json::parse(file);
    int checked = 0;
    for (const Json& test_case : golden.at("cases")) {
        const Json& input = test_case.at("input");
        if (input.at("kind") != "split_between_processes")
            continue;
        ++checked;
        std::string id = test_case.at("id");
        int ranks = input.at("num_processes");
        bool pad = input.at("apply_padding");
        bool deviates = ranks > 1 && std::any_of(std::begin(kDeviations), std::end(kDeviations),
                                                 [&](const Deviation& d) { return d.applies(input); });
        Tree whole = value_of(input);
        for (int rank = 0; rank < ranks; ++rank) {
            ProcessState state(std::make_shared<SilentWorld>(rank, ranks), {rank, ranks, rank, ranks});
            const Json& expected = test_case.at("expected");
            std::set<std::size_t> found;
            lengths(input.at("value").is_object() ? input.at("value") : Json(), found);
            if (deviates ? found.size() > 1 : expected.contains("error")) {
                EXPECT_THROW(state.split_between_processes(whole, pad), UserError) << id;
                continue;
            }
            Json part = deviates ? share(input.at("value"), static_cast<std::size_t>(rank),
                                         static_cast<std::size_t>(ranks), pad)
                                 : expected.at("ranks").at(static_cast<std::size_t>(rank)).at("part");
            Tree got = listify(state.split_between_processes(whole, pad));
            if (got.is_tuple())
                got = Tree::list(got.items());
            EXPECT_EQ(got, tree_of(part)) << id << " rank " << rank;
        }
    }
    EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace trainyard::parallel
