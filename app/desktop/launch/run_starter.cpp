// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/run_starter.h"

#include <utility>

#include "desktop/launch/engine_link.h"
#include "desktop/launch/start_look.h"

namespace trainyard::desktop {

namespace {
/// A value of `--set`: read as YAML, so that a path with odd characters stays one.
QString yamlText(QString text) {
    return QLatin1Char('"') +
           text.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\"")) +
           QLatin1Char('"');
}
}  // namespace

RunStarter::RunStarter(EngineLink* engine, QObject* parent) : QObject(parent), engine_(engine) {}

void RunStarter::startSample() {
    const QString recipe = EngineLink::sampleRecipe();
    if (recipe.isEmpty()) {
        emit sampleFailed(
            tr("The sample recipe was not found: set TRAINYARD_SAMPLE to a recipe, or install Trainyard again."));
        return;
    }
    emit sampleStarting();
    engine_->start(newName(QStringLiteral("sample")) + QStringList{recipe},
                   [this](const QString& path, const QString& error) {
                       if (path.isEmpty()) {
                           emit sampleFailed(error);
                           return;
                       }
                       emit started(path);
                   });
}

QStringList RunStarter::newName(const QString& name) const {
    const QString unique = namer_ && !name.isEmpty() ? namer_(name) : name;
    if (unique == name)
        return {};
    return {QStringLiteral("--set"), QStringLiteral("name=") + yamlText(unique)};
}

void RunStarter::startFile(const QString& recipe, const QString& name) {
    startLooked(recipe, {}, [this, recipe, name] { return newName(name) + QStringList{recipe}; });
}

void RunStarter::resume(const QString& recipe, const QString& checkpoint, const QString& name) {
    startLooked(recipe, checkpoint, [this, recipe, checkpoint, name] {
        return QStringList{QStringLiteral("--set"), QStringLiteral("checkpoint.resume_from=") + yamlText(checkpoint)} +
               newName(name) + QStringList{recipe};
    });
}

void RunStarter::continueRun(const QString& runPath, const QStringList& settings, const QString& name) {
    const QString recipe = runPath + QStringLiteral("/run.yaml");
    startLooked(recipe, runPath, [this, recipe, settings, name] {
        QStringList words;
        for (const QString& setting : settings)
            words << QStringLiteral("--set") << setting;
        return words + newName(name) + QStringList{recipe};
    });
}

void RunStarter::queueAgain(const QString& runPath) {
    const QString recipe = runPath + QStringLiteral("/run.yaml");
    startLooked(recipe, {}, [runPath, recipe] {
        return QStringList{QStringLiteral("--queue"), QStringLiteral("--run_dir"), runPath, recipe};
    });
}

void RunStarter::startLooked(const QString& recipe, const QString& checkpoint, std::function<QStringList()> words) {
    look_.inOrder(
        look_.key(), [file = recipe.toStdString()] { return look_at_start(file); },
        [this, checkpoint, words = std::move(words)](const StartLook& look) {
            const auto go = [this, words] { start(words()); };
            if (gate_)
                gate_(look, checkpoint, go);
            else if (look.verdict == StartLook::Verdict::Trusted)
                go();
        });
}

void RunStarter::openAgain(const QString& recipe, std::function<void()> open) {
    look_.inOrder(
        look_.key(), [file = recipe.toStdString()] { return look_at_start(file); },
        [this, open = std::move(open)](const StartLook& look) {
            if (gate_ && look.is_refused())
                gate_(look, {}, open);
            else
                open();
        });
}

void RunStarter::start(const QStringList& words) {
    emit starting();
    engine_->start(words, [this](const QString& path, const QString& error) {
        if (path.isEmpty())
            emit failed(error);
        else
            emit started(path);
    });
}

}  // namespace trainyard::desktop
