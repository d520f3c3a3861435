// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/config_diff.h"

#include <algorithm>
#include <map>

#include <QComboBox>
#include <QHeaderView>
#include <QTableView>

#include "base/regular_file.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
constexpr std::uint64_t kLargestCompared = 4ull << 20;  // bytes of a run.yaml

constexpr int kDiffRowHeight = 20, kMostRows = 4;

bool differs_in_every_run(const std::string& key) {
    for (const char* prefix : {"created", "command", "versions.", "git.", "recipe_file", "name"})
        if (key.starts_with(prefix))
            return true;
    return key.find("port") != std::string::npos;
}

}  // namespace

ConfigDifferences compare_keys(const run::FlatKeys& mine, const run::FlatKeys& theirs) {
    std::map<std::string, std::pair<std::string, std::string>> both;
    for (const auto& [key, value] : mine)
        both[key].first = value;
    for (const auto& [key, value] : theirs)
        both[key].second = value;
    ConfigDifferences differences;
    for (const auto& [key, values] : both) {
        if (differs_in_every_run(key))
            continue;
        if (values.first == values.second)
            ++differences.equal;
        else
            differences.keys.push_back({key, values.first, values.second});
    }
    return differences;
}

ConfigDiffPanel::ConfigDiffPanel(run::RunPaths run, QWidget* parent)
    : QFrame(parent),
      run_(std::move(run)),
      against_(named(new QComboBox, tr("Run to compare with"))),
      rows_(new widgets::CellRows(QVector<widgets::CellRows::Column>{{}, {.title = {}, .number = true}}, this)),
      table_(named(new QTableView, tr("Keys that differ"))),
      words_(make_label({}, 11, QFont::Normal, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    // The name of the other run shrinks, not the title.
    against_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    against_->setMinimumContentsLength(6);
    against_->setMaximumWidth(190_px);
    connect(against_, &QComboBox::currentTextChanged, against_, &QComboBox::setToolTip);
    table_->setModel(rows_);
    table_->setFont(Theme::instance().mono(11));
    table_->horizontalHeader()->hide();
    table_->setTextElideMode(Qt::ElideMiddle);  // keys differ at their ends, too
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    widgets::set_quiet_look(table_, kDiffRowHeight);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setFocusPolicy(Qt::NoFocus);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setLayout(
        make_column({12, 6, 12, 6}, 2, {make_row(8, {make_title(tr("Config diff")), {against_, 1}}), table_, words_}));
    connect(against_, &QComboBox::activated, this, [this] {
        wanted_ = chosen();
        compare();
    });
    hide();
}

void ConfigDiffPanel::offer(const OtherRuns& others) {
    against_->clear();
    for (const OtherRun& other : others.runs)
        against_->addItem(other.name, other.folder);
    const int wanted = against_->findData(wanted_);
    const int place = wanted >= 0 ? wanted : others.first;
    if (place < 0)
        return hide();
    against_->setCurrentIndex(place);
    compare();
}

void ConfigDiffPanel::choose(const QString& folder) {
    wanted_ = folder;
    if (const int place = against_->findData(folder); place >= 0 && (place != against_->currentIndex() || isHidden())) {
        against_->setCurrentIndex(place);
        compare();
    }
}

QString ConfigDiffPanel::chosen() const {
    return against_->currentData().toString();
}

void ConfigDiffPanel::compare() {
    if (against_->currentIndex() < 0)
        return;
    comparing_.submit(
        [mine = run_, theirs = run::RunPaths(chosen().toStdString())] {
            const auto keys_of = [](const std::filesystem::path& spec) {
                return run::flat_keys(read_regular_file(spec, kLargestCompared), spec.string());
            };
            return compare_keys(keys_of(mine.spec()), keys_of(theirs.spec()));
        },
        [this](const ConfigDifferences& differences) { show(differences); },
        [this](const QString& problem) {
            words_->setText(problem);
            setVisible(true);
        });
}

void ConfigDiffPanel::show(const ConfigDifferences& differences) {
    differences_ = differences;
    const int rows = static_cast<int>(differences.keys.size());
    const auto shown = [](const std::string& value) {
        return value.empty() ? QStringLiteral("–") : qt(value).left(24);
    };
    QVector<widgets::CellRows::Row> cells;
    for (const KeyDifference& one : differences.keys) {
        const QString tip = tr("%1: here %2, there %3").arg(qt(one.key), qt(one.mine), qt(one.theirs));
        cells << widgets::CellRows::Row{{{.text = qt(one.key)}, tip},
                                        {{.text = shown(one.mine) + QStringLiteral(" ← ") + shown(one.theirs)}, tip}};
    }
    rows_->setRows(cells);
    table_->setFixedHeight(std::clamp(rows, 1, kMostRows) * kDiffRowHeight + 2);
    table_->setVisible(rows > 0);
    words_->setText(rows == 0 && differences.equal == 0 ? tr("no configuration to compare")
                    : rows == 0                         ? tr("no differences")
                                                        : tr("equal otherwise: %1").arg(differences.equal));
    setVisible(true);
}

}  // namespace trainyard::desktop
