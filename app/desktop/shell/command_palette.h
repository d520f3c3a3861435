// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Everything the window can do or show, by part of its name (Ctrl+K). What one begins with narrows it: `>` actions, `?`
// keys of this page, `@` hosts, `:` a step of the page that is open, `key=` keys of the configuration.

#include "desktop/shell/finder.h"

namespace trainyard::desktop {

/// FinderEntry::kind of the palette's entries.
enum class PaletteKind { Action, Run, Host, Key, Setting, Shortcut, Manual };

class AppContext;

/// Actions, keys of the page that is open, runs, and what pages say of themselves in their entries. Reads nothing.
QVector<FinderEntry> palette_entries(AppContext& context, const QList<QAction*>& actions);

class CommandPalette : public Finder {
    Q_OBJECT
  public:
    explicit CommandPalette(QWidget* parent);
    /// Where `:1200` goes; none: the page has no steps.
    void setStepTarget(const std::function<void(double)>& go) { step_ = go; }

  protected:
    Search understood(const QString& words) const override;

  private:
    std::function<void(double)> step_;
};

}  // namespace trainyard::desktop
