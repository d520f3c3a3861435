// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/report_dialog.h"

#include <QPlainTextEdit>
#include <QPushButton>

#include "desktop/shell/save_file.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

ReportDialog::ReportDialog(const QString& title, const QString& text, QWidget* parent)
    : QDialog(parent),
      text_(named(new QPlainTextEdit, tr("Report"))),
      problem_(wrapped(make_label({}, 12, QFont::Normal, Tone::Error))) {
    setWindowTitle(title);
    resize(720_px, 480_px);
    text_->setReadOnly(true);
    text_->setFont(Theme::instance().mono(11));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setPlainText(text);
    problem_->hide();
    auto* copy = with_look(new QPushButton(tr("Copy")), {.icon = "copy"});
    auto* save_as = with_look(new QPushButton(tr("Save…")), {.icon = "save"});
    auto* close = new QPushButton(tr("Close"));
    setLayout(make_column(
        12,
        {wrapped(make_note(tr("Nothing is sent. Copy or save this text, and add what you did before the problem. It "
                              "names versions, the system and functions of the program, but no files, hosts, runs or "
                              "keys."))),
         {text_, 1},
         problem_,
         make_row(8, {copy, save_as, stretch(), close})}));
    for (QPushButton* button : {copy, save_as, close})
        button->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] { copy_text(text_->toPlainText()); });
    connect(save_as, &QPushButton::clicked, this, [this] {
        widgets::ask_save_file(this, tr("Save the report"), QStringLiteral("trainyard-report.txt"), tr("Text (*.txt)"),
                               [this](const QString& file) { save(file); });
    });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

void ReportDialog::save(const QString& file) {
    writing_.submit([file, text = text_->toPlainText().toUtf8()] { return saveFile(file, text); },
                    [this](const QString& problem) {
                        problem_->setText(problem);
                        problem_->setVisible(!problem.isEmpty());
                    });
}

}  // namespace trainyard::desktop
