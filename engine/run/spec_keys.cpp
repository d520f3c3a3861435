#include "run/spec_keys.h"

#include <algorithm>

#include <yaml-cpp/yaml.h>

#include "base/error.h"
#include "run/yaml_depth.h"

namespace trainyard::run {

namespace {
constexpr int kDeepest = 32;

constexpr std::size_t kMostNodes =
    100'000;  // an alias repeats what it names: a short file may come to more than any memory

void walk(const YAML::Node& node, const std::string& key, int depth, std::size_t& nodes, FlatKeys& keys) {
    if (depth > kDeepest)
        return;
    nodes += 1 + (node.IsSequence() ? node.size() : 0);
    if (nodes > kMostNodes)
        throw UserError("run.yaml holds more than " + std::to_string(kMostNodes) + " values, aliases (*name) counted");
    const std::string front = key.empty() ? "" : key + ".";
    switch (node.Type()) {
        case YAML::NodeType::Map:
            for (const auto& entry : node)
                if (entry.first.IsScalar())
                    walk(entry.second, front + entry.first.Scalar(), depth + 1, nodes, keys);
            break;
        case YAML::NodeType::Sequence: {
            const bool words =
                std::all_of(node.begin(), node.end(), [](const YAML::Node& one) { return one.IsScalar(); });
            if (!words) {
                std::size_t number = 0;
                for (const YAML::Node& one : node)
                    walk(one, front + std::to_string(number++), depth + 1, nodes, keys);
                break;
            }
            std::string text;
            for (const YAML::Node& one : node)
                text += (text.empty() ? "" : ", ") + one.Scalar();
            keys.emplace_back(key, text);
            break;
        }
        case YAML::NodeType::Scalar:
            keys.emplace_back(key, node.Scalar());
            break;
        case YAML::NodeType::Null:
            if (!key.empty())
                keys.emplace_back(key, "");
            break;
        case YAML::NodeType::Undefined:
            break;
    }
}
}  // namespace

FlatKeys flat_keys(const std::string& yaml, const std::string& origin) {
    FlatKeys keys;
    try {
        std::size_t nodes = 0;
        walk(YAML::Load(yaml), "", 0, nodes, keys);
    } catch (const YAML::DeepRecursion& error) {
        throw UserError(origin + ", line " + std::to_string(error.mark.line + 1) + ": " + too_deep_words(error));
    } catch (const YAML::Exception& error) {
        throw UserError(origin + " is not YAML: line " + std::to_string(error.mark.line + 1) + ", " + error.msg);
    }
    constexpr std::string_view recipe = "recipe.";
    for (auto& [key, text] : keys)
        if (key.starts_with(recipe))
            key.erase(0, recipe.size());
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return keys;
}

}  // namespace trainyard::run
