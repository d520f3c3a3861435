// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/differences_panel.h"

#include <algorithm>
#include <cmath>

#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QScrollBar>
#include <QTableView>

#include "desktop/compare/influence.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
/// Length of the words that all names begin with, each with its separator.
qsizetype shared_beginning(const RunSummaries& runs) {
    if (runs.size() < 2)
        return 0;
    qsizetype same = runs.first().name.size();
    for (const RunSummary& run : runs) {
        const auto differ = std::mismatch(run.name.begin(), run.name.end(), runs.first().name.begin(),
                                          runs.first().name.begin() + same);
        same = differ.second - runs.first().name.begin();
    }
    while (same > 0 && runs.first().name.at(same - 1).isLetterOrNumber())
        --same;
    return same;
}

widgets::CellRows::Item comparison_item(const QString& text, const QString& tip, Token ink = Token::Text,
                                        const QVariant& data = {}) {
    return {{.text = text, .mono = true, .ink = ink}, tip, data};
}

const int &kLeastColumn = live_px(74), &kLeastNamed = live_px(96);
const int &kLeastKey = live_px(90), &kMostKey = live_px(180);
const int& kMostColumn = live_px(170);
const int& kHeadRoom = live_px(40);  // padding of both sides, swatch and the gap after it
}  // namespace

DifferencesPanel::DifferencesPanel(QWidget* parent)
    : QFrame(parent),
      pages_(named(new widgets::SegmentedControl({tr("What differs"), tr("Final"), tr("Best"), tr("Influence")}),
                   tr("Table of the comparison"))),
      cells_(new widgets::CellRows(this)),
      table_(named(new QTableView, tr("Comparison"))),
      summary_(wrapped(make_note({}, Tone::Muted))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* save = with_look(new QPushButton, {.kind = "ghost",
                                             .icon = "save",
                                             .tip = tr("Save the comparison as a report, a table or a picture"),
                                             .name = tr("Export the comparison…")});
    table_->setModel(cells_);
    widgets::set_quiet_look(table_, 26_px);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->horizontalHeader()->setFont(Theme::instance().text(12, QFont::Medium));
    table_->horizontalHeader()->setMinimumSectionSize(60_px);
    table_->horizontalHeader()->setTextElideMode(Qt::ElideNone);  // fit() elides: Qt leaves only dots beside an icon
    table_->setItemDelegate(new widgets::CellDelegate(table_));
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    summary_->setContentsMargins(12, 0, 12, 0);
    setLayout(
        make_column({1, 6, 1, 8}, 4, {make_row({10, 0, 8, 0}, {pages_, stretch(), save}), {table_, 1}, summary_}));
    connect(pages_, &widgets::SegmentedControl::currentChanged, this, [this] {
        fill();
        emit pageChanged();
    });
    connect(save, &QPushButton::clicked, this, &DifferencesPanel::exportWanted);
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& at) {
        if (at.column() == 0)
            orderBy(at.row());
    });
    connect(&Theme::instance(), &Theme::changed, this, &DifferencesPanel::fill);
}

int DifferencesPanel::page() const {
    return pages_->current();
}

void DifferencesPanel::setPage(int page) {
    pages_->setCurrent(page);
}

void DifferencesPanel::setTag(const QString& tag) {
    if (tag == tag_)
        return;
    tag_ = tag;
    if (page() == 3)
        fill();
}

void DifferencesPanel::orderBy(int row) {
    const QString tag = cells_->index(row, 0).data(Qt::UserRole).toString();
    if (tag.isEmpty())
        return;
    if (tag != order_tag_) {
        order_tag_ = tag;
        best_first_ = true;
    } else if (best_first_) {
        best_first_ = false;
    } else {
        order_tag_.clear();
    }
    fill();
    table_->setCurrentIndex(cells_->index(row, 0));
}

/// Runs without the metric, or whose metric is NaN, come last in both orders.
void DifferencesPanel::arrange() {
    shown_ = runs_;
    if (page() == 0 || page() == 3 || order_tag_.isEmpty())
        return;
    const auto value = [this](const RunSummary& run) {
        const MetricEntry* metric = run.metrics ? run.metrics->find(order_tag_) : nullptr;
        return metric == nullptr || metric->tag != order_tag_ ? std::nan("") : partOf(*metric, part());
    };
    const bool ascending = isMoreBetter(order_tag_) != best_first_;
    std::stable_sort(shown_.begin(), shown_.end(), [&](const RunSummary& a, const RunSummary& b) {
        const double x = value(a), y = value(b);
        if (std::isnan(x) || std::isnan(y))
            return !std::isnan(x) && std::isnan(y);
        return ascending ? x < y : y < x;
    });
}

QStringList DifferencesPanel::columns() const {
    QStringList names;
    for (const RunSummary& run : shown_)
        names << run.name;
    return names;
}

