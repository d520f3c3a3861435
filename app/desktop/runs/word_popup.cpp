// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/word_popup.h"

#include <QLineEdit>

#include "desktop/runs/word_completer.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

WordPopup::WordPopup(const QString& title, const QString& text, const QString& hint, const QStringList& known,
                     std::function<void(const QString&)> taken, QWidget* parent)
    : QFrame(parent, Qt::Popup), line_(new QLineEdit(text)), taken_(std::move(taken)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("palette"));
    line_->setFixedWidth(320_px);
    line_->setAccessibleName(title);
    auto* layout = make_column({12, 10, 12, 10}, 6, {make_title(title, 12), line_});
    setLayout(layout);
    if (!hint.isEmpty())
        layout->addWidget(make_label(hint, 11, QFont::Normal, Tone::Muted));
    if (!known.isEmpty())
        new WordCompleter(line_, [known](const QString&) { return known; });
    connect(line_, &QLineEdit::returnPressed, this, [this] {
        const auto taken_now = taken_;
        const QString words = line_->text();
        close();
        taken_now(words);
    });
}

void WordPopup::popup(const QPoint& place) {
    move(place);
    show();
    line_->setFocus(Qt::PopupFocusReason);
    line_->selectAll();
}

}  // namespace trainyard::desktop
