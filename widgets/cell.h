// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a cell of a table shows, as a value: a model answers CellRole with a Cell, and CellDelegate (cell_delegate.h)
// paints it. Colours are names (token.h), so models need no QtGui.

#include <optional>

#include <QMetaType>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include "widgets/token.h"

namespace trainyard::widgets {

/// A state in a word, its icon and its colour.
struct Chip {
    QString text = {};
    QString icon = {};                   ///< may be empty
    Token color = Token::TextSecondary;  ///< TextSecondary draws a neutral chip
    bool operator==(const Chip&) const = default;
};

struct Cell {
    QString text = {};  ///< drawn unless there is a chip
    bool mono = false;
    bool strong = false;  ///< semibold
    Token ink = Token::Text;
    Qt::Alignment alignment = Qt::AlignLeft;
    int run_number = 0;  ///< colour of swatch, bar and sparkline; 0: no swatch
    bool swatch = false;
    std::optional<bool> tick = {};        ///< a box in front; nothing: none
    QStringList tags = {};                ///< framed words behind the text, as many as fit
    Chip chip = {};                       ///< drawn when it has a text
    std::optional<double> progress = {};  ///< 0..1, bar and percentage right of the chip
    std::optional<double> bar = {};       ///< 0..1, over the whole cell, in the colour of the run, else of the ink
    QVector<QPointF> spark = {};          ///< x 0..1 of the width, y any unit (larger is higher)
};

inline constexpr int CellRole = Qt::UserRole + 100;

}  // namespace trainyard::widgets

Q_DECLARE_METATYPE(trainyard::widgets::Cell)
