// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/named_layouts.h"

#include <QMenu>

#include "desktop/view_state.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {
const QString kLayouts = QStringLiteral("layouts");
}

NamedLayouts::NamedLayouts(const QString& key, std::function<QJsonObject()> current, QWidget* parent)
    : QObject(parent), key_(key), current_(std::move(current)), parent_(parent) {}

QJsonObject NamedLayouts::all() const {
    return ViewState::instance().value(key_, kLayouts).toObject();
}

void NamedLayouts::save(const QString& name) {
    if (name.trimmed().isEmpty())
        return;
    QJsonObject layouts = all();
    layouts.insert(name.trimmed(), current_());
    ViewState::instance().set(key_, kLayouts, layouts);
}

void NamedLayouts::remove(const QString& name) {
    QJsonObject layouts = all();
    layouts.remove(name);
    ViewState::instance().set(key_, kLayouts, layouts);
}

void NamedLayouts::ask() {
    widgets::ask_text(parent_, tr("Save this layout"), tr("Name of the layout"), {}, 0, this,
                      [this](const QString& name) { save(name); });
}

void NamedLayouts::fill(QMenu* menu) {
    const QStringList known = names();
    for (const QString& name : known)
        menu->addAction(name, this, [this, name] { emit chosen(layout(name)); });
    if (!known.isEmpty())
        menu->addSeparator();
    menu->addAction(tr("Save this layout as…") + QStringLiteral("\tCtrl+Shift+S"), this, &NamedLayouts::ask);
    if (known.isEmpty())
        return;
    QMenu* away = menu->addMenu(tr("Remove"));
    for (const QString& name : known)
        away->addAction(name, this, [this, name] { remove(name); });
}

}  // namespace trainyard::desktop
