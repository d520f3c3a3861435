// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/consent_dialog.h"

#include <algorithm>

#include <QPlainTextEdit>

#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kConsentWidth = live_px(560);
constexpr int kMostLines = 12;  // of what is executed, before it scrolls
}  // namespace

ConsentDialog::ConsentDialog(const Consent& consent, QWidget* parent)
    : QDialog(parent),
      verb_(new QPushButton(consent.verb)),
      execution_(named(new QPlainTextEdit(consent.execution), tr("What is executed"))) {
    setWindowTitle(consent.title);
    setMinimumWidth(kConsentWidth);
    auto* cancel = new QPushButton(tr("Cancel"));
    // Return and Escape both cancel: nobody starts a program by mistake.
    cancel->setDefault(true);
    verb_->setAutoDefault(false);
    verb_->setProperty("kind", QStringLiteral("danger"));
    execution_->setProperty("surface", QStringLiteral("code"));
    execution_->setReadOnly(true);
    execution_->setFont(Theme::instance().mono(12));
    execution_->setTabChangesFocus(true);
    const auto lines =
        static_cast<int>(std::min<qsizetype>(consent.execution.count(QLatin1Char('\n')) + 2, kMostLines));
    execution_->setFixedHeight(lines * execution_->fontMetrics().lineSpacing() + 20);
    execution_->setVisible(!consent.execution.isEmpty());
    setLayout(make_column(10, {make_title(consent.title, 16), wrapped(make_label(consent.sentence, 13)), execution_,
                               wrapped(make_note(consent.words)), make_row(8, {stretch(), verb_, cancel})}));
    connect(verb_, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    cancel->setFocus();
}

ConsentDialog* ask_for_consent(QWidget* parent, const Consent& consent, std::function<void()> then) {
    auto* dialog = widgets::opened(new ConsentDialog(consent, parent));
    QObject::connect(dialog, &QDialog::accepted, parent, std::move(then));
    return dialog;
}

}  // namespace trainyard::desktop
