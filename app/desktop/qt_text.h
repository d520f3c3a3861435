#pragma once
// Text of the engine as Qt's.

#include <string_view>

#include <QString>

#include "widgets/languages.h"

namespace trainyard::desktop {

/// From UTF-8.
inline QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What the engine wrote of a quantity (base/text.h), with the separators of the window's language.
inline QString qtNumber(std::string_view text) {
    return widgets::local_number(qt(text));
}

}  // namespace trainyard::desktop
