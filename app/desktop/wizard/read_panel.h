// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// "What was read": how a file that was opened became today's settings. Keys kept as they stood, translated, repaired, unknown,
// dropped, and everything that is wrong in it with line and column. Hidden while nothing was opened.

#include <QFrame>
#include <QVector>

#include "widgets/forward.h"

namespace trainyard::desktop {

class DraftModel;

class ReadPanel : public QFrame {
    Q_OBJECT
  public:
    explicit ReadPanel(DraftModel* draft, QWidget* parent = nullptr);

    struct Item {
        enum class Kind { kept, translated, repaired, unknown, dropped, problem };
        Kind kind = Kind::kept;
        QString title;
        QString text;
        QString path;  ///< of the key to go to; may be empty
    };
    const QVector<Item>& items() const { return items_; }
    /// What Copy takes: one line for each item.
    QString copyText() const;

  signals:
    void keyActivated(const QString& path);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void read();

    DraftModel* draft_;
    QVector<Item> items_;
    QVBoxLayout* list_;
    QScrollArea* scroll_;  ///< with the list
    widgets::ElidedLabel* file_;
};

}  // namespace trainyard::desktop
