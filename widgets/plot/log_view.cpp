#include "widgets/plot/log_view.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

constexpr int kFontPixels = 11;

const char* level_name(LogLevel level) {
    switch (level) {
        case LogLevel::Debug:
            return "DEBUG";
        case LogLevel::Info:
            return "INFO";
        case LogLevel::Warning:
            return "WARN";
        case LogLevel::Error:
            return "ERROR";
        case LogLevel::None:
            break;
    }
    return "";
}

class LineDelegate : public QStyledItemDelegate {
  public:
    LineDelegate(const LogModel* model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        const std::size_t at = model_->lineOfRow(index.row());
        const LogLine& line = model_->store().line(at);
        const std::string_view text = model_->store().text(at);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.color(Token::BgSelected));
        painter->setFont(theme.mono(kFontPixels));
        const int unit = painter->fontMetrics().horizontalAdvance(QLatin1Char('0'));
        QRect place = option.rect.adjusted(12, 0, -8, 0);
        const auto put = [&](const QString& words, int characters, const QColor& color) {
            painter->setPen(color);
            painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
            place.setLeft(place.left() + characters * unit);
        };
        const Token ink = line.level == LogLevel::Error     ? Token::Error
                          : line.level == LogLevel::Warning ? Token::Warn
                                                            : Token::TextSecondary;
        const bool has_head = line.head > 0;
        put(has_head ? QString::fromUtf8(text.data(), 12) : QString(), 14, theme.color(Token::TextMuted));
        put(line.rank < 0 ? QStringLiteral("sup") : QStringLiteral("r%1").arg(line.rank), 5,
            theme.color(Token::TextSecondary));
        put(QLatin1String(level_name(line.level)), 7, theme.color(ink));
        const std::string_view words = text.substr(has_head ? line.head : 0);
        // Longer than any screen is wide: no need to measure all of it.
        QString shown =
            QString::fromUtf8(words.data(), static_cast<qsizetype>(std::min<std::size_t>(words.size(), 1000)));
        painter->setPen(theme.color(line.level == LogLevel::Error ? Token::Error : Token::Text));
        if (static_cast<int>(shown.size()) * unit > place.width())
            shown = painter->fontMetrics().elidedText(shown, Qt::ElideRight, place.width());
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
    }

  private:
    const LogModel* model_;
};

}  // namespace

LogView::LogView(const QString& accessibleName, QWidget* parent)
    : QTableView(parent), model_(new LogModel(this)), button_(new QPushButton(this)) {
    setAccessibleName(accessibleName);
    setModel(model_);
    setItemDelegate(new LineDelegate(model_, this));
    horizontalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setMinimumHeight(2 * kRowHeight);
    button_->setVisible(false);
    button_->setCursor(Qt::ArrowCursor);
    connect(button_, &QPushButton::clicked, this, [this] { setFollowing(true); });
    connect(model_, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { rowsCame(last - first + 1); });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        new_lines_ = 0;
        rowsCame(0);
    });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this,
            [this] { QMetaObject::invokeMethod(this, &LogView::scrolledByUser, Qt::QueuedConnection); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
}

void LogView::setFollowing(bool following) {
    if (following) {
        new_lines_ = 0;
        button_->hide();
        scrollToBottom();
    }
    if (following_ == following)
        return;
    following_ = following;
    emit followingChanged(following);
}

void LogView::rowsCame(int count) {
    if (following_) {
        scrollToBottom();
        return;
    }
    new_lines_ += count;
    button_->setVisible(new_lines_ > 0);
    button_->setText(new_lines_ == 1 ? tr("1 new line ↓") : tr("%1 new lines ↓").arg(new_lines_));
    placeButton();
}

void LogView::placeButton() {
    button_->adjustSize();
    button_->move((viewport()->width() - button_->width()) / 2, viewport()->height() - button_->height() - 6);
}

void LogView::scrolledByUser() {
    const QScrollBar* bar = verticalScrollBar();
    setFollowing(bar->value() >= bar->maximum());
}

void LogView::wheelEvent(QWheelEvent* event) {
    QTableView::wheelEvent(event);
    scrolledByUser();
}

void LogView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (following_)
        scrollToBottom();
    placeButton();
}

void LogView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QModelIndexList rows = selectionModel()->selectedRows();
        std::sort(rows.begin(), rows.end());
        QStringList lines;
        for (const QModelIndex& row : rows)
            lines << model_->copyText(row.row());
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
        return;
    }
    if (event->key() == Qt::Key_End) {
        setFollowing(true);
        return;
    }
    QTableView::keyPressEvent(event);
    scrolledByUser();
}

}  // namespace trainyard::widgets
