#include "desktop/dashboard/log_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "widgets/label.h"
#include "widgets/plot/log_view.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::LogLevel;
using widgets::LogView;
using widgets::SegmentedControl;
using widgets::Theme;
using widgets::Tone;

namespace {
constexpr int kTypingPause = 150;  // ms
constexpr int kCountRoom = 660;    // pixels; a narrower panel has no room for the number of lines

/// Gives the view a height of whole rows, at the bottom, so that none is cut.
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
      choice_(new SegmentedControl({tr("All ranks"), tr("Rank"), tr("Warnings"), tr("Errors")})),
      rank_(new QComboBox),
      find_(new QLineEdit),
      follow_(new QCheckBox(tr("Follow"))),
      count_(widgets::make_mono_label({}, 11, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 6, 1, 4);
    layout->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 0, 10, 0);
    line->setSpacing(8);
    line->addWidget(widgets::make_label(tr("Log"), 13, QFont::DemiBold));
    line->addWidget(count_);
    line->addStretch();
    choice_->setAccessibleName(tr("Lines shown"));
    line->addWidget(choice_);
    rank_->setAccessibleName(tr("Rank whose log is shown"));
    rank_->setFixedWidth(84);
    rank_->hide();
    line->addWidget(rank_);
    find_->setPlaceholderText(tr("Find, or /regex/"));
    find_->setAccessibleName(tr("Find in the log"));
    find_->setClearButtonEnabled(true);
    find_->setMinimumWidth(90);
    find_->setMaximumWidth(190);
    Theme::instance().bindIcon(find_->addAction(QIcon(), QLineEdit::LeadingPosition), QStringLiteral("search"));
    line->addWidget(find_, 1);
    follow_->setChecked(true);
    line->addWidget(follow_);
    layout->addLayout(line);
    layout->addWidget(new RowArea(view_), 1);
    setMinimumHeight(96);

    typing_.setSingleShot(true);
    typing_.setInterval(kTypingPause);
    connect(&typing_, &QTimer::timeout, this, &LogPanel::applyFilter);
    connect(find_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(find_, &QLineEdit::returnPressed, this, &LogPanel::applyFilter);
    connect(choice_, &SegmentedControl::currentChanged, this, [this](int index) {
        rank_->setVisible(index == OneRank && ranks_ > 1);
        applyFilter();
    });
    connect(rank_, &QComboBox::currentIndexChanged, this, &LogPanel::applyFilter);
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

void LogPanel::setRanks(int ranks) {
    if (ranks == ranks_ || ranks < 1)
        return;
    ranks_ = ranks;
    const int chosen = rank_->currentIndex();
    const QSignalBlocker silent(rank_);
    rank_->clear();
    for (int rank = 0; rank < ranks; ++rank)
        rank_->addItem(tr("Rank %1").arg(rank));
    rank_->setCurrentIndex(std::max(0, std::min(chosen, ranks - 1)));
    choice_->setLabel(OneRank, ranks > 1 ? tr("One rank") : tr("Rank 0"));
}

void LogPanel::showRank(int rank) {
    if (rank < 0) {
        choice_->setCurrent(All);
        return;
    }
    rank_->setCurrentIndex(std::min(rank, rank_->count() - 1));
    choice_->setCurrent(OneRank);
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
    switch (choice_->current()) {
        case OneRank:
            filter.rank = std::max(0, rank_->currentIndex());
            break;
        case Warnings:
            filter.least = LogLevel::Warning;
            filter.only = true;
            break;
        case Errors:
            filter.least = LogLevel::Error;
            break;
        default:
            break;
    }
    filter.setWords(find_->text());
    const QString problem = filter.problem();
    find_->setProperty("invalid", problem.isEmpty() ? QVariant() : QVariant(true));
    find_->setToolTip(problem);
    find_->style()->unpolish(find_);
    find_->style()->polish(find_);
    // A wrong expression leaves the list as it was.
    if (problem.isEmpty())
        view_->log()->setFilter(filter);
}

void LogPanel::refreshCounts() {
    const widgets::LogModel& log = *view_->log();
    const auto number = [](std::size_t n) { return QLocale().toString(static_cast<qulonglong>(n)); };
    const auto with = [&](const QString& word, std::size_t n) {
        return n > 0 ? word + QLatin1Char(' ') + number(n) : word;
    };
    choice_->setLabel(Warnings, with(tr("Warnings"), log.store().count(LogLevel::Warning)));
    choice_->setLabel(Errors, with(tr("Errors"), log.store().count(LogLevel::Error)));
    if (log.filter().passesAll())
        count_->setText(tr("%1 lines").arg(number(log.store().size())));
    else
        count_->setText(
            tr("%1 of %2 lines").arg(number(static_cast<std::size_t>(log.rowCount())), number(log.store().size())));
}

}  // namespace trainyard::desktop
