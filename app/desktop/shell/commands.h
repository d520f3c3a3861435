// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The commands of the program: identifier, text, icon, default shortcuts and menu. Menus, context menus, buttons, the
// command palette, the list of shortcuts and their editor are made from this table; action_collection.h makes the
// actions.

#include <functional>

#include <QCoreApplication>
#include <QKeySequence>
#include <QString>
#include <QStringList>
#include <QVector>

namespace trainyard::desktop {

/// The menus of the menu bar, in their order. `None`: only in the palette and the list of shortcuts.
enum class MenuId { None, File, Edit, Run, View, Tools, Help };

struct Command {
    QString id;                     ///< `scope.name`
    std::function<QString()> text;  ///< in the language of the window
    QString icon = {};              ///< of resources/icons
    QList<QKeySequence> keys = {};  ///< the default shortcuts
    MenuId menu = MenuId::None;
    bool starts_group = false;              ///< a separator above it in the menu
    std::function<QString()> submenu = {};  ///< title of the submenu that holds it; empty: none
    /// A key that a chart, a timeline or a text field handles itself. It is listed, but has no action and cannot be
    /// changed.
    bool fixed = false;

    /// `window`, or the key of the page (pages/pages.h), or a part that several pages have: see
    /// Commands::partsOfPage().
    QString scope() const { return id.section(QLatin1Char('.'), 0, 0); }
};

/// Keys of a page with a word or two for the status bar.
struct KeyHint {
    QStringList ids;  ///< of the commands, in the order in which their keys are shown
    QString words;    ///< in the language of the window
};

class Commands {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::Commands)
  public:
    /// The commands that are known at compile time, in the order of the menus.
    static QVector<Command> standard();
    /// Returns the scopes of the parts of a page: `timeline` for `traces`.
    static QStringList partsOfPage(const QString& page);
    /// The keys of a page that its buttons do not show. Empty for a page without such keys.
    static QVector<KeyHint> hintsOf(const QString& page);
    /// Whether commands of both scopes can be active at the same time.
    static bool overlap(const QString& one, const QString& other);
    /// Returns the name of a scope for the list of shortcuts.
    static QString scopeTitle(const QString& scope);
    /// Returns the title of a menu with its mnemonic.
    static QString menuTitle(MenuId menu);
};

}  // namespace trainyard::desktop
