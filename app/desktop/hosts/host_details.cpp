// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_details.h"

#include <algorithm>

#include <QGridLayout>
#include <QMenu>

#include "base/clock.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/hosts/gpu_tile.h"
#include "desktop/hosts/host_problem_panel.h"
#include "desktop/hosts/host_words.h"
#include "desktop/hosts/hour_chart.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/chip.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const int& kTileWidth = live_px(170);  // narrower tiles go into the next line
constexpr int kMostColumns = 4;

Tone toneOf(Token ink) {
    return ink == Token::Ok          ? Tone::Ok
           : ink == Token::Warn      ? Tone::Warn
           : ink == Token::Error     ? Tone::Error
           : ink == Token::TextMuted ? Tone::Muted
                                     : Tone::Text;
}

}  // namespace

HostDetails::HostDetails(QWidget* parent)
    : QWidget(parent),
      panel_(new QFrame),
      title_(make_title({}, 18)),
      chip_(new widgets::StateChip),
      runs_(new widgets::StateChip),
      terminal_(new QPushButton(tr("Terminal"))),
      probe_(new QPushButton(tr("Probe"))),
      more_(with_look(new QPushButton, {.icon = "more", .tip = tr("More for this host")})),
      menu_(new QMenu(this)),
      reached_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      age_(make_note({}, Tone::Muted)),
      tiles_(new QGridLayout),
      tiles_holder_(new QWidget),
      boxes_(new QWidget),
      links_(new QFrame),
      matrix_(new LinksMatrix),
      links_text_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      hour_(new QFrame),
      chart_(new HourChart),
      empty_label_(wrapped(make_label({}, 13, QFont::Normal, Tone::Secondary))),
      problem_(new HostProblemPanel) {
    panel_->setProperty("surface", QStringLiteral("panel"));
    setLayout(make_column({0, 0, 0, 0}, 8, {panel_, problem_, stretch()}));

    ActionCollection& commands = ActionCollection::instance();
    commands.describe(terminal_, "hosts.terminal", tr("Opens your terminal with ssh"));
    commands.describe(probe_, "hosts.probe", tr("Asks the host what it has, without changing anything"));
    more_->setFixedWidth(34_px);
    more_->setMenu(menu_);

    tiles_holder_->setLayout(tiles_);
    // The minimum of the present columns would prevent the page from becoming narrower.
    tiles_holder_->setMinimumWidth(kTileWidth);
    tiles_->setContentsMargins(0, 0, 0, 0);
    tiles_->setSpacing(8);
    system_ = makeBox(tr("System"));
    versions_ = makeBox(tr("Versions"));
    links_->setProperty("surface", QStringLiteral("well"));
    links_->setLayout(make_column({14, 10, 14, 10}, 6,
                                  {make_title(tr("Links")), {matrix_, 0, Qt::AlignLeft}, links_text_, stretch()}));
    const int kLeastBox = 236_px;  // values of usual hosts are not elided
    for (QFrame* box : {system_.frame, versions_.frame, links_})
        box->setMinimumWidth(kLeastBox);
    boxes_->setLayout(make_column(
        QMargins(), 0, {widgets::make_wrapping_row(8, {{system_.frame, 1}, {versions_.frame, 1}, {links_, 1}})}));

    hour_->setProperty("surface", QStringLiteral("well"));
    auto* legend = make_row(6, {make_title(tr("Last hour")), stretch()});
    for (const auto& [color, name] : {std::pair(3, tr("GPU")), std::pair(6, tr("memory")), std::pair(7, tr("CPU"))})
        add_items(legend, {new Swatch(color, 8), make_note(name), gap(6)});
    legend->addWidget(make_note(QStringLiteral("%"), Tone::Muted));
    hour_->setLayout(make_column({14, 10, 14, 8}, 4, {legend, chart_}));
    empty_label_->setContentsMargins(0, 10, 0, 10);
    panel_->setLayout(make_column(
        {16, 12, 16, 14}, 8,
        {widgets::make_wrapping_row(8, {title_, chip_, runs_, stretch(1), make_row(8, {terminal_, probe_, more_})}),
         make_row(12, {{reached_, 1}, age_}), tiles_holder_, boxes_, hour_, empty_label_}));

    connect(probe_, &QPushButton::clicked, this, [this] {
        if (asking_)
            emit cancelRequested();
        else
            emit probeRequested();
    });
    connect(terminal_, &QPushButton::clicked, this, &HostDetails::terminalRequested);
    connect(problem_, &HostProblemPanel::probeRequested, this, &HostDetails::probeRequested);
}

HostDetails::Box HostDetails::makeBox(const QString& title) {
    Box box;
    box.lines = new QGridLayout;
    box.lines->setVerticalSpacing(5);
    box.lines->setHorizontalSpacing(10);
    box.lines->setColumnStretch(1, 1);
    box.frame = make_frame("well", make_column({14, 10, 14, 10}, 6, {make_title(title), box.lines, stretch()}));
    return box;
}

