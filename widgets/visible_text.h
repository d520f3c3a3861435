#pragma once
// Text of others without characters that hide or reorder what is shown.

#include <QString>

namespace trainyard::widgets {

/// `text` with control characters, bidirectional controls and invisible characters as escapes (\u202e). Line breaks and
/// tabs are left as they are. Fast for a text without such characters, which is returned unchanged.
QString visible_text(const QString& text);

}  // namespace trainyard::widgets
