// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/yaml_highlighter.h"

#include <QRegularExpression>

#include "desktop/shell/ui.h"

namespace trainyard::desktop {

YamlHighlighter::YamlHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    connect(&Theme::instance(), &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
}

void YamlHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression key(QStringLiteral("^\\s*(- )?[A-Za-z0-9_]+:"));
    static const QRegularExpression comment(QStringLiteral("(^|\\s)#.*$"));
    Theme& theme = Theme::instance();
    if (const auto match = key.match(text); match.hasMatch())
        setFormat(0, static_cast<int>(match.capturedLength()), theme.color(Token::Info));
    if (const auto match = comment.match(text); match.hasMatch())
        setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                  theme.color(Token::TextMuted));
}

}  // namespace trainyard::desktop
