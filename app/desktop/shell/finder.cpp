// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/finder.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QStyledItemDelegate>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {
const int& kFinderWidth = live_px(560);
const int& kFinderRowHeight = live_px(34);
constexpr int kMostRows = 10;
constexpr int kRightRole = Qt::UserRole + 1;
constexpr int kIconRole = Qt::UserRole + 2;
constexpr int kNumberRole = Qt::UserRole + 3;

// Points, see score(): the exact text of the query counts most, as a whole name most of all.
constexpr int kLetters = 10;
constexpr int kWord = 100;
constexpr int kSeldom = 75;  // more than a word that ends with the query is worth
constexpr int kAsItStands = 10'000;
constexpr int kWhole = 20'000;

class RowPainter : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        Theme& theme = Theme::instance();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state.testFlag(QStyle::State_Selected)) {
            fill_box(*painter, option.rect, 6, theme.color(Token::BgSelected));
        }
        QRect area = option.rect.adjusted(10_px, 0, -10_px, 0);
        if (const int number = index.data(kNumberRole).toInt(); number > 0) {
            fill_box(*painter, QRectF(area.left() + 4_px, area.center().y() - 4_px + 0.5, 8_px, 8_px), 2,
                     theme.runColor(number));
        } else {
            painter->drawPixmap(area.left(), area.center().y() - 8_px + 1,
                                theme.pixmap(index.data(kIconRole).toString(), Token::TextSecondary, 16_px,
                                             painter->device()->devicePixelRatioF()));
        }
        area.setLeft(area.left() + 28_px);
        const QString right = index.data(kRightRole).toString();
        draw_text(*painter, theme.mono(11), Token::TextMuted, area, right, Qt::AlignRight | Qt::AlignVCenter);
        area.setRight(area.right() - painter->fontMetrics().horizontalAdvance(right) - 12_px);
        // In the middle: a path is known by its end.
        const QFont font = theme.text(13);
        draw_text(*painter, font, Token::Text, area,
                  widgets::elided_text(QFontMetrics(font), index.data().toString(), Qt::ElideMiddle, area.width()));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, kFinderRowHeight}; }
};
}  // namespace

Finder::Finder(const QString& name, const QString& placeholder, QWidget* parent, const QString& hint)
    : QFrame(parent), field_(new QLineEdit(this)), list_(named(new QListWidget(this), tr("Found"))) {
    setProperty("surface", QStringLiteral("palette"));
    setAccessibleName(name);
    field_->setPlaceholderText(placeholder);
    field_->setToolTip(field_->placeholderText());
    field_->setAccessibleName(name);
    field_->setFont(Theme::instance().text(14));
    list_->setProperty("surface", QStringLiteral("found"));
    list_->setItemDelegate(new RowPainter(list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(true);
    list_->setFixedHeight(kFinderRowHeight);
    auto* column = make_column({8, 8, 8, 8}, 6, {field_, list_});
    if (!hint.isEmpty()) {
        hint_ = wrapped(make_note(hint, Tone::Muted));
        column->addLayout(make_row({4, 0, 4, 0}, {hint_}));
    }
    setLayout(column);
    field_->installEventFilter(this);
    parent->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &Finder::search);
    connect(list_, &QListWidget::itemClicked, this, &Finder::choose);
    hide();
}

void Finder::open(const QVector<FinderEntry>& entries, const QString& beginning) {
    entries_ = entries;
    before_ = window()->focusWidget();
    {
        const QSignalBlocker quiet(field_);
        field_->setText(beginning);
    }
    search();
    show();
    raise();
    field_->setFocus(Qt::OtherFocusReason);
}

void Finder::add(const QVector<FinderEntry>& entries) {
    entries_ += entries;
    if (!isVisible())
        return;
    const int row = list_->currentRow();
    search();
    if (row > 0 && row < list_->count())
        list_->setCurrentRow(row);
}

void Finder::dismiss() {
    if (!isVisible())
        return;
    hide();
    if (before_ != nullptr)
        before_->setFocus(Qt::OtherFocusReason);
    before_ = nullptr;
}

int Finder::score(const QString& query, const QString& text) {
    int total = 0;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at >= 0) {
            const bool begins = at == 0 || !text.at(at - 1).isLetterOrNumber();
            const qsizetype end = at + word.size();
            const bool ends = end == text.size() || !text.at(end).isLetterOrNumber();
            total +=
                kWord + (begins ? 50 : 0) + (begins && ends ? 50 : 0) - static_cast<int>(std::min<qsizetype>(at, 40));
            continue;
        }
        qsizetype from = 0;
        for (const QChar letter : word) {
            from = text.indexOf(letter, from, Qt::CaseInsensitive);
            if (from < 0)
                return -1;
            ++from;
        }
        total += kLetters;
    }
    return total;
}

