// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/own_presets.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "config/accelerate/settings_file.h"
#include "desktop/shell/preferences.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {

constexpr std::uint64_t kMostPresetBytes = 1u << 20;

/// Letters and digits of the name, the rest as dashes: `My 8 GPUs` -> `my-8-gpus`.
std::string file_stem(const std::string& name) {
    std::string stem;
    for (const unsigned char c : name) {
        if (std::isalnum(c) != 0 || c >= 0x80)
            stem += static_cast<char>(c < 0x80 ? std::tolower(c) : c);
        else if (!stem.empty() && stem.back() != '-')
            stem += '-';
    }
    while (!stem.empty() && stem.back() == '-')
        stem.pop_back();
    return stem.substr(0, 80);
}

std::string name_in(const std::string& text, const fs::path& file) {
    if (!text.empty() && text[0] == '#') {
        const QString name = qt(text.substr(1, text.find('\n') - 1)).trimmed();
        if (!name.isEmpty())
            return name.toStdString();
    }
    return file.stem().string();
}

OwnPreset preset_of(const fs::path& file, const std::string& name, const settings::Settings& settings) {
    OwnPreset own;
    own.file = file;
    own.preset.id = "own:" + file.stem().string();
    own.preset.name = name;
    own.preset.help = file.string();
    for (const auto& [path, value] : settings.leaves())
        own.preset.keys.emplace_back(path, value);
    return own;
}

}  // namespace

fs::path own_preset_folder() {
    return fs::path(Preferences::configFolder().toStdString()) / "presets";
}

std::vector<OwnPreset> read_own_presets(std::vector<Message>& problems) {
    std::vector<OwnPreset> presets;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(own_preset_folder(), error)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".yaml" && file.extension() != ".yml")
            continue;
        try {
            const std::string text = read_file(file, kMostPresetBytes);
            settings::Loaded loaded = settings::read_settings(text, file.string(), settings::Format::yaml);
            if (!loaded.problems.empty())
                throw UserError(loaded.problems.front().text());
            presets.push_back(preset_of(file, name_in(text, file), loaded.settings));
        } catch (const std::exception& failure) {
            problems.push_back(Message("The preset {} is left out: {}", file.filename().string(), message_of(failure)));
        }
    }
    std::ranges::sort(presets, {}, [](const OwnPreset& own) { return own.preset.name; });
    return presets;
}

OwnPreset save_own_preset(const std::string& name, const settings::Settings& settings) {
    std::string one_line = qt(name).trimmed().toStdString();
    std::ranges::replace_if(
        one_line, [](unsigned char c) { return c < 0x20; }, ' ');
    const std::string stem = file_stem(one_line);
    if (stem.empty())
        throw UserError("A preset needs a name with a letter or digit in it");
    make_private_folder(own_preset_folder());
    const fs::path file = own_preset_folder() / (stem + ".yaml");
    settings::save_text(file, "# " + one_line + "\n" + settings::to_text(settings, settings::Format::yaml));
    return preset_of(file, one_line, settings);
}

void delete_own_preset(const fs::path& file) {
    std::error_code error;
    if (!fs::remove(file, error) || error)
        throw UserError("{} cannot be deleted: {}", file.string(),
                        error ? Message::verbatim(error.message()) : Message("it is not there any more"));
}

}  // namespace trainyard::desktop
