// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/draft_model.h"

#include <set>

#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {
bool isTyped(settings::QuestionKind kind) {
    using Kind = settings::QuestionKind;
    return kind == Kind::integer || kind == Kind::number || kind == Kind::text || kind == Kind::path;
}

std::string plain(const QString& text) {
    return text.toStdString();
}
}  // namespace

DraftModel::DraftModel(settings::Machine machine, QObject* parent) : QObject(parent), draft_(std::move(machine)) {
    findings_ = draft_.findings();
}

bool DraftModel::isSageMaker() const {
    return settings().text("compute_environment") == "AMAZON_SAGEMAKER";
}

template <class Change>
void DraftModel::edit(const QString& field, Change change) {
    const bool joins = history_.joins(field);
    if (joins)
        draft_.set_state(typed_from_);
    else
        typed_from_ = draft_.state();
    change();
    if (!(draft_.state() == typed_from_))
        history_.add({[this, before = typed_from_] { show(before); }, [this, after = draft_.state()] { show(after); }},
                     field);
    else if (joins)
        history_.dropLast();
    else
        history_.endEdit();
    refresh();
}

void DraftModel::show(const settings::Draft::State& state) {
    draft_.set_state(state);
    refresh();
}

template <class Change>
void DraftModel::replace(Change change) {
    history_.clear();
    change();
    refresh();
    emit opened();
}

void DraftModel::answer(const QString& id, const QString& value) {
    const settings::Question* question = draft_.questionnaire().find(plain(id));
    const bool typed = question != nullptr && isTyped(question->kind);
    edit(typed ? QStringLiteral("?") + id : QString(), [&] { draft_.answer(plain(id), plain(value)); });
}

void DraftModel::set(const QString& path, const Value& value) {
    edit({}, [&] { draft_.set(plain(path), value); });
}

void DraftModel::setTyped(const QString& path, const QString& typed) {
    const std::string text = plain(typed);
    edit(path, [&] {
        draft_.set(plain(path), text.empty() ? Value() : settings::value_from_text(plain(path), text, isSageMaker()));
    });
}

void DraftModel::applyPreset(const settings::Preset& preset) {
    edit({}, [&] { draft_.apply(preset); });
}

void DraftModel::replaceWith(const settings::Settings& wanted) {
    if (settings() == wanted)
        return;
    edit(QStringLiteral("*"), [&] {
        // Compared inside edit(): if this change is merged with the previous one, the draft has been restored to the
        // state before it.
        settings::Preset preset;
        std::set<std::string> kept;
        for (const auto& [path, value] : wanted.leaves()) {
            kept.insert(path);
            const Value* now = settings().find(path);
            if (now == nullptr || !(*now == value))
                preset.keys.emplace_back(path, value);
        }
        for (const auto& [path, value] : settings().leaves())
            if (kept.count(path) == 0)
                preset.keys.emplace_back(path, Value());
        draft_.apply(preset);
    });
}

void DraftModel::open(settings::Loaded loaded) {
    replace([&] { draft_.open(std::move(loaded)); });
}

void DraftModel::setMachine(settings::Machine machine) {
    history_.endEdit();
    draft_.set_machine(std::move(machine));
    refresh();
}

void DraftModel::reset() {
    replace([&] { draft_.reset(); });
}

bool DraftModel::restore(const std::string& stored) {
    if (!draft_.restore(stored))
        return false;
    history_.clear();
    refresh();
    emit opened();
    return true;
}

void DraftModel::save(const std::filesystem::path& file) {
    history_.endEdit();
    draft_.save(file);
    refresh();
}

const settings::Finding* DraftModel::finding(const QString& path) const {
    const std::string key = plain(path);
    const settings::Finding* found = nullptr;
    for (const settings::Finding& each : findings_)
        if (each.path == key && (found == nullptr || (found->severity == settings::Finding::Severity::warning &&
                                                      each.severity == settings::Finding::Severity::error)))
            found = &each;
    return found;
}

void DraftModel::applyFix(const settings::Finding& finding) {
    if (finding.fix)
        set(qt(finding.path), Value(*finding.fix));
}

void DraftModel::refresh() {
    findings_ = draft_.findings();
    emit changed();
}

QString valueText(const Value& value) {
    if (const bool* truth = value.boolean())
        return *truth ? QStringLiteral("true") : QStringLiteral("false");
    if (value.is_null())
        return {};
    return qt(value.display());
}

}  // namespace trainyard::desktop
