// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/label.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QEvent>
#include <QPainter>
#include <QStyle>

#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
/// Caches its heights: nested layouts request several widths many times per pass, and QLabel lays out the whole text
/// for each request, which takes milliseconds for a long text in another script.
class TextLabel final : public QLabel {
  public:
    using QLabel::QLabel;
    int heightForWidth(int width) const override {
        constexpr std::size_t kMost = 16;
        if (text_ != text() || font_ != font() || wraps_ != wordWrap() || heights_.size() == kMost) {
            heights_.clear();
            text_ = text();
            font_ = font();
            wraps_ = wordWrap();
        }
        const auto known = std::ranges::find(heights_, width, &std::pair<int, int>::first);
        if (known != heights_.end())
            return known->second;
        return heights_.emplace_back(width, QLabel::heightForWidth(width)).second;
    }

  protected:
    void changeEvent(QEvent* event) override {
        heights_.clear();
        QLabel::changeEvent(event);
    }

  private:
    mutable std::vector<std::pair<int, int>> heights_;  // width and height
    mutable QString text_;
    mutable QFont font_;
    mutable bool wraps_ = false;
};

QLabel* make(const QString& text, const QFont& font, Tone tone, QWidget* parent) {
    auto* label = new TextLabel(text, parent);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(tone_role(tone));
    return label;
}
}  // namespace

QLabel* make_label(const QString& text, int pixels, int weight, Tone tone, QWidget* parent) {
    return make(text, Theme::instance().text(pixels, weight), tone, parent);
}

QLabel* make_note(const QString& text, Tone tone) {
    return make_label(text, 12, QFont::Normal, tone);
}

QLabel* make_title(const QString& text, int pixels) {
    return make_label(text, pixels, QFont::DemiBold);
}

QLabel* make_mono_label(const QString& text, int pixels, Tone tone, QWidget* parent) {
    return make(text, Theme::instance().mono(pixels), tone, parent);
}

QLabel* wrapped(QLabel* label) {
    label->setWordWrap(true);
    return label;
}

QLabel* selectable(QLabel* label) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void set_steady_text(QLabel* label, const QString& text) {
    label->setText(text);
    const QSize needed = label->sizeHint();
    const QSize kept = label->maximumSize();
    if (needed.width() > kept.width() || 4 * needed.width() < 3 * kept.width() || needed.height() != kept.height())
        label->setFixedSize(needed);
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == full_ && !text.isEmpty())
        return;
    full_ = text;
    setAccessibleName(text);
    updateGeometry();
    elide();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    mode_ = mode;
    elide();
}

QSize ElidedLabel::minimumSizeHint() const {
    // Require no more than a short text needs: otherwise widgets next to it would be cut off.
    const int few_letters = fontMetrics().horizontalAdvance(QStringLiteral("MMM…"));
    const QMargins around = contentsMargins();
    return {std::min(few_letters + around.left() + around.right(), sizeHint().width()),
            QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
    const QMargins around = contentsMargins();
    // Letters that the font lacks come from another one and may be higher.
    const QString line = bounded_line(full_, mode_);
    const int height = std::max(fontMetrics().height(), fontMetrics().tightBoundingRect(line).height());
    return QSize(fontMetrics().horizontalAdvance(line) + 2, height).grownBy(around);
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        elide();
}

void ElidedLabel::elide() {
    const QString shown = elided_text(fontMetrics(), full_, mode_, contentsRect().width());
    if (shown != text())
        setText(shown);
    setToolTip(shown == visible_text(full_) ? QString() : full_);
}

ElidedLabel* make_elided(const QString& text, const QFont& font, Tone tone, Qt::TextElideMode mode) {
    auto* label = new ElidedLabel(text);
    label->setElideMode(mode);
    label->setFont(font);
    label->setForegroundRole(tone_role(tone));
    return label;
}

IconLabel::IconLabel(int size, const QString& icon, Token token, QWidget* parent)
    : QLabel(parent), size_(TextSize::instance().scaled(size)), icon_(icon), token_(token) {}

void IconLabel::setIcon(const QString& icon, Token token) {
    if (icon == icon_ && token == token_)
        return;
    icon_ = icon;
    token_ = token;
    update();
}

void IconLabel::paintEvent(QPaintEvent*) {
    if (icon_.isEmpty())
        return;
    QPainter painter(this);
    const QRect place = QStyle::alignedRect(layoutDirection(), alignment(), {size_, size_}, contentsRect());
    Theme::instance().icon(icon_, token_).paint(&painter, place);
}

}  // namespace trainyard::widgets
