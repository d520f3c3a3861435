// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text of the engine as Qt's. Messages go through qtSentence() where they are shown: files, requests and logs stay
// English.

#include <string_view>

#include <QString>

#include "base/message.h"
#include "widgets/languages.h"

namespace trainyard::desktop {

/// From UTF-8.
inline QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline QString qt(const Message& message) {
    return qt(std::string_view(message.text()));
}

/// A message of the engine in the language of the window. Its beginning where it is longer than a sentence: it may come
/// from another host, and labels lay out all of it again and again.
inline QString qtSentence(const Message& message) {
    constexpr qsizetype kLongest = 1500;
    QString text = widgets::local_message(message);
    if (text.size() > kLongest) {
        text.truncate(text[kLongest - 1].isHighSurrogate() ? kLongest - 1 : kLongest);
        text += QChar(0x2026);
    }
    return text;
}

/// What the engine wrote of a quantity (base/text.h), with the separators of the window's language.
inline QString qtNumber(std::string_view text) {
    return widgets::local_number(qt(text));
}

}  // namespace trainyard::desktop
