// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tokens of one sample in lines, each a box with its text; those that the loss does not count look so, and classes
// of words are drawn in their boxes. The tool tip has the numbers of a token.

#include <QVector>
#include <QWidget>

#include "config/inputs/sample_preview.h"

namespace trainyard::desktop {

class TokenStrip : public QWidget {
    Q_OBJECT
  public:
    explicit TokenStrip(QWidget* parent = nullptr);
    /// `marks`: tokens that are not counted look so. False: the loss does not compare tokens.
    void setTokens(const std::vector<inputs::PreviewToken>& tokens, bool marks);
    /// The texts of all tokens with a bar between them; a line end is ⏎.
    QString text() const;
    /// The same of the tokens that look as not counted.
    QString uncounted() const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Box {
        QString text, label;
        QRect area;
    };
    /// Places the boxes for a width; returns the height.
    int place(int width, QVector<Box>* boxes) const;
    bool isMuted(int token) const;

    std::vector<inputs::PreviewToken> tokens_;
    bool marks_ = false;
    QVector<Box> boxes_;
};

}  // namespace trainyard::desktop
