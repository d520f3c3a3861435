#include "widgets/inline_message.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>

#include "widgets/controls.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/paint.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
Token color_of(InlineMessage::Kind kind) {
    switch (kind) {
        case InlineMessage::Kind::Error:
            return Token::Error;
        case InlineMessage::Kind::Warning:
            return Token::Warn;
        case InlineMessage::Kind::Note:
            break;
    }
    return Token::Info;
}

QString icon_of(InlineMessage::Kind kind) {
    switch (kind) {
        case InlineMessage::Kind::Error:
            return QStringLiteral("error");
        case InlineMessage::Kind::Warning:
            return QStringLiteral("warn");
        case InlineMessage::Kind::Note:
            break;
    }
    return QStringLiteral("info");
}
}  // namespace

InlineMessage::InlineMessage(QWidget* parent)
    : QFrame(parent),
      picture_(new IconLabel(16, {}, Token::Text, this)),
      title_(make_title({})),
      text_(make_label({}, 13, QFont::Normal, Tone::Secondary)),
      details_(named(new QPlainTextEdit(this), tr("Details"))),
      toggle_(dressed(new QPushButton(tr("Details"), this), {.kind = "ghost"})),
      copy_(dressed(new QPushButton(tr("Copy"), this), {.kind = "ghost"})),
      buttons_(new QHBoxLayout) {
    for (QLabel* label : {title_, text_})
        selectable(wrapped(label));
    details_->setReadOnly(true);
    details_->setFont(Theme::instance().mono(12));
    details_->setMaximumHeight(140);
    details_->hide();
    buttons_->setSpacing(8);
    buttons_->addStretch();
    auto* close = dressed(new QPushButton(this), {.kind = "ghost", .icon = "x", .tip = tr("Dismiss")});
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
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void InlineMessage::showMessage(Kind kind, const QString& title, const QString& text, const QString& details) {
    // Said again it changes nothing: details that somebody has opened stay open.
    if (!isHidden() && kind == kind_ && title == title_->text() && text == text_->text() &&
        details == details_->toPlainText())
        return;
    kind_ = kind;
    title_->setText(title);
    text_->setText(text);
    text_->setVisible(!text.isEmpty());
    details_->setPlainText(details);
    toggle_->setChecked(false);
    toggle_->setVisible(!details.isEmpty());
    copy_->setVisible(kind != Kind::Note);
    picture_->setIcon(icon_of(kind), color_of(kind));
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
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, rect(), 8, mixed(theme.color(color_of(kind_)), theme.color(Token::BgPanel), 0.07),
             theme.color(color_of(kind_)));
}

}  // namespace trainyard::widgets
