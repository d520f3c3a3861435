// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/metric_tile.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
constexpr int kFigure = 18;  // pixels of the value's font
constexpr int kNarrowFigure = 14;
const int &kTileEdge = live_px(10), &kBesideLabel = live_px(6), &kBesideValue = live_px(5);  // pixels
const int& kSparkRoom = live_px(140);  // a narrower tile has no room for the line
}  // namespace

MetricTile::MetricTile(const QString& label, const widgets::Series* series, int color, QWidget* parent)
    : QFrame(parent),
      label_(make_elided(label, Theme::instance().text(12), Tone::Secondary)),
      value_(make_mono_label({}, kFigure)),
      unit_(make_elided({}, Theme::instance().mono(11), Tone::Secondary)),
      note_(make_mono_label({}, 11, Tone::Muted)),
      spark_(new widgets::Sparkline) {
    setProperty("surface", QStringLiteral("panel"));
    setFixedHeight(62_px);
    setMinimumWidth(108_px);
    setAccessibleName(label);
    setFocusPolicy(Qt::TabFocus);
    unit_->setContentsMargins(0, 0, 0, 3);
    spark_->setFixedSize(38_px, 20_px);
    setLayout(make_column(
        {kTileEdge, 6, kTileEdge, 6}, 2,
        {make_row(kBesideLabel, {label_, stretch(), note_}),
         make_row(
             kBesideValue,
             {{value_, 0, Qt::AlignBottom}, {unit_, 0, Qt::AlignBottom}, stretch(), {spark_, 0, Qt::AlignVCenter}})}));
    note_->setMinimumWidth(0);
    // The note is as high as the label, so that the labels of all tiles are aligned, with a note or without.
    note_->setSizePolicy(QSizePolicy::Preferred, label_->sizePolicy().verticalPolicy());
    spark_->setSeries(series, color);
}

QString MetricTile::unit() const {
    return unit_->fullText();
}

void MetricTile::setSeries(const widgets::Series* series, int color) {
    spark_->setSeries(series, color);
}

void MetricTile::setFigure(const MetricFigure& figure) {
    if (figure.value != figure_.value)
        update();
    figure_ = figure;
    value_->setText(figure.value);
    unit_->setFullText(figure.unit);
    note_->setText(figure.note);
    note_->setForegroundRole(tone_role(figure.tone));
    const QString words = label_->fullText() + QStringLiteral(": ") + figure.value + QLatin1Char(' ') + figure.unit +
                          (figure.note.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(figure.note));
    const QString extra = figure.more.isEmpty() ? QString() : figure.more + QLatin1Char('\n');
    setToolTip((figure.value.isEmpty() ? label_->fullText() : words) + QLatin1Char('\n') + extra +
               tr("Click to open the chart; right-click to choose another metric"));
    setAccessibleDescription(figure.value + QLatin1Char(' ') + figure.unit);
    fit();
    spark_->update();
}

void MetricTile::fit() {
    // The value has priority over the spark line, and gets a smaller font in a narrow tile.
    const int room = contentsRect().width() - 2 * kTileEdge;
    const auto wide = [this] {
        return value_->sizeHint().width() + (figure_.unit.isEmpty() ? 0 : unit_->sizeHint().width() + kBesideValue);
    };
    value_->setFont(Theme::instance().mono(kFigure));
    if (wide() > room)
        value_->setFont(Theme::instance().mono(kNarrowFigure));
    spark_->setVisible(width() >= kSparkRoom && wide() + kBesideValue + spark_->width() <= room);
    note_->setVisible(!figure_.note.isEmpty() &&
                      label_->sizeHint().width() + kBesideLabel + note_->sizeHint().width() <= room);
}

void MetricTile::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
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
    SmoothPainter painter(this);
    if (hasFocus())
        draw_ring(painter, rect(), 8);
    if (!figure_.value.isEmpty())
        return;
    fill_box(painter, QRectF(10_px, height() - 28_px, 54_px, 14_px), 4_px, Theme::instance().color(Token::BgHover));
}

}  // namespace trainyard::desktop