void DifferencesPanel::setRuns(const RunSummaries& runs) {
    // Active runs change four times a second, but the content of this table changes rarely.
    const bool unchanged = look_alike(runs, runs_) &&
                           std::ranges::equal(runs, runs_, [this](const RunSummary& one, const RunSummary& before) {
                               return one.isLive() == before.isLive() && (page() == 0 || one.metrics == before.metrics);
                           });
    runs_ = runs;
    if (!unchanged)
        fill();
}

void DifferencesPanel::setHead(const QString& first) {
    heads_ = {{first}};
    for (const RunSummary& run : std::as_const(shown_))
        heads_ << widgets::CellRows::Column{run.name, true,
                                            run.baseline ? tr("%1, the baseline").arg(run.name) : run.name,
                                            swatch_icon(run.number, 12)};
    cells_->setColumns(heads_);
}

void DifferencesPanel::fill() {
    const int scrolled = table_->verticalScrollBar()->value();
    arrange();
    if (page() == 0)
        fillSettings();
    else if (page() == 3)
        fillInfluence();
    else
        fillMetrics(part());
    fit();
    table_->verticalScrollBar()->setValue(scrolled);
}

void DifferencesPanel::fit() {
    const int values = cells_->columnCount() - 1;
    if (values < 1)
        return;
    const int room = table_->viewport()->width();
    const QFontMetrics metrics(table_->horizontalHeader()->font());
    const qsizetype shared = shared_beginning(shown_);
    const auto end_of = [&](const QString& name) -> QString {
        return shared > 0 ? QChar(0x2026) + name.mid(shared) : name;
    };
    int least = kLeastColumn;
    for (int column = 1; column <= values; ++column)
        least = std::max(
            least, page() == 3 ? table_->horizontalHeader()->sectionSizeHint(column)
                               : std::min(metrics.horizontalAdvance(end_of(shown_.value(column - 1).name)) + kHeadRoom,
                                          kLeastNamed));
    // The names of keys give way (they elide) while a few runs are compared; many are scrolled through.
    table_->resizeColumnToContents(0);
    const int key = table_->columnWidth(0), least_key = std::min(key, kLeastKey);
    least = std::clamp((room - least_key) / values, kLeastColumn, least);
    table_->setColumnWidth(0, std::min(key, std::clamp(room - values * least, least_key, kMostKey)));
    const int share = (room - table_->columnWidth(0)) / values;
    QVector<widgets::CellRows::Column> heads = heads_;
    for (int column = 1; column <= values; ++column) {
        const int width = std::clamp(share, least, kMostColumn);
        table_->setColumnWidth(column, width);
        if (page() == 3)
            continue;
        // Names of a sweep differ at their ends.
        QString name = shown_.value(column - 1).name;
        if (metrics.horizontalAdvance(name) > width - kHeadRoom)
            name = end_of(name);
        heads[column].title = widgets::elided_text(metrics, name, Qt::ElideRight, width - kHeadRoom);
    }
    cells_->setColumns(heads);
}

void DifferencesPanel::fillSettings() {
    const Differences found = differencesOf(shown_);
    setHead(tr("Key"));
    QVector<widgets::CellRows::Row> rows;
    for (const Differences::Row& one : found.rows) {
        widgets::CellRows::Row row{comparison_item(one.shown, one.key)};
        for (int i = 0; i < one.values.size(); ++i)
            row << comparison_item(one.values[i], one.values[i], one.differs[i] ? Token::Warn : Token::Text);
        rows << row;
    }
    cells_->setRows(rows);
    const int runs = static_cast<int>(shown_.size());
    QString words = runs == 1 ? tr("%Ln settings. Select another run to see what differs.", nullptr, found.equal)
                              : tr("%Ln keys are equal in all %1.", nullptr, found.equal).arg(runs);
    if (runs > 1 && found.rows.isEmpty() && found.unread == 0)
        words = tr("No differences: all %Ln keys are equal.", nullptr, found.equal);
    if (found.unread > 0)
        words += QLatin1Char(' ') + tr("%Ln without readable settings.", nullptr, found.unread);
    summary_->setText(words);
}

