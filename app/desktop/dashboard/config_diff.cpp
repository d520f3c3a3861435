#include "desktop/dashboard/config_diff.h"

#include <algorithm>
#include <map>

#include <QComboBox>
#include <QHeaderView>
#include <QTableWidget>

#include "base/regular_file.h"
#include "desktop/ui.h"

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
      table_(named(new QTableWidget, tr("Keys that differ"))),
      words_(make_label({}, 11, QFont::Normal, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    auto* title = make_elided(tr("Config diff"), Theme::instance().text(13, QFont::DemiBold));
    against_->setMaximumWidth(150);
    connect(against_, &QComboBox::currentTextChanged, against_, &QComboBox::setToolTip);
    table_->setColumnCount(2);
    table_->horizontalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setMinimumSectionSize(kDiffRowHeight);
    table_->verticalHeader()->setDefaultSectionSize(kDiffRowHeight);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setFocusPolicy(Qt::NoFocus);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setLayout(
        make_column({12, 6, 8, 6}, 2,
                    {make_row(6, {{title, 1}, make_label(tr("against"), 11, QFont::Normal, Tone::Muted), against_}),
                     table_, words_}));
    connect(against_, &QComboBox::activated, this, [this] {
        wanted_ = chosen();
        compare();
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { show(differences_); });
    hide();
}

void ConfigDiffPanel::offer(const OtherRuns& others) {
    others_ = others.runs;
    against_->clear();
    int place = others.first;
    for (int i = 0; i < static_cast<int>(others_.size()); ++i) {
        against_->addItem(others_[static_cast<std::size_t>(i)].name);
        if (others_[static_cast<std::size_t>(i)].folder == wanted_)
            place = i;
    }
    if (place < 0)
        return hide();
    against_->setCurrentIndex(place);
    compare();
}

void ConfigDiffPanel::choose(const QString& folder) {
    wanted_ = folder;
    for (int i = 0; i < static_cast<int>(others_.size()); ++i)
        if (others_[static_cast<std::size_t>(i)].folder == folder && (i != against_->currentIndex() || isHidden())) {
            against_->setCurrentIndex(i);
            compare();
        }
}

QString ConfigDiffPanel::chosen() const {
    const int place = against_->currentIndex();
    return place < 0 ? QString() : others_[static_cast<std::size_t>(place)].folder;
}

void ConfigDiffPanel::compare() {
    const int place = against_->currentIndex();
    if (place < 0)
        return;
    comparing_.submit(
        [mine = run_, theirs = run::RunPaths(others_[static_cast<std::size_t>(place)].folder.toStdString())](
            const widgets::Cancelled&) {
            return compare_keys(
                run::flat_keys(read_regular_file(mine.spec(), kLargestCompared), mine.spec().string()),
                run::flat_keys(read_regular_file(theirs.spec(), kLargestCompared), theirs.spec().string()));
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
    table_->setRowCount(rows);
    const Theme& theme = Theme::instance();
    const auto shown = [](const std::string& value) {
        return value.empty() ? QStringLiteral("–") : qt(value).left(24);
    };
    for (int row = 0; row < rows; ++row) {
        const KeyDifference& one = differences.keys[static_cast<std::size_t>(row)];
        auto* key = new QTableWidgetItem(qt(one.key));
        key->setFont(theme.mono(11));
        key->setForeground(theme.color(Token::TextSecondary));
        auto* values = new QTableWidgetItem(shown(one.mine) + QStringLiteral(" ← ") + shown(one.theirs));
        values->setFont(theme.mono(11));
        values->setForeground(theme.color(Token::Text));
        values->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        for (QTableWidgetItem* item : {key, values})
            item->setToolTip(tr("%1: here %2, there %3").arg(qt(one.key), qt(one.mine), qt(one.theirs)));
        table_->setItem(row, 0, key);
        table_->setItem(row, 1, values);
    }
    table_->setFixedHeight(std::clamp(rows, 1, kMostRows) * kDiffRowHeight + 2);
    table_->setVisible(rows > 0);
    words_->setText(rows == 0 && differences.equal == 0 ? tr("no configuration to compare")
                    : rows == 0                         ? tr("no differences")
                                                        : tr("equal otherwise: %1").arg(differences.equal));
    setVisible(true);
}

}  // namespace trainyard::desktop
