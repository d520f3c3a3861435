// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>

#include "base/truth.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/expert_model.h"
#include "desktop/wizard/expert_tree.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"
#include "widgets/two_lines.h"

namespace trainyard::desktop {

namespace {
const int& kExpertRowHeight = live_px(36);
const int& kPad = live_px(11);
const int& kTick = live_px(16);
const int& kFieldHeight = live_px(28);
const int& kSegmentPad = live_px(10);
const int& kShortField = live_px(76);
const char kStart[] = "start";

QFont keyFont() {
    return Theme::instance().mono(12);
}
QFont segmentFont() {
    return Theme::instance().text(12, QFont::DemiBold);
}

void paintText(QPainter& painter, const QRect& area, const QString& text, const QFont& font, const QColor& color) {
    draw_elided(painter, font, color, area, text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine);
}

bool is_number(const ExpertRow& row) {
    if (row.recipe != nullptr)
        return row.recipe->type == "whole number" || row.recipe->type == "number";
    return row.key != nullptr && (row.key->type == settings::Type::integer || row.key->type == settings::Type::number);
}

bool is_known(const ExpertRow& row) {
    return row.key != nullptr || row.recipe != nullptr;
}

bool isTrue(const QString& text) {
    return truth_of(text.toStdString()) == Truth::yes;
}
}  // namespace

ExpertDelegate::ExpertDelegate(ExpertFilter* filter, QObject* parent) : QStyledItemDelegate(parent), filter_(filter) {}

const ExpertRow* ExpertDelegate::rowOf(const QModelIndex& index) const {
    return filter_->model()->at(filter_->mapToSource(index));
}

QSize ExpertDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {0, kExpertRowHeight};  // widths of columns are those of the header
}

QRect ExpertDelegate::tickRect(const QRect& cell) {
    return {cell.left() + kPad, cell.center().y() - kTick / 2 + 1, kTick, kTick};
}

QRect ExpertDelegate::valueRect(const QRect& cell, const ExpertRow& row) const {
    const ExpertEditor editor = editor_of(row);
    const int room = cell.width() - kPad - 4;
    int width = room;
    if (editor == ExpertEditor::choices) {
        const QFontMetrics metrics(Theme::instance().text(13));
        int longest = 0;
        for (const QString& option : options_of(row))
            longest = qMax(longest, metrics.horizontalAdvance(option));
        width = longest + 44_px;
    } else if (editor == ExpertEditor::line && is_number(row)) {
        const QString& text = row.set ? row.value : row.standard;
        width = qMax(kShortField, QFontMetrics(keyFont()).horizontalAdvance(text) + 24_px);
    } else if (editor == ExpertEditor::segments) {
        const QVector<QRect> segments = segmentRects(cell, row);
        width = segments.last().right() - segments.first().left() + 5;
        return {cell.left() + kPad, cell.center().y() - kFieldHeight / 2 + 1, width, kFieldHeight};
    }
    return {cell.left() + kPad, cell.center().y() - kFieldHeight / 2 + 1, qMin(width, room), kFieldHeight};
}

QVector<QRect> ExpertDelegate::segmentRects(const QRect& cell, const ExpertRow& row) const {
    QVector<QRect> rects;
    const QFontMetrics metrics(segmentFont());
    int left = cell.left() + kPad + 2;
    for (const QString& option : options_of(row)) {
        const int width = metrics.horizontalAdvance(option) + 2 * kSegmentPad;
        rects << QRect(left, cell.center().y() - 12_px, width, 26_px);
        left += width;
    }
    return rects;
}

QRect ExpertDelegate::fixRect(const QRect& cell, const ExpertRow& row) const {
    if (!row.has_fix)
        return {};
    const int width = QFontMetrics(segmentFont()).horizontalAdvance(row.fix) + 20_px;
    return {cell.right() - width - 8_px, cell.center().y() - 12_px, width, 26_px};
}

void ExpertDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const ExpertRow* row = rowOf(index);
    if (row == nullptr)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    Theme& theme = Theme::instance();
    QRect text = option.rect.adjusted(kPad, 0, -4_px, 0);
    switch (index.column()) {
        case ExpertModel::KeyColumn:
            paintKey(*painter, option.rect, *row);
            break;
        case ExpertModel::ValueColumn: {
            // Do not paint the value below an open editor: it would show at the editor's edges.
            const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
            if (view == nullptr || view->indexWidget(index) == nullptr)
                paintValue(*painter, option.rect, *row);
            break;
        }
        case ExpertModel::DefaultColumn:
            paintText(*painter, text, row->standard, keyFont(), theme.color(Token::TextMuted));
            break;
        case ExpertModel::MeaningColumn:
            paintMeaning(*painter, option.rect, *row, index.data(ExpertModel::ShortRole).toString());
            break;
        default:
            paintText(*painter, text, index.data().toString(), theme.text(12), theme.color(Token::TextMuted));
    }
    painter->restore();
}

void ExpertDelegate::paintKey(QPainter& painter, const QRect& cell, const ExpertRow& row) const {
    const bool quiet = !row.set || !is_known(row);
    if (!row.only_flag)
        widgets::paint_tick(painter, tickRect(cell), row.set);
    QRect text = cell.adjusted(kPad + kTick + 8_px, 0, -8_px, 0);
    if (row.changed) {
        fill_disc(painter, QRectF(cell.right() - 12_px, cell.center().y() - 2, 5_px, 5_px),
                  Theme::instance().color(Token::Warn));
        text.setRight(text.right() - 12_px);
    }
    paintText(painter, text, row.name, keyFont(), Theme::instance().color(quiet ? Token::TextMuted : Token::Text));
}

void ExpertDelegate::paintValue(QPainter& painter, const QRect& cell, const ExpertRow& row) const {
    Theme& theme = Theme::instance();
    const QString shown = row.set ? row.value : row.standard;
    const QColor ink = theme.color(row.set ? Token::Text : Token::TextMuted);
    const QRect box = valueRect(cell, row);
    const bool bad = row.error;
    const QColor border = theme.color(bad ? Token::Error : Token::LineControl);
    const double width = bad ? 2 : 1;
    switch (editor_of(row)) {
        case ExpertEditor::none:
            paintText(painter, box, row.only_flag ? tr("flag of launch") : shown,
                      row.only_flag ? theme.text(12) : keyFont(), theme.color(Token::TextMuted));
            return;
        case ExpertEditor::truth: {
            const bool readable = truth_of(shown.toStdString()) != Truth::neither;
            widgets::paint_tick(painter, {box.left(), cell.center().y() - kTick / 2 + 1, kTick, kTick},
                                readable && isTrue(shown));
            const QString word = shown.isEmpty() ? tr("not set") : shown;
            paintText(painter, box.adjusted(kTick + 8_px, 0, 0, 0), word, theme.text(13, QFont::Medium),
                      bad ? theme.color(Token::Error) : ink);
            return;
        }
        case ExpertEditor::segments: {
            const QVector<QRect> segments = segmentRects(cell, row);
            const QStringList options = options_of(row);
            draw_box(painter, box, 6, theme.color(Token::BgHover), bad ? border : theme.color(Token::BgHover), width);
            for (int i = 0; i < segments.size(); ++i) {
                const bool on = options[i].compare(shown, Qt::CaseInsensitive) == 0;
                if (on)
                    draw_box(painter, segments[i].adjusted(0, 1, 0, -1), 6, theme.color(Token::BgRaised),
                             theme.color(row.set ? Token::LineControl : Token::Line), 1);
                draw_text(painter, on && row.set ? segmentFont() : theme.text(12, QFont::Medium),
                          on && row.set ? theme.color(Token::Text) : theme.color(Token::TextSecondary), segments[i],
                          options[i], Qt::AlignCenter);
            }
            return;
        }
        case ExpertEditor::choices: {
            draw_box(painter, box, 6, theme.color(Token::BgRaised), border, width);
            paintText(painter, box.adjusted(10_px, 0, -26_px, 0), shown, theme.text(13), ink);
            painter.drawPixmap(QRect(box.right() - 22_px, box.center().y() - 7_px, 16_px, 16_px),
                               theme.pixmap(QStringLiteral("down"), Token::TextSecondary, 16_px,
                                            painter.device()->devicePixelRatioF()));
            return;
        }
        case ExpertEditor::line:
            draw_box(painter, box, 6, theme.color(Token::BgRaised), border, width);
            paintText(painter, box.adjusted(10_px, 0, -8_px, 0), shown, keyFont(), ink);
    }
}

