#include "widgets/visible_text.h"

#include <algorithm>

#include "base/printable.h"

namespace trainyard::widgets {

namespace {

/// True for every character that text::printable_lines() escapes, and for a few others.
bool may_be_hidden(QChar character) {
    const char16_t c = character.unicode();
    if (c < 0x20)
        return c != u'\n' && c != u'\t';
    return (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c >= 0xFFF9 ||
           QChar::isSurrogate(c);
}

}  // namespace

QString visible_text(const QString& text) {
    if (std::ranges::none_of(text, may_be_hidden))
        return text;
    return QString::fromStdString(text::printable_lines(text.toStdString()));
}

}  // namespace trainyard::widgets
