// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/checkpoint_list_panel.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <QFile>
#include <QHeaderView>
#include <QLocale>
#include <QSpinBox>
#include <QTableView>

#include "base/error.h"
#include "base/text.h"
#include "desktop/checkpoints/painted.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/cell_delegate.h"
#include "widgets/drag_out.h"
#include "widgets/number_box.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostFileLines = 40;
constexpr std::size_t kMostCurvePoints = 400;
constexpr int kBest = 3, kLast = 2;

/// Returns the retention policy of the run's recipe, or a default one.
checkpoint::Retention usualPolicy(const inspect::CheckpointList& checkpoint_list) {
    checkpoint::Retention usual;
    usual.keep_best = kBest;
    usual.keep_last = kLast;
    return checkpoint_list.policy.value_or(usual);
}
const QString kBestKey = QStringLiteral("keep_best");
const QString kLastKey = QStringLiteral("keep_last");
const QString kEveryKey = QStringLiteral("keep_every");

/// A sentence with one editable number: "Keep the [3] best checkpoints". `sentence(n)` returns the whole text, with n
/// in it once, as from tr(..., n): the language determines the position of the field, and the other words agree with
/// the number.
QWidget* sentenceWith(QSpinBox* field, const std::function<QString(int)>& sentence) {
    QLabel* before = make_note({});
    QLabel* after = wrapped(make_note({}));
    auto* row = make_holder(make_row({0, 0, 0, 0}, 6, {before, field, {after, 1}}));
    const auto say = [before, after, sentence](int value) {
        const QString all = sentence(value), number = QLocale().toString(value);
        const qsizetype at = all.indexOf(number);
        before->setText(all.left(std::max<qsizetype>(at, 0)).trimmed());
        before->setVisible(!before->text().isEmpty());
        after->setText(at < 0 ? all : all.mid(at + number.size()).trimmed());
    };
    QObject::connect(field, &QSpinBox::valueChanged, row, say);
    say(field->value());
    return row;
}
}  // namespace

CheckpointListPanel::CheckpointListPanel(QWidget* parent)
    : QFrame(parent),
      model_(new CheckpointListModel(this)),
      table_(named(new QTableView, tr("Checkpoints"))),
      dots_(new MetricDots),
      which_(new widgets::SegmentedControl({tr("Val loss"), tr("Train loss")})),
      files_title_(make_title({})),
      files_(new QVBoxLayout),
      best_(named(new widgets::NumberBox, tr("Number of best checkpoints to keep"))),
      last_(named(new widgets::NumberBox, tr("Number of newest checkpoints to keep"))),
      every_(named(new widgets::NumberBox, tr("Interval in steps of the checkpoints to keep"),
                   tr("Checkpoints whose step is a multiple are kept"))),
      preview_(wrapped(make_title({}, 12))),
      prune_(with_look(new QPushButton(tr("Prune…")), {.icon = "trash"})) {
    setProperty("surface", QStringLiteral("panel"));
    table_->setModel(model_);
    widgets::set_rows_look(table_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setFrameShape(QFrame::NoFrame);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    const int kLeastStep = 100_px, kLeastTable = 136_px;  // header, two rows and a scroll bar
    table_->setMinimumHeight(kLeastTable);
    widgets::stretch_column(table_, CheckpointListModel::Step, kLeastStep);
    auto* lines = new QWidget;
    lines->setProperty("surface", QStringLiteral("clear"));
    files_->setContentsMargins(12, 0, 12, 0);
    files_->setSpacing(2);
    lines->setLayout(files_);
    auto* line = new QFrame;
    line->setProperty("surface", QStringLiteral("line"));
    best_->setRange(0, 9999);
    last_->setRange(0, 9999);
    every_->setRange(0, 99'999'999);
    for (QSpinBox* box : {best_, last_, every_})
        box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    every_->setSpecialValueText(QStringLiteral("–"));
    setPlaces(kBest, kLast);
    auto* column = make_column(
        {1, 8, 1, 8}, 6,
        {widgets::make_wrapping_row({12, 0, 10, 0}, 8, {make_title(tr("By step")), stretch(), which_}),
         make_row({10, 0, 8, 0}, {dots_}),
         {table_, 3},
         make_row({12, 0, 12, 0}, {files_title_}),
         {widgets::make_scroll_area(lines), 2},
         line,
         make_column(
             {12, 0, 12, 0}, 4,
             {sentenceWith(best_, [](int n) { return tr("Keep the %Ln best checkpoints", nullptr, n); }),
              sentenceWith(last_, [](int n) { return tr("Keep the %Ln newest checkpoints", nullptr, n); }),
              sentenceWith(every_, [](int n) { return tr("Keep one every %Ln steps, and pinned ones", nullptr, n); })}),
         make_row({12, 0, 12, 0}, {{preview_, 1}, prune_})});
    column->addStrut(364_px);
    setLayout(column);
    // Those of a host have no folder here.
    new widgets::DragOut(table_->viewport(), [this](const QPoint& at) -> QMimeData* {
        const QModelIndex index = table_->indexAt(at);
        if (!index.isValid())
            return nullptr;
        const auto& item = model_->checkpoint_list().items[static_cast<std::size_t>(index.row())];
        return item.host.empty() && item.folder.is_absolute()
                   ? widgets::make_file_data({QFile::decodeName(item.folder.c_str())})
                   : nullptr;
    });
    connect(prune_, &QPushButton::clicked, this, &CheckpointListPanel::pruneRequested);
    connect(which_, &widgets::SegmentedControl::currentChanged, this, &CheckpointListPanel::showDots);
    connect(dots_, &MetricDots::itemClicked, this, &CheckpointListPanel::chosen);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now, const QModelIndex&) {
                if (now.isValid() && now.row() != chosen_)
                    emit chosen(now.row());
            });
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const QPoint at = table_->viewport()->mapFromGlobal(QCursor::pos());
        if (index.column() == CheckpointListModel::Step && index.row() != chosen_ &&
            widgets::tick_area(table_->visualRect(index)).adjusted(-4, -4, 4, 4).contains(at))
            emit otherChosen(index.row() == other_ ? -1 : index.row());
    });
    showPlan();
}

