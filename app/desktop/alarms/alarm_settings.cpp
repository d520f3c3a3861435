#include "desktop/alarms/alarm_settings.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "desktop/alarms/alarm_service.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Tone;

namespace {
constexpr int kLimitWidth = 76;
}

AlarmSettings::AlarmSettings(const AlarmRules& rules, QWidget* parent) : QWidget(parent), rules_(rules) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        layout->addWidget(row(static_cast<NoticeKind>(i)));
}

void show_alarms_of(const QString& runPath, const QString& name, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(AlarmSettings::tr("Alarms of %1").arg(name));
    dialog->setMinimumWidth(560);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(10);
    layout->addWidget(widgets::make_label(AlarmSettings::tr("These settings apply to this run only."), 12,
                                          QFont::Normal, Tone::Secondary));
    auto* settings = new AlarmSettings(AlarmService::rulesOf(runPath));
    QObject::connect(settings, &AlarmSettings::changed, settings,
                     [runPath](const AlarmRules& rules) { AlarmService::setRulesOf(runPath, rules); });
    layout->addWidget(settings);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    layout->addWidget(buttons);
    dialog->open();
}

QWidget* AlarmSettings::row(NoticeKind kind) {
    auto* holder = new QWidget;
    auto* whole = new QVBoxLayout(holder);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    whole->addLayout(line);
    line->addWidget(widgets::make_label(notice_title(kind), 13));
    QLabel* problem = widgets::make_label({}, 12, QFont::Normal, Tone::Error);
    problem->hide();
    if (has_limit(kind)) {
        auto* limit = new QLineEdit(QString::number(rules_.of(kind).limit, 'g', 7));
        limit->setFont(widgets::Theme::instance().mono(12));
        limit->setFixedWidth(kLimitWidth);
        limit->setAlignment(Qt::AlignRight);
        limit->setAccessibleName(notice_title(kind));
        connect(limit, &QLineEdit::editingFinished, this, [this, kind, limit, problem] {
            QString sentence;
            const double value = read_limit(kind, limit->text(), sentence);
            problem->setText(sentence);
            problem->setVisible(!sentence.isEmpty());
            if (!sentence.isEmpty() || rules_.of(kind).limit == value)
                return;
            rules_.of(kind).limit = value;
            emit changed(rules_);
        });
        line->addWidget(limit);
        line->addWidget(widgets::make_label(limit_unit(kind), 12, QFont::Normal, Tone::Secondary));
    }
    line->addStretch();
    auto* loudness = new widgets::SegmentedControl({tr("Off"), tr("In app"), tr("Desktop")});
    loudness->setAccessibleName(notice_title(kind));
    loudness->setCurrent(static_cast<int>(rules_.of(kind).loudness));
    connect(loudness, &widgets::SegmentedControl::currentChanged, this, [this, kind](int level) {
        rules_.of(kind).loudness = static_cast<Loudness>(level);
        emit changed(rules_);
    });
    line->addWidget(loudness);
    whole->addWidget(problem);
    return holder;
}

}  // namespace trainyard::desktop
