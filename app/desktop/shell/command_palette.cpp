// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/command_palette.h"

#include "desktop/text/words.h"

namespace trainyard::desktop {

namespace {
constexpr unsigned only(PaletteKind kind) {
    return 1u << static_cast<int>(kind);
}
}  // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : Finder(tr("Command palette"), tr("Command, run or setting"), parent,
             tr("Begin with  >  for commands,  ?  for shortcuts,  @  for hosts,  :  for a step,  key=  for settings")) {
}

Finder::Search CommandPalette::understood(const QString& words) const {
    const QString rest = words.mid(1).trimmed();
    static constexpr std::pair<char, PaletteKind> prefixes[] = {
        {'>', PaletteKind::Action}, {'?', PaletteKind::Shortcut}, {'@', PaletteKind::Host}};
    for (const auto& [prefix, kind] : prefixes)
        if (words.startsWith(QLatin1Char(prefix)))
            return {rest, only(kind), {}};
    if (words.startsWith(QLatin1Char(':'))) {
        bool whole = false;
        const qlonglong step = rest.toLongLong(&whole);
        FinderEntry row;
        row.icon = QStringLiteral("target");
        if (!step_)
            row.text = tr("This page has no steps");
        else if (!whole || step < 0)
            row.text = tr("A step is a whole number, e.g. :1200");
        else {
            row.text = tr("Go to step %1").arg(stepText(step));
            row.go = [go = step_, step] { go(static_cast<double>(step)); };
        }
        return {{}, 0, {row}};
    }
    // `lr=3e-4` looks for the key, `key=` lists them.
    if (const qsizetype equals = words.indexOf(QLatin1Char('=')); equals >= 0) {
        const QString key = words.left(equals).trimmed();
        const bool prefix = key == QLatin1String("key");
        return {prefix ? words.mid(equals + 1).trimmed() : key, only(PaletteKind::Key), {}};
    }
    return {words.trimmed(), ~only(PaletteKind::Shortcut), {}};
}

}  // namespace trainyard::desktop
