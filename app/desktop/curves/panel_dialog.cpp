// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/panel_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>

#include "desktop/curves/panel_problems.h"
#include "desktop/curves/shared_axis.h"
#include "desktop/curves/tag_index.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using report::PanelKind;

namespace {

constexpr int kCheckInterval = 200;  // ms after the last key
constexpr int kShownLines = 4;
constexpr int kMostMetrics = 500;  // in the menu

std::vector<std::string> lines_of_text(const QPlainTextEdit* edit) {
    std::vector<std::string> lines;
    if (edit != nullptr)
        for (const QString& line : edit->toPlainText().split(QLatin1Char('\n')))
            if (!line.trimmed().isEmpty())
                lines.push_back(line.trimmed().toStdString());
    return lines;
}

QString title_of(PanelKind kind) {
    switch (kind) {
        case PanelKind::table:
            return PanelDialog::tr("Table");
        case PanelKind::histogram:
            return PanelDialog::tr("Histogram");
        case PanelKind::text:
            return PanelDialog::tr("Text");
        default:
            return PanelDialog::tr("Line chart");
    }
}

}  // namespace

PanelDialog::PanelDialog(const report::Panel& panel, const PanelContext* context, QWidget* parent)
    : QDialog(parent),
      panel_(panel),
      context_(context),
      title_(named(new QLineEdit(qt(panel.title)), tr("Title"))),
      problem_(make_problem_label()) {
    setWindowTitle(title_of(panel.kind));
    title_->setPlaceholderText(tr("Title"));
    auto* column = make_column(8, {title_});
    setLayout(column);
    if (panel.kind == PanelKind::text) {
        text_ = named(new QPlainTextEdit(qt(panel.text)), tr("Text in Markdown"));
        text_->setPlaceholderText(tr("Text in Markdown"));
        text_->setTabChangesFocus(true);
        column->addWidget(text_, 1);
    } else {
        const QStringList metrics = metricNames();
        lines_ = addLines(column, tr("Metrics or formulas, one in each line"),
                          tr("train/loss\nexp(eval/loss)\neval/loss - train/loss"), panel.lines);
        if (panel.kind == PanelKind::lines) {
            right_ = addLines(column, tr("On the right axis"), {}, panel.right);
            addAxes(column, metrics);
        }
        auto* insert = new QPushButton(tr("Insert a metric"));
        auto* menu = new QMenu(insert);
        for (const QString& metric : metrics.mid(0, kMostMetrics))
            menu->addAction(metric, this, [this, metric] {
                QPlainTextEdit* edit = right_ != nullptr && right_->hasFocus() ? right_ : lines_;
                edit->insertPlainText(qt(report::Formula::quoted(metric.toStdString())));
                edit->setFocus();
            });
        insert->setMenu(menu);
        insert->setFocusPolicy(Qt::TabFocus);
        insert->setEnabled(!metrics.isEmpty());
        column->addLayout(make_row(8, {insert, stretch()}));
    }
    problem_->setContentsMargins(0, 0, 0, 0);  // those are of a card
    column->addWidget(problem_);
    widgets::add_dialog_buttons(this, tr("Save"));
    setMinimumWidth(460_px);
    act_after(check_due_, kCheckInterval, this, &PanelDialog::check);
    check();
}

QPlainTextEdit* PanelDialog::addLines(QVBoxLayout* column, const QString& name, const QString& hint,
                                      const std::vector<std::string>& lines) {
    QStringList words;
    for (const std::string& line : lines)
        words << qt(line);
    auto* edit = named(new QPlainTextEdit(words.join(QLatin1Char('\n'))), name);
    edit->setPlaceholderText(hint);
    edit->setFont(Theme::instance().mono(12));
    edit->setTabChangesFocus(true);
    edit->setMinimumHeight(kShownLines * edit->fontMetrics().lineSpacing() + 12);
    edit->setSizeAdjustPolicy(QPlainTextEdit::AdjustToContents);  // Qt's own hint is three times as high
    auto* label = make_label(name, 12, QFont::Normal, Tone::Secondary);
    label->setBuddy(edit);
    column->addWidget(label);
    column->addWidget(edit, 1);
    connect(edit, &QPlainTextEdit::textChanged, this, [this] { check_due_.start(); });
    return edit;
}

