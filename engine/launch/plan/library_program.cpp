// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/library_program.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/elf_file.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/find_program.h"
#include "base/truth.h"

namespace trainyard::plan {

namespace {

bool is_unread(std::string_view name) {
    return is_accelerate_variable(name) && std::ranges::find(kAccelerateVariables, name) == kAccelerateVariables.end();
}

/// Some settings have several variables, whose names begin with the setting's.
bool is_unread_setting(std::string_view name) {
    return is_accelerate_variable(name) &&
           std::ranges::none_of(kAccelerateVariables, [&](std::string_view read) { return read.starts_with(name); });
}

/// The note of a setting that the library does not need.
Message reason_of(settings::Section section) {
    if (const Message reason = reason_without_python(section); !reason.empty())
        return reason;
    switch (section) {
        case settings::Section::fsdp:
            return "Trainyard's own FSDP does not need it";
        case settings::Section::deepspeed:
            return "Trainyard's own ZeRO does not need it";
        default:
            return "Trainyard's library does not read it";
    }
}

bool is_standard(const settings::Key& key, const Value& value) {
    if (key.type != settings::Type::boolean)
        return value == key.standard() || value.display() == key.standard().display();
    const Truth standard = truth_of(key.standard().display());
    return truth_of(value.display()) == (standard == Truth::neither ? Truth::no : standard);
}

}  // namespace

bool is_library_program(const std::string& program, const char* search_path) {
    const bool is_path = program.find('/') != std::string::npos;
    return has_note(is_path ? program : trainyard::find_program(program, search_path), kLibraryNote);
}

Message reason_without_python(settings::Section section) {
    return section == settings::Section::dynamo
               ? Message("the engine's kernels are compiled already: there is no Python to compile")
           : section == settings::Section::fp8 ? Message("the engine's products in fp8 do not need it")
                                               : Message();
}

void leave_out_unread_variables(Plan& plan, const Resolved& resolved) {
    for (const settings::Key& key : settings::schema()) {
        const bool exported = std::ranges::any_of(plan.environment, [&](const auto& variable) {
            return !key.environment.name.empty() && variable.first.starts_with(key.environment.name);
        });
        const std::string path = key.path();
        const auto origin = resolved.origins.find(path);
        const Value* value = resolved.settings.find(path);
        const bool given =
            origin != resolved.origins.end() && (origin->second == Origin::flag || origin->second == Origin::file);
        if (!exported || !is_unread_setting(key.environment.name) || !given || value == nullptr || value->is_null() ||
            is_standard(key, *value) || (key.applies != nullptr && !key.applies(resolved.settings)))
            continue;
        const Message reason = reason_of(key.section);
        plan.ignored[path] = reason;
        plan.warnings.push_back(
            origin->second == Origin::file
                ? Message("{} {} of {} has no effect: {}", path, value->display(), resolved.file, reason)
                : Message("{} {} has no effect: {}", path, value->display(), reason));
    }
    std::erase_if(plan.environment, [](const auto& variable) { return is_unread(variable.first); });
}

}  // namespace trainyard::plan