void DifferencesPanel::fillMetrics(MetricPart part) {
    const MetricRows found = metricRowsOf(shown_, part);
    setHead(tr("Metric"));
    QVector<widgets::CellRows::Row> rows;
    for (const MetricRows::Row& one : found.rows) {
        const QString order = one.tag != order_tag_ ? QString()
                              : best_first_         ? QStringLiteral(" →")
                                                    : QStringLiteral(" ←");
        const Better better = betterOf(one.tag);
        const QString what = better == Better::More   ? tr("%1: higher is better")
                             : better == Better::Less ? tr("%1: lower is better")
                                                      : QStringLiteral("%1");
        widgets::CellRows::Row row{
            comparison_item(one.tag + order, what.arg(one.tag) + QLatin1Char('\n') + tr("Click to sort the runs by it"),
                            Token::Text, one.tag)};
        for (int i = 0; i < one.values.size(); ++i) {
            const bool best = i == one.best;
            if (!one.present[i])
                row << widgets::CellRows::Item();
            else
                row << comparison_item((best ? QStringLiteral("★ ") : QString()) + widgets::value_number(one.values[i]),
                                       QString::number(one.values[i], 'g', 17),
                                       best                           ? Token::Ok
                                       : std::isfinite(one.values[i]) ? Token::Text
                                                                      : Token::Error);
        }
        rows << row;
    }
    cells_->setRows(rows);
    QString words = found.rows.isEmpty() && found.unjudged == 0 ? tr("No metrics have been read yet.")
                    : found.rows.isEmpty() ? tr("No metric name shows whether higher or lower is better.")
                                           : tr("A star marks the best run.");
    if (found.unjudged > 0)
        words += QLatin1Char(' ') +
                 tr("%Ln metrics without a known direction are listed under Final.", nullptr, found.unjudged);
    summary_->setText(words);
}

void DifferencesPanel::fillInfluence() {
    const Influence found = influenceOf(runs_, tag_, part());
    heads_ = {{tr("Setting")}, {tr("Strength"), true}, {tr("Runs"), true}, {tr("By chance"), true}};
    cells_->setColumns(heads_);
    QVector<widgets::CellRows::Row> rows;
    for (const Influence::Row& one : found.rows) {
        const bool known = std::isfinite(one.strength);
        const QString how =
            one.runs < Influence::kLeastRuns ? tr("Fewer than %1 runs are not conclusive").arg(Influence::kLeastRuns)
            : !known                         ? tr("There are no two different values to compare")
            : one.ofNumbers ? (one.strength > 0 ? tr("Rank correlation: a larger value goes with a larger %1")
                                                : tr("Rank correlation: a larger value goes with a smaller %1"))
                                  .arg(tag_)
                            : tr("Correlation ratio: how much of the order of %1 the setting explains").arg(tag_);
        const QString strength =
            known ? (one.ofNumbers ? QStringLiteral("ρ ") : QStringLiteral("η ")) +
                        QLocale().toString(one.strength, 'f', 2).replace(QLatin1Char('-'), QChar(0x2212))
                  : QStringLiteral("–");
        const QString chance = !known ? QString()
                               : one.chance <= 1.0 / (found.shuffles + 1)
                                   ? QStringLiteral("< %1").arg(QLocale().toString(1.0 / found.shuffles, 'g', 1))
                                   : QLocale().toString(one.chance, 'g', 2);
        const Token ink = known && one.chance <= 0.05 ? Token::Text : Token::TextSecondary;
        rows << widgets::CellRows::Row{comparison_item(one.shown, one.key), comparison_item(strength, how, ink),
                                       comparison_item(QString::number(one.runs), how, ink),
                                       comparison_item(chance, how, ink)};
    }
    cells_->setRows(rows);
    if (tag_.isEmpty())
        summary_->setText(tr("Choose a metric to compare the settings with."));
    else if (found.runs < Influence::kLeastRuns)
        summary_->setText(tr("%Ln finished runs have %1: at least %2 are needed.", nullptr, found.runs)
                              .arg(tag_)
                              .arg(Influence::kLeastRuns));
    else if (found.tested == 0)
        summary_->setText(tr("No setting can be compared with %1: one of the two is the same in all %Ln finished runs.",
                             nullptr, found.runs)
                              .arg(tag_));
    else
        summary_->setText(tr("By the best %1 of %Ln finished runs. Of %2 settings, %3 would fall below 0.05 by chance. "
                             "Correlation does not prove a cause.",
                             nullptr, found.runs)
                              .arg(tag_)
                              .arg(found.tested)
                              .arg(QLocale().toString(0.05 * found.tested, 'g', 2)));
}

QString DifferencesPanel::text() const {
    const bool metrics = page() == 1 || page() == 2;
    QStringList lines;
    QStringList titles;
    for (const widgets::CellRows::Column& head : heads_)
        titles << head.title;
    lines << titles.join(QLatin1Char('\t'));
    for (int row = 0; row < cells_->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < cells_->columnCount(); ++column)
            cells << cells_->index(row, column)
                         .data(column == 0 ? (metrics ? Qt::UserRole : Qt::ToolTipRole)
                               : metrics   ? Qt::ToolTipRole
                                           : Qt::DisplayRole)
                         .toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

bool DifferencesPanel::eventFilter(QObject* watched, QEvent* event) {
    // The viewport's own, which comes after the scroll bars found their place.
    if (watched == table_->viewport() && event->type() == QEvent::Resize)
        fit();
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copy_text(text());
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            orderBy(table_->currentIndex().row());
            return true;
        }
        if (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier) {
            emit exportWanted();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
