// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The download of a model or data set that a field of the wizard names on the hub (hub/hub_line.h): a button next to
// the field, and below it the line.

#include <QWidget>

#include "desktop/hub/hub_items.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HubLine;
class RunDraft;

class HubDownload : public QWidget {
    Q_OBJECT
  public:
    /// `label` is that of the field.
    HubDownload(RunDraft* draft, const QString& key, const QString& label, QWidget* parent = nullptr);

    static bool isFor(const QString& key);
    /// Name in the field of a key. Call it only where isFor() is true.
    static HubItem itemOf(const QString& key);
    /// Next to the field; hidden unless its value is a name that is not in the cache.
    QPushButton* button() const;
    HubLine* line() const { return line_; }
    bool isRunning() const;
    /// Whether the line shows how the problem of the field is solved: a size, progress, or the error of the last
    /// download. The field then shows none of its own.
    bool isShown() const;
    bool hasFailed() const;
    const QString& key() const { return key_; }
    QString words() const;
    /// After a check of the draft.
    void refresh();

  signals:
    /// Whether the line has something to show.
    void needed(bool shown);

  private:
    void arrange();

    RunDraft* draft_;
    QString key_;
    HubLine* line_;
};

}  // namespace trainyard::desktop
