// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/classes_panel.h"

#include <algorithm>

#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QTableView>

#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"
#include "widgets/tokens.h"

namespace trainyard::desktop {

namespace {

const int& kWidestHead = live_px(110);       // pixels
const int& kHeadHeight = live_px(18);        // of the names above
const double& kRoomForText = live_px(26.0);  // pixels of a cell
const int& kPanelHeight = live_px(260);

QString class_name(const run::ClassReport& report, std::int64_t number) {
    if (report.has_none && number + 1 == std::ssize(report.classes))
        return ConfusionMatrix::tr("no label");
    return qt(report.classes[static_cast<std::size_t>(number)]);
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Confusion matrix"));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ConfusionMatrix::setReport(const std::shared_ptr<const run::ClassReport>& report) {
    report_ = report;
    const auto size = static_cast<std::size_t>(classes());
    counts_.assign(size * size, 0);
    totals_.assign(size, 0);
    std::int64_t right = 0, all = 0;
    for (const run::ClassCount& count : report_ ? report_->counts : std::vector<run::ClassCount>()) {
        counts_[static_cast<std::size_t>(count.label) * size + static_cast<std::size_t>(count.found)] = count.count;
        totals_[static_cast<std::size_t>(count.label)] += count.count;
        all += count.count;
        right += count.label == count.found ? count.count : 0;
    }
    setAccessibleDescription(tr("%1 of %2 samples found").arg(right).arg(all));
    update();
}

std::int64_t ConfusionMatrix::count(int label, int found) const {
    return counts_[static_cast<std::size_t>(label) * static_cast<std::size_t>(classes()) +
                   static_cast<std::size_t>(found)];
}

int ConfusionMatrix::headWidth() const {
    int widest = 0;
    const QFontMetrics letters(Theme::instance().text(11));
    for (int i = 0; i < std::min(classes(), 200); ++i)
        widest = std::max(widest, letters.horizontalAdvance(class_name(*report_, i)));
    return std::min(kWidestHead, widest) + 14_px;
}

QRectF ConfusionMatrix::cell(int label, int found) const {
    const int left = headWidth();
    const double side_x = static_cast<double>(width() - left) / std::max(1, classes());
    const double side_y = static_cast<double>(height() - kHeadHeight) / std::max(1, classes());
    return {left + found * side_x, kHeadHeight + label * side_y, side_x, side_y};
}

std::pair<int, int> ConfusionMatrix::cellAt(const QPoint& at) const {
    const QRectF first = classes() > 0 ? cell(0, 0) : QRectF();
    if (first.isEmpty() || at.x() < first.left() || at.y() < first.top())
        return {-1, -1};
    const int found = static_cast<int>((at.x() - first.left()) / first.width());
    const int label = static_cast<int>((at.y() - first.top()) / first.height());
    return found < classes() && label < classes() ? std::pair(label, found) : std::pair(-1, -1);
}

QString ConfusionMatrix::words(int label, int found) const {
    const std::int64_t total = totals_[static_cast<std::size_t>(label)];
    return tr("%1, found as %2: %3 (%4 of the class)")
        .arg(class_name(*report_, label), class_name(*report_, found), stepText(count(label, found)),
             widgets::percent_text(
                 total > 0 ? static_cast<double>(count(label, found)) / static_cast<double>(total) : 0, 1));
}

void ConfusionMatrix::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (classes() == 0)
        return;
    const Theme& theme = Theme::instance();
    const QColor low = theme.color(Token::BgHover), right = theme.color(Token::Ok), wrong = theme.color(Token::Error);
    painter.setFont(theme.text(11));
    const bool named_cells = cell(0, 0).height() >= kHeadHeight - 4;
    const bool named_columns = cell(0, 0).width() >= 40_px;
    for (int label = 0; label < classes(); ++label) {
        const auto total = static_cast<double>(std::max<std::int64_t>(1, totals_[static_cast<std::size_t>(label)]));
        painter.setPen(theme.color(Token::TextSecondary));
        if (named_cells) {
            const QRectF row = cell(label, 0);
            painter.drawText(QRectF(0, row.top(), headWidth() - 6_px, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                             widgets::elided_text(painter.fontMetrics(), class_name(*report_, label), Qt::ElideMiddle,
                                                  headWidth() - 8));
        }
        if (named_columns) {
            const QRectF column = cell(0, label);
            painter.drawText(QRectF(column.left(), 0, column.width(), kHeadHeight), Qt::AlignCenter,
                             widgets::elided_text(painter.fontMetrics(), class_name(*report_, label), Qt::ElideMiddle,
                                                  static_cast<int>(column.width()) - 4));
        }
        for (int found = 0; found < classes(); ++found) {
            const std::int64_t number = count(label, found);
            const double share = static_cast<double>(number) / total;
            const QRectF at = cell(label, found);
            // At most half of the colour lies below the number, so that it stays readable.
            const QColor shade =
                widgets::mixed(label == found ? right : wrong, low, number > 0 ? 0.12 + 0.38 * share : 0);
            painter.fillRect(at.width() > 8 ? at.adjusted(1, 1, -1, -1) : at, shade);
            if (number > 0 && at.width() >= kRoomForText && at.height() >= 13_px) {
                painter.setPen(theme.color(Token::Text));
                painter.drawText(at, Qt::AlignCenter, stepText(number));
            }
        }
    }
}

bool ConfusionMatrix::event(QEvent* event) {
    if (show_tip(event, this, [this](const QPoint& at) {
            const auto [label, found] = cellAt(at);
            return label < 0 ? QString() : words(label, found);
        }))
        return true;
    return QWidget::event(event);
}

void ClassTable::setReport(const std::shared_ptr<const run::ClassReport>& report) {
    beginResetModel();
    report_ = report;
    figures_ = report_ ? run::class_figures(*report_) : std::vector<run::ClassFigures>();
    endResetModel();
}

QString ClassTable::title(int column) const {
    return QStringList{tr("Class"), tr("Precision"), tr("Recall"), tr("F1"), tr("Samples")}.value(column);
}

widgets::Cell ClassTable::cell(int row, int column) const {
    const run::ClassFigures& figures = figures_[static_cast<std::size_t>(row)];
    widgets::Cell cell;
    cell.mono = column > 0;
    cell.text = column == 0   ? class_name(*report_, row)
                : column == 4 ? stepText(figures.support)
                              : widgets::value_number(column == 1   ? figures.precision
                                                      : column == 2 ? figures.recall
                                                                    : figures.f1);
    return cell;
}

void WorstTable::setReport(const std::shared_ptr<const run::ClassReport>& report) {
    beginResetModel();
    report_ = report;
    endResetModel();
}

QString WorstTable::title(int column) const {
    return QStringList{tr("Sample"), tr("Label"), tr("Found"), tr("Probability")}.value(column);
}

widgets::Cell WorstTable::cell(int row, int column) const {
    const run::WorstSample& sample = report_->worst[static_cast<std::size_t>(row)];
    widgets::Cell cell;
    cell.mono = column == 3;
    cell.text = column == 0   ? (sample.text.empty() ? tr("held-out sample %1").arg(sample.sample)
                                                     : qtShortened(qt(sample.text).simplified()))
                : column == 1 ? class_name(*report_, sample.label)
                : column == 2 ? class_name(*report_, sample.found)
                              : widgets::value_number(sample.probability);
    return cell;
}

ClassesPanel::ClassesPanel(const RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      step_(make_mono_label({}, 12, Tone::Secondary)),
      parts_(named(new widgets::SegmentedControl({tr("Confusion matrix"), tr("Classes"), tr("Worst samples")}),
                   tr("Part of the evaluation"))),
      stack_(new QStackedWidget),
      matrix_(new ConfusionMatrix),
      classes_(new ClassTable(this)),
      worst_(new WorstTable(this)) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Classification"));
    setMinimumHeight(kPanelHeight);
    stack_->addWidget(make_holder(make_row({11, 0, 11, 0}, {matrix_})));
    const auto add_table = [this](QAbstractItemModel* model, const QString& name) {
        auto* table = named(new QTableView, name);
        table->setModel(model);
        table->setItemDelegate(new widgets::CellDelegate(table));
        table->setProperty("surface", QStringLiteral("choices"));
        widgets::set_quiet_look(table, 26_px);
        table->horizontalHeader()->setFont(Theme::instance().text(12, QFont::Medium));
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->setWordWrap(false);
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        stack_->addWidget(table);
    };
    add_table(classes_, tr("Classes"));
    add_table(worst_, tr("Worst samples"));
    setLayout(make_column(
        {1, 6, 1, 8}, 6,
        {widgets::make_wrapping_row({11, 0, 11, 0}, 8, {make_title(tr("Classification")), step_, stretch(), parts_}),
         {stack_, 1}}));
    connect(parts_, &widgets::SegmentedControl::currentChanged, stack_, &QStackedWidget::setCurrentIndex);
}

void ClassesPanel::show(int part) {
    parts_->setCurrent(part);
    stack_->setCurrentIndex(part);
}

bool ClassesPanel::refresh() {
    if (run_->classes() != shown_) {
        shown_ = run_->classes();
        matrix_->setReport(shown_);
        classes_->setReport(shown_);
        worst_->setReport(shown_);
        step_->setText(shown_ ? tr("step %1").arg(stepText(shown_->step)) : QString());
    }
    return shown_ != nullptr;
}

}  // namespace trainyard::desktop
