// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_labels.h"

#include <algorithm>
#include <cctype>

#include "base/fields.h"
#include "base/file.h"
#include "base/regular_file.h"

namespace trainyard::run {

using fields::Json;

namespace {
constexpr std::uint64_t kLimit = 1 << 20;  // bytes; a note is a few lines

Json read_object(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        return Json::object();
    return fields::parse_object(read_regular_file(file, kLimit), file.string());
}
}  // namespace

Labels read_labels(const RunPaths& run) {
    const fs::path file = labels_file(run);
    Labels labels = fields::from_json<Labels>(read_object(file), file.string());
    for (const std::string& tag : std::exchange(labels.tags, {}))
        add_tag(labels, tag);
    labels.color = std::max(0, labels.color);
    return labels;
}

Labels labels_or_none(const RunPaths& run) noexcept {
    try {
        return read_labels(run);
    } catch (const std::exception&) {
        return {};
    }
}

void write_labels(const RunPaths& run, const Labels& labels) {
    const fs::path file = labels_file(run);
    Json object = read_object(file);
    object.update(parse_json(fields::to_text(labels)));
    write_file_atomically(file, json_text(object, {.indent = 2}) + "\n", false);
}

std::string tidy_tag(const std::string& text) {
    std::string tag;
    bool gap = false;
    for (char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            gap = !tag.empty();
            continue;
        }
        if (std::exchange(gap, false))
            tag += '-';
        tag += c;
    }
    return tag;
}

void add_tag(Labels& labels, const std::string& text) {
    std::string tag = tidy_tag(text);
    if (!tag.empty() && std::find(labels.tags.begin(), labels.tags.end(), tag) == labels.tags.end())
        labels.tags.push_back(std::move(tag));
}

void remove_tag(Labels& labels, const std::string& text) {
    std::erase(labels.tags, tidy_tag(text));
}

}  // namespace trainyard::run
