// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A state in a word: icon and word in the state's colour on a little of it. Never colour alone.
// The same painting serves the widget and the cells of tables.

#include <QWidget>

#include "widgets/cell.h"
#include "widgets/forward.h"
#include "widgets/pixels.h"

namespace trainyard::widgets {

inline const int& kChipHeight = live_px(20);

QSize chip_size(const Chip& chip);
/// Paints left-aligned and vertically centred into `area`.
void paint_chip(QPainter& painter, const QRect& area, const Chip& chip);

/// Paints framed words one after the other, as many as there is room for, then how many more there are.
void paint_tags(QPainter& painter, QRect area, const QStringList& tags);

/// Tags in a line; the tool tip names all of them.
class TagLine : public QWidget {
  public:
    explicit TagLine(QWidget* parent = nullptr);
    void setTags(const QStringList& tags);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, kChipHeight}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QStringList tags_;
};

class StateChip : public QWidget {
    Q_OBJECT
  public:
    explicit StateChip(Chip chip = {}, QWidget* parent = nullptr);
    void setChip(const Chip& chip);
    const Chip& chip() const { return chip_; }
    QSize sizeHint() const override { return chip_size(chip_); }
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Chip chip_;
};

}  // namespace trainyard::widgets
