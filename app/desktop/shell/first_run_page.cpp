// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/first_run_page.h"

#include <algorithm>

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QMenu>

#include "desktop/launch/engine_link.h"
#include "desktop/shell/first_run_art.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using widgets::Card;

namespace {
constexpr int kMostRecents = 5;
}

FirstRunPage::FirstRunPage(EngineLink* engine, QWidget* parent)
    : Page(tr("Runs"), parent),
      engine_(engine),
      start_(with_look(new QPushButton(tr("Start the sample run")), {.kind = "primary", .icon = "play"})),
      machine_(make_label({}, 13, QFont::Normal, Tone::Secondary)),
      engine_mark_(new IconLabel(14)),
      engine_text_(make_label({}, 13, QFont::Normal, Tone::Secondary)),
      choose_(new QPushButton(tr("Choose engine…"))),
      message_(new widgets::InlineMessage(this)),
      recent_links_(widgets::make_wrapping_row(12, {})),
      recents_(make_frame("panel", make_row({16, 8, 12, 8}, {recent_links_}))) {
    setFacts(tr("Nothing has run yet"));
    auto* frame = new QWidget;
    frame->setMaximumWidth(1080_px);
    auto* middle = make_holder(
        make_row({0, 0, 0, 0}, {stretch(1), {make_column({stretch(2), frame, stretch(3)}), 100}, stretch(1)}));
    middle->setProperty("surface", QStringLiteral("clear"));
    body()->addWidget(widgets::make_scroll_area(middle));

    sample_card_ = makeCard(tr("Try it now"),
                            tr("Trains a small language model on Perl's manual, which is already on this machine."),
                            tr("this machine · about a minute · works offline"), curve_art(), start_, &sample_note_);
    sample_card_->setLit(true);

    auto* own = with_look(new QPushButton(tr("New run")), {.icon = "plus"});
    Card* own_card = makeCard(tr("Start your own"),
                              tr("A few short pages, already filled in. Choose your text and change what you like."),
                              tr("on this machine, 1 to N ranks"),
                              facts_art({{tr("Model"), tr("GPT-2, 1 M to 10.8 M")},
                                         {tr("Data"), tr("your folder")},
                                         {tr("Hardware"), tr("this machine")},
                                         {tr("Precision"), tr("fp32 or bf16")}}),
                              own);

    auto* open = with_look(new QPushButton(tr("Open…")), {.icon = "folder"});
    auto* ways = new QMenu(open);
    ways->addAction(tr("A run folder or a folder of logs…"), this, &FirstRunPage::openFolderRequested);
    ways->addAction(tr("A file…"), this, &FirstRunPage::openRequested);
    ways->addAction(tr("Logs of another machine…"), this, &FirstRunPage::openRemoteRequested);
    open->setMenu(ways);
    Card* open_card = makeCard(
        tr("Watch or open"), tr("A run folder to watch, a TensorBoard folder, or a recipe in YAML to start from."),
        tr("nothing is copied or changed"), drop_art(tr("drop a file or folder anywhere")), open);

    auto* machine = make_frame("panel", make_row({16, 8, 12, 8}, 8,
                                                 {new IconLabel(16, QStringLiteral("hosts")),
                                                  make_title(tr("This machine")),
                                                  machine_,
                                                  gap(16),
                                                  engine_mark_,
                                                  {engine_text_, 1},
                                                  choose_}));
    machine->setMinimumHeight(50_px);

    auto read = [this](const QString& text, const char* page) {
        auto* link = with_look(new QPushButton(text), {.kind = "link"});
        connect(link, &QPushButton::clicked, this, [this, page] { emit manualRequested(QLatin1String(page)); });
        return link;
    };
    recents_->setMinimumHeight(50_px);
    frame->setLayout(make_column(
        {4, 16, 4, 16}, 8,
        {make_title(tr("What would you like to train?"), 24),
         make_label(tr("One click gets you a loss curve. You can close this window at any time; runs continue."), 14,
                    QFont::Normal, Tone::Secondary),
         make_row(20, {read(tr("Getting started"), "getting-started"),
                       read(tr("Start here: features beside a plain loop"), "start-here"), stretch()}),
         message_, make_row(16, {{sample_card_, 1}, {own_card, 1}, {open_card, 1}}), gap(12), machine, recents_}));
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
    facts_.submit([] { return readMachine(); },
                  [this](const MachineFacts& facts) { machine_->setText(machineLine(facts)); });
}

void FirstRunPage::setRecents(const QStringList& paths) {
    auto* line = static_cast<QBoxLayout*>(recent_links_->layout());
    while (QLayoutItem* item = line->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    recents_->setVisible(!paths.isEmpty());
    add_items(line, {new IconLabel(16, QStringLiteral("clock")), make_title(tr("Recently opened"))});
    for (const QString& path : paths.mid(0, kMostRecents)) {
        const QFileInfo info(path);
        auto* link = with_look(new QPushButton(info.dir().dirName() + QLatin1Char('/') + info.fileName()),
                               {.kind = "link", .tip = path, .elides = true});
        link->setProperty("path", true);
        link->setAccessibleDescription(path);
        connect(link, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
        line->addWidget(link);
    }
    line->addStretch();
}

Card* FirstRunPage::makeCard(const QString& title, const QString& text, const QString& note, QWidget* picture,
                             QPushButton* button, QLabel** noteLabel) {
    auto* card = new Card(title);
    QLabel* words = wrapped(make_label(text, 13, QFont::Normal, Tone::Secondary));
    words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    words->setMinimumHeight(52_px);
    button->setMinimumHeight(36_px);
    button->setCursor(Qt::PointingHandCursor);
    QLabel* foot = wrapped(make_note(note, Tone::Muted));
    foot->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    foot->installEventFilter(this);
    notes_ << foot;
    card->setLayout(make_column({20, 20, 20, 16}, 6,
                                {picture, gap(12), make_title(title, 16), {words, 1}, gap(8), button, gap(2), foot}));
    if (noteLabel != nullptr)
        *noteLabel = foot;
    card->setMinimumHeight(330_px);
    card->setAccessibleDescription(text);
    return card;
}

bool FirstRunPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        alignButtons();
    return Page::eventFilter(watched, event);
}

/// The notes below the buttons have one height, so that the buttons are in one line.
void FirstRunPage::alignButtons() {
    int most = 0;
    for (const QLabel* note : std::as_const(notes_)) {
        const QRect room(0, 0, note->width(), QWIDGETSIZE_MAX);
        most = std::max(most, note->fontMetrics().boundingRect(room, Qt::TextWordWrap, note->text()).height());
    }
    for (QLabel* note : std::as_const(notes_))
        note->setMinimumHeight(most);
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
    engine_mark_->setIcon(missing ? QStringLiteral("warn") : QStringLiteral("check"),
                          missing ? Token::Error : Token::Ok);
    engine_mark_->setVisible(missing || engine_->isReady());
    engine_text_->setText(missing              ? tr("engine not ready")
                          : engine_->isReady() ? tr("engine %1 ready").arg(engine_->version())
                                               : tr("looking for the engine"));
    choose_->setVisible(missing);
    if (missing)
        sample_note_->setText(engine_->problem());
    else
        sample_note_->setText(tr("this machine · about a minute · works offline"));
    sample_note_->setForegroundRole(tone_role(missing ? Tone::Error : Tone::Muted));
    if (isVisible())
        alignButtons();
}

}  // namespace trainyard::desktop
