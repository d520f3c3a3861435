// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text of the engine as Qt's. Messages go through qtSentence() or qtClause() where they are shown: files, requests and
// logs stay English.

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

/// The beginning of a text that is longer than a sentence: it may come from another host, and labels lay out all of it
/// again and again.
inline QString qtShortened(QString text) {
    constexpr qsizetype kLongest = 1500;
    if (text.size() > kLongest) {
        text.truncate(text[kLongest - 1].isHighSurrogate() ? kLongest - 1 : kLongest);
        text += QChar(0x2026);
    }
    return text;
}

/// A message of the engine in the language of the window, as a sentence of its own.
inline QString qtSentence(const Message& message) {
    return qtShortened(widgets::local_sentence(message));
}
/// The same within a sentence or a list.
inline QString qtClause(const Message& message) {
    return qtShortened(widgets::local_message(message));
}

/// A text of the engine's tables (labels and help of questions, keys, presets and the recipe's keys) in the language of
/// the window; English if it is not translated. The tables are English, because the terminal and files use them, too;
/// packaging/translations adds their texts to the catalogues, in the context trainyard::engine.
QString engineWords(std::string_view text);

/// What the engine wrote of a quantity (base/text.h), with the separators of the window's language.
inline QString qtNumber(std::string_view text) {
    return widgets::local_number(qt(text));
}

}  // namespace trainyard::desktop
