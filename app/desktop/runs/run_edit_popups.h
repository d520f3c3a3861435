// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines to type a name, tags or a note of runs into, in the list and on the page of a run.

#include <QPoint>
#include <QStringList>

#include "widgets/forward.h"

namespace trainyard::desktop {

class RunEdits;

/// Shown at `place`, on the screen. Nothing is shown if the first run is not in the list.
void ask_name(RunEdits* edits, const QString& path, QWidget* parent, const QPoint& place);
void ask_tags(RunEdits* edits, const QStringList& paths, QWidget* parent, const QPoint& place);
void ask_note_on_runs(RunEdits* edits, const QStringList& paths, QWidget* parent, const QPoint& place);

}  // namespace trainyard::desktop
