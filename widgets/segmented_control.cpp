// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/segmented_control.h"

#include <QButtonGroup>
#include <QPushButton>

#include "widgets/layouts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QFrame(parent), group_(new QButtonGroup(this)) {
    setProperty("surface", QStringLiteral("seg"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* layout = make_row({2, 2, 2, 2}, 0, {});
    setLayout(layout);
    group_->setExclusive(true);
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new QPushButton(labels[i], this);
        button->setProperty("kind", QStringLiteral("segment"));
        button->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);  // lines that wrap ask for all of it
        button->setProperty("elides", true);
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
