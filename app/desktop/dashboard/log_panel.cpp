// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/log_panel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPersistentModelIndex>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSaveFile>
#include <QToolButton>

#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "run/state.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/log_view.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::LogLevel;
using widgets::LogView;
using widgets::SegmentedControl;

namespace {
QString number(std::size_t n) {
    return QLocale().toString(static_cast<qulonglong>(n));
}

constexpr int kTypingPause = 150;  // ms
const int &kRankWidth = live_px(84), &kPlacedRankWidth = live_px(150);
const int& kCountRoom = live_px(760);   // pixels; a narrower panel has no room for the number of lines
const int& kWholeHeight = live_px(88);  // of the line that is shown whole

/// Gives the view a height of whole rows, so that the last one is not cut off.
class RowArea : public QWidget {
  public:
    explicit RowArea(LogView* view) : view_(view) {
        view->setParent(this);
        setMinimumHeight(view->minimumHeight());
    }

  protected:
    void resizeEvent(QResizeEvent*) override {
        const int rest = height() % LogView::kRowHeight;
        view_->setGeometry(0, rest, width(), height() - rest);
    }

  private:
    LogView* view_;
};
}  // namespace

LogPanel::LogPanel(QWidget* parent)
    : QFrame(parent),
      view_(new LogView(tr("Log"))),
      choice_(
          named(new SegmentedControl({tr("All ranks"), tr("Rank"), tr("Warnings"), tr("Errors")}), tr("Lines shown"))),
      rank_(named(new QComboBox, tr("Ranks whose logs are shown"), tr("One rank, or several: 0, 3-5"))),
      find_(make_search_field(tr("Find in the log"), tr("Find, or /regex/"), "search")),
      follow_(new QCheckBox(tr("Follow"))),
      count_(make_mono_label({}, 11, Tone::Muted)),
      found_(make_mono_label({}, 11, Tone::Muted)),
      up_(with_look(new QToolButton, {.icon = "up", .tip = tr("Previous (Shift+F3)")})),
      down_(with_look(new QToolButton, {.icon = "down", .tip = tr("Next (F3)")})),
      only_(with_look(new QToolButton, {.icon = "filter", .tip = tr("Show matching lines only")})),
      whole_(named(new QPlainTextEdit, tr("The whole line"))) {
    setProperty("surface", QStringLiteral("panel"));
    rank_->setEditable(true);
    rank_->setInsertPolicy(QComboBox::NoInsert);
    rank_->setFixedWidth(kRankWidth);
    rank_->hide();
    find_->setMinimumWidth(90_px);
    find_->setMaximumWidth(190_px);
    auto* line = widgets::make_wrapping_row(
        {12, 0, 10, 0}, 8,
        {make_title(tr("Log")), count_, stretch(), choice_, rank_, {find_, 1}, found_, up_, down_, only_, follow_});
    for (QWidget* part : std::initializer_list<QWidget*>{found_, up_, down_, only_})
        part->hide();
    for (QToolButton* button : {up_, down_, only_})
        button->setAutoRaise(true);
    only_->setCheckable(true);
    follow_->setChecked(true);
    whole_->setReadOnly(true);
    whole_->setFont(Theme::instance().mono(11));
    whole_->setFixedHeight(kWholeHeight);
    whole_->installEventFilter(this);
    whole_->hide();
    setLayout(make_column({1, 6, 1, 4}, 4, {line, {new RowArea(view_), 1}, whole_}));
    setMinimumHeight(96_px);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    find_->installEventFilter(this);
    view_->installEventFilter(this);

    act_after(typing_, kTypingPause, this, &LogPanel::applyFilter);
    connect(find_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(find_, &QLineEdit::returnPressed, this, [this] {
        if (typing_.isActive())
            applyFilter();
        findNext(true);
    });
    connect(up_, &QToolButton::clicked, this, [this] { findNext(false); });
    connect(down_, &QToolButton::clicked, this, [this] { findNext(true); });
    connect(only_, &QToolButton::toggled, this, &LogPanel::applyFilter);
    connect(view_, &LogView::rowChosen, this, &LogPanel::choose);
    connect(view_, &LogView::rowOpened, this, &LogPanel::openLine);
    connect(view_, &QWidget::customContextMenuRequested, this, &LogPanel::openMenu);
    connect(view_->log(), &widgets::LogModel::foundChanged, this, &LogPanel::refreshFound);
    connect(choice_, &SegmentedControl::currentChanged, this, [this](int index) {
        rank_->setVisible(index == OneRank && ranks_ > 1);
        applyFilter();
    });
    connect(rank_, &QComboBox::currentTextChanged, &typing_, qOverload<>(&QTimer::start));
    connect(follow_, &QCheckBox::toggled, view_, &LogView::setFollowing);
    connect(view_, &LogView::followingChanged, follow_, &QCheckBox::setChecked);
    connect(view_->log(), &widgets::LogModel::countChanged, this, &LogPanel::refreshCounts);
    setRanks(1);
    refreshCounts();
}

void LogPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    count_->setVisible(width() >= kCountRoom);
}