void PanelDialog::addAxes(QVBoxLayout* column, const QStringList& metrics) {
    x_ = named(new QComboBox, tr("Horizontal axis"));
    x_->setEditable(true);
    x_->setInsertPolicy(QComboBox::NoInsert);
    x_->addItem(tr("That of all panels"));
    // What a panel stores is not translated: these are names as those of metrics are.
    x_->addItems({QStringLiteral("step"), QStringLiteral("time"), QStringLiteral("tokens"), QStringLiteral("epoch"),
                  QStringLiteral("wall")});
    for (const QString& metric : metrics.mid(0, kMostMetrics))
        x_->addItem(qt(report::Formula::quoted(metric.toStdString())));
    if (!panel_.x.empty())
        x_->setEditText(qt(panel_.x));
    own_smoothing_ = new QCheckBox(tr("Own smoothing"));
    own_smoothing_->setChecked(panel_.smoothing.has_value());
    smoothing_ = named(new QDoubleSpinBox, tr("Smoothing"));
    smoothing_->setRange(0, 0.999);
    smoothing_->setDecimals(3);
    smoothing_->setSingleStep(0.05);
    smoothing_->setValue(panel_.smoothing.value_or(0.6));
    smoothing_->setEnabled(own_smoothing_->isChecked());
    connect(own_smoothing_, &QCheckBox::toggled, smoothing_, &QWidget::setEnabled);
    const auto add_switch = [](const QString& words, bool on) {
        auto* box = new QCheckBox(words);
        box->setChecked(on);
        return box;
    };
    log_x_ = add_switch(tr("Logarithmic horizontal axis"), panel_.log_x);
    log_y_ = add_switch(tr("Logarithmic vertical axis"), panel_.log_y);
    log_right_ = add_switch(tr("Logarithmic right axis"), panel_.log_right);
    column->addLayout(make_row(8, {make_label(tr("Horizontal axis"), 12, QFont::Normal, Tone::Secondary), {x_, 1}}));
    column->addLayout(make_row(8, {own_smoothing_, smoothing_, stretch()}));
    for (QCheckBox* box : {log_x_, log_y_, log_right_})
        column->addWidget(box);
    connect(x_, &QComboBox::editTextChanged, this, [this] { check_due_.start(); });
}

QStringList PanelDialog::metricNames() const {
    QStringList names;
    for (const TagEntry& entry : context_->index->entries())
        if (entry.kind == TagKind::Scalar || (entry.kind == TagKind::Histogram && panel_.kind == PanelKind::histogram))
            names << entry.name;
    return names;
}

report::Panel PanelDialog::panel() const {
    report::Panel panel;
    panel.kind = panel_.kind;
    panel.title = title_->text().trimmed().toStdString();
    panel.lines = lines_of_text(lines_);
    panel.right = lines_of_text(right_);
    if (text_ != nullptr)
        panel.text = text_->toPlainText().toStdString();
    if (x_ == nullptr)
        return panel;
    if (x_->currentText() != x_->itemText(0))
        panel.x = x_->currentText().trimmed().toStdString();
    if (own_smoothing_->isChecked())
        panel.smoothing = smoothing_->value();
    panel.log_x = log_x_->isChecked();
    panel.log_y = log_y_->isChecked();
    panel.log_right = log_right_->isChecked();
    return panel;
}

void PanelDialog::check() {
    if (lines_ == nullptr)
        return;
    const auto metrics = metrics_of(*context_);
    show_problems(problem_, *lines_of_panel(panel(), metrics, context_->axis->look().unit));
}

}  // namespace trainyard::desktop
