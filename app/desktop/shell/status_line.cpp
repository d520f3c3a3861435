// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/status_line.h"

#include <utility>

#include "base/clock.h"
#include "desktop/launch/engine_link.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using widgets::set_steady_text;

namespace {
constexpr double kStale = 6;  ///< seconds; a supervisor writes every 2
constexpr int kSaidMs = 6000;

QPixmap dot(const QColor& color, qreal ratio) {
    QPixmap picture(QSize(8, 8) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    SmoothPainter painter(&picture);
    fill_disc(painter, QRectF(1, 1, 6, 6), color);
    return picture;
}
}  // namespace

StatusLine::StatusLine(EngineLink* engine, QWidget* parent)
    : QFrame(parent),
      engine_(engine),
      dot_(new QLabel),
      engine_text_(make_label({}, 11, QFont::Normal, Tone::Secondary)),
      fresh_(make_label({}, 11, QFont::Normal, Tone::Secondary)),
      said_(make_elided({}, Theme::instance().text(11))) {
    setProperty("surface", QStringLiteral("status"));
    setFixedHeight(26_px);
    dot_->setFixedSize(8_px, 8_px);
    auto* layout = make_row({16, 0, 14, 0}, 6, {dot_, engine_text_, gap(14), fresh_, gap(14), {said_, 1}});
    setLayout(layout);
    ActionCollection& commands = ActionCollection::instance();
    auto hint = [this, layout, &commands](const char* id, const QString& words) {
        auto* button = with_look(new QPushButton, {.kind = "hint"});
        const auto show = [this, &commands, button, id = QString::fromLatin1(id), words] {
            button->setText(QStringLiteral("%1  %2").arg(commands.shortcutText(id), words).trimmed());
            spareHints();
        };
        connect(&commands, &ActionCollection::changed, button, show);
        show();
        button->setFont(Theme::instance().text(11));
        button->setFocusPolicy(Qt::NoFocus);
        layout->addWidget(button);
        hints_ << button;
        return button;
    };
    connect(hint("window.palette", tr("commands")), &QPushButton::clicked, this, &StatusLine::commandsRequested);
    connect(hint("window.shortcuts", tr("shortcuts")), &QPushButton::clicked, this, &StatusLine::shortcutsRequested);
    connect(hint("window.manual", tr("manual")), &QPushButton::clicked, this, &StatusLine::manualRequested);
    connect(&commands, &ActionCollection::changed, this, [this] { setPage(page_); });
    act_every(tick_, 1000, this, &StatusLine::refresh);
    act_after(forget_, kSaidMs, said_, [this] {
        said_->setFullText({});
        spareHints();
    });
    connect(engine_, &EngineLink::changed, this, &StatusLine::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::setPage(const QString& key) {
    page_ = key;
    qDeleteAll(std::exchange(page_hints_, {}));
    auto* line = static_cast<QHBoxLayout*>(layout());
    const int first = line->indexOf(said_) + 1;
    for (const KeyHint& hint : Commands::hintsOf(key)) {
        QStringList keys;
        for (const QString& id : hint.ids)
            if (const QString shown = ActionCollection::instance().shortcutText(id); !shown.isEmpty())
                keys << shown;
        if (keys.isEmpty())
            continue;
        QLabel* label = make_label(QStringLiteral("%1  %2").arg(keys.join(QLatin1Char(' ')), hint.words), 11,
                                   QFont::Normal, Tone::Secondary);
        label->setContentsMargins(4_px, 0, 4_px, 0);
        line->insertWidget(first + static_cast<int>(page_hints_.size()), label);
        page_hints_ << label;
    }
    if (!page_hints_.isEmpty())
        page_hints_.last()->setContentsMargins(4_px, 0, 14_px, 0);  // apart from those of the window
    spareHints();
}

void StatusLine::setRuns(const RunSummaries& runs) {
    newest_ = 0;
    oldest_ = 0;
    for (const RunSummary& run : runs) {
        if (!run.isLive() || run.heartbeat <= 0)
            continue;
        newest_ = std::max(newest_, run.heartbeat);
        if (oldest_ == 0 || run.heartbeat < oldest_) {
            oldest_ = run.heartbeat;
            stalest_ = run.name;
        }
    }
    if (newest_ > 0 && !tick_.isActive())
        tick_.start();
    else if (newest_ == 0)
        tick_.stop();
    refresh();
}

void StatusLine::say(const QString& sentence) {
    said_->setFullText(sentence);
    spareHints();
    forget_.start();
}

void StatusLine::refresh() {
    const bool missing = !engine_->problem().isEmpty();
    const Token color = missing ? Token::Error : engine_->isReady() ? Token::Ok : Token::TextMuted;
    dot_->setPixmap(dot(Theme::instance().color(color), devicePixelRatioF()));
    engine_text_->setText(missing              ? tr("Engine not found")
                          : engine_->isReady() ? tr("Engine %1").arg(engine_->version())
                                               : tr("Engine …"));
    engine_text_->setToolTip(missing ? engine_->problem() : engine_->program());
    const double now = wall_seconds();
    if (newest_ == 0) {
        set_steady_text(fresh_, tr("no active runs"));
        fresh_->setForegroundRole(tone_role(Tone::Secondary));
    } else if (now - oldest_ > kStale) {
        set_steady_text(
            fresh_, tr("no update for %1 s: %2 does not respond").arg(static_cast<int>(now - oldest_)).arg(stalest_));
        fresh_->setForegroundRole(tone_role(Tone::Warn));
    } else {
        set_steady_text(fresh_, tr("updated %1 s ago").arg(widgets::decimal_text(std::max(0.0, now - newest_), 1)));
        fresh_->setForegroundRole(tone_role(Tone::Secondary));
    }
    spareHints();
}

/// Hints are shown as far as there is room beside the state of the engine and the runs, those of the window first. A
/// passing sentence has the room of those of the page.
void StatusLine::spareHints() {
    const auto room_of = [this](const QWidget* hint) { return hint->sizeHint().width() + layout()->spacing(); };
    const QList<QWidget*> hints =
        QList<QWidget*>(hints_.begin(), hints_.end()) + QList<QWidget*>(page_hints_.begin(), page_hints_.end());
    int needed = layout()->minimumSize().width();
    for (const QWidget* hint : hints)
        if (!hint->isHidden())
            needed -= room_of(hint);
    for (QWidget* hint : hints) {
        needed += room_of(hint);
        hint->setVisible(needed <= width() && (said_->fullText().isEmpty() || hints_.contains(hint)));
    }
}

void StatusLine::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    spareHints();
}

}  // namespace trainyard::desktop