void Finder::addRow(const FinderEntry& entry) {
    auto* item = new QListWidgetItem(entry.text, list_);
    item->setData(kRightRole, entry.right);
    item->setData(kIconRole, entry.icon.isEmpty() ? QStringLiteral("right") : entry.icon);
    item->setData(kNumberRole, entry.number);
    shown_ << entry;
}

void Finder::search() {
    const Search wanted = understood(field_->text());
    QVector<std::pair<int, int>> found;
    for (int i = 0; i < entries_.size(); ++i) {
        const FinderEntry& entry = entries_[i];
        if ((wanted.kinds >> entry.kind & 1u) == 0)
            continue;
        int points = score(wanted.query, entry.text);
        if (points < 0 && !entry.words.isEmpty())
            points = score(wanted.query, entry.words);
        if (points < 0)
            continue;
        if (!wanted.query.isEmpty() && entry.text.contains(wanted.query, Qt::CaseInsensitive))
            points += kAsItStands;
        if (!wanted.query.isEmpty() && (entry.text == wanted.query || entry.words == wanted.query))
            points += kWhole;
        if (entry.seldom && points > kWord)
            points -= kSeldom;
        found << std::pair(-points, i);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // Rows that match only scattered letters help with typing errors; hide them if other rows match the word.
    const int best = found.isEmpty() ? 0 : -found.first().first;
    const int least = best > kWord / 2 ? kWord / 2 : 0;
    // Limit the list: typing one more letter is faster than scrolling.
    constexpr int kMostShown = 100;
    list_->clear();
    shown_.clear();
    for (const FinderEntry& made : wanted.made)
        addRow(made);
    for (const auto& [points, i] : std::as_const(found)) {
        if (shown_.size() >= kMostShown || -points < least)
            break;
        addRow(entries_[i]);
    }
    list_->setCurrentRow(shown_.isEmpty() ? -1 : 0);
    place();
}

void Finder::choose() {
    const int row = list_->currentRow();
    if (row < 0 || row >= shown_.size())
        return;
    const std::function<void()> go = shown_[row].go;
    dismiss();
    if (go)
        go();
}

void Finder::place() {
    const int width = std::min(kFinderWidth, parentWidget()->width() - 80_px);
    const int height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
    const int top = 84_px, around = height - list_->minimumHeight();
    const int room = (parentWidget()->height() - top - around - 8_px) / kFinderRowHeight;
    const int rows = std::clamp(static_cast<int>(shown_.size()), 1, std::clamp(room, 1, kMostRows));
    list_->setFixedHeight(rows * kFinderRowHeight);
    setGeometry((parentWidget()->width() - width) / 2, top, width, rows * kFinderRowHeight + around);
}

bool Finder::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        else if (event->type() == QEvent::MouseButtonPress)
            dismiss();
        return QFrame::eventFilter(watched, event);
    }
    if (event->type() == QEvent::FocusOut && isVisible() && !list_->underMouse()) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const int rows = list_->count();
    switch (key->key()) {
        case Qt::Key_Escape:
            dismiss();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose();
            return true;
        case Qt::Key_Down:
        case Qt::Key_Up:
            if (rows > 0)
                list_->setCurrentRow((list_->currentRow() + (key->key() == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        default:
            return false;
    }
}

}  // namespace trainyard::desktop
