// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_edit_popups.h"

#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/word_popup.h"
#include "desktop/text/translate.h"

namespace trainyard::desktop {

namespace {

const RunSummary* first_of(const RunEdits* edits, const QStringList& paths) {
    return paths.isEmpty() ? nullptr : edits->store()->findPath(paths.first());
}

}  // namespace

void ask_name(RunEdits* edits, const QString& path, QWidget* parent, const QPoint& place) {
    const RunSummary* run = first_of(edits, {path});
    if (run == nullptr)
        return;
    auto* popup = new WordPopup(
        tr("Name of the run"), run->name, tr("Empty: the name of its recipe, %1").arg(run->ownName), {},
        [edits, path](const QString& words) { edits->rename(path, words.simplified()); }, parent);
    popup->popup(place);
}

void ask_tags(RunEdits* edits, const QStringList& paths, QWidget* parent, const QPoint& place) {
    const RunSummary* first = first_of(edits, paths);
    if (first == nullptr)
        return;
    QStringList known;
    for (const RunSummary& run : edits->store()->runs())
        known << run.tags;
    known.removeDuplicates();
    const bool one = paths.size() == 1;
    auto* popup = new WordPopup(
        one ? tr("Tags of %1").arg(first->name) : tr("Tags of %Ln runs", nullptr, static_cast<int>(paths.size())),
        one ? first->tags.join(QLatin1Char(' ')) : QString(),
        one ? tr("Separate tags with spaces") : tr("+tag adds a tag to all of them, -tag removes it"), known,
        [edits, paths](const QString& words) { edits->setTags(paths, words); }, parent);
    popup->popup(place);
}

void ask_note_on_runs(RunEdits* edits, const QStringList& paths, QWidget* parent, const QPoint& place) {
    const RunSummary* first = first_of(edits, paths);
    if (first == nullptr)
        return;
    const bool one = paths.size() == 1;
    auto* popup = new WordPopup(
        one ? tr("Note on %1").arg(first->name) : tr("Note on %Ln runs", nullptr, static_cast<int>(paths.size())),
        one ? first->note : QString(), {}, {}, [edits, paths](const QString& words) { edits->setNote(paths, words); },
        parent);
    popup->popup(place);
}

}  // namespace trainyard::desktop
