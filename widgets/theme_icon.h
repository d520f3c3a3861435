// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The icons of the program: a drawing of resources/icons in the colour that a token has when the icon is painted, and
// at the pixel ratio of the device that it is painted on. A disabled icon has the colour of muted text.

#include <QIconEngine>

#include "widgets/token.h"

namespace trainyard::widgets {

class ThemeIcon final : public QIconEngine {
  public:
    ThemeIcon(const QString& name, Token token) : name_(name), token_(token) {}
    void paint(QPainter* painter, const QRect& area, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    /// `size` is in pixels of the device, of which `scale` are one device-independent pixel.
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QIconEngine* clone() const override { return new ThemeIcon(*this); }
    QString key() const override { return QStringLiteral("trainyard"); }

  private:
    QString name_;
    Token token_;
};

}  // namespace trainyard::widgets
