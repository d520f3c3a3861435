// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/module_wrappers.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace trainyard::weights {

namespace {

/// Names that only wrappers use, each with "_mod": torch.compile, activation checkpointing, FSDP version 1 (two),
/// Lightning Fabric.
constexpr std::string_view kAnywhere[] = {"_orig_mod.", "_checkpoint_wrapped_module.", "_fsdp_wrapped_module.",
                                          "_fpw_module.", "_forward_module."};
constexpr std::string_view kDataParallel = "module.", kPeft = "base_model.model.";

bool leave_out_everywhere(std::string& name, std::string_view part) {
    bool found = false;
    for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part, at))
        if (at == 0 || name[at - 1] == '.') {
            name.erase(at, part.size());
            found = true;
        } else {
            at += part.size();
        }
    return found;
}

bool has_adapter(const std::string& name) {
    return name.find(".lora_") != std::string::npos || name.find(".base_layer.") != std::string::npos ||
           name.find(".modules_to_save.") != std::string::npos;
}

/// Leaves the beginning out if all names have it.
bool leave_out_beginning(std::vector<std::string>& names, std::string_view part) {
    if (names.empty() || !std::ranges::all_of(names, [&](const std::string& name) {
            return name.size() > part.size() && name.starts_with(part);
        }))
        return false;
    for (std::string& name : names)
        name.erase(0, part.size());
    return true;
}

}  // namespace

bool may_be_wrapped(std::string_view name) {
    return name.find("_mod") != std::string_view::npos || name.starts_with(kDataParallel) || name.starts_with(kPeft);
}

UnwrappedNames unwrapped_names(const std::vector<std::string>& names) {
    UnwrappedNames result{names, {}};
    const auto note = [&](std::string_view part) {
        if (std::ranges::find(result.wrappers, part) == result.wrappers.end())
            result.wrappers.emplace_back(part);
    };
    for (const std::string_view part : kAnywhere)
        for (std::string& name : result.names)
            if (leave_out_everywhere(name, part))
                note(part);
    const bool adapted = std::ranges::any_of(names, has_adapter);
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view part : {kDataParallel, kPeft})
            if ((part != kPeft || !adapted) && leave_out_beginning(result.names, part)) {
                note(part);
                again = true;
            }
    }
    if (result.wrappers.empty())
        return result;
    std::unordered_set<std::string_view> different(result.names.begin(), result.names.end());
    return different.size() == names.size() ? result : UnwrappedNames{names, {}};
}

}  // namespace trainyard::weights
