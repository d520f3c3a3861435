// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/device_checks.h"

#include <string>

#include "base/text.h"

namespace trainyard::config {

namespace {

constexpr std::string_view kTf32 = "training.tf32";

struct FormatUse {
    std::string_view key;
    std::string value;
    Availability availability;
};

std::vector<FormatUse> format_uses(const Recipe& recipe, const DeviceFacts& device) {
    std::vector<FormatUse> uses;
    const auto add = [&](std::string_view key, std::string value) {
        if (const auto format = format_of_choice(key, value))
            uses.push_back({key, std::move(value), availability(*format, device)});
    };
    add("training.mixed_precision", choice_name(recipe.training.mixed_precision));
    add(kTf32, recipe.training.tf32 ? "true" : "false");
    add("quantization.method", choice_name(recipe.model.quantization.method));
    if (keeps_quantized(recipe.model))
        add("quantization.bnb_4bit_compute_dtype", choice_name(recipe.model.quantization.bnb_4bit_compute_dtype));
    add("optimizer.name", recipe.optimizer.name);
    return uses;
}

}  // namespace

std::optional<DeviceFormat> format_of_choice(std::string_view key, std::string_view value) {
    if (key == "training.mixed_precision" || key == "quantization.bnb_4bit_compute_dtype")
        return value == "bf16"   ? std::optional(DeviceFormat::bf16)
               : value == "fp16" ? std::optional(DeviceFormat::fp16)
               : value == "fp8"  ? std::optional(DeviceFormat::fp8_e4m3)
                                 : std::nullopt;
    if (key == "fp8.scaling")
        return value == "mxfp8" ? DeviceFormat::mxfp8 : DeviceFormat::fp8_e4m3;
    if (key == "fp8.fp8_format")
        return value == "HYBRID" ? DeviceFormat::fp8_e5m2 : DeviceFormat::fp8_e4m3;
    if (key == kTf32)
        return value == "true" ? std::optional(DeviceFormat::tf32) : std::nullopt;
    if (key == "quantization.method")
        return value.starts_with("float8_") ? std::optional(DeviceFormat::float8_weights)
                                            : find_choice<DeviceFormat>(value);
    if (key == "optimizer.name")
        return value.ends_with("_8bit") ? std::optional(DeviceFormat::optimizer_8bit) : std::nullopt;
    return std::nullopt;
}

std::vector<Problem> missing_formats(const Recipe& recipe, const DeviceFacts& device) {
    std::vector<Problem> problems;
    for (const FormatUse& use : format_uses(recipe, device))
        if (use.availability.ability == Ability::missing && use.key != kTf32)
            problems.push_back({"", 0, 0, std::string(use.key),
                                Message("{} does not work on {} ({}): set it to no, or start with --cpu", use.value,
                                        device.words(), use.availability.reason)});
    if (recipe.training.cuda_graph && device.kind == "cpu")
        problems.push_back(
            {"", 0, 0, "training.cuda_graph",
             Message("a processor has no CUDA graphs, and the ranks train on {}: set it to no", device.words())});
    return problems;
}

std::vector<Message> notes_on_formats(const Recipe& recipe, const DeviceFacts& device) {
    std::vector<Message> notes;
    for (const FormatUse& use : format_uses(recipe, device)) {
        if (use.availability.ability == Ability::emulated)
            notes.push_back(
                Message("{}: {} is emulated on {}: {}", use.key, use.value, device.words(), use.availability.reason));
        else if (use.availability.ability == Ability::missing && use.key == kTf32)
            notes.push_back(Message("{}: has no effect on {}: {}", use.key, device.words(), use.availability.reason));
    }
    return notes;
}

}  // namespace trainyard::config
