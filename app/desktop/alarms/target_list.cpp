// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/target_list.h"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QPushButton>

#include "desktop/alarms/target_dialog.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "launch/supervisor/alarm_process.h"
#include "run/listing.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {

QString where_of(const alarms::Target& target) {
    std::string text = target.kind == alarms::TargetKind::webhook ? target.address : std::string();
    for (const std::string& word : target.kind == alarms::TargetKind::command ? target.command : target.to)
        text += (text.empty() ? "" : " ") + word;
    return qt(text);
}

/// Runs that are active now are watched from now on.
void watch_active_runs() {
    for (const run::ListedRun& run : run::list_runs(run::runs_root()))
        if (run.state && !run::is_over(run.state->status) && !run.state->mirror)
            launch::start_alarm_process(run.paths);
}

}  // namespace

TargetList::TargetList(QWidget* parent)
    : QWidget(parent),
      rows_(make_column({0, 0, 0, 0}, 4, {})),
      add_(with_look(new QPushButton(tr("Add a command, a webhook or mail…")), {.icon = "plus"})),
      note_(wrapped(make_note({}))) {
    setLayout(make_column({0, 8, 0, 0}, 6,
                          {make_label(tr("Where alarms are sent, also while no window is open"), 13, QFont::Medium),
                           rows_, make_row({add_, stretch()}), note_, stretch()}));
    note_->hide();
    connect(add_, &QPushButton::clicked, this, [this] { edit({}); });
    load();
}

void TargetList::load() {
    job_.submit([] { return alarms::load_settings(); },
                [this](const alarms::Settings& settings) {
                    settings_ = settings;
                    refresh();
                },
                [this](const QString& sentence) { say(sentence, true); });
}

void TargetList::say(const QString& words, bool error) {
    note_->setForegroundRole(tone_role(error ? Tone::Error : Tone::Secondary));
    note_->setText(words);
    note_->setVisible(!words.isEmpty());
}

void TargetList::refresh() {
    while (QLayoutItem* item = rows_->takeAt(0)) {
        if (QWidget* widget = item->widget())
            widget->deleteLater();
        delete item;
    }
    for (const alarms::Target& target : settings_.targets)
        rows_->addWidget(row(target));
    emit shown();
}

QWidget* TargetList::row(const alarms::Target& target) {
    auto* on = new QCheckBox(qt(target.name));
    on->setChecked(target.enabled);
    auto* test = new QPushButton(tr("Test"));
    auto* edit_button = new QPushButton(tr("Edit…"));
    auto* remove = with_look(new QPushButton, {.icon = "trash", .tip = tr("Remove %1").arg(qt(target.name))});
    const std::string name = target.name;
    connect(on, &QCheckBox::toggled, this, [this, name](bool enabled) {
        change([name, enabled](alarms::Settings& settings) {
            for (alarms::Target& one : settings.targets)
                if (one.name == name)
                    one.enabled = enabled;
        });
    });
    test->setToolTip(tr("Sends a test message to %1").arg(qt(name)));
    connect(test, &QPushButton::clicked, this, [this, name] { this->test(name); });
    connect(edit_button, &QPushButton::clicked, this, [this, name] { edit(name); });
    connect(remove, &QPushButton::clicked, this, [this, name] {
        change([name](alarms::Settings& settings) {
            if (const alarms::Target* gone = settings.find(name))
                alarms::forget_secret(*gone);
            std::erase_if(settings.targets, [&](const alarms::Target& one) { return one.name == name; });
        });
    });
    return widgets::make_wrapping_row(8,
                                      {on,
                                       {make_elided(where_of(target), Theme::instance().mono(12), Tone::Secondary), 1},
                                       test,
                                       edit_button,
                                       remove});
}

void TargetList::edit(const std::string& name) {
    const alarms::Target* known = settings_.find(name);
    QStringList taken;
    for (const alarms::Target& one : settings_.targets)
        if (one.name != name)
            taken << qt(one.name);
    auto* dialog = new TargetDialog(known != nullptr ? *known : alarms::Target{}, taken, window());
    connect(dialog, &TargetDialog::saved, this, [this, name](const alarms::Target& target, const QString& secret) {
        change([name, target, secret = secret.toStdString()](alarms::Settings& settings) {
            if (!secret.empty())
                alarms::keep_secret(target, remote::Secret(secret));
            auto known_target = std::ranges::find(settings.targets, name, &alarms::Target::name);
            if (known_target == settings.targets.end())
                settings.targets.push_back(target);
            else
                *known_target = target;
        });
    });
    widgets::opened(dialog);
}

void TargetList::test(const std::string& name) {
    const alarms::Target* target = settings_.find(name);
    if (target == nullptr)
        return;
    say(tr("Sending a test message to %1…").arg(qt(name)), false);
    test_.submit([target = *target] { return alarms::deliver(target, alarms::test_alarm()); },
                 [this, name](const alarms::Delivery& delivery) {
                     say(delivery.problem.empty() ? tr("%1 has accepted the test message.").arg(qt(name))
                                                  : qtSentence(delivery.problem),
                         !delivery.problem.empty());
                 },
                 [this](const QString& sentence) { say(sentence, true); });
}

void TargetList::change(std::function<void(alarms::Settings&)> work) {
    job_.submit(
        [work = std::move(work)] {
            alarms::Settings settings = alarms::load_settings();
            work(settings);
            alarms::save_settings(settings);
            if (settings.sends_anything())
                watch_active_runs();
            return settings;
        },
        [this](const alarms::Settings& settings) {
            settings_ = settings;
            say({}, false);
            refresh();
        },
        [this](const QString& sentence) { say(sentence, true); });
}

}  // namespace trainyard::desktop
