// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One of a few ways, as a card: mark, title, two lines of what it means. Exactly one of a group is chosen; a way that
// cannot be taken now stays readable and says why.

#include "widgets/card.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ChoiceCard : public widgets::Card {
    Q_OBJECT
  public:
    ChoiceCard(const QString& title, const QString& text, QWidget* parent = nullptr);
    void setChosen(bool chosen);
    /// Empty: it can be chosen.
    void setBlocked(const QString& reason);
    bool isBlocked() const { return !reason_.isEmpty(); }
    /// Added to the text of a card that can be chosen: what will not work with it.
    void setCaution(const QString& caution);
    /// Small words at the foot, mono.
    void setNote(const QString& note);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void describe();
    QString text_;
    QString reason_;
    QString caution_;
    QLabel* title_;
    QLabel* words_;
    QLabel* note_;
};

/// Cards side by side, in as many columns as the width allows.
class CardRow : public QWidget {
    Q_OBJECT
  public:
    explicit CardRow(const QVector<ChoiceCard*>& cards, QWidget* parent = nullptr);
    ChoiceCard* card(int index) const { return cards_.value(index); }
    int count() const { return static_cast<int>(cards_.size()); }

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void arrange(int columns);
    void fitHeight();
    QVector<ChoiceCard*> cards_;
    QGridLayout* grid_;
    int columns_ = 0;
};

}  // namespace trainyard::desktop
