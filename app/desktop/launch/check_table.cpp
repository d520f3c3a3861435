// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/check_table.h"

#include <algorithm>

#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"

namespace trainyard::desktop {

using remote::CheckResult;
using widgets::Chip;
using widgets::Token;

namespace {

struct StateEntry {
    const char* word;
    const char* icon;
    Token token;
    int weight;  ///< how much a person wants to see it
};
/// In the order of CheckState.
constexpr StateEntry kStates[] = {
    {QT_TRANSLATE_NOOP("trainyard::desktop", "waiting"), "clock", Token::TextMuted, 2},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "running"), "resume", Token::Info, 3},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "passed"), "check", Token::Ok, 0},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "warning"), "warn", Token::Warn, 4},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "failed"), "error", Token::Error, 5},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "skipped"), "right", Token::TextMuted, 1},
};

int weight(CheckState state) {
    return kStates[static_cast<int>(state)].weight;
}

}  // namespace

Chip checkChip(CheckState state) {
    const StateEntry& entry = kStates[static_cast<int>(state)];
    return {tr(entry.word), QLatin1String(entry.icon), entry.token};
}

void CheckTable::reset(const std::vector<std::pair<std::string, std::string>>& checks, const QStringList& hosts,
                       const std::map<QString, QString>& titles) {
    beginResetModel();
    checks_.clear();
    check_titles_.clear();
    results_.clear();
    hosts_ = hosts;
    host_titles_ = titles;
    shown_ = isSummary() ? QStringList{QString()} : hosts;
    for (const auto& [check, title] : checks) {
        checks_ << qt(check);
        check_titles_[qt(check)] = engineWords(title);
        for (const QString& host : hosts) {
            CheckResult waiting;
            waiting.check = check;
            waiting.host = host.toStdString();
            results_[{qt(check), host}] = waiting;
        }
    }
    endResetModel();
}

void CheckTable::take(const CheckResult& result) {
    const std::pair key(qt(result.check), qt(result.host));
    if (!checks_.contains(key.first) || !hosts_.contains(key.second))
        return;
    results_[key] = result;
    if (isSummary()) {
        const QStringList wanted = QStringList{QString()} + failingHosts();
        if (wanted != shown_) {
            beginResetModel();
            shown_ = wanted;
            endResetModel();
            return;
        }
    }
    const int row = static_cast<int>(checks_.indexOf(key.first));
    emit dataChanged(index(row, 0), index(row, columnCount() - 1));
}

void CheckTable::setText(const QString& check, const QString& host, const QString& words) {
    const auto found = results_.find({check, host});
    if (found == results_.end())
        return;
    found->second.text = Message::verbatim(words.toStdString());
    const QModelIndex at = indexOf(check, host);
    emit dataChanged(at, at);
}

QStringList CheckTable::failingHosts() const {
    QStringList failing;
    for (const QString& host : hosts_)
        if (std::any_of(checks_.begin(), checks_.end(), [&](const QString& check) {
                const CheckResult* cell = result(check, host);
                return cell != nullptr && cell->state == CheckState::failed;
            }))
            failing << host;
    return failing.mid(0, kMostColumns);
}

QString CheckTable::hostAt(int column) const {
    return column < 1 ? QString() : shown_.value(column - 1);
}

const CheckResult* CheckTable::result(const QString& check, const QString& host) const {
    const auto found = results_.find({check, host});
    return found == results_.end() ? nullptr : &found->second;
}

const CheckResult* CheckTable::resultAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= checks_.size())
        return nullptr;
    const QString check = checks_[index.row()];
    if (const QString host = hostAt(index.column()); !host.isEmpty())
        return result(check, host);
    const CheckResult* worst = nullptr;
    for (const QString& host : hosts_)
        if (const CheckResult* cell = result(check, host);
            cell != nullptr && (worst == nullptr || weight(cell->state) > weight(worst->state)))
            worst = cell;
    return worst;
}

