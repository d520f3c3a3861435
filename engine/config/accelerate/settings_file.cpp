// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/settings_file.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/text_file.h"
#include "config/accelerate/normalise.h"
#include "config/accelerate/schema.h"
#include "config/values/value_formats.h"

namespace trainyard::settings {

Loaded read_settings(std::string text, const std::string& file, Format format) {
    Loaded loaded;
    loaded.text = std::move(text);
    loaded.file = file;
    loaded.format = format;
    if (format == Format::json && text::mark_bytes(loaded.text) > 0)
        loaded.problems.push_back(
            {file, 1, 1, "", "begins with a byte order mark, which JSON does not have: save it as UTF-8 without one"});
    std::vector<Problem> twice;
    const auto parse = format == Format::json ? parse_json_tree : parse_yaml;
    const Value root = parse(loaded.text, file, loaded.problems, python_rules(twice));
    for (const Problem& key : twice)
        loaded.notes.push_back({ReadNote::Kind::repaired, key.key,
                                Message("{} is {}; the last one counts", key.key, key.message), key.line});
    // A text that does not parse has said what is wrong.
    if (loaded.problems.empty() || root.map() != nullptr)
        normalise(root, loaded);
    return loaded;
}

Loaded load_settings(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw UserError("{} is a folder: name a file of settings", file.string());
    if (!std::filesystem::exists(file, error))
        throw UserError(
            "{} does not exist: name a file of settings, or make one with `trainyard "
            "config`",
            file.string());
    Loaded loaded = read_settings(read_file(file, TreeRules().most_bytes), file.string(),
                                  file.extension() == ".json" ? Format::json : Format::yaml);
    if (!loaded.problems.empty())
        throw InvalidInput(loaded.problems);
    return loaded;
}

Settings with_defaults(const Settings& settings) {
    Settings complete = settings;
    bool sagemaker = settings.text("compute_environment") == "AMAZON_SAGEMAKER";
    for (const Key& key : schema()) {
        if (key.section != (sagemaker ? Section::sagemaker : Section::local))
            continue;
        if (key.fallback.is_null() || complete.has(key.path()))
            continue;
        bool alone = key.name == "num_processes" && settings.text("distributed_type") == "NO";
        complete.set(key.path(), alone ? Value(1) : key.fallback);
    }
    return complete;
}

std::string to_text(const Settings& settings, Format format) {
    return format == Format::json ? write_json(settings.saved()) : write_yaml(settings.saved());
}

void save_text(const std::filesystem::path& file, const std::string& text) {
    std::error_code error;
    std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (!std::filesystem::exists(folder, error))
        make_private_folder(folder);
    // If the file is a symbolic link, its target is replaced, not the link.
    std::filesystem::path target =
        std::filesystem::is_symlink(file, error) ? std::filesystem::canonical(file, error) : file;
    write_file_atomically(target.empty() ? file : target, text);
}

std::filesystem::path default_file() {
    const char* own = std::getenv("TRAINYARD_CONFIG");
    if (own != nullptr && *own != '\0')
        return own;
    return files::hugging_face_folder() / "accelerate" / "default_config.yaml";
}

}  // namespace trainyard::settings
