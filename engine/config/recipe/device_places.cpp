// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/device_places.h"

#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"

namespace trainyard::config {

namespace {

constexpr std::uint64_t kMostMapBytes = 64u << 20;

}  // namespace

DeviceMap read_device_map(const std::filesystem::path& file) {
    const nlohmann::json json = read_json(text::read_text_file(file, kMostMapBytes));
    if (!json.is_object() || json.empty())
        throw UserError(
            "{} holds no device map: it should be a JSON object such as {{\"model.embed_tokens\": 0, "
            "\"model.layers.0\": \"cpu\"}}",
            file.string());
    DeviceMap map;
    for (const auto& [name, device] : json.items()) {
        if (!device.is_string() && !device.is_number_unsigned())
            throw UserError("{}: '{}' is on {}, which is not a device: give a number, cpu or disk", file.string(), name,
                            json_text(device));
        map[name] = device.is_string() ? device.get<std::string>() : json_text(device);
    }
    return map;
}

DeviceMap::const_iterator place_in(const DeviceMap& map, std::string name) {
    for (;;) {
        if (const auto found = map.find(name); found != map.end() || name.empty())
            return found;
        const std::size_t dot = name.rfind('.');
        name.resize(dot == std::string::npos ? 0 : dot);
    }
}

}  // namespace trainyard::config
