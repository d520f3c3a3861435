// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/action_collection.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QUndoGroup>
#include <QUndoStack>

namespace trainyard::desktop {

namespace {

constexpr const char* kCommandOf = "commandId";
constexpr const char* kTextOf = "commandText";
constexpr const char* kOwner = "commandOwner";
constexpr const char* kTipOf = "commandTip";
constexpr const char* kArea = "commandArea";
constexpr Qt::KeyboardModifiers kStrong = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
const QString kUndo = QStringLiteral("edit.undo");
const QString kRedo = QStringLiteral("edit.redo");

/// The window, page or panel of an action; null for undo and redo.
const QWidget* owner_of(const QAction* action) {
    return qobject_cast<const QWidget*>(action->property(kOwner).value<QObject*>());
}

bool is_bare(const QKeySequence& keys) {
    return keys.count() > 0 && (keys[0].keyboardModifiers() & kStrong) == 0;
}

/// Whether the widget uses this key itself: it searches by letters, types, or is pressed by the space bar.
bool takes_key(const QWidget* widget, const QKeyEvent& key) {
    const QString text = key.text();
    if (text.isEmpty() || (key.modifiers() & kStrong) != 0)
        return false;
    const bool is_space = text == QLatin1String(" ");
    if (qobject_cast<const QAbstractButton*>(widget) != nullptr)
        return is_space;
    return (is_space || text.front().isLetterOrNumber()) &&
           (qobject_cast<const QComboBox*>(widget) != nullptr ||
            qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
            qobject_cast<const QAbstractSpinBox*>(widget) != nullptr);
}

bool has_action_for(const QWidget* widget, const QKeyEvent& key) {
    const QKeySequence pressed(key.keyCombination());
    return std::ranges::any_of(widget->actions(),
                               [&](const QAction* action) { return action->shortcuts().contains(pressed); });
}

/// A key that a widget handles itself is only displayed.
QString label(const Command& command) {
    return command.fixed && !command.keys.isEmpty()
               ? command.text() + QLatin1Char('\t') + command.keys.front().toString(QKeySequence::NativeText)
               : command.text();
}

QString as_text(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& each : keys)
        texts << each.toString(QKeySequence::PortableText);
    return texts.join(QStringLiteral("; "));
}

}  // namespace

ActionCollection& ActionCollection::instance() {
    // The application owns it, because its actions must not outlive the application.
    static QPointer<ActionCollection> collection;
    if (collection == nullptr) {
        collection = new ActionCollection;
        collection->setParent(qApp);
    }
    return *collection;
}

ActionCollection::ActionCollection() : commands_(Commands::standard()), group_(new QUndoGroup(this)) {
    for (qsizetype at = 0; at < commands_.size(); ++at)
        places_.insert(commands_[at].id, at);
    const auto make = [this](const QString& id) {
        auto* action = new QAction(find(id)->text(), this);
        action->setProperty(kCommandOf, id);
        action->setProperty(kTextOf, action->text());
        action->setProperty("iconName", find(id)->icon);
        action->setShortcutContext(Qt::WindowShortcut);
        action->setEnabled(false);
        actions_.insert(id, action);
        action->setShortcuts(shortcuts(id));
        return action;
    };
    undo_ = make(kUndo);
    redo_ = make(kRedo);
    connect(undo_, &QAction::triggered, group_, &QUndoGroup::undo);
    connect(redo_, &QAction::triggered, group_, &QUndoGroup::redo);
    connect(group_, &QUndoGroup::canUndoChanged, undo_, &QAction::setEnabled);
    connect(group_, &QUndoGroup::canRedoChanged, redo_, &QAction::setEnabled);
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { activateStack(now); });
}

const Command* ActionCollection::find(const QString& id) const {
    const auto place = places_.constFind(id);
    return place == places_.cend() ? nullptr : &commands_[*place];
}

void ActionCollection::declare(const Command& command, const QString& before) {
    if (places_.contains(command.id))
        return;
    commands_.insert(places_.value(before, commands_.size()), command);
    for (qsizetype at = 0; at < commands_.size(); ++at)
        places_.insert(commands_[at].id, at);
}

QAction* ActionCollection::add(const char* id, QWidget* owner, const std::function<void()>& run) {
    const Command* command = find(QLatin1String(id));
    Q_ASSERT_X(command != nullptr, "ActionCollection::add", id);
    auto* action = new QAction(label(*command), owner);
    action->setProperty(kTextOf, action->text());
    action->setProperty("iconName", command->icon);
    connect(action, &QAction::triggered, owner, run);
    adopt(id, action, owner);
    return action;
}

