// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/part_place.h"

#include <algorithm>

#include <QAbstractSpinBox>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace trainyard::desktop {

namespace {
QList<QWidget*> similar_parts(const QWidget* parent, const QByteArray& type, const QString& name) {
    QList<QWidget*> parts = parent->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    parts.removeIf(
        [&](const QWidget* part) { return part->metaObject()->className() != type || part->objectName() != name; });
    return parts;
}
}  // namespace

QVector<PartStep> part_place(const QWidget* page, const QWidget* part) {
    if (part == nullptr || !page->isAncestorOf(part))
        return {};
    QVector<PartStep> place;
    for (const QWidget* each = part; each != page; each = each->parentWidget()) {
        const QByteArray type = each->metaObject()->className();
        const QString name = each->objectName();
        place.prepend({type, name, similar_parts(each->parentWidget(), type, name).indexOf(each)});
    }
    return place;
}

QWidget* part_at(QWidget* page, const QVector<PartStep>& place) {
    if (place.isEmpty())
        return nullptr;
    QWidget* part = page;
    for (const PartStep& step : place)
        if (part != nullptr)
            part = similar_parts(part, step.type, step.name).value(step.index);
    return part;
}

void copy_typed_text(const QWidget* before, QWidget* page) {
    for (const QLineEdit* typed : before->findChildren<QLineEdit*>()) {
        if (!typed->isModified() || typed->isReadOnly() || qobject_cast<QAbstractSpinBox*>(typed->parent()) != nullptr)
            continue;
        auto* field = qobject_cast<QLineEdit*>(part_at(page, part_place(before, typed)));
        if (field == nullptr || field->text() == typed->text())
            continue;
        field->setText(typed->text());
        field->setCursorPosition(typed->cursorPosition());
        field->setModified(true);
    }
    for (const QPlainTextEdit* typed : before->findChildren<QPlainTextEdit*>()) {
        if (!typed->document()->isModified() || typed->isReadOnly())
            continue;
        auto* field = qobject_cast<QPlainTextEdit*>(part_at(page, part_place(before, typed)));
        if (field == nullptr || field->toPlainText() == typed->toPlainText())
            continue;
        field->setPlainText(typed->toPlainText());
        field->document()->setModified(true);
    }
}

}  // namespace trainyard::desktop
