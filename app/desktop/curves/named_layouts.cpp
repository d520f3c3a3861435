#include "desktop/curves/named_layouts.h"

#include <QInputDialog>
#include <QMenu>

#include "desktop/view_state.h"

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
    // Not modal in code: an answer that comes when the window is gone reaches nobody.
    auto* dialog = new QInputDialog(parent_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep this layout"));
    dialog->setLabelText(tr("Name of the layout"));
    connect(dialog, &QInputDialog::textValueSelected, this, &NamedLayouts::save);
    dialog->open();
}

void NamedLayouts::fill(QMenu* menu) {
    const QStringList known = names();
    for (const QString& name : known)
        menu->addAction(name, this, [this, name] { emit chosen(layout(name)); });
    if (!known.isEmpty())
        menu->addSeparator();
    menu->addAction(tr("Keep this layout as…") + QStringLiteral("\tCtrl+Shift+S"), this, &NamedLayouts::ask);
    if (known.isEmpty())
        return;
    QMenu* away = menu->addMenu(tr("Remove"));
    for (const QString& name : known)
        away->addAction(name, this, [this, name] { remove(name); });
}

}  // namespace trainyard::desktop
