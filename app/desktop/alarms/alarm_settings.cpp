// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/alarm_settings.h"

#include <algorithm>
#include <memory>

#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>

#include "base/error.h"
#include "desktop/alarms/alarm_service.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {

const int& kLimitWidth = live_px(76);

bool has_field(NoticeKind kind) {
    return has_limit(kind) || kind == NoticeKind::Metric;
}

QLabel* make_rule_title(NoticeKind kind) {
    return make_label(notice_title(kind), 13);
}

/// The fields beside the titles begin at one place.
int title_width() {
    int widest = 0;
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        if (const auto kind = static_cast<NoticeKind>(i); has_field(kind))
            widest = std::max(widest, std::unique_ptr<QLabel>(make_rule_title(kind))->sizeHint().width());
    return widest;
}

}  // namespace

AlarmSettings::AlarmSettings(const AlarmRules& rules, QWidget* parent) : QWidget(parent), rules_(rules) {
    auto* layout = make_column({0, 0, 0, 0}, 6, {});
    setLayout(layout);
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        layout->addWidget(row(static_cast<NoticeKind>(i)));
}

void show_alarms_of(const QString& runPath, const QString& name, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setWindowTitle(AlarmSettings::tr("Alarms of %1").arg(name));
    dialog->setMinimumWidth(560_px);
    auto* settings = new AlarmSettings(AlarmService::rulesOf(runPath));
    QObject::connect(settings, &AlarmSettings::changed, settings,
                     [runPath](const AlarmRules& rules) { AlarmService::setRulesOf(runPath, rules); });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->setLayout(
        make_column(10, {make_note(AlarmSettings::tr("These settings apply to this run only.")), settings, buttons}));
    widgets::opened(dialog);
}

QWidget* AlarmSettings::makeMetrics(QLabel* problem) {
    auto* field = named(new QLineEdit(qt(alarms::to_text(rules_.metrics()))), tr("Limits of metrics"));
    field->setFont(Theme::instance().mono(12));
    field->setPlaceholderText(QStringLiteral("eval/loss>3"));
    connect(field, &QLineEdit::editingFinished, this, [this, field, problem] {
        try {
            std::vector<alarms::MetricRule> rules = alarms::parse_metric_rules(field->text().toStdString());
            problem->hide();
            if (rules == rules_.metrics())
                return;
            rules_.setMetrics(std::move(rules));
            emit changed(rules_);
        } catch (const UserError& error) {
            problem->setText(qtSentence(error.message()));
            problem->show();
        }
    });
    return field;
}

QWidget* AlarmSettings::row(NoticeKind kind) {
    auto* holder = new QWidget;
    QLabel* title = make_rule_title(kind);
    if (has_field(kind))
        title->setMinimumWidth(title_width());
    auto* line = make_row({0, 0, 0, 0}, 8, {title});
    QLabel* problem = make_note({}, Tone::Error);
    problem->hide();
    if (has_limit(kind)) {
        auto* limit = new QLineEdit(QString::number(rules_.rule(kind).limit, 'g', 7));
        limit->setFont(Theme::instance().mono(12));
        limit->setFixedWidth(kLimitWidth);
        limit->setAlignment(Qt::AlignRight);
        limit->setAccessibleName(notice_title(kind));
        connect(limit, &QLineEdit::editingFinished, this, [this, kind, limit, problem] {
            QString sentence;
            const double value = read_limit(kind, limit->text(), sentence);
            problem->setText(sentence);
            problem->setVisible(!sentence.isEmpty());
            if (!sentence.isEmpty() || rules_.rule(kind).limit == value)
                return;
            rules_.rule(kind).limit = value;
            emit changed(rules_);
        });
        add_items(line, {limit, make_note(limit_unit(kind))});
    }
    if (kind == NoticeKind::Metric)
        add_items(line, {{makeMetrics(problem), 1}});
    auto* rule = new QWidget;
    rule->setLayout(line);
    auto* send = named(new QCheckBox(tr("Send")), tr("Send: %1").arg(notice_title(kind)),
                       tr("To the commands, webhooks and mail addresses of the settings"));
    send->setChecked(rules_.rule(kind).send);
    connect(send, &QCheckBox::toggled, this, [this, kind](bool on) {
        rules_.rule(kind).send = on;
        emit changed(rules_);
    });
    auto* loudness = named(new widgets::SegmentedControl({tr("Off"), tr("In app"), tr("Desktop")}), notice_title(kind));
    loudness->setCurrent(static_cast<int>(rules_.rule(kind).loudness));
    connect(loudness, &widgets::SegmentedControl::currentChanged, this, [this, kind](int level) {
        rules_.rule(kind).loudness = static_cast<Loudness>(level);
        emit changed(rules_);
    });
    auto* ways = new QWidget;
    ways->setLayout(make_row({0, 0, 0, 0}, 8, {send, loudness}));
    holder->setLayout(make_column({0, 0, 0, 0}, 2,
                                  {kind == NoticeKind::Metric ? widgets::make_wrapping_row(8, {{rule, 1}, ways})
                                                              : widgets::make_wrapping_row(8, {rule, stretch(), ways}),
                                   problem}));
    return holder;
}

}  // namespace trainyard::desktop