void ActionCollection::adopt(const char* id, QAction* action, QWidget* owner) {
    const QString command = QLatin1String(id);
    action->setProperty(kCommandOf, command);
    action->setProperty(kOwner, QVariant::fromValue<QObject*>(owner));
    actions_.insert(command, action);
    connect(action, &QObject::destroyed, this, [this, command, action] { actions_.remove(command, action); });
    apply(action);
    owner->addAction(action);
}

QAction* ActionCollection::addFor(QWidget* area, const char* id, QWidget* owner, const std::function<void()>& run) {
    QAction* action = add(id, owner, run);
    action->setProperty(kArea, true);
    area->addAction(action);
    apply(action);
    return action;
}

void ActionCollection::apply(QAction* action) {
    const Command* command = find(idOf(action));
    const QList<QKeySequence> keys = command->fixed ? QList<QKeySequence>{} : shortcuts(command->id);
    action->setShortcuts(keys);
    if (action == undo_ || action == redo_)
        return;
    action->setShortcutContext(
        action->property(kArea).toBool() && std::ranges::any_of(keys, is_bare) ? Qt::WidgetShortcut
        : qobject_cast<const QMainWindow*>(owner_of(action)) != nullptr        ? Qt::WindowShortcut
                                                                               : Qt::WidgetWithChildrenShortcut);
}

void ActionCollection::addUndo(QWidget* owner, QUndoStack* stack) {
    group_->addStack(stack);
    owner->addActions({undo_, redo_});
    stacks_.insert(owner, stack);
    connect(owner, &QObject::destroyed, this, [this](const QObject* gone) {
        const QPointer<QUndoStack> left = stacks_.take(gone);
        if (left == group_->activeStack() && std::ranges::find(stacks_, left) == stacks_.end())
            group_->setActiveStack(nullptr);  // a stack may outlive its owner
    });
    owner->installEventFilter(this);
    if (owner->isVisible())
        activateStack(owner);
}

/// The stack of the innermost owner around the focus, else the active one while its owner is visible in that window.
void ActionCollection::activateStack(const QWidget* focus) {
    if (focus == nullptr)
        return;
    for (const QWidget* at = focus; at != nullptr; at = at->parentWidget())
        if (const auto stack = stacks_.constFind(at); stack != stacks_.cend()) {
            group_->setActiveStack(*stack);
            return;
        }
    for (auto stack = stacks_.cbegin(); stack != stacks_.cend(); ++stack)
        if (*stack == group_->activeStack()) {
            const auto* owner = static_cast<const QWidget*>(stack.key());
            if (owner->isVisible() && owner->window() == focus->window())
                return;
        }
    group_->setActiveStack(nullptr);
}

QString ActionCollection::idOf(const QAction* action) {
    return action->property(kCommandOf).toString();
}

QAction* ActionCollection::actionIn(const QWidget* page, const QString& id) const {
    QAction* of_window = nullptr;
    for (auto action = actions_.constFind(id); action != actions_.cend() && action.key() == id; ++action) {
        const QWidget* owner = owner_of(*action);
        if (owner == nullptr || owner->isWindow()) {
            of_window = *action;
            continue;
        }
        if (page != nullptr && (owner == page || (page->isAncestorOf(owner) && owner->isVisibleTo(page))))
            return *action;
    }
    return of_window;
}

QList<QKeySequence> ActionCollection::shortcuts(const QString& id) const {
    if (const auto change = changes_.constFind(id); change != changes_.cend())
        return *change;
    const Command* command = find(id);
    return command == nullptr ? QList<QKeySequence>{} : command->keys;
}

QString ActionCollection::shortcutText(const QString& id) const {
    const QList<QKeySequence> keys = shortcuts(id);
    return keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText);
}

void ActionCollection::setShortcuts(const QString& id, const QList<QKeySequence>& keys) {
    const Command* command = find(id);
    if (command == nullptr || command->fixed)
        return;
    if (keys == command->keys)
        changes_.remove(id);
    else
        changes_.insert(id, keys);
    applyTo(id);
    emit changed(id);
}

void ActionCollection::assign(const QString& id, const QList<QKeySequence>& keys) {
    for (const QKeySequence& each : keys)
        for (const QString& other : conflicts(id, each)) {
            QList<QKeySequence> rest = shortcuts(other);
            rest.removeAll(each);
            setShortcuts(other, rest);
        }
    setShortcuts(id, keys);
}

void ActionCollection::reset(const QString& id) {
    if (const Command* command = find(id); command != nullptr)
        assign(id, command->keys);
}

void ActionCollection::resetAll() {
    setChanges({});
}

