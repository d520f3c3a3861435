#include "run/labels.h"

#include <algorithm>
#include <cctype>

#include "base/file.h"
#include "base/regular_file.h"
#include "run/json_fields.h"

namespace trainyard::run {

using json::Json;

namespace {
constexpr std::uint64_t kLimit = 1 << 20;  // bytes; a note is a few lines

Json read_object(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        return Json::object();
    return json::parse_object(read_regular_file(file, kLimit), file.string());
}
}  // namespace

Labels read_labels(const RunPaths& run) {
    const fs::path file = labels_file(run);
    const std::string origin = file.string();
    const Json object = read_object(file);
    Labels labels;
    json::read(object, "name", labels.name, origin);
    std::vector<std::string> tags;
    json::read(object, "tags", tags, origin);
    for (const std::string& tag : tags)
        add_tag(labels, tag);
    json::read(object, "note", labels.note, origin);
    json::read(object, "archived", labels.archived, origin);
    json::read(object, "color", labels.color, origin);
    json::read(object, "baseline", labels.baseline, origin);
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
    object["name"] = labels.name;
    object["tags"] = labels.tags;
    object["note"] = labels.note;
    object["archived"] = labels.archived;
    object["color"] = labels.color;
    object["baseline"] = labels.baseline;
    write_file_atomically(file, object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n", false);
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
