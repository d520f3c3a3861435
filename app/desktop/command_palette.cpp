#include "desktop/command_palette.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;

namespace {
constexpr int kWidth = 560;
constexpr int kRow = 34;
constexpr int kMostRows = 10;
constexpr int kRightRole = Qt::UserRole + 1;
constexpr int kIconRole = Qt::UserRole + 2;
constexpr int kNumberRole = Qt::UserRole + 3;

class RowPainter : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        Theme& theme = Theme::instance();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.color(Token::BgSelected));
            painter->drawRoundedRect(option.rect, 6, 6);
        }
        QRect area = option.rect.adjusted(10, 0, -10, 0);
        if (const int number = index.data(kNumberRole).toInt(); number > 0) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.runColor(number));
            painter->drawRoundedRect(QRectF(area.left() + 4, area.center().y() - 3.5, 8, 8), 2, 2);
        } else {
            painter->drawPixmap(area.left(), area.center().y() - 7,
                                theme.pixmap(index.data(kIconRole).toString(), Token::TextSecondary, 16,
                                             painter->device()->devicePixelRatioF()));
        }
        area.setLeft(area.left() + 28);
        const QString right = index.data(kRightRole).toString();
        painter->setFont(theme.mono(11));
        painter->setPen(theme.color(Token::TextMuted));
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, right);
        area.setRight(area.right() - painter->fontMetrics().horizontalAdvance(right) - 12);
        painter->setFont(theme.text(13));
        painter->setPen(theme.color(Token::Text));
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, area.width()));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, kRow}; }
};
}  // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent), field_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setProperty("surface", QStringLiteral("palette"));
    setAccessibleName(tr("Command palette"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    field_->setPlaceholderText(tr("Type a command or the name of a run;  >  finds commands only"));
    field_->setAccessibleName(tr("Search or command"));
    field_->setFont(Theme::instance().text(14));
    list_->setProperty("surface", QStringLiteral("palette"));
    list_->setItemDelegate(new RowPainter(list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(true);
    layout->addWidget(field_);
    layout->addWidget(list_);
    field_->installEventFilter(this);
    parent->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::choose);
    hide();
}

void CommandPalette::open(const QList<QAction*>& actions, const RunSummaries& runs, const QString& beginning) {
    entries_.clear();
    for (QAction* action : actions) {
        if (action->text().isEmpty() || !action->isEnabled())
            continue;
        Entry entry;
        entry.text = action->text();
        entry.right = action->shortcut().toString(QKeySequence::NativeText);
        entry.icon = action->property("icon").toString();
        entry.action = action;
        entries_ << entry;
    }
    for (const RunSummary& run : runs) {
        Entry entry;
        entry.text = run.name + QStringLiteral("   ") + run.id.left(15);
        entry.right = phaseWord(run.phase);
        entry.runId = run.id;
        entry.number = run.number;
        entries_ << entry;
    }
    before_ = window()->focusWidget();
    if (field_->text() == beginning)
        search(beginning);
    field_->setText(beginning);
    place();
    show();
    raise();
    field_->setFocus();
}

void CommandPalette::dismiss() {
    if (!isVisible())
        return;
    hide();
    if (before_ != nullptr)
        before_->setFocus();
    before_ = nullptr;
}

int CommandPalette::score(const QString& query, const QString& text) {
    int total = 0;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at >= 0) {
            const bool begins = at == 0 || !text.at(at - 1).isLetterOrNumber();
            total += 100 + (begins ? 50 : 0) - static_cast<int>(std::min<qsizetype>(at, 40));
            continue;
        }
        qsizetype from = 0;
        for (const QChar letter : word) {
            from = text.indexOf(letter, from, Qt::CaseInsensitive);
            if (from < 0)
                return -1;
            ++from;
        }
        total += 10;
    }
    return total;
}

void CommandPalette::search(const QString& text) {
    const bool only = text.startsWith(QLatin1Char('>'));
    const QString query = only ? text.mid(1) : text;
    QVector<std::pair<int, int>> found;
    for (int i = 0; i < entries_.size(); ++i) {
        if (only && entries_[i].action == nullptr)
            continue;
        const int points = score(query, entries_[i].text);
        if (points >= 0)
            found << std::pair(-points, i);
    }
    std::stable_sort(found.begin(), found.end());
    // The list shows what a person can look through; typing one more letter is faster than scrolling.
    constexpr int kMostShown = 100;
    list_->clear();
    shown_.clear();
    for (const auto& [points, i] : std::as_const(found)) {
        if (shown_.size() == kMostShown)
            break;
        auto* item = new QListWidgetItem(entries_[i].text, list_);
        item->setData(kRightRole, entries_[i].right);
        item->setData(kIconRole, entries_[i].icon.isEmpty() ? QStringLiteral("right") : entries_[i].icon);
        item->setData(kNumberRole, entries_[i].number);
        shown_ << i;
    }
    list_->setCurrentRow(shown_.isEmpty() ? -1 : 0);
    place();
}

void CommandPalette::choose() {
    const int row = list_->currentRow();
    if (row < 0 || row >= shown_.size())
        return;
    const Entry entry = entries_[shown_[row]];
    const QPointer<QAction> action = entry.action;
    dismiss();
    if (action != nullptr)
        action->trigger();
    else
        emit runRequested(entry.runId);
}

void CommandPalette::place() {
    const int rows = std::clamp(static_cast<int>(shown_.size()), 1, kMostRows);
    const int width = std::min(kWidth, parentWidget()->width() - 80);
    list_->setFixedHeight(rows * kRow);
    setGeometry((parentWidget()->width() - width) / 2, 84, width, rows * kRow + 16 + 6 + 32);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
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
