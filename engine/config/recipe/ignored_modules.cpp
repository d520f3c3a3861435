// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/ignored_modules.h"

namespace trainyard::config {

IgnoredModules::IgnoredModules(const std::string& expression) : text_(expression), expression_(expression) {}

bool IgnoredModules::have(std::string_view parameter) const {
    if (text_.empty())
        return false;
    for (std::size_t end = parameter.rfind('.'); end != std::string_view::npos;
         end = end == 0 ? std::string_view::npos : parameter.rfind('.', end - 1))
        if (expression_.matches_whole(parameter.substr(0, end)))
            return true;
    return expression_.matches_whole("");  // the model itself
}

Message IgnoredModules::no_match() const {
    return Message(
        "'{}' matches the whole name of no module with parameters: correct the regular expression, or leave it out",
        text_);
}

}  // namespace trainyard::config
