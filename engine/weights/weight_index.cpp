#include "weights/weight_index.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace trainyard::weights {

std::map<std::string, std::string> read_weight_index(const std::filesystem::path& index) {
    auto fail = [&](const std::string& what) {
        throw UserError(fmt::format("{} is not a weight index: {}", index.string(), what));
    };
    nlohmann::json json = nlohmann::json::parse(read_file(index), nullptr, false);
    if (json.is_discarded())
        fail("it is not JSON, or cut");
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
        fail("it has no table 'weight_map'");
    std::map<std::string, std::string> files;
    for (const auto& [name, value] : json["weight_map"].items()) {
        if (!value.is_string())
            fail(fmt::format("the file of '{}' is not text", name));
        auto file = value.get<std::string>();
        if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos ||
            file.find('\0') != std::string::npos)
            fail(fmt::format("the file '{}' of '{}' leaves the folder", file, name));
        files[name] = std::move(file);
    }
    return files;
}

}  // namespace trainyard::weights
