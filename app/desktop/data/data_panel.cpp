// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/data_panel.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QTableView>

#include "base/text.h"
#include "desktop/data/preview_model.h"
#include "desktop/data/token_strip.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {

constexpr int kSampleLines = 3;
const int& kPreviewHeight = live_px(236);
const int& kPicturesHeight = live_px(320);
const int& kPictureRow = live_px(60);
const int &kColumnWidth = live_px(180), &kLeastPreviewColumn = live_px(60);
const int& kRowHeight = live_px(24);

QString files_words(std::size_t files, std::uint64_t bytes) {
    return (files == 1 ? DataPanel::tr("1 file, %1")
                       : DataPanel::tr("%1 files, %2").arg(QLocale().toString(static_cast<qulonglong>(files))))
        .arg(qtNumber(text::file_size(bytes)));
}

QTableView* make_preview(PreviewModel* rows) {
    auto* table = named(new QTableView, DataPanel::tr("First rows"));
    table->setModel(rows);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setWordWrap(false);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setFont(Theme::instance().mono(12));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setSectionsClickable(true);
    table->horizontalHeader()->setDefaultSectionSize(kColumnWidth);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

}  // namespace

DataPanel::DataPanel(QWidget* parent)
    : QFrame(parent),
      facts_(wrapped(make_note({}))),
      use_(new QPushButton),
      read_host_(new QPushButton),
      rows_(new PreviewModel(this)),
      preview_(make_preview(rows_)),
      preview_note_(
          wrapped(make_note(tr("The first rows. Click a column to choose what it is used for."), Tone::Muted))),
      left_out_(wrapped(make_note({}, Tone::Warn))),
      tokens_title_(wrapped(make_note({}))),
      tokens_(new TokenStrip),
      tokens_note_(wrapped(make_note({}, Tone::Muted))),
      samples_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Contents"));
    samples_->setSpacing(3);
    setLayout(make_column({14, 10, 14, 12}, 8,
                          {make_title(tr("Contents")),
                           facts_,
                           {use_, 0, Qt::AlignLeft},
                           {read_host_, 0, Qt::AlignLeft},
                           preview_,
                           preview_note_,
                           left_out_,
                           samples_,
                           tokens_title_,
                           tokens_,
                           tokens_note_,
                           stretch()}));
    for (int i = 0; i < kSampleLines; ++i) {
        auto* line = make_elided({}, Theme::instance().mono(11), Tone::Secondary);
        samples_->addWidget(line);
        lines_ << line;
    }
    preview_->viewport()->installEventFilter(this);
    connect(use_, &QPushButton::clicked, this, [this] { emit patternWanted(look_.pattern); });
    connect(read_host_, &QPushButton::clicked, this, &DataPanel::hostWanted);
    connect(preview_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DataPanel::showTokens);
    connect(preview_->horizontalHeader(), &QHeaderView::sectionClicked, this, &DataPanel::openRoles);
    showLook({}, {}, false);
}

QString DataPanel::roleOf(const QString& column) const {
    for (const Role& role : roles_)
        if (look_.uses.value(role.key) == column)
            return role.label;
    return {};
}

void DataPanel::openRoles(int column) {
    const QString name = look_.columns.value(column);
    if (name.isEmpty() || roles_.isEmpty())
        return;
    QMenu* menu = make_menu(this);
    for (const Role& role : std::as_const(roles_)) {
        const bool used = look_.uses.value(role.key) == name;
        QAction* action = menu->addAction(tr("Use as %1").arg(role.label), this, [this, key = role.key, name, used] {
            emit columnWanted(key, used ? QString() : name);
        });
        action->setCheckable(true);
        action->setChecked(used);
    }
    const QHeaderView* header = preview_->horizontalHeader();
    menu->popup(header->mapToGlobal(QPoint(header->sectionViewportPosition(column), header->height())));
}

