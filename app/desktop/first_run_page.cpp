#include "desktop/first_run_page.h"

#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>

#include "desktop/engine_link.h"
#include "desktop/first_run_art.h"
#include "widgets/label.h"
#include "widgets/scroll_area.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Card;
using widgets::make_label;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;

namespace {
constexpr int kMostRecents = 5;
}

FirstRunPage::FirstRunPage(EngineLink* engine, QWidget* parent)
    : Page(tr("Runs"), parent),
      engine_(engine),
      start_(new QPushButton(tr("Start the sample run"))),
      machine_(make_label({}, 13, QFont::Normal, Tone::Secondary)),
      engine_mark_(new QLabel),
      engine_text_(make_label({}, 13, QFont::Normal, Tone::Secondary)),
      choose_(new QPushButton(tr("Choose engine…"))),
      message_(new widgets::InlineMessage(this)),
      recents_(new QFrame),
      recent_line_(new QHBoxLayout(recents_)) {
    setFacts(tr("Nothing has run yet"));
    auto* scroll = widgets::make_scroll_area();
    auto* middle = new QWidget;
    middle->setProperty("surface", QStringLiteral("clear"));
    scroll->setWidget(middle);
    body()->addWidget(scroll);
    auto* outer = new QHBoxLayout(middle);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addStretch(1);
    auto* column = new QVBoxLayout;
    outer->addLayout(column, 100);
    outer->addStretch(1);
    auto* frame = new QWidget;
    frame->setMaximumWidth(1080);
    column->addStretch(2);
    column->addWidget(frame);
    column->addStretch(3);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(4, 16, 4, 16);
    layout->setSpacing(8);
    layout->addWidget(make_label(tr("What would you like to train?"), 24, QFont::DemiBold));
    layout->addWidget(
        make_label(tr("One click gets you a loss curve. You can close this window at any time; runs continue."), 14,
                   QFont::Normal, Tone::Secondary));
    layout->addSpacing(10);
    layout->addWidget(message_);

    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    start_->setProperty("kind", QStringLiteral("primary"));
    Theme::instance().bindIcon(start_, QStringLiteral("play"), Token::OnAccent);
    sample_card_ = makeCard(tr("Try it now"),
                            tr("Trains a small language model on Perl's manual, which is already on this machine."),
                            tr("this machine · about a minute · works offline"), new CurveArt, start_, &sample_note_);
    sample_card_->setLit(true);
    cards->addWidget(sample_card_, 1);

    auto* own = new QPushButton(tr("New run"));
    Theme::instance().bindIcon(own, QStringLiteral("plus"), Token::Text);
    Card* own_card = makeCard(tr("Start your own"),
                              tr("A few short pages, already filled in. Choose your text and change what you like."),
                              tr("on this machine, 1 to N ranks"),
                              new FactsArt({{tr("Model"), tr("GPT-2, 1 M to 10.8 M")},
                                            {tr("Data"), tr("your folder")},
                                            {tr("Hardware"), tr("this machine")},
                                            {tr("Precision"), tr("fp32 or bf16")}}),
                              own);
    cards->addWidget(own_card, 1);

    auto* open = new QPushButton(tr("Open…"));
    Theme::instance().bindIcon(open, QStringLiteral("folder"), Token::Text);
    auto* ways = new QMenu(open);
    connect(ways->addAction(tr("A run folder or a folder of logs…")), &QAction::triggered, this,
            &FirstRunPage::openFolderRequested);
    connect(ways->addAction(tr("A file…")), &QAction::triggered, this, &FirstRunPage::openRequested);
    connect(ways->addAction(tr("Logs of another machine…")), &QAction::triggered, this,
            &FirstRunPage::openRemoteRequested);
    open->setMenu(ways);
    Card* open_card = makeCard(
        tr("Watch or open"), tr("A run folder to watch, a TensorBoard folder, or a recipe in YAML to start from."),
        tr("nothing is copied or changed"), new DropArt(tr("drop a file or folder anywhere")), open);
    cards->addWidget(open_card, 1);
    layout->addLayout(cards);
    layout->addSpacing(12);

    auto* machine = new QFrame;
    machine->setProperty("surface", QStringLiteral("panel"));
    machine->setMinimumHeight(50);
    auto* line = new QHBoxLayout(machine);
    line->setContentsMargins(16, 8, 12, 8);
    line->setSpacing(8);
    auto* picture = new QLabel;
    auto draw = [picture, this] {
        picture->setPixmap(
            Theme::instance().pixmap(QStringLiteral("hosts"), Token::TextSecondary, 16, devicePixelRatioF()));
    };
    draw();
    connect(&Theme::instance(), &Theme::changed, picture, draw);
    line->addWidget(picture);
    line->addWidget(make_label(tr("This machine"), 13, QFont::DemiBold));
    line->addWidget(machine_);
    line->addSpacing(16);
    line->addWidget(engine_mark_);
    line->addWidget(engine_text_, 1);
    line->addWidget(choose_);
    layout->addWidget(machine);

    recents_->setProperty("surface", QStringLiteral("panel"));
    recents_->setMinimumHeight(50);
    recent_line_->setContentsMargins(16, 8, 12, 8);
    recent_line_->setSpacing(12);
    layout->addWidget(recents_);
    setRecents({});

    connect(start_, &QPushButton::clicked, this, &FirstRunPage::sampleRequested);
    connect(sample_card_, &Card::activated, start_, &QPushButton::click);
    connect(own, &QPushButton::clicked, this, &FirstRunPage::newRunRequested);
    connect(own_card, &Card::activated, own, &QPushButton::click);
    connect(open_card, &Card::activated, open, &QPushButton::click);
    connect(choose_, &QPushButton::clicked, this, &FirstRunPage::engineChooseRequested);
    connect(engine_, &EngineLink::changed, this, &FirstRunPage::engineChanged);
    connect(&Theme::instance(), &Theme::changed, this, &FirstRunPage::engineChanged);
    engineChanged();
    facts_.submit([](const widgets::Cancelled&) { return readMachine(); },
                  [this](const MachineFacts& facts) { machine_->setText(machineLine(facts)); });
}

