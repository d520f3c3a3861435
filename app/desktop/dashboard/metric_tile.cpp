#include "desktop/dashboard/metric_tile.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "desktop/ui.h"

namespace trainyard::desktop {

namespace {
constexpr int kFigure = 18;  // pixels of the value's font
constexpr int kNarrowFigure = 14;
constexpr int kSparkRoom = 140;  // a narrower tile has no room for the line
}  // namespace

MetricTile::MetricTile(const QString& label, const widgets::Series* series, int color, QWidget* parent)
    : QFrame(parent),
      label_(make_elided(label, Theme::instance().text(12))),
      value_(make_mono_label({}, kFigure)),
      unit_(make_elided({}, Theme::instance().mono(11))),
      note_(make_mono_label({}, 11, Tone::Muted)),
      spark_(new widgets::Sparkline),
      label_text_(label) {
    setProperty("surface", QStringLiteral("panel"));
    for (QLabel* words : {static_cast<QLabel*>(label_), static_cast<QLabel*>(unit_)})
        set_tone(words, Tone::Secondary);
    setFixedHeight(62);
    setMinimumWidth(96);
    setAccessibleName(label);
    setFocusPolicy(Qt::TabFocus);
    unit_->setContentsMargins(0, 0, 0, 3);
    spark_->setFixedSize(38, 20);
    setLayout(make_column({10, 6, 10, 6}, 2,
                          {make_row(6, {label_, stretch(), note_}), make_row(5, {{value_, 0, Qt::AlignBottom},
                                                                                 {unit_, 0, Qt::AlignBottom},
                                                                                 stretch(),
                                                                                 {spark_, 0, Qt::AlignVCenter}})}));
    note_->setMinimumWidth(0);
    spark_->setSeries(series, color);
}

QString MetricTile::unit() const {
    return unit_->fullText();
}

void MetricTile::setSeries(const widgets::Series* series, int color) {
    spark_->setSeries(series, color);
}

void MetricTile::setFigure(const QString& value, const QString& unit, const QString& note, Tone note_tone,
                           const QString& more) {
    if (value != value_text_) {
        value_text_ = value;
        value_->setText(value);
        update();
    }
    if (unit != unit_->fullText())
        unit_->setFullText(unit);
    if (note != note_text_) {
        note_text_ = note;
        note_->setText(note);
    }
    set_tone(note_, note_tone);
    const int room = width() - 26 - label_->sizeHint().width() - 6;
    note_->setVisible(!note.isEmpty() && note_->sizeHint().width() <= room);
    const QString figure = label_text_ + QStringLiteral(": ") + value + QLatin1Char(' ') + unit +
                           (note.isEmpty() ? QString() : QStringLiteral(" (") + note + QLatin1Char(')'));
    const QString extra = more.isEmpty() ? QString() : more + QLatin1Char('\n');
    setToolTip((value.isEmpty() ? label_text_ : figure) + QLatin1Char('\n') + extra +
               tr("Click to open the chart; right-click to choose another figure"));
    setAccessibleDescription(value + QLatin1Char(' ') + unit);
    showSpark();
    spark_->update();
}

void MetricTile::showSpark() {
    // The figure goes before its past, and in a narrow tile before its size.
    value_->setFont(Theme::instance().mono(kFigure));
    const int wide = value_->sizeHint().width() + (unit_->fullText().isEmpty() ? 0 : unit_->sizeHint().width() + 5);
    if (wide + 22 > width())
        value_->setFont(Theme::instance().mono(kNarrowFigure));
    const int figure = value_->sizeHint().width() + (unit_->fullText().isEmpty() ? 0 : unit_->sizeHint().width() + 5);
    spark_->setVisible(width() >= kSparkRoom && figure + 5 + spark_->width() + 22 <= width());
}

void MetricTile::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    showSpark();
    const int room = width() - 26 - label_->sizeHint().width() - 6;
    note_->setVisible(!note_text_.isEmpty() && note_->sizeHint().width() <= room);
}

void MetricTile::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        emit clicked();
}

void MetricTile::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit clicked();
    else
        QFrame::keyPressEvent(event);
}

void MetricTile::contextMenuEvent(QContextMenuEvent* event) {
    emit menuRequested(event->globalPos());
}

void MetricTile::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus())
        draw_ring(painter, rect(), 8);
    if (!value_text_.isEmpty())
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(Token::BgHover));
    painter.drawRoundedRect(QRectF(10, height() - 28, 54, 14), 4, 4);
}

}  // namespace trainyard::desktop
