// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inline_message.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>

#include "widgets/controls.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
struct Look {
    const char* icon;
    Token color;
};
const Look& look_of(InlineMessage::Kind kind) {
    // In the order of the enumeration.
    static constexpr Look looks[]{{"info", Token::Info}, {"warn", Token::Warn}, {"error", Token::Error}};
    return looks[static_cast<int>(kind)];
}
}  // namespace

InlineMessage::InlineMessage(QWidget* parent)
    : QFrame(parent),
      picture_(new IconLabel(16, {}, Token::Text, this)),
      title_(make_title({})),
      text_(make_label({}, 13, QFont::Normal, Tone::Secondary)),
      details_(named(new QPlainTextEdit(this), tr("Details"))),
      toggle_(with_look(new QPushButton(tr("Details"), this), {.kind = "ghost"})),
      copy_(with_look(new QPushButton(tr("Copy"), this), {.kind = "ghost"})),
      buttons_(new QHBoxLayout) {
    for (QLabel* label : {title_, text_})
        selectable(wrapped(label));
    details_->setReadOnly(true);
    details_->setFont(Theme::instance().mono(12));
    details_->setMaximumHeight(140_px);
    details_->hide();
    buttons_->setSpacing(8);
    buttons_->addStretch();
    auto* close = with_look(new QPushButton(this), {.kind = "ghost", .icon = "x", .tip = tr("Dismiss")});
    setLayout(make_row({14, 12, 12, 12}, 10,
                       {{picture_, 0, Qt::AlignTop},
                        {make_column(4, {title_, text_, details_, buttons_}), 1},
                        {toggle_, 0, Qt::AlignTop},
                        {copy_, 0, Qt::AlignTop},
                        {close, 0, Qt::AlignTop}}));
    connect(close, &QPushButton::clicked, this, [this] {
        dismiss();
        emit dismissed();
    });
    toggle_->setCheckable(true);
    connect(toggle_, &QPushButton::toggled, details_, &QWidget::setVisible);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(copyText()); });
    hide();
}

void InlineMessage::showMessage(Kind kind, const QString& title, const QString& text, const QString& details) {
    // Showing the same message again changes nothing: opened details stay open.
    if (!isHidden() && kind == kind_ && title == title_->text() && text == text_->text() &&
        visible_text(details) == details_->toPlainText())
        return;
    kind_ = kind;
    title_->setText(title);
    text_->setText(text);
    text_->setVisible(!text.isEmpty());
    details_->setPlainText(visible_text(details));
    toggle_->setChecked(false);
    toggle_->setVisible(!details.isEmpty());
    copy_->setVisible(kind != Kind::Note);
    picture_->setIcon(QLatin1String(look_of(kind).icon), look_of(kind).color);
    setAccessibleName(title);
    setAccessibleDescription(text);
    show();
    update();
}

void InlineMessage::dismiss() {
    hide();
}

QPushButton* InlineMessage::addAction(const QString& text) {
    auto* button = new QPushButton(text, this);
    buttons_->insertWidget(buttons_->count() - 1, button);
    return button;
}

QString InlineMessage::title() const {
    return title_->text();
}
QString InlineMessage::text() const {
    return text_->text();
}

QString InlineMessage::copyText() const {
    QString all = title_->text();
    for (const QString& part : {text_->text(), details_->toPlainText()})
        if (!part.isEmpty())
            all += QLatin1Char('\n') + part;
    return all;
}

void InlineMessage::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const QColor color = theme.color(look_of(kind_).color);
    draw_box(painter, rect(), 8, mixed(color, theme.color(Token::BgPanel), 0.07), color);
}

}  // namespace trainyard::widgets
