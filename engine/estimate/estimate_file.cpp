// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/estimate_file.h"

#include <cmath>
#include <exception>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "estimate/recipe_estimate.h"

namespace trainyard::estimate {

namespace {

constexpr std::uint64_t kMostFileBytes = 1u << 20;
using FileJson = nlohmann::ordered_json;

FileJson json_of(const PartBytes& parts) {
    FileJson json = FileJson::object();
    for (const auto& [key, bytes] : parts)
        json[key] = bytes;
    return json;
}

PartBytes parts_in_file(const FileJson& json) {
    PartBytes parts;
    for (const auto& [key, bytes] : json.items())
        if (bytes.is_number_unsigned() && key != "total")
            parts.emplace_back(key, bytes.get<std::uint64_t>());
    return parts;
}

}  // namespace

std::uint64_t bytes_of(const PartBytes& parts, std::string_view key) {
    for (const auto& [name, bytes] : parts)
        if (name == key)
            return bytes;
    return 0;
}

std::optional<double> EstimateFile::error() const {
    if (!measured || measured->peak_resident == 0 || predicted_total == 0)
        return std::nullopt;
    return static_cast<double>(measured->peak_resident) / static_cast<double>(predicted_total) - 1;
}

EstimateFile estimate_file(const config::Recipe& recipe, std::int64_t ranks, const std::string& device) {
    EstimateFile file;
    file.device = device;
    file.model_type = recipe.model.model_type;
    file.precision = choice_name(recipe.training.mixed_precision);
    const RecipeEstimate estimated = estimate_recipe(recipe, ranks);
    const MemoryEstimate& estimate = estimated.memory;
    file.predicted_program = static_cast<std::uint64_t>(estimated.device.program);
    file.parameter_count = estimate.parameter_count;
    for (std::size_t i = 0; i < kParts; ++i)
        if (const double bytes = estimate.fullest().bytes_of(static_cast<Part>(i)); bytes > 0)
            file.predicted.emplace_back(part_key(static_cast<Part>(i)), static_cast<std::uint64_t>(bytes));
    if (const double on_disk = estimate.fullest().total(Place::disk); on_disk > 0)
        file.predicted.emplace_back(kOnDisk, static_cast<std::uint64_t>(on_disk));
    file.predicted_total = static_cast<std::uint64_t>(estimate.total());
    return file;
}

std::string to_json(const EstimateFile& file) {
    FileJson json{{"device", file.device}, {"model_type", file.model_type}, {"mixed_precision", file.precision}};
    FileJson memory = json_of(file.predicted);
    memory["total"] = file.predicted_total;
    json["predicted"] = {{"parameter_count", static_cast<std::int64_t>(file.parameter_count)},
                         {"memory", memory},
                         {"program_bytes", file.predicted_program}};
    if (file.measured) {
        json["measured"] = {{"peak_resident_bytes", file.measured->peak_resident},
                            {"memory", json_of(file.measured->parts)}};
        if (file.measured->step_seconds > 0)
            json["measured"]["step_seconds"] = file.measured->step_seconds;
    }
    return json_text(json, {.indent = 2}) + "\n";
}

std::optional<EstimateFile> parse_estimate_file(const std::string& text) {
    const FileJson json = read_ordered_json(text);
    try {
        EstimateFile file;
        file.device = json.value("device", "cpu");
        file.model_type = json.value("model_type", "");
        file.precision = json.value("mixed_precision", "no");
        const FileJson& predicted = json.at("predicted");
        file.parameter_count = predicted.value("parameter_count", 0.0);
        file.predicted_program = predicted.value("program_bytes", std::uint64_t{0});
        file.predicted = parts_in_file(predicted.at("memory"));
        file.predicted_total = predicted.at("memory").at("total").get<std::uint64_t>();
        if (const auto found = json.find("measured"); found != json.end()) {
            MeasuredMemory measured;
            measured.peak_resident = found->value("peak_resident_bytes", std::uint64_t{0});
            if (found->contains("memory"))
                measured.parts = parts_in_file(found->at("memory"));
            measured.step_seconds = found->value("step_seconds", 0.0);
            file.measured = measured;
        }
        return file;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

std::optional<EstimateFile> read_estimate_file(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return std::nullopt;
    try {
        return parse_estimate_file(read_file(path, kMostFileBytes));
    } catch (const std::exception&) {  // removed in the meantime
        return std::nullopt;
    }
}

}  // namespace trainyard::estimate
