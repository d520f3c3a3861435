// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/connection_test_dialog.h"

#include <QHeaderView>
#include <QLocale>
#include <QTableWidget>

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
      table_(named(new QTableWidget(static_cast<int>(names.size()), static_cast<int>(names.size())),
                   tr("Connections from rows to columns"))),
      problems_(selectable(wrapped(make_note({}, Tone::Error)))),
      again_(new QPushButton(tr("Ask again"))),
      copy_(new QPushButton(tr("Copy"))) {
    setWindowTitle(tr("Connections between hosts"));
    QStringList titles;
    for (const QString& name : names_)
        titles << titleOf(name);
    table_->setHorizontalHeaderLabels(titles);
    table_->setVerticalHeaderLabels(titles);
    table_->setCornerButtonEnabled(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->horizontalHeader()->setDefaultSectionSize(kColumn);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->verticalHeader()->setDefaultSectionSize(kReachRowHeight);
    problems_->setTextFormat(Qt::PlainText);
    auto* buttons = make_row(8, {});
    auto* close = with_look(new QPushButton(tr("Close")), {.kind = "primary"});
    close->setDefault(true);
    for (QPushButton* button : {again_, copy_}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    add_items(buttons, {stretch(), close});
    setLayout(
        make_column({20, 18, 20, 16}, 8, {make_title(windowTitle(), 16), summary_, {table_, 1}, problems_, buttons}));
    resize(std::clamp(220 + static_cast<int>(names.size()) * kColumn, 520, 1100),
           std::clamp(250 + static_cast<int>(names.size()) * kReachRowHeight, 320, 760));
    connect(again_, &QPushButton::clicked, this, &ConnectionTestDialog::ask);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QStringList lines;
        for (int row = 0; row < table_->rowCount(); ++row)
            for (int column = 0; column < table_->columnCount(); ++column)
                if (const QTableWidgetItem* cell = table_->item(row, column); cell != nullptr && row != column)
                    lines << names_[row] + QLatin1Char('\t') + names_[column] + QLatin1Char('\t') + cell->toolTip();
        copy_text(lines.join(QLatin1Char('\n')));
    });
    ask();
}

QString ConnectionTestDialog::titleOf(const QString& name) const {
    const HostRow* row = hosts_->find(name);
    return row == nullptr ? name : row->title();
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
    summary_->setText(tr("That could not be determined."));
    problems_->setText(words);
    problems_->show();
}

void ConnectionTestDialog::show(const std::vector<launch::ConnectionTest>& reaches) {
    again_->setEnabled(true);
    copy_->setEnabled(true);
    int reached = 0;
    QStringList problems;
    for (const launch::ConnectionTest& reach : reaches) {
        const auto row = static_cast<int>(names_.indexOf(qt(reach.from)));
        const auto column = static_cast<int>(names_.indexOf(qt(reach.to)));
        if (row < 0 || column < 0)
            continue;
        const QString from = titleOf(names_[row]), to = titleOf(names_[column]);
        auto* cell = new QTableWidgetItem;
        if (reach.ok) {
            ++reached;
            const QString way = qt(reach.address);
            cell->setText(tr("%1 ms").arg(QLocale().toString(reach.round_trip_s * 1000, 'f', 1)) + QLatin1Char('\n') +
                          way);
            cell->setToolTip(tr("%1 reaches %2 at %3, over %4").arg(from, to, way, qt(reach.interface)));
        } else {
            cell->setText(tr("not reached"));
            const QString why = qtClause(reach.problem);
            cell->setToolTip(tr("%1 does not reach %2: %3").arg(from, to, why));
            problems << cell->toolTip();
        }
        const Token ink = reach.ok ? Token::Text : Token::Error;
        cell->setForeground(Theme::instance().color(ink));
        cell->setIcon(QIcon(Theme::instance().pixmap(reach.ok ? QStringLiteral("check") : QStringLiteral("error"),
                                                     reach.ok ? Token::Ok : Token::Error, 14, devicePixelRatioF())));
        cell->setFont(Theme::instance().mono(11));
        cell->setData(Qt::AccessibleTextRole, cell->toolTip());
        table_->setItem(row, column, cell);
    }
    for (int i = 0; i < table_->rowCount(); ++i) {
        auto* self = new QTableWidgetItem(QStringLiteral("–"));
        self->setForeground(Theme::instance().color(Token::TextMuted));
        self->setFlags(Qt::NoItemFlags);
        table_->setItem(i, i, self);
    }
    const auto all = static_cast<int>(reaches.size());
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
