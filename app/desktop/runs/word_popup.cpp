#include "desktop/runs/word_popup.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "desktop/runs/word_completer.h"
#include "widgets/label.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Tone;

WordPopup::WordPopup(const QString& title, const QString& text, const QString& hint, const QStringList& known,
                     std::function<void(const QString&)> taken, QWidget* parent)
    : QFrame(parent, Qt::Popup), line_(new QLineEdit(text)), taken_(std::move(taken)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("palette"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(6);
    layout->addWidget(widgets::make_label(title, 12, QFont::DemiBold));
    line_->setFixedWidth(320);
    line_->setAccessibleName(title);
    layout->addWidget(line_);
    if (!hint.isEmpty())
        layout->addWidget(widgets::make_label(hint, 11, QFont::Normal, Tone::Muted));
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
