#include "desktop/compare/differences_panel.h"

#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include "widgets/cell_delegate.h"
#include "widgets/label.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;
using widgets::Tone;

namespace {
constexpr int kLeastColumn = 80;
constexpr int kMostColumn = 170;
constexpr int kHeadRoom = 34;  // swatch and padding

QIcon swatch(int number) {
    QPixmap picture(24, 24);
    picture.setDevicePixelRatio(2);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().runColor(number));
    painter.drawRoundedRect(QRectF(2, 2, 8, 8), 2, 2);
    return QIcon(picture);
}

/// The text stands in the item, too: for copying, and for those who do not see.
QTableWidgetItem* item(const widgets::Cell& cell, const QString& tip) {
    auto* made = new QTableWidgetItem(cell.text);
    made->setData(widgets::CellRole, QVariant::fromValue(cell));
    made->setToolTip(tip);
    return made;
}

widgets::Cell keyCell(const QString& text) {
    widgets::Cell cell;
    cell.text = text;
    cell.mono = true;
    return cell;
}
}  // namespace

DifferencesPanel::DifferencesPanel(QWidget* parent)
    : QFrame(parent),
      pages_(new widgets::SegmentedControl({tr("What differs"), tr("Final"), tr("Best")})),
      table_(new QTableWidget),
      summary_(widgets::make_label({}, 12, QFont::Normal, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 6, 1, 8);
    layout->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(10, 0, 8, 0);
    pages_->setAccessibleName(tr("Table of the comparison"));
    line->addWidget(pages_);
    line->addStretch();
    auto* save = new QPushButton(tr("CSV"));
    save->setProperty("kind", QStringLiteral("ghost"));
    save->setToolTip(tr("Save settings and metrics of these runs as CSV"));
    Theme::instance().bindIcon(save, QStringLiteral("save"));
    line->addWidget(save);
    layout->addLayout(line);
    table_->setAccessibleName(tr("Comparison"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setShowGrid(false);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(26);
    table_->verticalHeader()->setMinimumSectionSize(24);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setFont(Theme::instance().text(12, QFont::Medium));
    table_->horizontalHeader()->setMinimumSectionSize(60);
    table_->horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
    table_->setItemDelegate(new widgets::CellDelegate(table_));
    table_->setTabKeyNavigation(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->installEventFilter(this);
    layout->addWidget(table_, 1);
    summary_->setContentsMargins(12, 0, 12, 0);
    layout->addWidget(summary_);
    connect(pages_, &widgets::SegmentedControl::currentChanged, this, [this] {
        fill();
        emit pageChanged();
    });
    connect(save, &QPushButton::clicked, this, &DifferencesPanel::exportCsv);
    connect(&Theme::instance(), &Theme::changed, this, &DifferencesPanel::fill);
}

int DifferencesPanel::page() const {
    return pages_->current();
}

void DifferencesPanel::setPage(int page) {
    pages_->setCurrent(page);
}

MetricPart DifferencesPanel::part() const {
    return page() == 2 ? MetricPart::Best : MetricPart::Last;
}

void DifferencesPanel::setRuns(const RunSummaries& runs) {
    // Live runs change four times a second; what stands here changes seldom.
    auto same = [&] {
        if (runs.size() != runs_.size())
            return false;
        for (int i = 0; i < runs.size(); ++i)
            if (runs[i].path != runs_[i].path || runs[i].name != runs_[i].name || runs[i].config != runs_[i].config ||
                runs[i].number != runs_[i].number || runs[i].baseline != runs_[i].baseline ||
                (page() > 0 && runs[i].metrics != runs_[i].metrics))
                return false;
        return true;
    };
    const bool unchanged = same();
    runs_ = runs;
    if (!unchanged)
        fill();
}

void DifferencesPanel::setHead(const QString& first) {
    table_->setColumnCount(static_cast<int>(runs_.size()) + 1);
    auto* key = new QTableWidgetItem(first);
    key->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setHorizontalHeaderItem(0, key);
    for (int i = 0; i < runs_.size(); ++i) {
        auto* head = new QTableWidgetItem(swatch(runs_[i].number), runs_[i].name);
        head->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        head->setToolTip(runs_[i].baseline ? tr("%1, the baseline").arg(runs_[i].name) : runs_[i].name);
        table_->setHorizontalHeaderItem(i + 1, head);
    }
}

void DifferencesPanel::fill() {
    const int scrolled = table_->verticalScrollBar()->value();
    page() == 0 ? fillSettings() : fillMetrics(part());
    fit();
    table_->verticalScrollBar()->setValue(scrolled);
}

void DifferencesPanel::fit() {
    if (table_->columnCount() < 2)
        return;
    table_->resizeColumnToContents(0);
    table_->setColumnWidth(0, std::clamp(table_->columnWidth(0), 90, 180));
    // What is left is shared; many runs are scrolled through.
    const int share = (table_->viewport()->width() - table_->columnWidth(0)) / (table_->columnCount() - 1);
    const QFontMetrics metrics(table_->horizontalHeader()->font());
    for (int column = 1; column < table_->columnCount(); ++column) {
        const int width = std::clamp(share, kLeastColumn, kMostColumn);
        table_->setColumnWidth(column, width);
        // The header would cut a name off beside the swatch; names of a sweep differ at their ends.
        table_->horizontalHeaderItem(column)->setText(
            metrics.elidedText(runs_.value(column - 1).name, Qt::ElideLeft, width - kHeadRoom));
    }
}

void DifferencesPanel::fillSettings() {
    const Differences found = differencesOf(runs_);
    setHead(tr("Key"));
    table_->setRowCount(static_cast<int>(found.rows.size()));
    for (int row = 0; row < found.rows.size(); ++row) {
        const Differences::Row& one = found.rows[row];
        table_->setItem(row, 0, item(keyCell(one.shown), one.key));
        for (int i = 0; i < one.values.size(); ++i) {
            widgets::Cell cell = keyCell(one.values[i]);
            cell.alignment = Qt::AlignRight;
            cell.ink = one.differs[i] ? Token::Warn : Token::Text;
            table_->setItem(row, i + 1, item(cell, one.values[i]));
        }
    }
    const int runs = static_cast<int>(runs_.size());
    QString words = runs == 1 ? tr("%n settings. Tick another run to see what differs.", nullptr, found.equal)
                              : tr("%n keys are equal in all %1.", nullptr, found.equal).arg(runs);
    if (runs > 1 && found.rows.isEmpty() && found.unread == 0)
        words = tr("Nothing differs: all %n keys are equal.", nullptr, found.equal);
    if (found.unread > 0)
        words += QLatin1Char(' ') + tr("%n without readable settings.", nullptr, found.unread);
    summary_->setText(words);
}

void DifferencesPanel::fillMetrics(MetricPart part) {
    const MetricRows found = metricRowsOf(runs_, part);
    setHead(tr("Metric"));
    table_->setRowCount(static_cast<int>(found.rows.size()));
    for (int row = 0; row < found.rows.size(); ++row) {
        const MetricRows::Row& one = found.rows[row];
        table_->setItem(row, 0,
                        item(keyCell(one.tag), isMoreBetter(one.tag) ? tr("%1: more is better").arg(one.tag)
                                                                     : tr("%1: less is better").arg(one.tag)));
        for (int i = 0; i < one.values.size(); ++i) {
            widgets::Cell cell = keyCell(one.present[i] ? widgets::value_number(one.values[i]) : QString());
            cell.alignment = Qt::AlignRight;
            if (i == one.best) {
                cell.text.prepend(QStringLiteral("★ "));
                cell.ink = Token::Ok;
            } else if (one.present[i] && !std::isfinite(one.values[i])) {
                cell.ink = Token::Error;
            }
            table_->setItem(row, i + 1,
                            item(cell, one.present[i] ? QString::number(one.values[i], 'g', 17) : QString()));
        }
    }
    summary_->setText(found.rows.isEmpty()
                          ? tr("No metrics have been read yet.")
                          : tr("%n metrics; a star marks the best run.", nullptr, static_cast<int>(found.rows.size())));
}

void DifferencesPanel::copy() const {
    QStringList lines;
    QStringList head{table_->horizontalHeaderItem(0)->text()};
    for (const RunSummary& run : runs_)
        head << run.name;
    lines << head.join(QLatin1Char('\t'));
    for (int row = 0; row < table_->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table_->columnCount(); ++column) {
            const QTableWidgetItem* one = table_->item(row, column);
            // Numbers go out whole.
            cells << ((column > 0) == (page() > 0) ? one->toolTip() : one->text());
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void DifferencesPanel::exportCsv() {
    const QString file = QFileDialog::getSaveFileName(this, tr("Save the comparison"), QStringLiteral("comparison.csv"),
                                                      tr("Tables (*.csv)"));
    if (file.isEmpty())
        return;
    QSaveFile out(file);
    const QByteArray bytes = comparisonCsv(runs_, part()).toUtf8();
    const bool saved = out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit();
    summary_->setText(saved ? tr("Saved to %1.").arg(file) : tr("%1 was not written: %2").arg(file, out.errorString()));
}

bool DifferencesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize)
        fit();
    if (watched == table_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