void LogPanel::append(const std::shared_ptr<const widgets::LogBlock>& block) {
    view_->log()->append(block);
}

void LogPanel::setRanks(int ranks, const QStringList& places) {
    if ((ranks == ranks_ && places == places_) || ranks < 1)
        return;
    ranks_ = ranks;
    places_ = places;
    const int chosen = rank_->currentIndex();
    const QSignalBlocker silent(rank_);
    rank_->clear();
    for (int rank = 0; rank < ranks; ++rank)
        rank_->addItem(qt(run::rank_name(rank, places.value(rank).toStdString())));
    rank_->setCurrentIndex(std::max(0, std::min(chosen, ranks - 1)));
    const bool placed = std::ranges::any_of(places, [](const QString& place) { return !place.isEmpty(); });
    rank_->setFixedWidth(placed ? kPlacedRankWidth : kRankWidth);
    rank_->setAccessibleDescription(placed ? tr("One rank, or several: 0, 3-5; or coordinates: pp 1")
                                           : tr("One rank, or several: 0, 3-5"));
    choice_->setLabel(OneRank, ranks > 1 ? tr("Ranks") : tr("Rank 0"));
}

std::vector<int> LogPanel::chosenRanks(QString& problem) const {
    const QString words = rank_->currentText();
    const QStringList wanted = words.simplified().split(QRegularExpression(QStringLiteral(" ?, ?")));
    std::vector<int> found;
    for (int rank = 0; rank < places_.size(); ++rank) {
        const QStringList coordinates = places_[rank].split(QStringLiteral(", "));
        if (std::ranges::all_of(wanted, [&](const QString& one) { return coordinates.contains(one); }))
            found.push_back(rank);
    }
    return found.empty() || words.isEmpty()
               ? widgets::parse_ranks(words.section(QStringLiteral(" ("), 0, 0), ranks_, problem)
               : found;
}

void LogPanel::showRank(int rank) {
    if (rank < 0) {
        choice_->setCurrent(All);
        return;
    }
    rank_->setCurrentIndex(std::min(rank, rank_->count() - 1));
    choice_->setCurrent(OneRank);
    applyFilter();
    view_->setFollowing(true);
    view_->setFocus();
}

void LogPanel::focusFind() {
    find_->setFocus(Qt::ShortcutFocusReason);
    find_->selectAll();
}

void LogPanel::applyFilter() {
    typing_.stop();
    widgets::LogFilter filter;
    QString rank_problem;
    const int choice = choice_->current();
    if (choice == OneRank) {
        filter.ranks = chosenRanks(rank_problem);
        if (filter.ranks.empty())
            filter.ranks = view_->log()->filter().ranks;
    } else if (choice == Warnings || choice == Errors) {
        filter.least = choice == Warnings ? LogLevel::Warning : LogLevel::Error;
        filter.only = choice == Warnings;
    }
    const auto judge = [](QWidget* field, const QString& problem) {
        set_invalid(field, !problem.isEmpty());
        field->setToolTip(problem);
    };
    judge(rank_, rank_problem);
    const widgets::LogPattern pattern(find_->text());
    judge(find_, pattern.problem());
    for (QWidget* part : std::initializer_list<QWidget*>{found_, up_, down_, only_})
        part->setVisible(!pattern.empty());
    // An invalid expression does not change the list.
    if (!pattern.problem().isEmpty()) {
        found_->setText(tr("invalid expression"));
        return;
    }
    if (only_->isChecked())
        filter.pattern = pattern;
    widgets::LogModel* log = view_->log();
    const widgets::LogFilter& now = log->filter();
    if (now.ranks != filter.ranks || now.least != filter.least || now.only != filter.only ||
        now.pattern.words() != filter.pattern.words())
        log->setFilter(filter);
    if (log->search().words() != pattern.words())
        log->setSearch(pattern);
    refreshFound();
}

void LogPanel::refreshFound() {
    const widgets::LogModel& log = *view_->log();
    if (log.search().empty())
        return;
    const std::vector<std::uint32_t>& rows = log.found();
    QString words;
    if (rows.empty())
        words = log.isFiltering() ? tr("searching…") : tr("not found");
    else if (const auto at = std::lower_bound(rows.begin(), rows.end(),
                                              static_cast<std::uint32_t>(std::max(0, view_->currentIndex().row())));
             view_->currentIndex().isValid() && at != rows.end() &&
             *at == static_cast<std::uint32_t>(view_->currentIndex().row()))
        words = tr("%1 of %2").arg(number(static_cast<std::size_t>(at - rows.begin()) + 1), number(rows.size()));
    else
        words = number(rows.size());
    if (const std::uint64_t hard = log.search().givenUp(); hard > 0) {
        words += QStringLiteral(" *");
        found_->setToolTip(tr("The expression takes too long on %1 lines; they count as not found.").arg(hard));
    } else {
        found_->setToolTip({});
    }
    found_->setText(words);
}

