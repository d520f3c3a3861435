// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/draft_opener.h"

#include <utility>

#include <QFileInfo>

#include "desktop/launch/engine_link.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/opened_file.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/wizard_messages.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

DraftOpener::DraftOpener(RunDraft* draft, DraftKeeper* keeper, WizardMessages* messages, QObject* parent)
    : QObject(parent), draft_(*draft), keeper_(keeper), messages_(messages) {
    connect(keeper, &DraftKeeper::restored, this, &DraftOpener::takeStored);
    connect(keeper, &DraftKeeper::nothing, this, [this] {
        read_ = true;
        const QString sample = EngineLink::sampleRecipe();
        if (!sample.isEmpty() && !file_waiting_ && !loading_.isRunning() && draft_.history()->undoable() == 0)
            load(sample);
        else
            draft_.checkNow();
        takeWaiting();
    });
}

void DraftOpener::start() {
    keeper_->start();
    if (read_)
        draft_.checkNow();  // its messages are in the language of the page before
}

void DraftOpener::takeStored(const QJsonObject& place) {
    read_ = true;
    restored_ = place.value(QLatin1String("work")).toBool(true);
    if (place.value(QLatin1String("launched")).toBool() && !place_chosen_ && !file_waiting_) {
        beginNew();
        takeWaiting();
        return;
    }
    from_ = place.value(QLatin1String("from")).toString();
    code_.restore(place);
    if (!place_chosen_)
        emit restored(place);
    takeWaiting();
    emit changed();
}

/// Stores a request that waits until the stored draft was read. Returns false if it need not wait.
bool DraftOpener::isLater(std::function<void()> request) {
    if (!read_)
        waiting_ = std::move(request);
    return !read_;
}

bool DraftOpener::isReading() const {
    return loading_.isRunning() || keeper_->isReading();
}

bool DraftOpener::holdsWork() const {
    return !launched_ && (restored_ || draft_.history()->undoable() > 0 || !from_.isEmpty());
}

QJsonObject DraftOpener::place() const {
    return {{QStringLiteral("from"), from_},
            {QStringLiteral("launched"), launched_},
            {QStringLiteral("work"), holdsWork()},
            {QStringLiteral("code"), code_.toJson()}};
}

void DraftOpener::setFrom(const QString& name) {
    from_ = name;
    emit changed();
}

QString DraftOpener::draftName() const {
    const ScriptChoice& script = draft_.script();
    switch (draft_.purpose()) {
        case Purpose::Engine:
            return draft_.recipeValue(QStringLiteral("name"));
        case Purpose::Script:
            return script.path.isEmpty() ? stepTitle(Step::Script) : QFileInfo(script.path).fileName();
        case Purpose::SettingsOnly:
            break;
    }
    return from_.isEmpty() ? tr("Settings") : from_;
}

QString DraftOpener::setAside() {
    if (!holdsWork())
        return {};
    const QString name = draftName();
    keeper_->park(name);
    return name;
}

void DraftOpener::newRun() {
    if (isLater([this] { newRun(); }))
        return;
    if (!setAside().isEmpty() || launched_)
        beginNew();
    else
        emit stepWanted(Step::Start);
}

void DraftOpener::editAgain(const QString& file) {
    if (isLater([this, file] { editAgain(file); }))
        return;
    const AfterOpening after{.set_aside = setAside()};
    clear();
    emit stepWanted(Step::Start);
    load(file, after);
}

void DraftOpener::continueDraft(const QString& file) {
    if (isLater([this, file] { continueDraft(file); }))
        return;
    setAside();
    launched_ = false;
    messages_->message()->dismiss();
    place_chosen_ = false;
    keeper_->resume(file);
}

void DraftOpener::clear() {
    launched_ = restored_ = false;
    from_.clear();
    messages_->question()->dismiss();
    draft_.reset(config::Recipe{});
}

