// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_messages.h"

#include <algorithm>

#include <QEvent>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
constexpr int kTold = 10'000;  // ms
const int& kWidestComplaint = live_px(420);
}  // namespace

RunMessages::RunMessages(QWidget* table, QWidget* filter)
    : QFrame(table),
      table_(table),
      filter_(filter),
      folders_(wrapped(make_note({}, Tone::Error))),
      complaint_(wrapped(make_note({}, Tone::Error))),
      waiting_words_(make_note({})),
      told_words_(make_note({})),
      brushed_words_(make_note({})),
      undo_(with_look(new QPushButton(tr("Undo")), {.kind = "link"})) {
    auto* update = with_look(new QPushButton(tr("Update the list")), {.kind = "link"});
    auto* all = with_look(new QPushButton(tr("Show all")), {.kind = "link"});
    waiting_ = make_holder(make_row({0, 0, 0, 0}, {waiting_words_, update, stretch()}));
    told_ = make_holder(make_row({0, 0, 0, 0}, {told_words_, undo_, stretch()}));
    brushed_ = make_holder(make_row({0, 0, 0, 0}, {brushed_words_, all, stretch()}));
    for (QWidget* line : {static_cast<QWidget*>(folders_), waiting_, told_, brushed_})
        line->hide();
    setProperty("surface", QStringLiteral("palette"));
    setLayout(make_column({12, 6, 12, 6}, 2, {folders_, waiting_, told_, brushed_}));
    hide();
    connect(update, &QPushButton::clicked, this, &RunMessages::updateRequested);
    connect(all, &QPushButton::clicked, this, &RunMessages::allRequested);
    connect(undo_, &QPushButton::clicked, this, &RunMessages::undoRequested);
    act_after(told_until_, kTold, this, &RunMessages::hideTold);
    table_->installEventFilter(this);
    filter_->installEventFilter(this);
}

void RunMessages::showFolders(const QString& sentence) {
    if (sentence == folders_->text())
        return;
    folders_->setText(sentence);
    show(folders_, !sentence.isEmpty());
}

void RunMessages::showComplaint(const QString& sentence) {
    complaint_->setText(sentence);
    placeComplaint();
}

void RunMessages::placeComplaint() {
    if (complaint_->text().isEmpty() || !filter_->isVisible()) {
        if (complaint_box_ != nullptr)
            complaint_box_->hide();
        return;
    }
    QWidget* page = filter_->parentWidget();
    while (!page->isAncestorOf(table_))
        page = page->parentWidget();
    if (complaint_box_ == nullptr) {
        complaint_box_ = make_frame("palette", make_column({12, 6, 12, 6}, {complaint_}));
        complaint_box_->setParent(page);
    }
    const int edge = 12_px, widest = std::min(kWidestComplaint, page->width() - 2 * edge);
    const int width = std::min(widest, complaint_box_->layout()->totalSizeHint().width());
    const QRect field(filter_->mapTo(page, QPoint()), filter_->size());
    const int x = std::clamp(field.center().x() - width / 2, edge, std::max(edge, page->width() - edge - width));
    complaint_box_->setGeometry(x, field.bottom() + 4, width, complaint_box_->layout()->totalHeightForWidth(width));
    complaint_box_->show();
    complaint_box_->raise();
}

void RunMessages::showWaiting(const RunsProxy::Waiting& waiting) {
    waiting_words_->setText(waiting.added > 0 ? tr("%Ln new runs", nullptr, waiting.added)
                                              : tr("The order of the runs has changed."));
    show(waiting_, waiting.added > 0 || waiting.moved);
}

void RunMessages::showBrushed(bool any, int inside, int compared) {
    brushed_words_->setText(
        tr("%Ln of %1 compared runs are inside the ranges of the sweep.", nullptr, inside).arg(compared));
    show(brushed_, any);
}

void RunMessages::tell(const QString& words, bool undoable) {
    undo_->setVisible(undoable);
    told_words_->setText(words);
    show(told_, true);
    told_until_.start();
}

void RunMessages::hideTold() {
    show(told_, false);
}

void RunMessages::show(QWidget* line, bool shown) {
    line->setVisible(shown);
    place();
}

void RunMessages::place() {
    const auto lines = {static_cast<QWidget*>(folders_), waiting_, told_, brushed_};
    setVisible(std::ranges::any_of(lines, [](const QWidget* line) { return !line->isHidden(); }));
    if (isHidden())
        return;
    const int edge = 12_px;
    layout()->invalidate();
    const int width = std::max(0, table_->width() - 2 * edge);
    const int height =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : layout()->totalSizeHint().height();
    setGeometry(edge, std::max(0, table_->height() - height - edge), width, height);
    raise();
}

bool RunMessages::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize)
        place();
    if (watched == filter_ && (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                               event->type() == QEvent::Show || event->type() == QEvent::Hide))
        placeComplaint();
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
