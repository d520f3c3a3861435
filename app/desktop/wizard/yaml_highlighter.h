// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Colours of YAML: keys info, values text, comments muted.

#include <QSyntaxHighlighter>

namespace trainyard::desktop {

class YamlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
  public:
    explicit YamlHighlighter(QTextDocument* document);

  protected:
    void highlightBlock(const QString& text) override;
};

}  // namespace trainyard::desktop