void DraftOpener::beginNew() {
    clear();
    if (const QString sample = EngineLink::sampleRecipe(); !sample.isEmpty())
        load(sample);
    emit stepWanted(Step::Start);
    emit changed();
}

void DraftOpener::setLaunched() {
    launched_ = true;
    emit changed();
}

void DraftOpener::setDataPath(const QString& path) {
    if (draft_.purpose() != Purpose::Engine)
        draft_.setPurpose(Purpose::Engine);
    emit stepWanted(Step::Data);
    // A file that is still being read would overwrite the path, so it is set afterwards.
    if (loading_.isRunning() || !read_)
        data_wanted_ = path;
    if (loading_.isRunning())
        return;
    if (!path.isEmpty())
        DataPage::setPath(&draft_, path);
}

void DraftOpener::offerData(const QString& path) {
    if (isLater([this, path] { offerData(path); }))
        return;
    if (!holdsWork())
        return setDataPath(path);
    const QString now = draft_.recipeValue(QStringLiteral("data.path"));
    messages_->ask(tr("Train the draft on %1?").arg(path),
                   now.isEmpty() || now == QLatin1String("[]")
                       ? tr("The draft has no data yet. The rest of the draft does not change.")
                       : tr("The draft has %1. The rest of the draft does not change.").arg(now),
                   tr("Use as training data"), [this, path] { setDataPath(path); });
}

void DraftOpener::offerFile(const QString& file) {
    if (isLater([this, file] { offerFile(file); }))
        return;
    loading_.submit(
        [file] { return openFile(file); },
        [this](const OpenedFile& read) {
            if (!holdsWork() || !read.holdsSomething())
                return opened(read, {});
            const QString name = QFileInfo(read.file).fileName();
            const bool model = read.kind == OpenedFile::Kind::Model;
            messages_->ask(
                model ? tr("Use the model of %1 in the draft?").arg(name) : tr("Replace the draft by %1?").arg(name),
                model ? tr("The other settings of the draft stay.")
                      : tr("The draft “%1” is replaced.").arg(draft_.recipeValue(QStringLiteral("name"))),
                model ? tr("Use the model") : tr("Replace the draft"), [this, read, model] {
                    if (!model)
                        setAside();
                    opened(read, {});
                });
        });
}

/// Opens a file that was requested while the saved draft was being read; the file replaces the draft.
void DraftOpener::takeWaiting() {
    if (const auto waiting = std::exchange(waiting_, {}))
        waiting();
    if (const auto open_file = std::exchange(file_waiting_, {}))
        open_file();
    if (loading_.isRunning() || data_wanted_.isEmpty())
        return;
    const QString path = std::exchange(data_wanted_, {});
    const QString before = draft_.recipeValue(QStringLiteral("data.path"));
    draft_.beginStep();
    if (draft_.purpose() != Purpose::Engine)
        draft_.setPurpose(Purpose::Engine);
    DataPage::setPath(&draft_, path);
    draft_.endStep();
    if (restored_ && !before.isEmpty() && before != path)
        messages_->say(
            InlineMessage::Kind::Note, tr("The data of the saved draft was replaced"),
            tr("The data was changed from %1 to %2; the rest of the draft is unchanged. Undo restores the data, Start "
               "over begins a new draft.")
                .arg(before, path));
}

void DraftOpener::load(const QString& file, const AfterOpening& after) {
    if (read_)
        loading_.submit([file] { return openFile(file); },
                        [this, after](const OpenedFile& read) { opened(read, after); });
    else
        file_waiting_ = [this, file, after] { load(file, after); };
}

void DraftOpener::loadToResume(const QString& file, const QString& checkpoint) {
    AfterOpening after{.resume_from = checkpoint};
    if (read_) {
        after.set_aside = setAside();
        launched_ = restored_ = false;
    }
    load(file, after);
}

