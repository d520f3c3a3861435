// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files that were opened or saved in New run, the newest first.

#include <QStringList>

namespace trainyard::desktop {

/// Reads the list, a small file.
QStringList recent_files();
/// Puts an absolute path at the beginning of the list. I/O: not for the GUI thread.
void add_recent_file(const QString& file);
/// The file of the list.
QString recent_files_place();
/// Whether the program wrote the file or came with it, so that the user did not choose it: the sample, estimates and
/// drafts, and the run.yaml of a run. `file`: an absolute path.
bool is_internal_file(const QString& file);

}  // namespace trainyard::desktop