QModelIndex CheckTable::indexOf(const QString& check, const QString& host) const {
    const int row = static_cast<int>(checks_.indexOf(check));
    const int column = static_cast<int>(shown_.indexOf(host));
    return row < 0 ? QModelIndex() : index(row, column < 0 ? 0 : column + 1);
}

QString CheckTable::checkTitle(const QString& check) const {
    const auto found = check_titles_.find(check);
    return found == check_titles_.end() ? check : found->second;
}

QString CheckTable::hostTitle(const QString& host) const {
    const auto found = host_titles_.find(host);
    return found != host_titles_.end() ? found->second : host == QLatin1String("localhost") ? tr("This machine") : host;
}

int CheckTable::count(CheckState state) const {
    return static_cast<int>(
        std::count_if(results_.begin(), results_.end(), [&](const auto& cell) { return cell.second.state == state; }));
}

QModelIndex CheckTable::worst() const {
    QModelIndex found;
    int most = weight(CheckState::warning) - 1;
    for (const QString& check : checks_)
        for (const QString& host : hosts_) {
            const CheckResult* cell = result(check, host);
            if (cell != nullptr && weight(cell->state) > most && cell->state >= CheckState::passed) {
                most = weight(cell->state);
                found = indexOf(check, host);
            }
        }
    return found;
}

QString CheckTable::title(int column) const {
    const QString host = hostAt(column);
    return column == 0 ? tr("Check") : host.isEmpty() ? tr("%1 hosts").arg(hosts_.size()) : hostTitle(host);
}

widgets::Cell CheckTable::cell(int row, int column) const {
    widgets::Cell shown;
    shown.text = words(row, column);
    shown.strong = column == 0;
    if (const CheckResult* cell = resultAt(index(row, column)); cell != nullptr && column > 0) {
        shown.chip = checkChip(cell->state);
        shown.strong = cell->state == CheckState::failed || cell->state == CheckState::warning;
        shown.ink = shown.strong                        ? shown.chip.color
                    : cell->state == CheckState::passed ? Token::TextSecondary
                                                        : Token::TextMuted;
    }
    return shown;
}

QString CheckTable::words(int row, int column) const {
    if (column == 0)
        return checkTitle(checks_[row]);
    if (hostAt(column).isEmpty()) {
        const auto passed = std::ranges::count_if(hosts_, [&](const QString& host) {
            const CheckResult* each = result(checks_[row], host);
            return each != nullptr && (each->state == CheckState::passed || each->state == CheckState::warning);
        });
        return tr("passed on %1 of %2").arg(passed).arg(hosts_.size());
    }
    const CheckResult* cell = resultAt(index(row, column));
    if (cell == nullptr)
        return {};
    return cell->text.empty() ? checkChip(cell->state).text : qtClause(cell->text);
}

QString CheckTable::spoken(int row, int column) const {
    const CheckResult* cell = resultAt(index(row, column));
    if (cell == nullptr || column == 0)
        return words(row, column);
    return checkTitle(checks_[row]) + QStringLiteral(": ") + checkChip(cell->state).text + QStringLiteral(", ") +
           words(row, column);
}

QString CheckTable::tip(int row, int column) const {
    const CheckResult* cell = resultAt(index(row, column));
    if (cell == nullptr || column == 0)
        return {};
    return words(row, column) + (cell->mend.empty() ? QString() : QLatin1Char('\n') + qtSentence(cell->mend));
}

QString CheckTable::report() const {
    QStringList lines;
    for (const QString& check : checks_)
        for (const QString& host : hosts_) {
            const CheckResult* cell = result(check, host);
            QString line = checkTitle(check) + QStringLiteral("  ") + hostTitle(host) + QStringLiteral("  ") +
                           checkChip(cell->state).text;
            if (!cell->text.empty())
                line += QStringLiteral(": ") + qtClause(cell->text);
            if (!cell->mend.empty())
                line += QStringLiteral("; ") + qtClause(cell->mend);
            if (!cell->command.empty())
                line += QStringLiteral("\n    ") + qt(cell->command);
            lines << line;
        }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace trainyard::desktop
