// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/segmented_control.h"

#include <algorithm>

#include <QButtonGroup>
#include <QEvent>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>

#include "widgets/layouts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

/// A button of the row. If it is too narrow, its text is elided and the tool tip starts with the full text, followed by
/// its own tip.
class Segment : public QPushButton {
  public:
    using QPushButton::QPushButton;

  protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTipChange && !telling_) {
            own_tip_ = toolTip();
            tell();
        }
        return QPushButton::event(event);
    }
    void resizeEvent(QResizeEvent* event) override {
        QPushButton::resizeEvent(event);
        tell();
    }
    void paintEvent(QPaintEvent* event) override {
        tell();  // another text or font
        if (!isCut())
            return QPushButton::paintEvent(event);
        QStyleOptionButton option;
        initStyleOption(&option);
        const int beside = sizeHint().width() - fontMetrics().horizontalAdvance(text());
        option.text = fontMetrics().elidedText(text(), Qt::ElideRight, width() - std::min(beside, width() / 3));
        QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
    }

  private:
    bool isCut() const { return width() < sizeHint().width(); }
    void tell() {
        const QString tip = !isCut() ? own_tip_ : own_tip_.isEmpty() ? text() : text() + QLatin1Char('\n') + own_tip_;
        if (tip == toolTip())
            return;
        telling_ = true;
        setToolTip(tip);
        telling_ = false;
    }
    bool telling_ = false;
    QString own_tip_;  ///< the tool tip set by the caller
};

}  // namespace

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QFrame(parent), group_(new QButtonGroup(this)) {
    setProperty("surface", QStringLiteral("seg"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* layout = make_row({2, 2, 2, 2}, 0, {});
    setLayout(layout);
    group_->setExclusive(true);
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new Segment(labels[i], this);
        button->setProperty("kind", QStringLiteral("segment"));
        button->setCheckable(true);
        button->setFont(Theme::instance().text(12, QFont::Medium));
        button->setCursor(Qt::PointingHandCursor);
        group_->addButton(button, i);
        layout->addWidget(button);
    }
    if (auto* first = group_->button(0))
        first->setChecked(true);
    connect(group_, &QButtonGroup::idToggled, this, [this](int index, bool on) {
        if (on && index != current_) {
            current_ = index;
            emit currentChanged(index);
        }
    });
}

/// Checks no button if there is no button `index`.
void SegmentedControl::setCurrent(int index) {
    if (auto* button = group_->button(index)) {
        button->setChecked(true);
        return;
    }
    group_->setExclusive(false);
    if (auto* checked = group_->checkedButton())
        checked->setChecked(false);
    group_->setExclusive(true);
    current_ = -1;
}

void SegmentedControl::setLabel(int index, const QString& label) {
    if (auto* button = group_->button(index))
        button->setText(label);
}

int SegmentedControl::count() const {
    return static_cast<int>(group_->buttons().size());
}

QPushButton* SegmentedControl::button(int index) const {
    return qobject_cast<QPushButton*>(group_->button(index));
}

}  // namespace trainyard::widgets
