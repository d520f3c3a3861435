// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/read_panel.h"

#include <algorithm>

#include <QEvent>
#include <QScrollArea>

#include "desktop/shell/ui.h"
#include "desktop/wizard/draft_model.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

namespace {

/// A link's words stand this far inside of its focus frame; all others stand below them.
constexpr int kIndent = 4;
const int& kMostReport = live_px(160);

struct Look {
    const char* icon;
    Token token;
    const char* word;
};
/// In the order of ReadPanel::Item::Kind.
constexpr Look kLooks[] = {
    {"check", Token::Ok, QT_TRANSLATE_NOOP("trainyard::desktop::ReadPanel", "kept")},
    {"compare", Token::Info, QT_TRANSLATE_NOOP("trainyard::desktop::ReadPanel", "translated")},
    {"wand", Token::Info, QT_TRANSLATE_NOOP("trainyard::desktop::ReadPanel", "repaired")},
    {"info", Token::TextSecondary, QT_TRANSLATE_NOOP("trainyard::desktop::ReadPanel", "unknown")},
    {"trash", Token::Warn, QT_TRANSLATE_NOOP("trainyard::desktop::ReadPanel", "dropped")},
    {"error", Token::Error, QT_TRANSLATE_NOOP("trainyard::desktop::ReadPanel", "problem")},
};

const Look& itemLook(ReadPanel::Item::Kind kind) {
    return kLooks[static_cast<std::size_t>(kind)];
}

QString kindWord(ReadPanel::Item::Kind kind) {
    return ReadPanel::tr(itemLook(kind).word);
}

ReadPanel::Item::Kind itemKind(settings::ReadNote::Kind kind) {
    using Kind = ReadPanel::Item::Kind;
    using Note = settings::ReadNote::Kind;
    return kind == Note::translated ? Kind::translated
           : kind == Note::repaired ? Kind::repaired
           : kind == Note::dropped  ? Kind::dropped
                                    : Kind::unknown;
}

/// Icon, title (a link when there is a key to go to), sentence.
class ItemRow : public QWidget {
  public:
    ItemRow(const ReadPanel::Item& item, ReadPanel* panel) {
        const Look& look = itemLook(item.kind);
        auto* picture = new IconLabel(14, QLatin1String(look.icon), look.token);
        picture->setFixedSize(16_px, 16_px);
        picture->setToolTip(kindWord(item.kind));
        auto* words = make_column(0, {});
        const Tone tone = item.kind == ReadPanel::Item::Kind::problem ? Tone::Error : Tone::Text;
        if (item.path.isEmpty()) {
            QLabel* title = wrapped(make_label(item.title, 12, QFont::DemiBold, tone));
            title->setIndent(kIndent);
            words->addWidget(title);
        } else {
            auto* go = with_look(new QPushButton(item.title), {.kind = "link"});
            go->setFont(Theme::instance().text(12, QFont::DemiBold));
            go->setToolTip(ReadPanel::tr("Go to %1").arg(item.path));
            go->setAccessibleDescription(item.text);
            go->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
            connect(go, &QPushButton::clicked, panel, [panel, path = item.path] { emit panel->keyActivated(path); });
            words->addWidget(go, 0, Qt::AlignLeft);
        }
        if (!item.text.isEmpty()) {
            QLabel* text = wrapped(make_note(item.text));
            text->setIndent(kIndent);
            text->setTextInteractionFlags(Qt::TextSelectableByMouse);
            words->addWidget(text);
        }
        setLayout(make_row({0, 0, 0, 0}, 4, {{picture, 0, Qt::AlignTop}, {words, 1}}));
        setAccessibleName(kindWord(item.kind) + QStringLiteral(": ") + item.title);
    }
};

}  // namespace

ReadPanel::ReadPanel(DraftModel* draft, QWidget* parent)
    : QFrame(parent),
      draft_(draft),
      list_(make_column({0, 2, 8, 0}, 8, {})),
      scroll_(widgets::make_upright_scroll(list_)),
      file_(make_elided({}, Theme::instance().mono(11), Tone::Muted, Qt::ElideMiddle)) {
    setProperty("surface", QStringLiteral("panel"));
    auto* copy =
        with_look(new QPushButton,
                  {.kind = "ghost", .icon = "copy", .tip = tr("Copy the report"), .name = tr("Copy what was read")});
    connect(copy, &QPushButton::clicked, this, [this] { copy_text(copyText()); });
    setLayout(make_column({14, 10, 8, 10}, 4,
                          {make_row({make_title(tr("What was read"), 14), stretch(), copy}), file_, scroll_}));
    scroll_->widget()->installEventFilter(this);
    connect(draft_, &DraftModel::opened, this, &ReadPanel::read);
    read();
}

/// A short report takes no more than it needs; a long one scrolls.
bool ReadPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
        const QLayout* inside = scroll_->widget()->layout();
        const int width = scroll_->viewport()->width();
        const int needed =
            inside->hasHeightForWidth() ? inside->totalHeightForWidth(width) : inside->totalSizeHint().height();
        scroll_->setFixedHeight(std::min(needed, kMostReport));
    }
    return QFrame::eventFilter(watched, event);
}

void ReadPanel::read() {
    items_.clear();
    while (QLayoutItem* item = list_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto& original = draft_->draft().original();
    setVisible(original.has_value());
    if (!original)
        return;
    file_->setFullText(qt(original->file));
    for (const Problem& problem : original->problems) {
        QString text = qtSentence(problem.message);
        if (problem.line > 0)
            text = tr("line %1, column %2: %3").arg(problem.line).arg(qMax(1, problem.column)).arg(text);
        const QString key = qt(problem.key);
        items_.push_back({Item::Kind::problem, key.isEmpty() ? tr("The file") : key, text, key});
    }
    int kept = static_cast<int>(original->settings.leaves().size());
    QVector<Item> notes;
    for (const settings::ReadNote& note : original->notes) {
        QString text = qtSentence(note.message);
        if (note.line > 0)
            text = tr("line %1: %2").arg(note.line).arg(text);
        const QString path = qt(note.path);
        // A key that was translated or repaired does not stand as it stood.
        if (note.kind != settings::ReadNote::Kind::dropped && original->settings.has(note.path))
            --kept;
        const bool can_go = note.kind != settings::ReadNote::Kind::dropped;
        notes.push_back({itemKind(note.kind), path.isEmpty() ? tr("The file") : path, text, can_go ? path : QString()});
    }
    items_.push_back({Item::Kind::kept, tr("%Ln keys kept", nullptr, qMax(0, kept)), tr("as in the file"), {}});
    items_ += notes;
    for (const Item& item : items_)
        list_->addWidget(new ItemRow(item, this));
    list_->addStretch();
}

QString ReadPanel::copyText() const {
    QStringList lines;
    const auto& original = draft_->draft().original();
    if (original)
        lines << qt(original->file);
    for (const Item& item : items_)
        lines << kindWord(item.kind) + QStringLiteral("  ") + item.title + QStringLiteral(": ") + item.text;
    return lines.join(QLatin1Char('\n'));
}

}  // namespace trainyard::desktop
