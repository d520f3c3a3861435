// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/presets_menu.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTableView>

#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/run_draft.h"
#include "launch/plan/recipe_limit.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kPresetsWidth = live_px(880);
const int& kPresetsHeight = live_px(430);
const int& kPresetRowHeight = live_px(30);
const int& kHeadingHeight = live_px(26);
constexpr int kPresetRole = Qt::UserRole;  ///< number in shown_

/// In the order of Pasted::Kind.
constexpr const char* kKindTitles[] = {QT_TRANSLATE_NOOP("trainyard::desktop::PresetsMenu", "Launch command"),
                                       QT_TRANSLATE_NOOP("trainyard::desktop::PresetsMenu", "torchrun command"),
                                       QT_TRANSLATE_NOOP("trainyard::desktop::PresetsMenu", "Settings file"),
                                       QT_TRANSLATE_NOOP("trainyard::desktop::PresetsMenu", "DeepSpeed JSON")};

void addHeading(QListWidget* list, const QString& text) {
    auto* item = new QListWidgetItem(text, list);
    item->setFlags(Qt::NoItemFlags);
    item->setFont(Theme::instance().text(11, QFont::DemiBold));
    item->setForeground(Theme::instance().color(Token::TextMuted));
    item->setSizeHint({0, kHeadingHeight});
}
}  // namespace

