// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every field of the wizard and every key of its table, for the finder: found by label, id, key or flag.

#include <QVector>

#include "desktop/shell/finder_entry.h"

namespace trainyard::desktop {

class RunDraft;

/// `go` gets the id of the question, or the path of a key that only the table has.
QVector<FinderEntry> draftFields(const RunDraft& draft, const std::function<void(const QString&)>& go);

/// Keys of configuration files, without a draft.
QVector<FinderEntry> configurationKeys(const std::function<void(const QString& path)>& go);

}  // namespace trainyard::desktop
