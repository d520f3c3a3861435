#include "widgets/segmented_control.h"

#include <algorithm>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>

#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

/// Where a row is too short for all words, it shows the beginning of its own and says all of them, before what it tells besides, as tool tip.
class Segment : public QPushButton {
  public:
    using QPushButton::QPushButton;

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QPushButton::resizeEvent(event);
        tell();
    }
    void paintEvent(QPaintEvent* event) override {
        tell();  // another text or font
        if (!cut_)
            return QPushButton::paintEvent(event);
        QStyleOptionButton option;
        initStyleOption(&option);
        const int beside = sizeHint().width() - fontMetrics().horizontalAdvance(text());
        option.text = fontMetrics().elidedText(text(), Qt::ElideRight, width() - std::min(beside, width() / 3));
        QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
    }

  private:
    void tell() {
        const bool cut = width() < sizeHint().width();
        if (cut == cut_ && (!cut || toolTip().startsWith(text())))
            return;
        if (cut && !cut_)
            own_tip_ = toolTip();
        cut_ = cut;
        setToolTip(!cut ? own_tip_ : own_tip_.isEmpty() ? text() : text() + QLatin1Char('\n') + own_tip_);
    }
    bool cut_ = false;
    QString own_tip_;
};

}  // namespace

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QFrame(parent), group_(new QButtonGroup(this)) {
    setProperty("surface", QStringLiteral("seg"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->setSpacing(0);
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

int SegmentedControl::current() const {
    return current_;
}

void SegmentedControl::setCurrent(int index) {
    if (auto* button = group_->button(index))
        button->setChecked(true);
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