void LogPanel::findNext(bool down) {
    if (view_->goToFound(down))
        refreshFound();
}

double LogPanel::midnight() const {
    const QDateTime start = QDateTime::fromMSecsSinceEpoch(std::llround(start_ * 1000));
    return static_cast<double>(start.date().startOfDay().toMSecsSinceEpoch()) * 1e-3;
}

void LogPanel::choose(int row) {
    const widgets::LogModel& log = *view_->log();
    if (row < 0 || row >= log.rowCount())
        return;
    const widgets::LiveLine* live = log.liveOfRow(row);
    const std::string_view words =
        live != nullptr ? std::string_view(live->line.text)
                        : log.store().text(log.lineOfRow(row)).substr(log.store().line(log.lineOfRow(row)).head);
    const std::int64_t time = live != nullptr ? -1 : log.timeOfRow(row);
    const bool known = time >= 0 && start_ > 0;
    refreshFound();
    emit placeChosen(widgets::line_step(words),
                     known ? midnight() + static_cast<double>(time) * 1e-3 : std::numeric_limits<double>::quiet_NaN());
}

void LogPanel::markTime(double wall_time) {
    const bool known = std::isfinite(wall_time) && start_ > 0;
    view_->setMark(known ? view_->log()->rowAtTime(std::llround((wall_time - midnight()) * 1000)) : -1);
}

void LogPanel::openLine(int row) {
    whole_->setPlainText(widgets::visible_text(view_->log()->copyText(row)));
    whole_->show();
    whole_->setFocus();
}

void LogPanel::openMenu(const QPoint& position) {
    QMenu* menu = make_menu(this);
    // The log grows, and is filtered, while the menu is open.
    if (const QPersistentModelIndex at = view_->indexAt(position); at.isValid()) {
        menu->addAction(tr("Show in the charts"), this, [this, at] { choose(at.row()); });
        menu->addAction(tr("Show the whole line"), this, [this, at] {
            if (at.isValid())
                openLine(at.row());
        });
        menu->addSeparator();
    }
    menu->addAction(tr("Save these lines…"), this, &LogPanel::save);
    menu->popup(view_->viewport()->mapToGlobal(position));
}

void LogPanel::save() {
    widgets::ask_save_file(this, tr("Save the lines that are shown"), QStringLiteral("log.txt"), {},
                           [this](const QString& name) { saveTo(name); });
}

void LogPanel::saveTo(const QString& name) {
    saving_.submit(
        [snapshot = view_->log()->snapshot(), name](const widgets::Cancelled& cancelled) {
            QSaveFile file(name);
            if (!file.open(QIODevice::WriteOnly))
                return QStringLiteral("%1: %2").arg(name, file.errorString());
            for (std::size_t row = 0; row < snapshot.size() && !cancelled; ++row) {
                const std::string text = snapshot.text(row) + '\n';
                file.write(text.data(), static_cast<qint64>(text.size()));
            }
            if (cancelled)  // the previous file is not changed
                return QString();
            return file.commit() ? QString() : QStringLiteral("%1: %2").arg(name, file.errorString());
        },
        [this, name](const QString& problem) {
            count_->setText(problem.isEmpty() ? tr("saved as %1").arg(name) : problem);
            count_->show();
        });
}

bool LogPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_F3) {
            findNext((key->modifiers() & Qt::ShiftModifier) == 0);
            return true;
        }
        if (watched == whole_ && key->key() == Qt::Key_Escape) {
            whole_->hide();
            view_->setFocus();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void LogPanel::refreshCounts() {
    const widgets::LogModel& log = *view_->log();
    const auto with = [&](const QString& word, std::size_t n) {
        return n > 0 ? word + QLatin1Char(' ') + number(n) : word;
    };
    choice_->setLabel(Warnings, with(tr("Warnings"), log.store().count(LogLevel::Warning)));
    choice_->setLabel(Errors, with(tr("Errors"), log.store().count(LogLevel::Error)));
    if (log.filter().passesAll())
        count_->setText(tr("%Ln lines", nullptr, static_cast<int>(log.store().size())));
    else
        count_->setText(
            tr("%1 of %2 lines").arg(number(static_cast<std::size_t>(log.rowCount())), number(log.store().size())));
}

}  // namespace trainyard::desktop
