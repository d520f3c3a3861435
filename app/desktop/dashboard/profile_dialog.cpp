// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/profile_dialog.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLocale>
#include <QSpinBox>

#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/dialogs.h"
#include "widgets/number_box.h"

namespace trainyard::desktop {

namespace {

using Profile = run::ProfileRequest;
constexpr int kUsualRecorded = 10, kUsualWarmup = 1;
const QString kView = QStringLiteral("profile"), kOpens = QStringLiteral("open");

}  // namespace

ProfileDialog::ProfileDialog(std::int64_t step, QWidget* parent) : QDialog(parent), step_(step) {
    setWindowTitle(tr("Profile"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(2, 1);
    active_ = number(grid, tr("Record"), "active", 1, Profile::kMostSteps, kUsualRecorded, tr("steps in a row"));
    warmup_ = number(grid, tr("Warm up"), "warmup", 0, Profile::kMostOtherSteps, kUsualWarmup,
                     tr("steps before the recording, so that the start of the profiler is not recorded"));
    wait_ = number(grid, tr("Wait"), "wait", 0, Profile::kMostOtherSteps, 0, tr("steps before each recording"));
    repeat_ = number(grid, tr("Recordings"), "repeat", 1, Profile::kMostRepeats, 1, tr("each with its own files"));
    skip_first_ = number(grid, tr("Skip first"), "skip_first", 0, Profile::kMostOtherSteps, 0, tr("steps, once"));
    auto* layout = make_column(8, {make_title(tr("Which of the next steps are recorded")), grid});
    setLayout(layout);
    const auto add_switch = [layout](const QString& name, const char* key, const QString& help) {
        auto* box = new QCheckBox(name);
        box->setObjectName(QLatin1String(key));
        box->setToolTip(help);
        layout->addWidget(box);
        return box;
    };
    shapes_ = add_switch(tr("Shapes and types of inputs"), "record_shapes",
                         tr("Of every operator. Steps take longer, files are larger."));
    memory_ = add_switch(tr("Record every memory allocation"), "profile_memory",
                         tr("The trace shows memory as a curve. Steps take longer, files are larger."));
    flops_ = add_switch(tr("FLOPs of matrix products and convolutions"), "with_flops",
                        tr("By formula, from the shapes, which are recorded, too."));
    open_ = add_switch(tr("Open the trace when it is recorded"), "open",
                       tr("If you have left the page of the run by then, it offers the trace instead."));
    open_->setChecked(ViewState::instance().value(kView, kOpens).toBool(true));
    connect(open_, &QCheckBox::toggled, this, [](bool on) { ViewState::instance().set(kView, kOpens, on); });
    words_ = wrapped(make_note({}));
    layout->addWidget(words_);
    widgets::add_dialog_buttons(this, tr("Record"));
    // FLOPs need the shapes.
    connect(flops_, &QCheckBox::toggled, this, [this](bool on) {
        shapes_->setChecked(on || shapes_->isChecked());
        shapes_->setEnabled(!on);
    });
    refresh();
    active_->setFocus();
    active_->selectAll();
}

QSpinBox* ProfileDialog::number(QGridLayout* grid, const QString& name, const char* key, std::int64_t least,
                                std::int64_t most, int value, const QString& help) {
    auto* field = new widgets::NumberBox;
    field->setObjectName(QLatin1String(key));
    field->setAccessibleName(name);
    field->setAccessibleDescription(help);
    field->setRange(static_cast<int>(least), static_cast<int>(most));
    field->setValue(value);
    auto* label = make_label(name);
    label->setBuddy(field);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
    grid->addWidget(make_note(help), row, 2);
    connect(field, &QSpinBox::valueChanged, this, &ProfileDialog::refresh);
    return field;
}

void ProfileDialog::setStep(std::int64_t step) {
    step_ = step;
    refresh();
}

bool ProfileDialog::opensTrace() const {
    return open_->isChecked();
}

QString ProfileDialog::words() const {
    const QLocale locale;
    const qlonglong first = step_ + 1 + skip_first_->value() + wait_->value() + warmup_->value();
    const qlonglong last = first + active_->value() - 1;
    QString words = active_->value() == 1
                        ? tr("About step %1 is recorded.").arg(locale.toString(first))
                        : tr("About steps %1 to %2 are recorded.").arg(locale.toString(first), locale.toString(last));
    if (repeat_->value() > 1)
        words += QLatin1Char(' ') + tr("Then again every %Ln steps, %1 times in all.", nullptr,
                                       wait_->value() + warmup_->value() + active_->value())
                                        .arg(locale.toString(repeat_->value()));
    return words;
}

void ProfileDialog::refresh() {
    words_->setText(words() + QLatin1Char(' ') +
                    tr("Every rank writes a Chrome trace: operators, kernels of its GPU, phases, units and "
                       "collectives. Steps take longer meanwhile."));
}

run::ProfileRequest ProfileDialog::request() const {
    return {.steps = active_->value(),
            .wait = wait_->value(),
            .warmup = warmup_->value(),
            .repeat = repeat_->value(),
            .skip_first = skip_first_->value(),
            .record_shapes = shapes_->isChecked(),
            .profile_memory = memory_->isChecked(),
            .with_flops = flops_->isChecked()};
}

}  // namespace trainyard::desktop
