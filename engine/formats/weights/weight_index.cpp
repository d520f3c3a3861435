// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/weight_index.h"

#include <algorithm>
#include <map>
#include <regex>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_file.h"
#include "formats/weights/json_view.h"

namespace trainyard::weights {

namespace {

namespace ondemand = simdjson::ondemand;

/// An error in an index; the message lacks the name of the file.
struct BadIndex {
    Message message;
};

void check_index_json(simdjson::error_code error) {
    if (error == simdjson::DEPTH_ERROR)
        throw BadIndex{"it is nested too deeply"};
    if (error != simdjson::SUCCESS)
        throw BadIndex{"it is not JSON, or cut"};
}

}  // namespace

WeightIndex::WeightIndex(const std::filesystem::path& index) {
    try {
        read(index);
    } catch (const BadIndex& error) {
        throw UserError("{} is not a weight index: {}", index.string(), error.message);
    }
}

void WeightIndex::read(const std::filesystem::path& index) {
    text_ = std::make_unique<std::string>(text::read_text_file(index));
    const std::size_t size = text_->size();
    text_->append(simdjson::SIMDJSON_PADDING, ' ');
    ondemand::parser parser;
    ondemand::document document;
    check_index_json(parser.iterate(simdjson::padded_string_view(text_->data(), size, text_->size())).get(document));
    ondemand::json_type type{};
    check_index_json(document.type().get(type));
    ondemand::object top;
    if (type != ondemand::json_type::object || document.get_object().get(top) != simdjson::SUCCESS)
        throw BadIndex{"it has no table 'weight_map'"};
    const auto inside = [&](std::string_view name) {
        return name.data() >= text_->data() && name.data() < text_->data() + size;
    };
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::uint32_t last = 0;
    const auto add = [&](std::string_view tensor, std::string_view file) {
        if (files_.empty() || files_[last] != file) {
            if (file.empty() || file == "." || file == ".." || file.find('/') != std::string_view::npos ||
                file.find('\0') != std::string_view::npos)
                throw BadIndex{Message("the file '{}' of '{}' leaves the folder", file, tensor)};
            const auto [at, fresh] = numbers.emplace(file, static_cast<std::uint32_t>(files_.size()));
            if (fresh)
                files_.emplace_back(file);
            last = at->second;
        }
        entries_.push_back({inside(tensor) ? tensor : std::string_view(own_.emplace_back(tensor)), last});
    };
    bool found = false, is_flat = true;
    std::vector<std::pair<std::string, std::string>> flat;  // of an index that is the table itself
    for (auto field : top) {
        std::string_view key;
        ondemand::value value;
        check_index_json(name_of_field(field, key));
        check_index_json(field.value().get(value));
        if (key != "weight_map") {
            check_index_json(value.type().get(type));
            if (is_flat = is_flat && !found && type == ondemand::json_type::string; is_flat) {
                std::string_view file;
                std::string tensor(key);
                check_index_json(value.get_string().get(file));
                flat.emplace_back(std::move(tensor), file);
            } else {
                check_index_json(skip_value(value));
            }
            continue;
        }
        ondemand::object table;
        check_index_json(value.type().get(type));
        if (type != ondemand::json_type::object || value.get_object().get(table) != simdjson::SUCCESS)
            throw BadIndex{"it has no table 'weight_map'"};
        found = true;
        entries_.clear();  // of two tables the last one counts, as in Python
        for (auto row : table) {
            std::string_view tensor, file;
            ondemand::value place;
            check_index_json(name_of_field(row, tensor));
            check_index_json(row.value().get(place));
            check_index_json(place.type().get(type));
            if (type != ondemand::json_type::string)
                throw BadIndex{Message("the file of '{}' is not text", tensor)};
            check_index_json(place.get_string().get(file));
            add(tensor, file);
        }
    }
    if (const char* rest = nullptr; document.current_location().get(rest) == simdjson::SUCCESS)
        check_index_json(simdjson::TAPE_ERROR);
    if (!found && (!is_flat || flat.empty()))
        throw BadIndex{"it has no table 'weight_map'"};
    for (std::size_t i = 0; !found && i < flat.size(); ++i)
        add(own_.emplace_back(flat[i].first), flat[i].second);
    // Writers sort the names.
    if (!std::ranges::is_sorted(entries_, {}, &Entry::tensor))
        std::ranges::stable_sort(entries_, {}, &Entry::tensor);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (i + 1 == entries_.size() || entries_[i + 1].tensor != entries_[i].tensor)
            entries_[kept++] = entries_[i];
    entries_.resize(kept);
}

const std::string* WeightIndex::file_of(std::string_view tensor) const {
    const auto at = std::ranges::lower_bound(entries_, tensor, {}, &Entry::tensor);
    return at == entries_.end() || at->tensor != tensor ? nullptr : &files_[at->file];
}

std::vector<std::string> shards_without_index(const std::filesystem::path& folder) {
    static const std::regex pattern(R"((.+)-(\d{5})-of-(\d{5})\.safetensors)");
    std::map<std::string, std::string> found;  // by name; the first set counts
    std::string set, of;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        std::smatch parts;
        if (!std::regex_match(name, parts, pattern))
            continue;
        if (set.empty() || parts[1].str() < set) {
            set = parts[1];
            of = parts[3];
            found.clear();
        }
        if (parts[1] == set && parts[3] == of)
            found.emplace(name, name);
    }
    std::vector<std::string> shards, missing;
    for (int i = 1; !set.empty() && i <= std::stoi(of); ++i) {
        std::string name = fmt::format("{}-{:05}-of-{}.safetensors", set, i, of);
        (found.contains(name) ? shards : missing).push_back(std::move(name));
    }
    if (!missing.empty())
        throw UserError("{} lacks {} of {} shards, the first one is {}: copy them again", folder.string(),
                        missing.size(), std::stoi(of), missing.front());
    return shards;
}

}  // namespace trainyard::weights
