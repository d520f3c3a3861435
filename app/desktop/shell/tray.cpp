// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/tray.h"

#include <utility>

#include <QMenu>
#include <QPainter>
#include <QSystemTrayIcon>

#include "desktop/shell/logo_mark.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

constexpr int kTraySize = 64;  // pixels; scaled down by the tray
constexpr int kMostListed = 12;

/// The icon of the program with the number of active runs in its lower right corner.
QIcon numbered_icon(qsizetype number) {
    QPixmap picture = applicationIcon().pixmap(kTraySize, kTraySize);
    if (number == 0)
        return QIcon(picture);
    picture.setDevicePixelRatio(1);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF badge(picture.width() * 0.4, picture.height() * 0.45, picture.width() * 0.6, picture.height() * 0.55);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(Token::AccentFill));
    painter.drawRoundedRect(badge, badge.height() / 4, badge.height() / 4);
    QFont font = Theme::instance().text(12, QFont::DemiBold);
    font.setPixelSize(static_cast<int>(badge.height() * 0.8));
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(badge, Qt::AlignCenter, number > 9 ? QStringLiteral("9+") : QString::number(number));
    return QIcon(picture);
}

/// The name of a run and how far it is: `llama   46 %`.
QString progress_words(const RunSummary& run) {
    QStringList words{run.name};
    words << (run.of > 0 ? widgets::percent_text(run.share()) : phaseWord(run.phase));
    return words.join(QStringLiteral("   "));
}

}  // namespace

QVector<RunSummary> active_runs(const QVector<RunSummary>& runs) {
    QVector<RunSummary> active;
    for (const RunSummary& run : runs)
        if (run.isLive() && run.phase != RunPhase::Queued)
            active << run;
    return active;
}

Tray::Tray(QWidget* window)
    : QObject(window), icon_(new QSystemTrayIcon(applicationIcon(), this)), menu_(new QMenu(window)) {
    icon_->setContextMenu(menu_);
    icon_->setToolTip(QStringLiteral("Trainyard"));
    connect(icon_, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick)
            emit windowRequested();
    });
    connect(icon_, &QSystemTrayIcon::messageClicked, this, &Tray::windowRequested);
    fill({});
    if (QSystemTrayIcon::isSystemTrayAvailable())
        icon_->show();
}

Tray::~Tray() = default;

bool Tray::isShown() const {
    return icon_->isVisible() && QSystemTrayIcon::isSystemTrayAvailable();
}

void Tray::setRuns(const QVector<RunSummary>& runs) {
    if (!icon_->isVisible())
        return;
    const QVector<RunSummary> active = active_runs(runs);
    QString shows;
    for (const RunSummary& run : active)
        shows += run.id + QLatin1Char('\t') + progress_words(run) + QLatin1Char('\n');
    if (std::exchange(shown_, shows) != shows)
        fill(active);
}

void Tray::fill(const QVector<RunSummary>& active) {
    qDeleteAll(menu_->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu_->clear();
    QStringList lines{tr("Trainyard: %Ln active runs", nullptr, static_cast<int>(active.size()))};
    for (const RunSummary& run : active.mid(0, kMostListed)) {
        const QString words = progress_words(run);
        lines << words;
        QMenu* of_run = menu_->addMenu(words);
        of_run->addAction(tr("Open"), this, [this, id = run.id] { emit runRequested(id); });
        of_run->addAction(tr("Stop…"), this, [this, id = run.id] { emit stopRequested(id); });
    }
    if (active.isEmpty())
        menu_->addAction(tr("No active runs"))->setEnabled(false);
    menu_->addSeparator();
    menu_->addAction(tr("Open Trainyard"), this, &Tray::windowRequested);
    menu_->addAction(tr("Quit"), this, &Tray::quitRequested);
    icon_->setIcon(numbered_icon(active.size()));
    icon_->setToolTip(lines.join(QLatin1Char('\n')));
}

void Tray::explainClosing() {
    icon_->showMessage(tr("Trainyard is still open"),
                       tr("The window was closed to the tray: its icon opens it again, and Quit in its menu ends the "
                          "program. Runs continue either way. Settings have the choice."),
                       applicationIcon());
}

}  // namespace trainyard::desktop
