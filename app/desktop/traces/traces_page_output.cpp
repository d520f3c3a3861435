// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, comparing and saving traces: the output side of the page of traces.
#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QLocale>

#include "desktop/shell/save_file.h"
#include "desktop/text/qt_text.h"
#include "desktop/traces/flame_graph.h"
#include "desktop/traces/rank_pair_dialog.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/trace_words.h"
#include "desktop/traces/traces_page.h"
#include "observe/traces/excerpt.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"
#include "widgets/local_text.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

using widgets::InlineMessage;
using widgets::TimeSpan;

namespace {
QString traceFiles() {
    return TracesPage::tr("Traces (*.json *.json.gz *.json.zst *.gz *.zst);;All files (*)");
}
}  // namespace

void TracesPage::chooseFiles() {
    widgets::ask_files(this, tr("A trace, or the traces of all ranks"), traceFiles(),
                       [this](const QStringList& files) { openPaths(files); });
}

void TracesPage::chooseFolder() {
    widgets::ask_folder(this, tr("A run, or a folder with traces"),
                        [this](const QString& folder) { openPaths({folder}); });
}

void TracesPage::chooseOther() {
    widgets::ask_file(this, tr("The trace to compare with"), traceFiles(),
                      [this](const QString& file) { compareWith(file); });
}

/// Asks for two ranks to compare. Suggests the ones that others waited for least and longest.
void TracesPage::chooseRanks() {
    if (!trace_ || trace_->groups().size() < 2)
        return;
    QStringList ranks;
    for (const traces::RankTrace& rank : trace_->set().ranks)
        ranks << rankWords(rank.rank);
    const QVector<int> slowest = trace_->slowestFirst();
    const auto range = timeline_->selection();
    auto* dialog = new RankPairDialog(
        ranks, slowest.last(), slowest.first(),
        range ? tr("In the selected range of %1, times per step.").arg(widgets::nanosecond_words(range->length()))
              : tr("In the whole trace, times per step."),
        this);
    connect(dialog, &QDialog::accepted, this, [this, dialog, trace = trace_] {
        if (trace == trace_)  // another one may have been opened meanwhile
            compareRanks(dialog->before(), dialog->after());
    });
    widgets::opened(dialog);
}

void TracesPage::showComparison(const traces::TraceComparison& comparison, const QString& before,
                                const QString& after) {
    const auto step = [](double ns) { return widgets::nanosecond_words(static_cast<std::int64_t>(ns)); };
    selection_->setComparison(comparedRows(comparison),
                              comparison.step_before > 0 && comparison.step_after > 0
                                  ? tr("%1 before, %2 after; a step: %3 before, %4 after")
                                        .arg(before, after, step(comparison.step_before), step(comparison.step_after))
                                  : tr("%1 before, %2 after").arg(before, after));
}

void TracesPage::compareWith(const QString& path) {
    if (!trace_)
        return;
    message_->dismiss();
    const QString other = QFileInfo(path).fileName();
    emit said(tr("Comparing with %1").arg(other));
    compare_job_.submit(
        [trace = trace_, path, fetch = reading_->fetch()](const widgets::Cancelled& cancelled) {
            TraceReading reading;
            const auto before = readTraces({path}, reading, cancelled, fetch);
            return traces::compare(traces::summarise(before->set()), traces::summarise(trace->set()));
        },
        [this, other](const traces::TraceComparison& comparison) {
            showComparison(comparison, other, tr("this trace"));
        },
        [this](const QString& sentence) {
            message_->showMessage(InlineMessage::Kind::Error, tr("This trace cannot be compared"), sentence);
        });
}

void TracesPage::compareRanks(int before, int after) {
    if (!trace_)
        return;
    message_->dismiss();
    const auto name = [this](int group) { return rankWords(trace_->rank(group)); };
    const TimeSpan range = timeline_->selection().value_or(trace_->whole());
    compare_job_.submit(
        [trace = trace_, before, after, range] { return desktop::compareRanks(*trace, before, after, range); },
        [this, a = name(before), b = name(after)](const traces::TraceComparison& comparison) {
            showComparison(comparison, a, b);
        },
        [this](const QString& sentence) {
            message_->showMessage(InlineMessage::Kind::Error, tr("These ranks cannot be compared"), sentence);
        });
}

void TracesPage::chooseTableFile() {
    widgets::ask_save_file(this, tr("Save the table"), QStringLiteral("trace.csv"), tr("Tables (*.csv)"),
                           [this](const QString& file) { saveTable(file); });
}

void TracesPage::choosePictureFile() {
    widgets::ask_save_file(this, tr("Save the picture"), QStringLiteral("trace.png"), tr("Pictures (*.png)"),
                           [this](const QString& file) { savePicture(file); });
}

void TracesPage::chooseSelectionFile() {
    widgets::ask_save_file(this, tr("Save the selection as a trace"), QStringLiteral("selection.trace.json"),
                           tr("Traces (*.json)"), [this](const QString& file) { saveSelection(file); });
}

void TracesPage::saved(const QString& file, const QString& problem) {
    if (problem.isEmpty())
        emit said(tr("Saved to %1.").arg(file));
    else
        message_->showMessage(InlineMessage::Kind::Error, tr("%1 was not saved").arg(QFileInfo(file).fileName()),
                              problem);
}

void TracesPage::saveTable(const QString& file) {
    save_job_.submit([bytes = selection_->csv(), file] { return saveFile(file, bytes); },
                     [this, file](const QString& problem) { saved(file, problem); });
}

void TracesPage::savePicture(const QString& file) {
    const QImage image = selection_->shownTable() == TraceTable::Flame ? selection_->flame()->picture()
                                                                       : timeline_->viewport()->grab().toImage();
    save_job_.submit(
        [image, file] {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            buffer.open(QIODevice::WriteOnly);
            image.save(&buffer, "PNG");
            return saveFile(file, bytes);
        },
        [this, file](const QString& problem) { saved(file, problem); });
}

void TracesPage::saveSelection(const QString& file) {
    if (!trace_)
        return;
    message_->dismiss();
    const TimeSpan range = timeline_->selection().value_or(trace_->whole());
    const traces::Span span = range == trace_->whole() ? traces::kWhole : traces::Span{range.begin, range.end};
    std::optional<std::size_t> rank;
    if (timeline_->selectedGroup() >= 0)
        rank = static_cast<std::size_t>(timeline_->selectedGroup());
    emit said(tr("Saving %1").arg(QFileInfo(file).fileName()));
    excerpt_job_.submit(
        [trace = trace_, span, rank, file](const widgets::Cancelled& cancelled) {
            return traces::write_excerpt(trace->set(), span, rank, file.toStdString(),
                                         [&](double) { return !cancelled; });
        },
        [this](const std::vector<traces::Excerpt>& written) {
            QStringList files;
            std::uint64_t slices = 0;
            for (const traces::Excerpt& one : written) {
                files << qt(one.file.string());
                slices += one.slices;
            }
            emit said(
                tr("%1 slices saved to %2.").arg(QLocale().toString(qulonglong{slices}), widgets::list_text(files)));
        },
        [this, file](const QString& sentence) { saved(file, sentence); });
}

}  // namespace trainyard::desktop