void DataPanel::showRows() {
    const bool any = !look_.columns.isEmpty() && !look_.rows.isEmpty();
    const bool pictures = !look_.pictures.isEmpty();
    const bool more = look_.all_columns > look_.columns.size();
    preview_->setVisible(any);
    QStringList note;
    if (!roles_.isEmpty())
        note << tr("The first rows. Click a column to choose what it is used for.");
    if (more)
        note << tr("%1 of %2 columns are shown.")
                    .arg(QLocale().toString(look_.columns.size()), QLocale().toString(look_.all_columns));
    preview_note_->setText(note.join(QLatin1Char(' ')));
    preview_note_->setVisible(any && !note.isEmpty());
    const int row_height = pictures ? kPictureRow : kRowHeight;
    preview_->verticalHeader()->setDefaultSectionSize(row_height);
    preview_->setIconSize({kPictureRow - 8, kPictureRow - 8});
    // Few rows need less room; the bar below them is as high as a row.
    const int wanted = (static_cast<int>(look_.rows.size()) + 1) * row_height + 2 * kRowHeight;
    preview_->setFixedHeight(std::min(pictures ? kPicturesHeight : kPreviewHeight, wanted));
    QStringList uses;
    for (const QString& column : std::as_const(look_.columns))
        uses << roleOf(column);
    rows_->setLook(look_, uses, kPictureRow - 8);
    preview_->resizeColumnsToContents();  // of at most 20 rows
    wanted_.clear();
    for (int column = 0; column < rows_->columnCount(); ++column)
        wanted_ << std::max(preview_->columnWidth(column), kLeastPreviewColumn);
    fitColumns();
    if (any && !preview_->currentIndex().isValid())
        preview_->setCurrentIndex(rows_->index(0, 0));
}

/// A long column does not push the others out of view, but has what they leave.
void DataPanel::fitColumns() {
    int spare = preview_->viewport()->width();
    qsizetype cut = 0;
    for (const int width : std::as_const(wanted_)) {
        spare -= std::min(width, kColumnWidth);
        cut += width > kColumnWidth ? 1 : 0;
    }
    for (qsizetype column = 0; column < wanted_.size(); ++column) {
        int width = std::min(wanted_[column], kColumnWidth);
        if (wanted_[column] > width) {
            const int more = std::clamp(spare / static_cast<int>(cut--), 0, wanted_[column] - width);
            spare -= more;
            width += more;
        }
        preview_->setColumnWidth(static_cast<int>(column), width);
    }
}

bool DataPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        fitColumns();
    return QFrame::eventFilter(watched, event);
}

void DataPanel::showTokens() {
    const inputs::SamplePreviews& all = look_.samples_as_tokens;
    const int row = std::max(0, preview_->currentIndex().row());
    const bool has = row < static_cast<int>(all.rows.size());
    const QString problem = has ? qtSentence(all.rows[static_cast<std::size_t>(row)].problem)
                            : all.problem.empty() || !tells_problem_ ? QString()
                                                                     : qtSentence(all.problem);
    const inputs::SamplePreview sample = has ? all.rows[static_cast<std::size_t>(row)] : inputs::SamplePreview();
    const bool shows = !sample.tokens.empty();
    tokens_title_->setForegroundRole(tone_role(problem.isEmpty() ? Tone::Secondary : Tone::Warn));
    QString title = problem;
    if (shows) {
        title = tr("Row %1 as the model sees it: %Ln tokens", nullptr, static_cast<int>(sample.used))
                    .arg(QLocale().toString(row + 1));
        if (sample.cut > 0)
            title += tr(", %Ln more are cut off by data.sequence_length", nullptr, static_cast<int>(sample.cut));
        const auto tokens = static_cast<std::int64_t>(sample.tokens.size());
        if (sample.used > tokens && tokens >= static_cast<std::int64_t>(inputs::SamplePreview::kMostTokens))
            title += tr(". The first %1 are shown").arg(QLocale().toString(qlonglong{tokens}));
    }
    tokens_title_->setText(title);
    tokens_title_->setVisible(!title.isEmpty());
    tokens_->setTokens(sample.tokens, all.counted != inputs::CountedPart::row);
    tokens_->setVisible(shows);
    const bool nothing = shows && all.counted != inputs::CountedPart::row && sample.counted == 0;
    tokens_note_->setForegroundRole(tone_role(nothing ? Tone::Warn : Tone::Muted));
    tokens_note_->setText(!nothing ? countedWords(all)
                          : sample.cut > 0
                              ? tr("This row has no effect on training: its tokens that count in the loss are cut off. "
                                   "Increase data.sequence_length.")
                              : tr("This row has no effect on training: none of its tokens count in the loss."));
    tokens_note_->setVisible(shows);
}

