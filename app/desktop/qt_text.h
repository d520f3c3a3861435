#pragma once
// Text of the engine as Qt's. What a person reads as a sentence goes through qtSentence(), where it is shown: files, requests and logs
// stay English.

#include <string_view>

#include <QString>

#include "base/message.h"
#include "base/utf8.h"
#include "widgets/languages.h"

namespace trainyard::desktop {

/// From UTF-8.
inline QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline QString qt(const Message& message) {
    return qt(std::string_view(message.text()));
}

/// A sentence that the engine composed (an error, a finding, an event), in the language of the window. Its beginning
/// where it is longer than a sentence: it may come from another host, and labels lay out all of it again and again.
inline QString qtSentence(std::string_view text) {
    constexpr std::size_t kLongest = 1500;  // bytes
    if (text.size() <= kLongest)
        return widgets::local_sentence(qt(text));
    return qt(text::first_bytes(text, kLongest)) + QChar(0x2026);
}
inline QString qtSentence(const Message& message) {
    return qtSentence(std::string_view(message.text()));
}

/// What the engine wrote of a quantity (base/text.h), with the separators of the window's language.
inline QString qtNumber(std::string_view text) {
    return widgets::local_number(qt(text));
}

}  // namespace trainyard::desktop
