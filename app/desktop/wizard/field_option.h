// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One option of a choice field in a form.

#include <QString>

namespace trainyard::desktop {

inline constexpr int kMostSegments = 4;  ///< more options make a list

struct FieldOption {
    QString value;  ///< as stored
    QString label;
    QString help;
    bool operator==(const FieldOption&) const = default;
};

}  // namespace trainyard::desktop
