// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sweeps/trials_model.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QLocale>

#include "base/number.h"
#include "desktop/text/qt_text.h"
#include "widgets/local_text.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Cell;
using widgets::Chip;
using widgets::Token;

namespace {

/// Numbers in ascending order, then words; what is missing comes last.
bool comes_before(const std::string& a, const std::string& b) {
    const auto x = parse_number<double>(a), y = parse_number<double>(b);
    if (x && y)
        return *x < *y;
    return x.has_value() != y.has_value() ? x.has_value() : a < b;
}

}  // namespace

Chip chipOf(sweep::TrialState state) {
    using enum sweep::TrialState;
    const auto word = [](const char* text) { return QCoreApplication::translate("trainyard::desktop", text); };
    switch (state) {
        case starting:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Waiting")), QStringLiteral("clock"), Token::Info};
        case running:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Running")), QStringLiteral("play"), Token::Ok};
        case finished:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Finished")), QStringLiteral("check"),
                    Token::TextSecondary};
        case stopped:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Ended early")), QStringLiteral("stop"), Token::Info};
        case diverged:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Diverged")), QStringLiteral("warn"), Token::Warn};
        case failed:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Failed")), QStringLiteral("error"), Token::Error};
    }
    return {};
}

Chip chipOf(sweep::SweepState state) {
    using enum sweep::SweepState;
    const auto word = [](const char* text) { return QCoreApplication::translate("trainyard::desktop", text); };
    switch (state) {
        case running:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Running")), QStringLiteral("play"), Token::Ok};
        case pausing:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Pausing")), QStringLiteral("pause"), Token::Warn};
        case stopping:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Stopping")), QStringLiteral("stop"), Token::Warn};
        case paused:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Paused")), QStringLiteral("pause"), Token::Warn};
        case stopped:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Stopped")), QStringLiteral("stop"),
                    Token::TextSecondary};
        case interrupted:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Interrupted")), QStringLiteral("warn"), Token::Warn};
        case failed:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Failed")), QStringLiteral("error"), Token::Error};
        case finished:
            return {word(QT_TRANSLATE_NOOP("trainyard::desktop", "Finished")), QStringLiteral("check"),
                    Token::TextSecondary};
    }
    return {};
}

void TrialsModel::setSweep(const sweep::StoredSweep& sweep) {
    beginResetModel();
    if (sweep.folder != sweep_.folder) {
        sorted_by_ = Number;
        descending_ = false;
    }
    sweep_ = sweep;
    best_ = sweep_.best();
    arrange();
    endResetModel();
}

void TrialsModel::arrange() {
    order_.clear();
    for (const auto& [number, trial] : sweep_.trials)
        order_.push_back(number);
    const auto text_of = [this](std::int64_t number) -> std::string {
        const sweep::Trial& trial = sweep_.trials.at(number);
        if (sorted_by_ == Value)
            return trial.value ? fmt::format("{:.17g}", *trial.value) : std::string();
        if (sorted_by_ == Step)
            return trial.value ? std::to_string(trial.step) : std::string();
        if (sorted_by_ == State)
            return choice_name(trial.state);
        if (sorted_by_ == hostColumn())
            return trial.host;
        return sorted_by_ == Number ? std::to_string(number)
                                    : trial.point[static_cast<std::size_t>(sorted_by_ - FirstParameter)];
    };
    std::vector<std::pair<std::string, std::int64_t>> keyed;
    for (const std::int64_t number : order_)
        keyed.emplace_back(text_of(number), number);
    std::ranges::stable_sort(keyed, [this](const auto& a, const auto& b) {
        if (a.first.empty() != b.first.empty())
            return b.first.empty();  // in both directions
        return descending_ ? comes_before(b.first, a.first) : comes_before(a.first, b.first);
    });
    std::ranges::transform(keyed, order_.begin(), [](const auto& one) { return one.second; });
}

void TrialsModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sorted_by_ = std::clamp(column, 0, hostColumn());
    descending_ = order == Qt::DescendingOrder;
    arrange();
    endResetModel();
}

const sweep::Trial* TrialsModel::trial(int row) const {
    return row < 0 || row >= rows() ? nullptr : &sweep_.trials.at(order_[static_cast<std::size_t>(row)]);
}

int TrialsModel::rowOf(std::int64_t number) const {
    const auto found = std::ranges::find(order_, number);
    return found == order_.end() ? -1 : static_cast<int>(found - order_.begin());
}

QString TrialsModel::title(int column) const {
    switch (column) {
        case Number:
            return tr("Trial");
        case State:
            return tr("State");
        case Value:
            return qt(sweep_.file.metric);
        case Step:
            return tr("Step");
        default:
            return column == hostColumn()
                       ? tr("Host")
                       : qt(sweep_.file.parameters[static_cast<std::size_t>(column - FirstParameter)].key);
    }
}

bool TrialsModel::isNumber(int column) const {
    return column == Number || column == Value || column == Step;
}

Cell TrialsModel::cell(int row, int column) const {
    const sweep::Trial& trial = *this->trial(row);
    Cell cell;
    cell.strong = best_ == trial.number;
    cell.mono = column != State && column != hostColumn();
    switch (column) {
        case Number:
            cell.text = QLocale().toString(static_cast<qlonglong>(trial.number));
            break;
        case State:
            cell.chip = chipOf(trial.state);
            cell.text = cell.chip.text;
            break;
        case Value:
            if (trial.value)
                cell.text = widgets::value_number(*trial.value);
            if (cell.strong)
                cell.ink = Token::Ok;
            break;
        case Step:
            if (trial.value)
                cell.text = QLocale().toString(static_cast<qlonglong>(trial.step));
            break;
        default:
            cell.text = column == hostColumn() ? qt(trial.host)
                                               : qt(trial.point[static_cast<std::size_t>(column - FirstParameter)]);
    }
    return cell;
}

QString TrialsModel::spoken(int row, int column) const {
    const QString text = words(row, column);
    return column == Value && best_ == trial(row)->number ? tr("%1, the best").arg(text) : text;
}

QString TrialsModel::tip(int row, int column) const {
    const sweep::Trial& trial = *this->trial(row);
    if (!trial.problem.empty() && column == State)
        return qtSentence(trial.problem);
    return column == Value && best_ == trial.number ? tr("The best value so far") : QString();
}

}  // namespace trainyard::desktop