void FirstRunPage::setRecents(const QStringList& paths) {
    while (QLayoutItem* item = recent_line_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    recents_->setVisible(!paths.isEmpty());
    auto* picture = new QLabel;
    picture->setPixmap(
        Theme::instance().pixmap(QStringLiteral("clock"), Token::TextSecondary, 16, devicePixelRatioF()));
    recent_line_->addWidget(picture);
    recent_line_->addWidget(make_label(tr("Opened lately"), 13, QFont::DemiBold));
    for (const QString& path : paths.mid(0, kMostRecents)) {
        auto* link = new QPushButton(QFileInfo(path).fileName());
        link->setProperty("kind", QStringLiteral("link"));
        link->setToolTip(path);
        link->setAccessibleDescription(path);
        connect(link, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
        recent_line_->addWidget(link);
    }
    recent_line_->addStretch();
}

Card* FirstRunPage::makeCard(const QString& title, const QString& text, const QString& note, QWidget* picture,
                             QPushButton* button, QLabel** noteLabel) {
    auto* card = new Card(title);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(6);
    layout->addWidget(picture);
    layout->addSpacing(12);
    layout->addWidget(make_label(title, 16, QFont::DemiBold));
    QLabel* words = make_label(text, 13, QFont::Normal, Tone::Secondary);
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    words->setMinimumHeight(52);
    layout->addWidget(words, 1);
    layout->addSpacing(8);
    button->setMinimumHeight(36);
    button->setCursor(Qt::PointingHandCursor);
    layout->addWidget(button);
    layout->addSpacing(2);
    QLabel* foot = make_label(note, 12, QFont::Normal, Tone::Muted);
    foot->setWordWrap(true);
    layout->addWidget(foot);
    if (noteLabel != nullptr)
        *noteLabel = foot;
    card->setMinimumHeight(330);
    card->setAccessibleDescription(text);
    return card;
}

QWidget* FirstRunPage::firstFocus() {
    return start_;
}

void FirstRunPage::primaryAction() {
    start_->click();
}

void FirstRunPage::setLaunching(bool launching) {
    start_->setEnabled(!launching);
    start_->setText(launching ? tr("Starting…") : tr("Start the sample run"));
    if (launching)
        message_->dismiss();
}

void FirstRunPage::showError(const QString& title, const QString& words) {
    setLaunching(false);
    start_->setFocus();  // a disabled button gives its focus away
    message_->showMessage(widgets::InlineMessage::Kind::Error, title, words);
}

void FirstRunPage::engineChanged() {
    const bool missing = !engine_->problem().isEmpty();
    engine_mark_->setPixmap(Theme::instance().pixmap(missing ? QStringLiteral("warn") : QStringLiteral("check"),
                                                     missing ? Token::Error : Token::Ok, 14, devicePixelRatioF()));
    engine_mark_->setVisible(missing || engine_->isReady());
    engine_text_->setText(missing              ? tr("engine not ready")
                          : engine_->isReady() ? tr("engine %1 ready").arg(engine_->version())
                                               : tr("looking for the engine"));
    choose_->setVisible(missing);
    if (missing)
        sample_note_->setText(engine_->problem());
    else
        sample_note_->setText(tr("this machine · about a minute · works offline"));
    widgets::set_tone(sample_note_, missing ? Tone::Error : Tone::Muted);
}

}  // namespace trainyard::desktop