void CheckpointListPanel::setShelf(const inspect::CheckpointList& checkpoint_list,
                                   const std::vector<inspect::InUse>& inUse, const CheckpointCurves& curves) {
    in_use_ = inUse;
    curves_ = curves;
    chosen_ = other_ = -1;
    model_->setShelf(checkpoint_list);
    key_ = QStringLiteral("checkpoints/") + qt(checkpoint_list.folder.string());
    const QJsonObject kept = ViewState::instance().view(key_);
    const checkpoint::Retention usual = usualPolicy(checkpoint_list);
    setPlaces(kept.value(kBestKey).toInt(static_cast<int>(usual.keep_best)),
              kept.value(kLastKey).toInt(static_cast<int>(usual.keep_last)),
              kept.value(kEveryKey).toInt(static_cast<int>(usual.keep_every)));
    const bool metric = std::ranges::any_of(
        checkpoint_list.items, [](const inspect::CheckpointEntry& item) { return item.metric.has_value(); });
    which_->setCurrent(metric || curves_.contains("eval/loss") ? 0 : 1);
    showDots();
    showPlan();
}

void CheckpointListPanel::setPlaces(int best, int last, int every) {
    // Update the sentences without saving: the user did not type these numbers.
    for (const auto& [box, value] : {std::pair(best_, best), {last_, last}, {every_, every}}) {
        disconnect(box, &QSpinBox::valueChanged, this, &CheckpointListPanel::keepPolicy);
        box->setValue(value);
        connect(box, &QSpinBox::valueChanged, this, &CheckpointListPanel::keepPolicy);
    }
    showPlan();
}

/// Saves the view for the next time that this list is opened.
void CheckpointListPanel::keepPolicy() {
    ViewState& views = ViewState::instance();
    views.set(key_, kBestKey, best_->value());
    views.set(key_, kLastKey, last_->value());
    views.set(key_, kEveryKey, every_->value());
    showPlan();
}

void CheckpointListPanel::setChosen(int chosen, int other) {
    chosen_ = chosen;
    other_ = other;
    model_->setTicks(chosen, other);
    if (chosen >= 0 && table_->currentIndex().row() != chosen)
        table_->setCurrentIndex(model_->index(chosen, 0));
    showDots();
}

