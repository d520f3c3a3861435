#pragma once
// Text of the engine as Qt's.

#include <string_view>

#include <QString>

namespace trainyard::desktop {

/// From UTF-8.
inline QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace trainyard::desktop