PresetsMenu::PresetsMenu(RunDraft* draft, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      run_(draft),
      draft_(draft->model()),
      list_(new QListWidget),
      title_(make_title({}, 14)),
      help_(wrapped(make_note({}))),
      rows_(new widgets::CellRows({{tr("Key")}, {tr("Now")}, {tr("Then")}}, this)),
      keys_(named(new QTableView, tr("Keys that the preset sets"))),
      notes_(wrapped(make_note({}, Tone::Warn))),
      message_(wrapped(make_note({}, Tone::Error))),
      name_(named(new QLineEdit, tr("Name of the new preset"))),
      save_(with_look(new QPushButton(tr("Save")), {.elides = true})),
      clipboard_(with_look(new QPushButton(tr("From the clipboard")),
                           {.icon = "copy",
                            .tip = tr("An accelerate or torchrun command, a settings file or a DeepSpeed JSON"),
                            .elides = true})),
      delete_(with_look(new QPushButton(tr("Delete")), {.kind = "danger"})),
      apply_(with_look(new QPushButton(tr("Apply")), {.kind = "primary"})) {
    setProperty("surface", QStringLiteral("palette"));
    setAccessibleName(tr("Presets"));
    resize(kPresetsWidth, kPresetsHeight);
    setLayout(make_row({12, 12, 12, 12}, 14, {makeChoices(), {makeDetails(), 1}}));

    connect(list_, &QListWidget::currentRowChanged, this, &PresetsMenu::showChoice);
    connect(list_, &QListWidget::itemActivated, this, &PresetsMenu::apply);
    connect(draft_, &DraftModel::changed, this, [this] {
        if (isVisible())
            showChoice();
    });
    connect(clipboard_, &QPushButton::clicked, this,
            [this] { importText(QApplication::clipboard()->text(QClipboard::Clipboard)); });
    connect(save_, &QPushButton::clicked, this, [this] { saveAsPreset(name_->text()); });
    connect(name_, &QLineEdit::returnPressed, this, [this] { saveAsPreset(name_->text()); });
    connect(delete_, &QPushButton::clicked, this, &PresetsMenu::deleteChoice);
    connect(apply_, &QPushButton::clicked, this, &PresetsMenu::apply);
    fill();
}

QWidget* PresetsMenu::makeChoices() {
    list_->setProperty("surface", QStringLiteral("choices"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("Presets"));
    list_->setFont(Theme::instance().text(13));
    name_->setPlaceholderText(tr("Name"));
    auto* column = make_holder(make_column({0, 0, 0, 0}, 8,
                                           {{list_, 1},
                                            clipboard_,
                                            wrapped(make_note(tr("Save the current settings"))),
                                            widgets::make_wrapping_row(6, {{name_, 1}, save_})}));
    return choices_ = column;
}

QWidget* PresetsMenu::makeDetails() {
    keys_->setProperty("surface", QStringLiteral("choices"));
    keys_->setModel(rows_);
    widgets::set_rows_look(keys_);
    widgets::set_quiet_look(keys_, 26_px);
    keys_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    keys_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    keys_->horizontalHeader()->setMinimumSectionSize(64_px);  // titles of values
    keys_->setSelectionMode(QAbstractItemView::NoSelection);
    for (QLabel* label : {notes_, message_})
        label->hide();
    apply_->setMinimumWidth(96_px);
    return make_holder(make_column(
        {0, 0, 0, 0}, 6, {title_, help_, {keys_, 1}, notes_, message_, make_row({delete_, stretch(), apply_})}));
}

void PresetsMenu::popup(QWidget* button) {
    message_->hide();
    name_->clear();
    const QRect screen = button->screen()->availableGeometry();
    resize(QSize(kPresetsWidth, kPresetsHeight).boundedTo(screen.size()));
    int names = 0;
    for (int row = 0; row < list_->count(); ++row)
        names = std::max(names, list_->fontMetrics().horizontalAdvance(list_->item(row)->text()));
    // On a small screen, the keys need the rest.
    choices_->setFixedWidth(
        std::clamp(names + 40_px, std::min(230_px, width() * 3 / 10), std::min(280_px, width() * 34 / 100)));
    const QPoint corner = button->mapToGlobal(QPoint(button->width() - width(), button->height() + 4));
    move(qBound(screen.left(), corner.x(), qMax(screen.left(), screen.right() - width())),
         qBound(screen.top(), corner.y(), qMax(screen.top(), screen.bottom() - height())));
    show();
    list_->setFocus();
    readOwn();
}

void PresetsMenu::readOwn() {
    struct Read {
        std::vector<OwnPreset> presets;
        std::vector<Message> problems;
    };
    reading_.submit(
        [] {
            Read read;
            read.presets = read_own_presets(read.problems);
            return read;
        },
        [this](Read read) {
            own_ = std::move(read.presets);
            fill();
            if (!read.problems.empty())
                say(qtSentence(read.problems.front()), true);
        });
}

void PresetsMenu::fill() {
    const Choice* now = current();
    const std::string wanted = !wanted_.isEmpty() ? wanted_.toStdString() : now != nullptr ? now->preset.id : "";
    wanted_.clear();
    shown_.clear();
    const QSignalBlocker quiet(list_);
    list_->clear();
    int row = -1;
    auto add = [&](Choice choice) {
        auto* item = new QListWidgetItem(choice.name(), list_);
        item->setSizeHint({0, kPresetRowHeight});
        item->setData(kPresetRole, static_cast<int>(shown_.size()));
        item->setToolTip(choice.help());
        if (row < 0 || choice.preset.id == wanted)
            row = list_->count() - 1;
        shown_.push_back(std::move(choice));
    };
    if (pasted_) {
        addHeading(list_, tr("CLIPBOARD"));
        add(*pasted_);
    }
    addHeading(list_, tr("BUILT IN"));
    for (const settings::Preset& preset : settings::Draft::presets())
        add({preset, {}, {}});
    if (!own_.empty())
        addHeading(list_, tr("YOUR OWN"));
    for (const OwnPreset& own : own_)
        add({own.preset, own.file, {}});
    list_->setCurrentRow(row);
    showChoice();
}

const PresetsMenu::Choice* PresetsMenu::current() const {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr || !item->data(kPresetRole).isValid())
        return nullptr;
    const auto number = static_cast<std::size_t>(item->data(kPresetRole).toInt());
    return number < shown_.size() ? &shown_[number] : nullptr;
}

QString PresetsMenu::Choice::name() const {
    return file.empty() && !pasted ? engineWords(preset.name) : qt(preset.name);
}

QString PresetsMenu::Choice::help() const {
    return file.empty() && !pasted ? engineWords(preset.help) : qt(preset.help);
}

void PresetsMenu::showChoice() {
    const Choice* choice = current();
    apply_->setEnabled(choice != nullptr);
    delete_->setVisible(choice != nullptr && !choice->file.empty());
    delete_->setText(tr("Delete"));
    if (choice == nullptr)
        return;
    title_->setText(choice->name());
    help_->setText(choice->help());
    const auto& keys = choice->preset.keys;
    std::vector<plan::RecipeLimit> left_out;
    if (!choice->pasted)
        run_->usablePreset(choice->preset, &left_out);
    QVector<widgets::CellRows::Row> rows;
    int changes = 0;
    for (const auto& [path, value] : keys) {
        const Value* now = draft_->settings().find(path);
        const bool is_left_out = std::ranges::find(left_out, path, &plan::RecipeLimit::key) != left_out.end();
        const bool differs = !is_left_out && (value.is_null() ? now != nullptr : now == nullptr || !(*now == value));
        changes += differs ? 1 : 0;
        const QString texts[] = {qt(path), now != nullptr ? valueText(*now) : tr("not set"),
                                 is_left_out       ? tr("left out")
                                 : value.is_null() ? tr("removed")
                                                   : valueText(value)};
        const Token ink = differs ? Token::Text : Token::TextMuted;
        rows << widgets::CellRows::Row{{{.text = texts[0], .mono = true, .ink = ink}, texts[0]},
                                       {{.text = texts[1], .mono = true, .ink = Token::TextMuted}, texts[1]},
                                       {{.text = texts[2], .mono = true, .strong = differs, .ink = ink}, texts[2]}};
    }
    rows_->setRows(rows);
    apply_->setText(choice->pasted && choice->pasted->kind == Pasted::Kind::settings_file ? tr("Open") : tr("Apply"));
    apply_->setToolTip(changes > 0 ? tr("Keys that change: %1").arg(changes)
                                   : tr("These settings are already in effect"));
    QStringList notes;
    for (const plan::RecipeLimit& limit : left_out)
        notes << tr("Not applied, because the engine does not support it: %1.").arg(qtClause(limit.sentence()));
    if (choice->pasted)
        for (const Message& note : choice->pasted->notes)
            notes << qtSentence(note);
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
}

void PresetsMenu::say(const QString& sentence, bool bad) {
    message_->setText(sentence);
    message_->setForegroundRole(tone_role(bad ? Tone::Error : Tone::Ok));
    message_->setVisible(!sentence.isEmpty());
}

void PresetsMenu::importText(const QString& text) {
    const settings::Machine& machine = draft_->draft().questionnaire().machine();
    try {
        Choice choice;
        choice.pasted = read_pasted(text.toStdString(), machine.device != "cpu" && machine.device_count > 0);
        choice.preset.id = "pasted";
        choice.preset.name = tr(kKindTitles[static_cast<int>(choice.pasted->kind)]).toStdString();
        choice.preset.help = choice.pasted->program.empty()
                                 ? tr("from the clipboard").toStdString()
                                 : tr("for %1").arg(qt(choice.pasted->program)).toStdString();
        choice.preset.keys = choice.pasted->keys;
        if (choice.pasted->kind == Pasted::Kind::settings_file)
            for (auto& [path, value] : choice.pasted->loaded.settings.leaves())
                choice.preset.keys.emplace_back(path, value);
        pasted_ = std::move(choice);
        wanted_ = QStringLiteral("pasted");
        fill();
        say({}, false);
    } catch (const UserError& error) {
        say(qtSentence(message_of(error)), true);
    }
}

void PresetsMenu::apply() {
    const Choice* choice = current();
    if (choice == nullptr)
        return;
    const Choice chosen = *choice;
    if (chosen.pasted && chosen.pasted->kind == Pasted::Kind::settings_file)
        draft_->open(chosen.pasted->loaded);
    else if (chosen.pasted)
        draft_->applyPreset(chosen.preset);
    else
        run_->applyPreset(chosen.preset);
    close();
    emit applied(chosen.name());
    if (!chosen.pasted || chosen.pasted->program.empty())
        return;
    QStringList arguments;
    for (const std::string& argument : chosen.pasted->arguments)
        arguments << qt(argument);
    emit programPasted(qt(chosen.pasted->program), arguments);
}

void PresetsMenu::saveAsPreset(const QString& name) {
    if (name.trimmed().isEmpty()) {
        say(tr("Enter a name for the preset."), true);
        name_->setFocus();
        return;
    }
    writing_.inOrder(
        writing_.key(),
        [name = name.toStdString(), settings = draft_->settings()] { return save_own_preset(name, settings); },
        [this](const OwnPreset& own) {
            wanted_ = qt(own.preset.id);
            name_->clear();
            say(tr("Saved as “%1”.").arg(qt(own.preset.name)), false);
            readOwn();
        },
        [this](const QString& error) { say(error, true); });
}

void PresetsMenu::deleteChoice() {
    const Choice* choice = current();
    if (choice == nullptr || choice->file.empty())
        return;
    // It cannot be undone: the button itself asks, by name.
    const QString question = tr("Delete “%1”").arg(qt(choice->preset.name));
    if (delete_->text() != question) {
        delete_->setText(question);
        return;
    }
    writing_.inOrder(
        writing_.key(), [file = choice->file] { delete_own_preset(file); }, [this] { readOwn(); },
        [this](const QString& error) { say(error, true); });
}

void PresetsMenu::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste)) {
        importText(QApplication::clipboard()->text());
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QFrame::keyPressEvent(event);
}

}  // namespace trainyard::desktop
