// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/slice_panel.h"

#include <QHeaderView>
#include <QTableView>

#include "desktop/shell/ui.h"
#include "desktop/traces/trace_words.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

namespace {
constexpr qsizetype kMostArgument = 4000;
}

SlicePanel::SlicePanel(QWidget* parent)
    : QWidget(parent),
      name_(make_elided({}, Theme::instance().mono(12))),
      rows_(new widgets::CellRows(QVector<widgets::CellRows::Column>(2), this)),
      table_(named(new QTableView, tr("The chosen slice"))),
      to_linked_(new QPushButton),
      to_last_(new QPushButton) {
    table_->setModel(rows_);
    widgets::set_rows_look(table_);
    table_->horizontalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    widgets::set_quiet_look(table_, 22_px);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setWordWrap(false);
    // The name and the links start where the cells of the table do.
    const int kCellPadding = 12_px;
    name_->setContentsMargins(kCellPadding, 0, kCellPadding, 0);
    auto* links = make_column({kCellPadding, 0, kCellPadding, 0}, 6, {});
    for (QPushButton* button : {to_linked_, to_last_}) {
        widgets::set_look(button, {.kind = "link"});
        button->hide();
        links->addWidget(button, 0, Qt::AlignLeft);
    }
    setLayout(make_column({0, 0, 0, 0}, 6, {name_, {table_, 1}, links}));
    connect(to_linked_, &QPushButton::clicked, this, [this] { emit placeRequested(linked_); });
    connect(to_last_, &QPushButton::clicked, this, [this] { emit placeRequested(last_); });
    setSlice(nullptr, {});
}

void SlicePanel::setSlice(std::shared_ptr<const OpenedTrace> trace, const widgets::TimelinePlace& place) {
    job_.cancel();
    trace_ = std::move(trace);
    place_ = place;
    linked_ = last_ = {};
    if (!trace_ || !place.isValid()) {
        name_->setFullText(tr("Click a slice, or press → in the timeline."));
        rows_->setRows({});
        to_linked_->hide();
        to_last_->hide();
        return;
    }
    name_->setFullText(trace_->name(place).left(2000));
    showRows({});
    const auto joined = trace_->linked(place);
    linked_ = joined.isEmpty() ? widgets::TimelinePlace() : joined.front();
    to_linked_->setVisible(linked_.isValid());
    if (linked_.isValid())
        to_linked_->setText(
            tr("Joined with %1").arg(widgets::elided_text(fontMetrics(), trace_->name(linked_), Qt::ElideMiddle, 180)));
    last_ = trace_->lastToCome(place);
    to_last_->setVisible(last_.isValid());
    if (last_.isValid())
        to_last_->setText(tr("Waited for %1").arg(rankWords(trace_->rank(last_.group))));
    job_.submit(
        [trace = trace_, place] {
            const traces::Trace& of = trace->trace(place.group);
            return of.arguments(of.slices[trace->slice(place)]);
        },
        [this](const Arguments& arguments) { showRows(arguments); });
}

void SlicePanel::showRows(const Arguments& arguments) {
    const traces::Trace& of = trace_->trace(place_.group);
    const std::uint32_t number = trace_->slice(place_);
    const widgets::TimeSpan span = trace_->span(place_);
    QVector<std::pair<QString, QString>> rows{
        {tr("Duration"), widgets::nanosecond_words(span.length())},
        {tr("Begin"), widgets::offset_words(span.begin - trace_->whole().begin, 1)},
        {tr("Rank"), QString::number(trace_->rank(place_.group))},
        {tr("Track"), trace_->groups()[place_.group].lanes[place_.lane].title},
        {tr("Category"), qt(of.category(of.slices[number]))},
        {tr("Family"), familyWords(trace_->family(place_.group, number))}};
    if (of.slices[number].kind == traces::SliceKind::open)
        rows << std::pair(tr("End"), tr("missing in the file: drawn to the end of the trace"));
    for (const auto& [key, value] : arguments)
        rows << std::pair(qt(key), qt(std::string_view(value).substr(0, kMostArgument)));
    QVector<widgets::CellRows::Row> cells;
    for (const auto& [name, value] : rows)
        cells << widgets::CellRows::Row{{{.text = name}, name}, {{.text = value, .mono = true}, value}};
    rows_->setRows(cells);
}

}  // namespace trainyard::desktop
