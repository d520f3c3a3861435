// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes, balanced limits and device maps as accelerate.utils.modeling computes them. What is only worded there (warnings, errors) counts, not its words.

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/memory_size.h"
#include "estimate/device_map.h"
#include "support/golden.h"

namespace trainyard::estimate {
namespace {

using nlohmann::ordered_json;

std::vector<PartTensor> tensors_of(const ordered_json& node, const char* key) {
    std::vector<PartTensor> tensors;
    if (node.contains(key))
        for (const auto& [name, tensor] : node.at(key).items())
            tensors.push_back({name, tensor.at(0).get<Shape>(), tensor.at(1).get<std::string>()});
    return tensors;
}

ModelPart part_of(const ordered_json& node) {
    ModelPart part{node.value("class", ""), tensors_of(node, "params"), tensors_of(node, "buffers"), {}};
    if (node.contains("children"))
        for (const auto& [name, child] : node.at("children").items())
            part.children.emplace_back(name, part_of(child));
    return part;
}

const ordered_json* given(const ordered_json& object, const char* key) {
    return object.contains(key) && !object.at(key).is_null() ? &object.at(key) : nullptr;
}

DeviceMapOptions options_of(const ordered_json& input) {
    DeviceMapOptions options;
    if (const ordered_json* classes = given(input, "no_split")) {
        if (classes->is_string())
            options.no_split.insert(classes->get<std::string>());
        else
            options.no_split = classes->get<std::set<std::string>>();
    }
    if (const ordered_json* dtype = given(input, "dtype"))
        options.dtype = dtype->get<std::string>();
    if (const ordered_json* special = given(input, "special_dtypes"))
        options.special_dtypes = special->get<std::map<std::string, std::string>>();
    if (const ordered_json* tied = given(input, "tied"))
        options.tied = tied->get<std::vector<std::vector<std::string>>>();
    options.clean = input.value("clean", true);
    options.offload_buffers = input.value("offload_buffers", false);
    options.fallback = input.value("fallback", false);
    return options;
}

/// Bytes by name; a part of no bytes is there or not, as something has asked for it.
std::map<std::string, double> sizes_of(const ordered_json& sizes) {
    std::map<std::string, double> all;
    for (const auto& [name, bytes] : sizes.items())
        if (const double count = bytes.get<double>(); count != 0)
            all[name] = count;
    return all;
}

void compare_sizes(const ModelPart& model, const DeviceMapOptions& options, const ordered_json& expected) {
    ordered_json sizes = ordered_json::object();
    for (const auto& [name, bytes] : part_sizes(model, options))
        sizes[name] = bytes;
    EXPECT_EQ(sizes_of(sizes), sizes_of(expected.at("sizes")));
    if (expected.contains("buffer_bytes")) {
        EXPECT_EQ(buffer_bytes(model, options), expected.at("buffer_bytes").get<double>());
    }
    if (const ordered_json* most = given(expected, "max_layer")) {
        const auto [bytes, names] = largest_part(model, options);
        EXPECT_EQ(bytes, most->at("bytes").get<double>());
        EXPECT_EQ(names, most->at("names").get<std::vector<std::string>>());
    }
    if (const ordered_json* tied = given(expected, "tied")) {
        EXPECT_EQ(tied_groups(model, options), tied->get<std::vector<std::vector<std::string>>>());
    }
}

void compare_placement(const ordered_json& input, const ModelPart& model, const DeviceMapOptions& options,
                       const ordered_json& expected) {
    DeviceMemory limits;
    for (const auto& [device, bytes] : input.at("max_memory").items())
        limits[device] =
            bytes.is_string() ? static_cast<double>(parse_memory_size(bytes.get<std::string>())) : bytes.get<double>();
    const std::string kind = input.at("kind").get<std::string>();
    if (kind.starts_with("balanced"))
        limits = balanced_memory(model, limits, options, input.value("low_zero", false));
    if (const ordered_json* balanced = given(expected, "balanced")) {
        EXPECT_EQ(limits, (balanced->get<std::map<std::string, double>>()));
    }
    if (kind == "balanced")
        return;
    const DeviceMap map = infer_device_map(model, limits, options);
    std::map<std::string, std::string> devices;
    for (const auto& [name, device] : expected.at("device_map").items())
        devices[name] = device.is_string() ? device.get<std::string>() : device.dump();
    EXPECT_EQ(map.devices, devices);
    if (expected.contains("warnings")) {
        EXPECT_EQ(map.warnings.size(), expected.at("warnings").size());
    }
}

TEST(GoldenDeviceMap, AsAccelerate) {
    const ordered_json cases = ordered_json::parse(std::ifstream(test::golden("device_map.json"))).at("cases");
    EXPECT_FALSE(cases.empty());
    for (const ordered_json& one : cases) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const ordered_json &input = one.at("input"), &expected = one.at("expected");
        const ModelPart model = part_of(input.at("tree"));
        const DeviceMapOptions options = options_of(input);
        const auto compare = [&] {
            if (input.at("kind") == "sizes")
                compare_sizes(model, options, expected);
            else
                compare_placement(input, model, options, expected);
        };
        if (expected.contains("error")) {
            EXPECT_THROW(compare(), UserError);
        } else
            compare();
    }
}

TEST(DeviceMap, WhatIsNotADtypeOrADeviceIsNamed) {
    EXPECT_EQ(element_bytes_of("bfloat16"), 2);
    EXPECT_EQ(element_bytes_of("float8_e4m3fn"), 1);
    EXPECT_EQ(element_bytes_of("bool"), 0.125);
    EXPECT_THROW(element_bytes_of("half"), UserError);
    EXPECT_THROW(element_bytes_of("32"), UserError);
    EXPECT_THROW(infer_device_map({}, {{"gpu0", 1}}, {}), UserError);
}

}  // namespace
}  // namespace trainyard::estimate
