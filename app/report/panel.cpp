// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/panel.h"

#include <fmt/ranges.h>

#include "base/fields.h"

namespace trainyard::report {

using widgets::XUnit;

std::string Panel::heading() const {
    if (!title.empty())
        return title;
    std::vector<std::string> all = lines;
    all.insert(all.end(), right.begin(), right.end());
    return fmt::to_string(fmt::join(all, ", "));
}

std::optional<XUnit> Panel::unit(XUnit usual) const {
    static constexpr std::array kNames{"step", "time", "tokens", "epoch", "wall"};
    if (x.empty())
        return usual;
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (x == kNames[i])
            return static_cast<XUnit>(i);
    return std::nullopt;
}

std::string panel_to_json(const Panel& panel) {
    return fields::to_text(panel);
}

Panel panel_from_json(const std::string& json, const std::string& origin) {
    return fields::from_json<Panel>(fields::parse_object(json, origin), origin);
}

}  // namespace trainyard::report
