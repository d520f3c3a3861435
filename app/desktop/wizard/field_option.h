#pragma once
// What a field of a form offers to choose from, as values.

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