/// Shows a thinned curve of the run with a dot at each checkpoint. If the validation loss was not logged, shows only
/// the metrics of the checkpoints.
void CheckpointListPanel::showDots() {
    const bool validation = which_->current() == 0;
    const auto curve = curves_.find(validation ? "eval/loss" : "train/loss");
    std::vector<MetricDots::Dot> dots;
    if (curve != curves_.end()) {
        const std::size_t every = std::max<std::size_t>(1, curve->second.size() / kMostCurvePoints);
        for (std::size_t i = 0; i < curve->second.size(); i += every)
            dots.push_back({static_cast<double>(curve->second[i].step), curve->second[i].value, -1, false});
    }
    const auto& items = model_->checkpoint_list().items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        double value = validation && items[i].metric ? *items[i].metric : std::nan("");
        if (std::isnan(value) && curve != curves_.end())
            for (const events::CurvePoint& point : curve->second)
                if (point.step <= items[i].step)
                    value = point.value;
        if (!std::isnan(value) && items[i].step >= 0)
            dots.push_back({static_cast<double>(items[i].step), value, static_cast<int>(i),
                            static_cast<int>(i) == chosen_ || static_cast<int>(i) == other_});
    }
    dots_->setDots(std::move(dots), validation ? tr("Validation loss by step, a dot for each checkpoint")
                                               : tr("Training loss by step, a dot for each checkpoint"));
}

void CheckpointListPanel::showPlan() {
    plan_ = {};
    QString words;
    try {
        checkpoint::Retention policy = usualPolicy(model_->checkpoint_list());
        policy.keep_best = best_->value();
        policy.keep_last = last_->value();
        policy.keep_every = every_->value();
        if (policy.keep_best == 0 && policy.keep_last == 0 && policy.keep_every == 0) {
            words = tr("Best 0 and newest 0 would remove all checkpoints: set one of them to 1 or more");
        } else if (!model_->checkpoint_list().items.empty()) {
            plan_ = inspect::plan_prune(model_->checkpoint_list(), policy, in_use_);
            QStringList steps;
            for (const inspect::PrunePlan::Row& row : plan_.rows)
                if (row.goes && steps.size() < 4)
                    steps << stepWords(model_->checkpoint_list().items[row.item]);
            if (plan_.count > 4)
                steps << QStringLiteral("…");
            words =
                plan_.count == 0
                    ? tr("Removes nothing")
                    : tr("Removes %1: %2").arg(steps.join(QLatin1String(", ")), qtNumber(text::file_size(plan_.bytes)));
        }
    } catch (const UserError& error) {
        words = qtSentence(message_of(error));
    }
    preview_->setText(words);
    prune_->setEnabled(plan_.count > 0);
    model_->setPlan(plan_);
}

void CheckpointListPanel::clearFiles() {
    while (QLayoutItem* item = files_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    file_lines_ = 0;
}

/// `tip`: of a good one; a broken one tells its problem.
void CheckpointListPanel::addFileLine(const char* icon, const std::string& file, std::uint64_t bytes,
                                      const Message& problem, const QString& tip) {
    if (++file_lines_ > kMostFileLines)
        return;
    const bool good = problem.empty();
    auto* mark = named(new IconLabel(14, QLatin1String(good ? icon : "error"), good ? Token::Ok : Token::Error),
                       good ? tr("good") : tr("broken"));
    auto* words = make_elided(qt(file), Theme::instance().text(12), Tone::Text, Qt::ElideMiddle);
    auto* size = make_mono_label(qtNumber(text::file_size(bytes)), 12, Tone::Secondary);
    auto* row = make_holder(make_row({0, 0, 0, 0}, 8, {mark, {words, 1}, size}));
    row->setToolTip(good ? tip : qtSentence(problem));
    files_->addWidget(row);
}

void CheckpointListPanel::setFiles(const inspect::Contents* contents) {
    clearFiles();
    files_title_->setText(contents == nullptr ? QString()
                                              : tr("Files, %1").arg(qtNumber(text::file_size(contents->file_bytes()))));
    if (contents == nullptr)
        return;
    for (const inspect::File& file : contents->files) {
        // A problem of the whole checkpoint (a length in the manifest) also names the file.
        Message problem = file.problem;
        for (const Message& sentence : contents->problems)
            if (problem.empty() && sentence.text().find("/" + file.name) != std::string::npos)
                problem = sentence;
        addFileLine("file", file.name, file.bytes, problem, {});
    }
    files_->addStretch();
}

void CheckpointListPanel::setVerdict(const inspect::Verdict& verdict) {
    clearFiles();
    for (const inspect::CheckedFile& file : verdict.files) {
        const QString how = file.how == inspect::CheckedFile::How::hash ? tr("every byte, against a recorded hash")
                            : file.how == inspect::CheckedFile::How::checksums
                                ? tr("every byte, against the archive's checksums")
                                : tr("header and length only: no checksum is known");
        addFileLine("check", file.name, file.bytes, file.problem, how);
    }
    files_->addStretch();
}

}  // namespace trainyard::desktop