QStringList ActionCollection::conflicts(const QString& id, const QKeySequence& keys) const {
    QStringList ids;
    const Command* wanted = find(id);
    const auto passes_on = [](const Command& command) {
        return command.fixed && command.scope() == QLatin1String("window");
    };
    if (keys.isEmpty() || wanted == nullptr || passes_on(*wanted))
        return ids;
    for (const Command& other : commands_)
        // Copy and Select all only pass their keys on to the widget with the focus.
        if (other.id != id && !passes_on(other) && Commands::overlap(wanted->scope(), other.scope()) &&
            shortcuts(other.id).contains(keys))
            ids << other.id;
    return ids;
}

QMap<QString, QString> ActionCollection::changes() const {
    QMap<QString, QString> texts;
    for (auto change = changes_.cbegin(); change != changes_.cend(); ++change)
        texts.insert(change.key(), as_text(*change));
    return texts;
}

QStringList ActionCollection::setChanges(const QMap<QString, QString>& changes) {
    QStringList problems;
    changes_.clear();
    for (auto change = changes.cbegin(); change != changes.cend(); ++change) {
        const Command* command = find(change.key());
        if (command == nullptr || command->fixed) {
            problems
                << tr("“%1” is not a command whose shortcut can be changed; the entry is ignored.").arg(change.key());
            continue;
        }
        QList<QKeySequence> keys;
        for (const QString& text : change->split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
            const QKeySequence parsed(text, QKeySequence::PortableText);
            if (parsed.isEmpty() || parsed.toString(QKeySequence::PortableText).isEmpty() ||
                parsed[0].key() == Qt::Key_unknown)
                problems << tr("“%1” is not a shortcut of “%2”; the entry is ignored.").arg(text, change.key());
            else
                keys << parsed;
        }
        if (keys != command->keys && (change->isEmpty() || !keys.isEmpty()))
            changes_.insert(command->id, keys);
    }
    const QHash<QString, QList<QKeySequence>> wanted = changes_;
    for (auto change = wanted.cbegin(); change != wanted.cend(); ++change)
        for (const QKeySequence& keys : *change)
            if (const QStringList others = conflicts(change.key(), keys); !others.isEmpty()) {
                problems << tr("%1 is the shortcut of “%2” and of “%3”; the entry of “%2” is ignored.")
                                .arg(keys.toString(QKeySequence::NativeText), change.key(), others.front());
                changes_.remove(change.key());
                break;
            }
    for (QAction* action : std::as_const(actions_))
        apply(action);
    emit changed({});
    return problems;
}

void ActionCollection::applyTo(const QString& id) {
    for (auto action = actions_.constFind(id); action != actions_.cend() && action.key() == id; ++action)
        apply(*action);
}

void ActionCollection::describe(QWidget* button, const char* id, const QString& tip) {
    const bool is_first = !button->property(kTipOf).isValid();
    button->setProperty(kTipOf, tip);
    const auto show = [this, button, id = QString::fromLatin1(id)] {
        const QString keys = shortcutText(id), words = button->property(kTipOf).toString();
        button->setToolTip(keys.isEmpty() ? words : QStringLiteral("%1 (%2)").arg(words, keys));
    };
    if (is_first)
        connect(this, &ActionCollection::changed, button, show);
    show();
}

void ActionCollection::retranslate() {
    for (auto action = actions_.cbegin(); action != actions_.cend(); ++action) {
        const QString text = label(*find(action.key()));
        // A page may have given its action another text.
        const QVariant before = (*action)->property(kTextOf);
        if (!before.isValid())
            continue;
        if (before.toString() == (*action)->text())
            (*action)->setText(text);
        (*action)->setProperty(kTextOf, text);
    }
}

bool ActionCollection::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::ShortcutOverride:
            if (auto* widget = qobject_cast<QWidget*>(watched); widget != nullptr && widget->hasFocus()) {
                const auto& key = *static_cast<QKeyEvent*>(event);
                if (takes_key(widget, key) && !has_action_for(widget, key)) {
                    event->accept();
                    return true;
                }
            }
            break;
        case QEvent::Show:
            // An owner is shown after those inside it, one of which may have the focus.
            if (const auto* owner = qobject_cast<QWidget*>(watched);
                owner != nullptr && stacks_.contains(watched) && !owner->isHidden()) {
                const QWidget* focus = owner->window()->focusWidget();
                activateStack(focus != nullptr && owner->isAncestorOf(focus) ? focus : owner);
            }
            break;
        case QEvent::LanguageChange:
            if (watched == qApp)
                retranslate();
            break;
        default:
            break;
    }
    return false;
}

}  // namespace trainyard::desktop