QString DataPanel::countedWords(const inputs::SamplePreviews& all) {
    switch (all.counted) {
        case inputs::CountedPart::row:
            return tr("The loss compares the label of the row. Tokens are only read.");
        case inputs::CountedPart::answers:
            return tr("The loss compares where the answer, in colour, begins and ends.");
        case inputs::CountedPart::masked:
            return tr("Each step masks some of the tokens in colour, and only those count in the loss.");
        case inputs::CountedPart::tokens:
            break;
    }
    const bool uncounted = std::ranges::any_of(all.rows, [](const inputs::SamplePreview& row) {
        return std::ranges::any_of(row.tokens, [](const inputs::PreviewToken& token) { return !token.counted; });
    });
    QString which = uncounted ? tr("The loss counts the tokens in colour. The others, in outline, are only read.")
                              : tr("The loss counts all tokens.");
    if (all.by_template)
        which = tr("Written by the chat template of the tokenizer.") + QLatin1Char(' ') + which;
    return all.packed ? which + QLatin1Char(' ') + tr("Samples are cut from the rows end to end (data.pack).") : which;
}

void DataPanel::showReading(const QString& host) {
    showLook({}, {}, true);
    facts_->setText(host.isEmpty() ? tr("Reading the first rows…") : tr("Reading the first rows on %1…").arg(host));
}

void DataPanel::showNotRead(const QString& host, const QString& problem) {
    showLook({}, {}, true);
    facts_->setText(problem.isEmpty() ? tr("The files are on %1.").arg(host)
                                      : tr("The files on %1 were not read.").arg(host));
    left_out_->setText(problem);
    left_out_->setVisible(!problem.isEmpty());
    read_host_->setText(problem.isEmpty() ? tr("Show the first rows") : tr("Try again"));
    read_host_->show();
}

void DataPanel::showLook(const DataLook& look, const QVector<Role>& roles, bool hasPath, bool tellsProblem) {
    read_host_->hide();
    if (look.files > 0)
        facts_->setText(
            files_words(look.files, look.bytes) + (look.host.isEmpty() ? QString() : tr(" on %1").arg(look.host)) +
            (look.tokens > 0 ? tr(", %1 tokens").arg(QLocale().toString(static_cast<qulonglong>(look.tokens)))
                             : QString()) +
            (look.class_count > 0 ? tr(", %1 classes").arg(QLocale().toString(qlonglong{look.class_count}))
                                  : QString()));
    else if (!look.pattern.isEmpty())
        facts_->setText(tr("No file has a name that the pattern matches."));
    else if (tellsProblem)
        facts_->setText(hasPath ? tr("No file was read.") : tr("The recipe names no files."));
    else
        facts_->setText(hasPath ? tr("No file was read. A field above says why.")
                                : tr("Choose a file or folder above."));
    use_->setVisible(!look.pattern.isEmpty() && !tellsProblem);
    use_->setText(tr("Use %1: %2").arg(look.pattern, files_words(look.pattern_files, look.pattern_bytes)));
    for (int i = 0; i < lines_.size(); ++i) {
        lines_[i]->setVisible(i < look.samples.size());
        lines_[i]->setFullText(i < look.samples.size() ? tr("… %1 …").arg(look.samples[i]) : QString());
    }
    QStringList left_out;
    if (look.left_out > 0)
        left_out << tr("%Ln of the first records cannot be read and are left out here: %1", nullptr,
                       static_cast<int>(look.left_out))
                        .arg(look.left_out_why);
    if (tellsProblem && !look.problem.isEmpty())
        left_out << look.problem;
    left_out_->setText(left_out.join(QLatin1Char('\n')));
    left_out_->setVisible(!left_out.isEmpty());
    tells_problem_ = tellsProblem;
    const bool same = look == look_ && roles == roles_;
    look_ = look;
    roles_ = roles;
    if (!same || rows_->columnCount() == 0)
        showRows();
    showTokens();
}

}  // namespace trainyard::desktop
