// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/live_row.h"

#include <QContextMenuEvent>
#include <QMenu>

#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

LiveRow::LiveRow(const RunSummary& run, QWidget* parent) : PaintedButton(parent) {
    setCheckable(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setRun(run);
}

void LiveRow::setRun(const RunSummary& run) {
    run_ = run;
    setAccessibleName(QStringLiteral("%1, %2, %3").arg(run.name, phaseWord(run.phase), rightText()));
    setToolTip(run.hasFailed()                 ? run.failure
               : run.phase == RunPhase::Queued ? run.message
               : folded_                       ? run.name
                                               : QString());
    update();
}

void LiveRow::setFolded(bool folded) {
    folded_ = folded;
    setRun(run_);
}

QString LiveRow::rightText() const {
    if (run_.queuePlace > 0)
        return tr("queued, %1").arg(run_.queuePlace);
    if (run_.phase != RunPhase::Running)
        return phaseWord(run_.phase).toLower();
    if (run_.eta)
        return durationText(*run_.eta);
    return widgets::percent_text(std::floor(run_.share() * 100) / 100);
}

void LiveRow::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const QRectF frame = QRectF(rect()).adjusted(0, 1, 0, -1);
    if (isChecked() || underMouse()) {
        fill_box(painter, frame, 6, theme.color(isChecked() ? Token::BgSelected : Token::BgHover));
    }
    if (hasFocus())
        draw_ring(painter, frame, 6);
    const QColor color = theme.runColor(run_.number);
    const bool failed = run_.hasFailed();
    if (folded_) {
        fill_box(painter, QRectF(width() / 2.0 - 5_px, 11_px, 10_px, 10_px), 2, color);
        if (failed)
            painter.drawPixmap(width() / 2 - 6_px, 26_px,
                               theme.pixmap(QStringLiteral("error"), Token::Error, 12_px, devicePixelRatioF()));
        else
            widgets::paint_bar(painter, QRectF(8_px, 30_px, width() - 16_px, 3), run_.share(), color);
        return;
    }
    fill_box(painter, QRectF(10_px, 12_px, 8_px, 8_px), 2, color);
    const QRect name(27_px, 6_px, width() - 37_px, 20_px);
    const QFont bold = theme.text(12, QFont::DemiBold);
    draw_text(painter, bold, Token::Text, name,
              widgets::elided_text(QFontMetrics(bold), run_.name, Qt::ElideMiddle, name.width()));
    const QString right = rightText();
    draw_text(painter, theme.mono(11), failed ? Token::Error : Token::TextMuted,
              QRect(10_px, 25_px, width() - 20_px, 16_px), right, Qt::AlignRight | Qt::AlignVCenter);
    const int rightWidth = painter.fontMetrics().horizontalAdvance(right);
    widgets::paint_bar(painter, QRectF(10_px, 31.5_px, width() - 20_px - rightWidth - 10_px, 3), run_.share(),
                       failed ? theme.color(Token::Error) : color);
}

void LiveRow::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = make_menu(this);
    const QString path = run_.path;
    if (run_.phase == RunPhase::Queued && run_.queuePlace > 0) {
        menu->addAction(tr("Start now"), this, [this, path] { emit requested(path, run::StartRequest()); });
        menu->addAction(tr("Remove from the queue"), this, [this, path] { emit requested(path, run::StopRequest()); });
        menu->addSeparator();
    } else if (run_.isLive() && run_.phase != RunPhase::Queued) {
        menu->addAction(tr("Stop after a checkpoint"), this,
                        [this, path] { emit requested(path, run::StopRequest()); });
        menu->addAction(tr("Checkpoint now"), this, [this, path] { emit requested(path, run::CheckpointRequest()); });
        menu->addSeparator();
    }
    menu->addAction(tr("Copy path"), this, [path] { copy_text(path); });
    menu->popup(event->globalPos());
}

}  // namespace trainyard::desktop