void HostDetails::fill(Box& box, const QVector<FactLine>& lines, bool stale) {
    while (box.labels.size() < lines.size()) {
        const int line = static_cast<int>(box.labels.size());
        box.labels << make_note({});
        auto* value = make_elided({}, Theme::instance().mono(12));
        value->setAlignment(Qt::AlignRight);
        box.values << value;
        box.lines->addWidget(box.labels.last(), line, 0);
        box.lines->addWidget(value, line, 1);
    }
    for (int i = 0; i < box.labels.size(); ++i) {
        const bool used = i < lines.size();
        box.labels[i]->setVisible(used);
        box.values[i]->setVisible(used);
        if (!used)
            continue;
        box.labels[i]->setText(lines[i].label);
        auto* value = static_cast<ElidedLabel*>(box.values[i]);
        value->setFullText(lines[i].value);
        if (!lines[i].more.trimmed().isEmpty())
            value->setToolTip(lines[i].more.trimmed());
        value->setForegroundRole(tone_role(stale ? Tone::Muted : toneOf(lines[i].ink)));
    }
}

void HostDetails::showReached(const HostRow& row) {
    QStringList parts{row.target};
    if (row.answer && !row.answer->authenticated_by.empty())
        parts << qt(row.answer->authenticated_by);
    if (row.answer && !row.answer->host_key.empty())
        parts << tr("host key %1").arg(qt(row.answer->host_key));
    reached_->setFullText(parts.join(QStringLiteral("  ·  ")));
    const double now = wall_seconds();
    age_->setVisible(row.facts.has_value());
    if (row.facts)
        age_->setText(row.fresh && now - row.facts_time < 5 ? tr("asked just now")
                                                            : tr("asked %1").arg(relativeTime(row.facts_time, now)));
}

void HostDetails::setRow(const HostRow& row) {
    asking_ = row.asking;
    const HostState state = row.state();
    title_->setText(row.title());
    widgets::Chip chip = stateChip(state);
    if (row.fresh && row.answer && row.answer->connected && (state == HostState::Ready || state == HostState::InUse))
        chip = {tr("connected"), QStringLiteral("link"), Token::Ok};
    chip_->setChip(chip);
    runs_->setVisible(!row.runs.isEmpty());
    if (!row.runs.isEmpty())
        runs_->setChip({row.runs.size() == 1 ? row.runs.first()
                                             : tr("%1 and %2 more").arg(row.runs.first()).arg(row.runs.size() - 1),
                        QStringLiteral("runs"), Token::TextSecondary});
    terminal_->setEnabled(row.unusable.isEmpty());
    widgets::set_look(probe_, {.icon = asking_ ? "x" : "resume"});
    // Same width for both texts, so that the layout does not move under the pointer.
    int width = 0;
    for (const QString& text : {asking_ ? tr("Probe") : tr("Cancel"), asking_ ? tr("Cancel") : tr("Probe")}) {
        probe_->setText(text);
        width = std::max(width, probe_->sizeHint().width());
    }
    probe_->setMinimumWidth(width);
    probe_->setAccessibleName(asking_ ? tr("Cancel asking %1").arg(row.title()) : tr("Probe %1").arg(row.title()));
    showReached(row);

    const bool stale = !row.fresh || !row.answer || !row.answer->result.facts;
    const bool facts = row.facts.has_value();
    boxes_->setVisible(facts);
    hour_->setVisible(facts);
    shown_tiles_ = facts ? static_cast<int>(row.facts->gpus.size()) : 0;
    tiles_holder_->setVisible(shown_tiles_ > 0);
    while (gpu_tiles_.size() < shown_tiles_)
        gpu_tiles_ << new GpuTile(tiles_holder_);
    for (int i = 0; i < gpu_tiles_.size(); ++i) {
        gpu_tiles_[i]->setVisible(i < shown_tiles_);
        if (i < shown_tiles_)
            gpu_tiles_[i]->setGpu(row.facts->gpus[static_cast<std::size_t>(i)], stale);
    }
    arrangeTiles();
    if (facts) {
        fill(system_, systemLines(*row.facts), stale);
        fill(versions_, versionLines(*row.facts, engine_), stale);
        matrix_->setLinks(row.facts->gpu_links);
        matrix_->setVisible(!row.facts->gpu_links.empty());
        const QString links = linksLine(*row.facts);
        links_text_->setFullText(links);
        links_->setVisible(!row.facts->gpu_links.empty() || !links.isEmpty());
        chart_->setPoints(row.hour, wall_seconds());
    }
    empty_label_->setVisible(!facts);
    empty_label_->setText(asking_ ? tr("Connecting. Details of the host appear here in a moment.")
                                  : tr("This host has not been asked yet. Probe reads what it has: GPUs, memory, disk, "
                                       "versions, clock. Nothing is changed there."));
    problem_->setRow(row);
    // For a host that never answered, only the reason is shown.
    if (!facts && problem_->isVisibleTo(this) && !asking_)
        empty_label_->hide();
}

void HostDetails::arrangeTiles() {
    const int columns = std::clamp((panel_->width() - 32) / kTileWidth, 1, kMostColumns);
    if (columns == columns_ && shown_tiles_ == arranged_)
        return;
    columns_ = columns;
    arranged_ = shown_tiles_;
    for (GpuTile* tile : std::as_const(gpu_tiles_))
        tiles_->removeWidget(tile);
    for (int i = 0; i < shown_tiles_; ++i)
        tiles_->addWidget(gpu_tiles_[i], i / columns, i % columns);
    for (int column = 0; column < kMostColumns; ++column)
        tiles_->setColumnStretch(column, column < columns ? 1 : 0);
}

void HostDetails::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeTiles();
}

}  // namespace trainyard::desktop