void ExpertDelegate::paintMeaning(QPainter& painter, const QRect& cell, const ExpertRow& row,
                                  const QString& words) const {
    Theme& theme = Theme::instance();
    QRect text = cell.adjusted(kPad, 0, -4_px, 0);
    const QRect fix = fixRect(cell, row);
    if (!fix.isNull()) {
        draw_box(painter, fix, 6, theme.color(Token::BgRaised), theme.color(Token::LineControl), 1);
        draw_text(painter, segmentFont(), Token::Text, fix, row.fix, Qt::AlignCenter);
        text.setRight(fix.left() - 8);
    }
    QColor ink = theme.color(row.applies && is_known(row) ? Token::TextSecondary : Token::TextMuted);
    int weight = QFont::Normal;
    if (!row.problem.isEmpty()) {
        const Token token = row.error ? Token::Error : Token::Warn;
        const QString icon = row.error ? QStringLiteral("error") : QStringLiteral("warn");
        painter.drawPixmap(QRect(text.left(), text.center().y() - 6_px, 14_px, 14_px),
                           theme.pixmap(icon, token, 14_px, painter.device()->devicePixelRatioF()));
        text.setLeft(text.left() + 20_px);
        ink = theme.color(token);
        weight = QFont::Medium;
    }
    // A sentence that does not fit in one line is written in two lines of a smaller font.
    const QFont font = theme.text(12, weight);
    if (QFontMetrics(font).horizontalAdvance(words) <= text.width()) {
        paintText(painter, text, words, font, ink);
        return;
    }
    const QFont small = theme.text(11, weight);
    draw_text(painter, small, ink, text, widgets::two_lines(words, small, text.width()));
}

QWidget* ExpertDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    const ExpertRow* row = rowOf(index);
    if (row == nullptr)
        return nullptr;
    auto* self = const_cast<ExpertDelegate*>(this);
    const QPersistentModelIndex place = filter_->mapToSource(index);
    ExpertModel* model = filter_->model();
    filter_->setPinned(row->path);
    QWidget* editor = nullptr;
    switch (editor_of(*row)) {
        case ExpertEditor::segments:
        case ExpertEditor::choices: {
            auto* box = new QComboBox(parent);
            box->addItems(options_of(*row));
            box->setFont(Theme::instance().text(13));
            connect(box, &QComboBox::activated, self, [self, model, place, box](int) {
                model->setTyped(place, box->currentText());
                emit self->commitData(box);
                emit self->closeEditor(box);
            });
            editor = box;
            break;
        }
        case ExpertEditor::line: {
            auto* edit = new QLineEdit(parent);
            edit->setFont(keyFont());
            edit->setPlaceholderText(row->standard);
            const auto typed = [model, place](const QString& text) { model->setTyped(place, text); };
            connect(edit, &QLineEdit::textEdited, self, typed);
            if (const QStringList words = options_of(*row); !words.isEmpty()) {
                edit->setCompleter(new QCompleter(words, edit));
                connect(edit->completer(), qOverload<const QString&>(&QCompleter::activated), self, typed);
            }
            editor = edit;
            break;
        }
        default:
            return nullptr;
    }
    editor->setProperty(kStart, row->set ? QVariant(row->value) : QVariant());
    editor->setAccessibleName(row->path);
    editor->setAccessibleDescription(index.siblingAtColumn(ExpertModel::MeaningColumn).data().toString());
    return editor;
}

void ExpertDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const ExpertRow* row = rowOf(index);
    if (row == nullptr)
        return;
    if (auto* box = qobject_cast<QComboBox*>(editor)) {
        box->setCurrentText(row->set ? row->value : row->standard);
        return;
    }
    auto* edit = qobject_cast<QLineEdit*>(editor);
    // Keep the text while it is typed: `1.` and `007` may be incomplete input.
    if (!edit->isModified() && edit->text() != row->value)
        edit->setText(row->value);
    set_invalid(edit, row->error);
}

void ExpertDelegate::setModelData(QWidget*, QAbstractItemModel*, const QModelIndex&) const {
    // Nothing to commit: every change reached the draft immediately.
    filter_->model()->endEdit();
}

void ExpertDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex& index) const {
    const ExpertRow* row = rowOf(index);
    if (row == nullptr)
        return;
    QRect box = valueRect(option.rect, *row);
    if (qobject_cast<QComboBox*>(editor) != nullptr)
        box.setWidth(qMin(qMax(box.width(), 110_px), option.rect.width() - 8_px));
    box.adjust(0, -1, 0, 1);
    editor->setGeometry(box);
}

}  // namespace trainyard::desktop
