// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/named_layouts.h"

#include <QFile>
#include <QJsonDocument>
#include <QMenu>

#include "desktop/shell/save_file.h"
#include "desktop/shell/view_state.h"
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

void NamedLayouts::rename(const QString& from, const QString& to) {
    QJsonObject layouts = all();
    if (to.trimmed().isEmpty() || to.trimmed() == from || !layouts.contains(from))
        return;
    layouts.insert(to.trimmed(), layouts.take(from));
    ViewState::instance().set(key_, kLayouts, layouts);
}

void NamedLayouts::ask() {
    widgets::ask_text(parent_, tr("Save this layout"), tr("Name of the layout"), {}, 0, this,
                      [this](const QString& name) { save(name); });
}

void NamedLayouts::askForFile() {
    widgets::ask_save_file(parent_, tr("Save the layout to a file"), QStringLiteral("layout.json"),
                           tr("Layouts (*.json)"), [this](const QString& file) {
                               if (const QString problem = saveFile(file, QJsonDocument(current_()).toJson());
                                   !problem.isEmpty())
                                   emit failed(problem);
                           });
}

void NamedLayouts::askToOpen() {
    widgets::ask_file(parent_, tr("Open a layout"), tr("Layouts (*.json)"), [this](const QString& file) {
        QFile in(file);
        const QJsonDocument document = in.open(QIODevice::ReadOnly) && in.size() <= ViewState::kLargestFile
                                           ? QJsonDocument::fromJson(in.readAll())
                                           : QJsonDocument();
        if (document.object().value(QLatin1String("pins")).isArray())
            emit chosen(document.object());
        else
            emit failed(tr("%1 is not a layout.").arg(file));
    });
}

void NamedLayouts::fill(QMenu* menu) {
    const QStringList known = names();
    for (const QString& name : known)
        menu->addAction(name, this, [this, name] { emit chosen(layout(name)); });
    if (!known.isEmpty())
        menu->addSeparator();
    menu->addAction(tr("Save this layout as…") + QStringLiteral("\tCtrl+Shift+S"), this, &NamedLayouts::ask);
    menu->addAction(tr("Save to a file…"), this, &NamedLayouts::askForFile);
    menu->addAction(tr("Open a file…"), this, &NamedLayouts::askToOpen);
    if (known.isEmpty())
        return;
    QMenu* other = menu->addMenu(tr("Rename"));
    for (const QString& name : known)
        other->addAction(name, this, [this, name] {
            widgets::ask_text(parent_, tr("Rename the layout"), tr("Name of the layout"), name, 0, this,
                              [this, name](const QString& to) { rename(name, to); });
        });
    QMenu* away = menu->addMenu(tr("Remove"));
    for (const QString& name : known)
        away->addAction(name, this, [this, name] { remove(name); });
}

}  // namespace trainyard::desktop
