// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/trace_search.h"

#include <utility>

#include <QLineEdit>
#include <QLocale>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/room.h"

namespace trainyard::desktop {

namespace {

constexpr int kSearchDelay = 250;  // ms

}  // namespace

TraceSearch::TraceSearch(QObject* parent)
    : QObject(parent),
      field_(make_search_field(tr("Find slices"), tr("Find slices"), "search")),
      count_(new ElidedLabel) {
    field_->setMinimumWidth(120_px);
    field_->setMaximumWidth(widgets::room_for_placeholder(field_, 190_px));
    field_->setToolTip(
        field_->placeholderText() + QStringLiteral(": ") +
        tr("Parts of names, /regular expressions/, dur>5ms, cat:kernel, family:matmul, track:stream, rank:3, "
           "step:120, arg:bytes>4096, !not. Enter goes to the next one."));
    count_->setFixedWidth(110_px);
    count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    count_->setFont(Theme::instance().mono(12));
    count_->hide();
    act_after(delay_, kSearchDelay, this, &TraceSearch::search);
    connect(field_, &QLineEdit::textChanged, this, [this] { delay_.start(); });
    connect(field_, &QLineEdit::returnPressed, this, [this] {
        if (!delay_.isActive())
            return go(1);
        delay_.stop();
        search();
    });
}

void TraceSearch::setTrace(std::shared_ptr<OpenedTrace> trace) {
    job_.cancel();  // its slices are those of the trace before
    trace_ = std::move(trace);
    row_name_.clear();
    row_category_.clear();
    hits_.clear();
    hit_ = -1;
    report({});
}

void TraceSearch::setShown(bool shown) {
    field_->setVisible(shown);
    count_->setVisible(shown && !count_->fullText().isEmpty());
}

/// Shows what was found next to the field.
void TraceSearch::report(const QString& words, Tone tone, const QString& tip) {
    count_->setFullText(words);
    count_->setForegroundRole(tone_role(tone));
    count_->setToolTip(tip);
    setShown(!field_->isHidden());
}

void TraceSearch::search() {
    const QString text = field_->text().trimmed();
    job_.cancel();
    row_name_.clear();
    if (!trace_ || text.isEmpty()) {
        setHits({}, false);
        return;
    }
    report(tr("searching"));
    job_.submit(
        [trace = trace_, text](const widgets::Cancelled& cancelled) {
            return traces::SearchQuery(text.toStdString()).find(trace->set(), [&] { return !cancelled; });
        },
        [this](const std::vector<traces::SearchHit>& hits) { setHits(hits, true); },
        [this](const QString& sentence) {
            hits_.clear();
            hit_ = -1;
            report(sentence, Tone::Error, sentence);
        });
}

void TraceSearch::findRow(const TraceRow& row, const widgets::TimeSpan& range, int group, bool again) {
    if (again && row.name == row_name_ && row.category == row_category_)
        return go(1);
    row_name_ = row.name;
    row_category_ = row.category;
    job_.submit([trace = trace_, row, range, group] { return slicesOfRow(*trace, row, range, group); },
                [this](const std::vector<traces::SearchHit>& hits) { setHits(hits, true); });
}

void TraceSearch::setHits(std::vector<traces::SearchHit> hits, bool go_to_first) {
    hits_ = std::move(hits);
    hit_ = -1;
    if (go_to_first && !hits_.empty())
        go(1);
    else
        showCount();
}

void TraceSearch::go(int by) {
    if (hits_.empty() || !trace_)
        return;
    const int count = static_cast<int>(hits_.size());
    hit_ = hit_ < 0 ? (by > 0 ? 0 : count - 1) : (hit_ + by + count) % count;
    const traces::SearchHit& hit = hits_[static_cast<std::size_t>(hit_)];
    showCount();
    emit chosen(trace_->place(static_cast<int>(hit.rank), hit.slice));
}

void TraceSearch::showCount() {
    const QLocale locale;
    if (!hits_.empty())
        report(tr("%1 of %2").arg(locale.toString(hit_ + 1), locale.toString(qulonglong{hits_.size()})));
    else
        report(field_->text().trimmed().isEmpty() ? QString() : tr("none"));
}

}  // namespace trainyard::desktop
