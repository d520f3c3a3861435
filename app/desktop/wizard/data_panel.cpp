// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/data_panel.h"

#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QTableWidget>

#include "base/text.h"
#include "desktop/ui.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {

constexpr int kSampleLines = 3;
constexpr int kPreviewHeight = 236;
constexpr int kColumnWidth = 180;
constexpr int kRowHeight = 24;

QString files_words(std::size_t files, std::uint64_t bytes) {
    return (files == 1 ? DataPanel::tr("1 file, %1")
                       : DataPanel::tr("%1 files, %2").arg(QLocale().toString(static_cast<qulonglong>(files))))
        .arg(qtNumber(text::file_size(bytes)));
}

QTableWidget* make_preview() {
    auto* table = named(new QTableWidget, DataPanel::tr("First rows"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setWordWrap(false);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setFont(Theme::instance().mono(12));
    table->setFixedHeight(kPreviewHeight);
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
      facts_(wrapped(make_mono_label({}, 12))),
      use_(new QPushButton),
      preview_(make_preview()),
      preview_note_(
          wrapped(make_note(tr("The first rows. Click a column to choose what it is used for."), Tone::Muted))),
      tokens_(wrapped(make_mono_label({}, 11, Tone::Secondary))),
      samples_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Contents"));
    samples_->setSpacing(3);
    setLayout(make_column(
        {14, 10, 14, 12}, 8,
        {make_title(tr("Contents")), facts_, {use_, 0, Qt::AlignLeft}, preview_, preview_note_, samples_, tokens_}));
    for (int i = 0; i < kSampleLines; ++i) {
        auto* line = make_elided({}, Theme::instance().mono(11), Tone::Secondary);
        samples_->addWidget(line);
        lines_ << line;
    }
    connect(use_, &QPushButton::clicked, this, [this] { emit patternWanted(look_.pattern); });
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
    preview_->setVisible(!look_.columns.isEmpty());
    preview_note_->setVisible(!look_.columns.isEmpty() && !roles_.isEmpty());
    preview_->setColumnCount(static_cast<int>(look_.columns.size()));
    preview_->setRowCount(static_cast<int>(look_.rows.size()));
    for (int column = 0; column < preview_->columnCount(); ++column) {
        const QString role = roleOf(look_.columns[column]);
        const QString name = widgets::visible_text(look_.columns[column]);
        auto* head = new QTableWidgetItem(role.isEmpty() ? name : tr("%1 · %2").arg(name, role));
        QFont font = Theme::instance().text(12, role.isEmpty() ? QFont::Normal : QFont::DemiBold);
        head->setFont(font);
        head->setToolTip(tr("%1: %2").arg(name, look_.column_types.value(column)));
        preview_->setHorizontalHeaderItem(column, head);
        for (int row = 0; row < preview_->rowCount(); ++row) {
            const QString text = widgets::visible_text(look_.rows[row].value(column));
            auto* cell = new QTableWidgetItem(text);
            cell->setToolTip(text);
            preview_->setItem(row, column, cell);
        }
    }
}

void DataPanel::showLook(const DataLook& look, const QVector<Role>& roles, bool hasPath) {
    if (look.files > 0)
        facts_->setText(files_words(look.files, look.bytes) +
                        (look.tokens > 0
                             ? tr(", %1 tokens").arg(QLocale().toString(static_cast<qulonglong>(look.tokens)))
                             : QString()) +
                        (look.class_count > 0 ? tr(", %1 classes").arg(QLocale().toString(qlonglong{look.class_count}))
                                              : QString()));
    else if (!look.pattern.isEmpty())
        facts_->setText(tr("No file has a name that the pattern matches."));
    else
        facts_->setText(hasPath ? tr("No file was read. A field above says why.")
                                : tr("Choose a file or folder above."));
    use_->setVisible(!look.pattern.isEmpty());
    use_->setText(tr("Use %1: %2").arg(look.pattern, files_words(look.pattern_files, look.pattern_bytes)));
    const bool table = !look.columns.isEmpty();
    for (int i = 0; i < lines_.size(); ++i) {
        lines_[i]->setVisible(!table && i < look.samples.size());
        lines_[i]->setFullText(i < look.samples.size() ? tr("… %1 …").arg(look.samples[i]) : QString());
    }
    QStringList pieces;
    for (const QString& token : look.token_texts)
        pieces << widgets::visible_text(QString(token).replace(QLatin1Char('\n'), QStringLiteral("⏎")));
    tokens_->setText(tr("First sample as tokens: %1").arg(pieces.join(QStringLiteral("│"))));
    tokens_->setVisible(!pieces.isEmpty());
    const bool same = look == look_ && roles == roles_;
    look_ = look;
    roles_ = roles;
    if (!same || preview_->columnCount() == 0)
        showRows();
}

}  // namespace trainyard::desktop
