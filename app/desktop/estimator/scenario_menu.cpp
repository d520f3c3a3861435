// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/scenario_menu.h"

#include <QMenu>

#include "base/error.h"
#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

ScenarioMenu::ScenarioMenu(Scenario* scenario, SavedScenarios* kept, QWidget* parent)
    : QPushButton(tr("Scenarios"), parent), scenario_(scenario), saved_(kept), menu_(new QMenu(this)) {
    setAccessibleName(tr("Scenarios"));
    setIcon(Theme::instance().icon(QStringLiteral("save"), Token::Text));
    setMenu(menu_);
    connect(menu_, &QMenu::aboutToShow, this, &ScenarioMenu::fill);
    connect(saved_, &SavedScenarios::complaint, this, [this](const QString& sentence) { emit said(sentence, true); });
}

void ScenarioMenu::fill() {
    menu_->clear();
    saved_->read();
    const auto ask_name = [this](const QString& title, const QString& now, auto then) {
        widgets::ask_text(this, title, tr("Name of the scenario"), now, 0, this, then);
    };
    QAction* keep_now = menu_->addAction(tr("Save as…"), this, [this, ask_name] {
        ask_name(tr("Save this scenario"), {}, [this](const QString& name) { keep(name); });
    });
    QAction* write_now = menu_->addAction(tr("Write recipe and settings…"), this, [this] {
        widgets::ask_folder(this, tr("Folder for the recipe and its settings"),
                            [this](const QString& folder) { write(folder); });
    });
    for (QAction* action : {keep_now, write_now})
        action->setEnabled(scenario_->isValid());
    if (saved_->all().isEmpty())
        return;
    menu_->addSeparator();
    for (const SavedScenario& each : saved_->all()) {
        const QString name = each.name;
        QString shown = name;
        shown.replace(QLatin1Char('&'), QStringLiteral("&&"));
        QMenu* one = menu_->addMenu(shown);
        one->addAction(tr("Open"), this, [this, name] { open(name); });
        one->addAction(tr("Compare with what is shown"), this, [this, name] { compare(name); });
        one->addAction(tr("Rename…"), this, [this, name, ask_name] {
            ask_name(tr("Rename the scenario"), name, [this, name](const QString& to) { rename(name, to); });
        });
        one->addAction(tr("Delete…"), this, [this, name] {
            widgets::ask_before_loss(this,
                                     {tr("Delete the scenario"), tr("Delete the scenario %1?").arg(name),
                                      tr("This cannot be undone."), tr("Delete")},
                                     [this, name] { remove(name); });
        });
    }
}

void ScenarioMenu::attempt(const std::function<void()>& act) {
    try {
        act();
    } catch (const UserError& error) {
        emit said(qtSentence(message_of(error)), true);
    }
}

void ScenarioMenu::keep(const QString& name) {
    attempt([&] {
        saved_->keep(keptOf(*scenario_, name));
        emit said(tr("Saved as %1.").arg(name.trimmed()), false);
    });
}

void ScenarioMenu::rename(const QString& from, const QString& to) {
    attempt([&] { saved_->rename(from, to); });
}

void ScenarioMenu::remove(const QString& name) {
    attempt([&] { saved_->remove(name); });
}

void ScenarioMenu::read(const QString& name, void (ScenarioMenu::*then)(const SavedEstimate&)) {
    if (const auto kept = saved_->find(name))
        reading_.submit([kept = *kept] { return estimateKept(kept); },
                        [this, then](const SavedEstimate& estimated) { emit(this->*then)(estimated); },
                        [this](const QString& sentence) { emit said(sentence, true); });
}

void ScenarioMenu::write(const QString& folder) {
    writing_.submit([kept = keptOf(*scenario_, scenario_->modelName()), folder] { return writePair(kept, folder); },
                    [this](const QString& sentence) { emit said(sentence, false); },
                    [this](const QString& sentence) { emit said(sentence, true); });
}

}  // namespace trainyard::desktop
