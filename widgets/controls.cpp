// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls.h"

#include <QClipboard>
#include <QFrame>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolTip>

#include "widgets/style_parts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

void set_invalid(QWidget* field, bool invalid) {
    if (field->property("invalid").toBool() == invalid)
        return;
    field->setProperty("invalid", invalid);
    field->update();
}

void set_look(QAbstractButton* button, const ButtonLook& look) {
    const QLatin1String kind(look.kind), icon(look.icon);
    const bool words = !button->text().isEmpty();
    if (!kind.isEmpty())
        button->setProperty("kind", QString(kind));
    if (!icon.isEmpty())
        button->setIcon(Theme::instance().icon(icon, kind == QLatin1String("primary") ? Token::OnAccent
                                                     : words                          ? Token::Text
                                                                                      : Token::TextSecondary));
    if (!look.tip.isEmpty())
        button->setToolTip(look.tip);
    if (look.elides) {
        button->setProperty("elides", true);
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        button->setMinimumWidth(style::narrowest(*button));
    }
    if (!look.name.isEmpty() || (!words && !look.tip.isEmpty()))
        button->setAccessibleName(look.name.isEmpty() ? look.tip : look.name);
}

QFrame* make_frame(const char* surface, QLayout* inside) {
    auto* frame = new QFrame;
    frame->setProperty("surface", QLatin1String(surface));
    frame->setLayout(inside);
    return frame;
}

QWidget* make_holder(QLayout* inside) {
    auto* holder = new QWidget;
    holder->setLayout(inside);
    return holder;
}

QLineEdit* make_search_field(const QString& name, const QString& placeholder, const char* icon) {
    auto* field = named(new QLineEdit, name, placeholder);
    field->setPlaceholderText(placeholder);
    field->setClearButtonEnabled(true);
    if (*icon != '\0')
        field->addAction(Theme::instance().icon(QLatin1String(icon)), QLineEdit::LeadingPosition);
    return field;
}

QMenu* make_menu(QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

bool show_tip(QEvent* event, QWidget* widget, const std::function<QString(const QPoint&)>& words) {
    if (event->type() != QEvent::ToolTip)
        return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), words(help->pos()), widget);
    return true;
}

void copy_text(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace trainyard::widgets