void DraftOpener::loadRun(const QString& recipe, const QString& settings, const QString& unsaid, bool fits) {
    if (isLater([this, recipe, settings, unsaid, fits] { loadRun(recipe, settings, unsaid, fits); }))
        return;
    const auto begin = [this, recipe, settings, unsaid, fits] {
        setAside();
        // The estimate must not inherit anything from the previous draft.
        draft_.reset(config::Recipe{});
        load(recipe.isEmpty() ? settings : recipe,
             {.settings = recipe.isEmpty() ? QString() : settings, .unsaid = unsaid, .fits = fits});
    };
    if (holdsWork())
        messages_->ask(tr("Begin a draft with the estimate?"),
                       tr("The draft “%1” is replaced.").arg(draft_.recipeValue(QStringLiteral("name"))),
                       tr("Replace the draft"), begin);
    else
        begin();
}

void DraftOpener::opened(const OpenedFile& read, const AfterOpening& after) {
    const QString name = QFileInfo(read.file).fileName();
    const std::vector<Problem>& problems =
        read.kind == OpenedFile::Kind::Settings || read.kind == OpenedFile::Kind::DeepSpeed ? read.settings.problems
                                                                                            : read.problems;
    const QString details = problemLines(problems);
    messages_->question()->dismiss();
    if (!read.holdsSomething()) {
        // The form keeps the last valid state.
        messages_->say(InlineMessage::Kind::Error,
                       problems.size() > 1 ? tr("%1 cannot be read: %2 problems").arg(name).arg(problems.size())
                                           : tr("%1 cannot be read").arg(name),
                       details);
        draft_.checkNow();
        return;
    }
    messages_->message()->dismiss();
    if (!after.set_aside.isEmpty())
        messages_->say(InlineMessage::Kind::Note, tr("The draft “%1” was saved").arg(after.set_aside),
                       tr("Continue draft on the first page opens it again."));
    if (read.model) {
        draft_.setModel(*read.model);
        emit stepWanted(Step::Model);
        if (!problems.empty())
            messages_->say(InlineMessage::Kind::Error, tr("The engine does not train this model as it is"), details);
        emit changed();
        return;
    }
    if (read.recipe) {
        draft_.openRecipe(*read.recipe, read.ranks);
        if (read.program) {
            draft_.beginStep();
            draft_.setPurpose(Purpose::Script);
            draft_.setScript(script_choice_of(*read.program));
            draft_.endStep();
            emit stepWanted(Step::Script);
        } else if (!after.resume_from.isEmpty()) {
            draft_.setRecipeValue(QStringLiteral("checkpoint.resume_from"), after.resume_from);
            emit stepWanted(Step::Hardware);
        }
    } else {
        draft_.model()->open(read.settings);
        if (!problems.empty())
            messages_->say(
                InlineMessage::Kind::Error,
                problems.size() == 1
                    ? tr("%1 has a problem; the form shows what could be read").arg(name)
                    : tr("%1 has %2 problems; the form shows what could be read").arg(name).arg(problems.size()),
                details);
    }
    if (draft_.recipeValue(QStringLiteral("name")) != QLatin1String("sample") || !read.recipe)
        from_ = name;
    code_.add(read.code, QFileInfo(read.file).absoluteFilePath());
    if (const QString path = std::exchange(data_wanted_, {}); !path.isEmpty())
        DataPage::setPath(&draft_, path);
    emit fileOpened(read.file);
    draft_.checkNow();
    emit changed();
    if (!after.settings.isEmpty()) {
        load(after.settings, {.unsaid = after.unsaid, .fits = after.fits});
    } else {
        const QString left =
            after.unsaid.isEmpty() ? QString() : tr("Neither recipe nor settings can express: %1.").arg(after.unsaid);
        if (!after.fits)
            messages_->say(InlineMessage::Kind::Warning, tr("The estimate does not fit into the memory of its device"),
                           left);
        else if (!left.isEmpty())
            messages_->say(InlineMessage::Kind::Note, tr("A part of the estimate is not in this run"), left);
    }
}

}  // namespace trainyard::desktop
