// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/connection_table.h"

#include <algorithm>

#include <QLocale>

#include "desktop/text/qt_text.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;

ConnectionTable::ConnectionTable(const QStringList& names, const QStringList& titles, QObject* parent)
    : QAbstractTableModel(parent), names_(names), titles_(titles) {}

void ConnectionTable::setTests(const std::vector<launch::ConnectionTest>& tests) {
    pairs_.clear();
    for (const launch::ConnectionTest& test : tests) {
        const auto from = static_cast<int>(names_.indexOf(qt(test.from)));
        const auto to = static_cast<int>(names_.indexOf(qt(test.to)));
        if (from >= 0 && to >= 0 && from != to)
            pairs_.push_back({from, to, test});
    }
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, rowCount() - 1));
}

int ConnectionTable::tested() const {
    return static_cast<int>(pairs_.size());
}

int ConnectionTable::connected() const {
    return static_cast<int>(std::ranges::count_if(pairs_, [](const Pair& pair) { return pair.test.ok; }));
}

QStringList ConnectionTable::problems() const {
    QStringList sentences;
    for (const Pair& pair : pairs_)
        if (!pair.test.ok)
            sentences << sentence(pair);
    return sentences;
}

QString ConnectionTable::text() const {
    QStringList lines;
    for (const Pair& pair : pairs_)
        lines << QStringList{names_[pair.from], names_[pair.to], sentence(pair)}.join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n'));
}

QString ConnectionTable::sentence(const Pair& pair) const {
    const QString &from = titles_[pair.from], &to = titles_[pair.to];
    return pair.test.ok
               ? tr("%1 reaches %2 at %3, over %4").arg(from, to, qt(pair.test.address), qt(pair.test.interface))
               : tr("%1 does not reach %2: %3").arg(from, to, qtClause(pair.test.problem));
}

const ConnectionTable::Pair* ConnectionTable::find(int from, int to) const {
    const auto found =
        std::ranges::find_if(pairs_, [&](const Pair& pair) { return pair.from == from && pair.to == to; });
    return found == pairs_.end() ? nullptr : &*found;
}

int ConnectionTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(names_.size());
}

QVariant ConnectionTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (index.row() == index.column())
        return role == Qt::DisplayRole      ? QVariant(QStringLiteral("–"))
               : role == Qt::ForegroundRole ? QVariant(Theme::instance().color(Token::TextMuted))
                                            : QVariant();
    const Pair* pair = find(index.row(), index.column());
    if (pair == nullptr)
        return {};
    const launch::ConnectionTest& test = pair->test;
    switch (role) {
        case Qt::DisplayRole:
            return test.ok ? tr("%1 ms").arg(QLocale().toString(test.round_trip_s * 1000, 'f', 1)) + QLatin1Char('\n') +
                                 qt(test.address)
                           : tr("not reached");
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return sentence(*pair);
        case Qt::ForegroundRole:
            return Theme::instance().color(test.ok ? Token::Text : Token::Error);
        case Qt::DecorationRole:
            return Theme::instance().icon(test.ok ? QStringLiteral("check") : QStringLiteral("error"),
                                          test.ok ? Token::Ok : Token::Error);
        case Qt::FontRole:
            return Theme::instance().mono(11);
        default:
            return {};
    }
}

QVariant ConnectionTable::headerData(int section, Qt::Orientation, int role) const {
    return role == Qt::DisplayRole ? QVariant(titles_.value(section)) : QVariant();
}

Qt::ItemFlags ConnectionTable::flags(const QModelIndex& index) const {
    return index.row() == index.column() ? Qt::NoItemFlags : QAbstractTableModel::flags(index);
}

}  // namespace trainyard::desktop
