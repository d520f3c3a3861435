// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/connection_test_dialog.h"

#include <QHeaderView>
#include <QTableView>

#include "desktop/hosts/connection_table.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kColumn = live_px(150);
const int& kReachRowHeight = live_px(44);
}  // namespace

ConnectionTestDialog::ConnectionTestDialog(HostList* hosts, const QStringList& names, QWidget* parent)
    : QDialog(parent),
      hosts_(hosts),
      names_(names),
      summary_(wrapped(make_note({}))),
      tests_(new ConnectionTable(names, titles(), this)),
      table_(named(new QTableView, tr("Connections from rows to columns"))),
      problems_(selectable(wrapped(make_note({}, Tone::Error)))),
      again_(new QPushButton(tr("Ask again"))),
      copy_(new QPushButton(tr("Copy"))) {
    setWindowTitle(tr("Connections between hosts"));
    table_->setModel(tests_);
    table_->setCornerButtonEnabled(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setIconSize({14_px, 14_px});
    table_->horizontalHeader()->setMinimumSectionSize(kColumn);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->verticalHeader()->setDefaultSectionSize(kReachRowHeight);
    for (QHeaderView* header : {table_->horizontalHeader(), table_->verticalHeader()})
        header->setFont(Theme::instance().text(12, QFont::Medium));
    problems_->setTextFormat(Qt::PlainText);
    auto* buttons = make_row(8, {});
    auto* close = with_look(new QPushButton(tr("Close")), {.kind = "primary"});
    close->setDefault(true);
    for (QPushButton* button : {again_, copy_}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    add_items(buttons, {stretch(), close});
    setLayout(make_column(8, {make_title(windowTitle(), 16), summary_, {table_, 1}, problems_, buttons}));
    resize(std::clamp(220_px + static_cast<int>(names.size()) * kColumn, 520_px, 1100_px),
           std::clamp(250_px + static_cast<int>(names.size()) * kReachRowHeight, 320_px, 760_px));
    connect(again_, &QPushButton::clicked, this, &ConnectionTestDialog::ask);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(copy_, &QPushButton::clicked, this, [this] { copy_text(tests_->text()); });
    ask();
}

QStringList ConnectionTestDialog::titles() const {
    QStringList titles;
    for (const QString& name : names_) {
        const HostRow* row = hosts_->find(name);
        titles << (row == nullptr ? name : row->title());
    }
    return titles;
}

void ConnectionTestDialog::ask() {
    again_->setEnabled(false);
    copy_->setEnabled(false);
    problems_->hide();
    summary_->setText(
        tr("Each host opens a port for seconds, the others connect. Asking %1 hosts…").arg(names_.size()));
    std::vector<std::string> names;
    for (const QString& name : names_)
        names.push_back(name.toStdString());
    job_.submit(
        [source = hosts_->source(), names, known = hosts_->acceptedOnce()](const widgets::Cancelled& cancelled) {
            const HangUp hang_up(cancelled);
            return source->reach(names, {nullptr, known, hang_up.cancel()});
        },
        [this](const std::vector<launch::ConnectionTest>& reaches) { show(reaches); },
        [this](const QString& words) { fail(words); });
}

void ConnectionTestDialog::fail(const QString& words) {
    again_->setEnabled(true);
    summary_->setText(tr("The connections could not be tested."));
    problems_->setText(words);
    problems_->show();
}

void ConnectionTestDialog::show(const std::vector<launch::ConnectionTest>& reaches) {
    again_->setEnabled(true);
    copy_->setEnabled(true);
    tests_->setTests(reaches);
    const int reached = tests_->connected(), all = tests_->tested();
    const QStringList problems = tests_->problems();
    summary_->setText(
        reached == all ? tr("Every host reaches every other one.")
                       : tr("%1 of %2 connections work. A run needs all of them between its hosts: open the ports, or "
                            "leave a host out.")
                             .arg(reached)
                             .arg(all));
    // Many pairs have one reason.
    constexpr int kMostLines = 4;
    const auto more = problems.size() - kMostLines;
    problems_->setText(problems.mid(0, kMostLines).join(QLatin1Char('\n')) +
                       (more > 0 ? QLatin1Char('\n') + tr("and %1 more").arg(more) : QString()));
    problems_->setVisible(!problems.isEmpty());
}

}  // namespace trainyard::desktop
