#include "desktop/wizard/read_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "desktop/wizard/draft_model.h"
#include "widgets/label.h"
#include "widgets/scroll_area.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::make_label;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;

namespace {

/// A link's words stand this far inside of its focus frame; all others stand below them.
constexpr int kIndent = 4;

struct Look {
    const char* icon;
    Token token;
};

Look lookOf(ReadPanel::Item::Kind kind) {
    using Kind = ReadPanel::Item::Kind;
    switch (kind) {
        case Kind::kept:
            return {"check", Token::Ok};
        case Kind::translated:
            return {"compare", Token::Info};
        case Kind::repaired:
            return {"wand", Token::Info};
        case Kind::unknown:
            return {"info", Token::TextSecondary};
        case Kind::dropped:
            return {"trash", Token::Warn};
        case Kind::problem:
            return {"error", Token::Error};
    }
    return {"info", Token::TextSecondary};
}

QString kindWord(ReadPanel::Item::Kind kind) {
    using Kind = ReadPanel::Item::Kind;
    switch (kind) {
        case Kind::kept:
            return ReadPanel::tr("kept");
        case Kind::translated:
            return ReadPanel::tr("translated");
        case Kind::repaired:
            return ReadPanel::tr("repaired");
        case Kind::unknown:
            return ReadPanel::tr("unknown");
        case Kind::dropped:
            return ReadPanel::tr("dropped");
        case Kind::problem:
            return ReadPanel::tr("problem");
    }
    return {};
}

ReadPanel::Item::Kind itemKind(settings::ReadNote::Kind kind) {
    using Kind = ReadPanel::Item::Kind;
    switch (kind) {
        case settings::ReadNote::Kind::translated:
            return Kind::translated;
        case settings::ReadNote::Kind::repaired:
            return Kind::repaired;
        case settings::ReadNote::Kind::unknown:
            return Kind::unknown;
        case settings::ReadNote::Kind::dropped:
            return Kind::dropped;
    }
    return Kind::unknown;
}

/// Icon, title (a link when there is a key to go to), sentence.
class ItemRow : public QWidget {
  public:
    ItemRow(const ReadPanel::Item& item, ReadPanel* panel) {
        auto* line = new QHBoxLayout(this);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(4);
        picture_ = new QLabel;
        picture_->setFixedSize(16, 16);
        picture_->setToolTip(kindWord(item.kind));
        const Look look = lookOf(item.kind);
        auto draw = [this, look] {
            picture_->setPixmap(
                Theme::instance().pixmap(QLatin1String(look.icon), look.token, 14, devicePixelRatioF()));
        };
        draw();
        connect(&Theme::instance(), &Theme::changed, this, draw);
        line->addWidget(picture_, 0, Qt::AlignTop);
        auto* words = new QVBoxLayout;
        words->setSpacing(0);
        const Tone tone = item.kind == ReadPanel::Item::Kind::problem ? Tone::Error : Tone::Text;
        if (item.path.isEmpty()) {
            QLabel* title = make_label(item.title, 12, QFont::DemiBold, tone);
            title->setWordWrap(true);
            title->setIndent(kIndent);
            words->addWidget(title);
        } else {
            auto* go = new QPushButton(item.title);
            go->setProperty("kind", QStringLiteral("link"));
            go->setFont(Theme::instance().text(12, QFont::DemiBold));
            go->setToolTip(ReadPanel::tr("Go to %1").arg(item.path));
            go->setAccessibleDescription(item.text);
            go->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
            connect(go, &QPushButton::clicked, panel, [panel, path = item.path] { emit panel->keyActivated(path); });
            words->addWidget(go, 0, Qt::AlignLeft);
        }
        if (!item.text.isEmpty()) {
            QLabel* text = make_label(item.text, 12, QFont::Normal, Tone::Secondary);
            text->setWordWrap(true);
            text->setIndent(kIndent);
            text->setTextInteractionFlags(Qt::TextSelectableByMouse);
            words->addWidget(text);
        }
        line->addLayout(words, 1);
        setAccessibleName(kindWord(item.kind) + QStringLiteral(": ") + item.title);
    }

  private:
    QLabel* picture_;
};

}  // namespace

ReadPanel::ReadPanel(DraftModel* draft, QWidget* parent)
    : QFrame(parent), draft_(draft), list_(new QVBoxLayout), file_(new widgets::ElidedLabel) {
    setProperty("surface", QStringLiteral("panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 8, 10);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(make_label(tr("What was read"), 14, QFont::DemiBold));
    head->addStretch();
    auto* copy = new QPushButton;
    copy->setProperty("kind", QStringLiteral("ghost"));
    copy->setToolTip(tr("Copy the report"));
    copy->setAccessibleName(tr("Copy what was read"));
    Theme::instance().bindIcon(copy, QStringLiteral("copy"));
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(copyText()); });
    head->addWidget(copy);
    layout->addLayout(head);
    file_->setFont(Theme::instance().mono(11));
    widgets::set_tone(file_, Tone::Muted);
    layout->addWidget(file_);
    auto* scroll = widgets::make_scroll_area();
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    content->setProperty("surface", QStringLiteral("clear"));
    list_->setContentsMargins(0, 2, 8, 0);
    list_->setSpacing(8);
    content->setLayout(list_);
    scroll->setWidget(content);
    layout->addWidget(scroll, 1);
    connect(draft_, &DraftModel::opened, this, &ReadPanel::read);
    read();
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
    static_cast<widgets::ElidedLabel*>(file_)->setFullText(QString::fromStdString(original->file));
    for (const Problem& problem : original->problems) {
        QString text = QString::fromStdString(problem.message);
        if (problem.line > 0)
            text = tr("line %1, column %2: %3").arg(problem.line).arg(qMax(1, problem.column)).arg(text);
        const QString key = QString::fromStdString(problem.key);
        items_.push_back({Item::Kind::problem, key.isEmpty() ? tr("The file") : key, text, key});
    }
    int kept = static_cast<int>(original->settings.leaves().size());
    QVector<Item> notes;
    for (const settings::ReadNote& note : original->notes) {
        QString text = QString::fromStdString(note.message);
        if (note.line > 0)
            text = tr("line %1: %2").arg(note.line).arg(text);
        const QString path = QString::fromStdString(note.path);
        // A key that was translated or repaired does not stand as it stood.
        if (note.kind != settings::ReadNote::Kind::dropped && original->settings.has(note.path))
            --kept;
        const bool can_go = note.kind != settings::ReadNote::Kind::dropped;
        notes.push_back({itemKind(note.kind), path.isEmpty() ? tr("The file") : path, text, can_go ? path : QString()});
    }
    items_.push_back({Item::Kind::kept, tr("%n keys kept", nullptr, qMax(0, kept)), tr("as in the file"), {}});
    items_ += notes;
    for (const Item& item : items_)
        list_->addWidget(new ItemRow(item, this));
    list_->addStretch();
}

QString ReadPanel::copyText() const {
    QStringList lines;
    const auto& original = draft_->draft().original();
    if (original)
        lines << QString::fromStdString(original->file);
    for (const Item& item : items_)
        lines << kindWord(item.kind) + QStringLiteral("  ") + item.title + QStringLiteral(": ") + item.text;
    return lines.join(QLatin1Char('\n'));
}

}  // namespace trainyard::desktop
