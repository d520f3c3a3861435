// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/foreign_code.h"

#include <algorithm>

#include <QJsonArray>

#include "desktop/shell/view_state.h"
#include "desktop/wizard/opened_file.h"

namespace trainyard::desktop {

namespace {

const QString kTrustedCode = QStringLiteral("trusted code");  // confirmed code of files from elsewhere, by path

}  // namespace

void ForeignCode::add(const QStringList& parts, const QString& file) {
    for (const QString& part : parts)
        parts_.insert(part, file);
}

QJsonObject ForeignCode::toJson() const {
    QJsonObject code;
    for (auto part = parts_.cbegin(); part != parts_.cend(); ++part)
        code.insert(part.key(), part.value());
    return code;
}

void ForeignCode::restore(const QJsonObject& place) {
    const QJsonValue kept = place.value(QLatin1String("code"));
    const QJsonObject code = kept.toObject();
    for (auto part = code.begin(); part != code.end(); ++part)
        parts_.insert(part.key(), part.value().toString());
    // Earlier versions stored a list, and one file for all of it.
    const QString from = place.value(QLatin1String("from")).toString();
    add(stringsOf(kept), place.value(QLatin1String("code_file")).toString(from));
}

QStringList ForeignCode::unconfirmed(const RunDraft& draft) const {
    const bool engine = draft.purpose() == Purpose::Engine;
    QStringList code;
    for (const QString& part : code_of_draft(engine ? draft.report().recipe : std::nullopt,
                                             engine ? QString() : draft.script().path.trimmed(),
                                             draft.draft().settings().text("device_library")) +
                                   code_of_draft({}, engine ? QString() : draft.programPlace().interpreter, {}) +
                                   code_of_variables(draft.programPlace().environment))
        if (parts_.contains(part))
            code << part;
    if (code.isEmpty())
        return code;
    // The same program with other arguments (`sh -c ...`) counts as another program.
    if (!engine && !draft.script().arguments.isEmpty())
        code << QStringLiteral("program.arguments: ") + draft.script().arguments;
    const QStringList trusted = stringsOf(ViewState::instance().value(kTrustedCode, parts_.value(code.first())));
    return std::ranges::all_of(std::as_const(code), [&](const QString& part) { return trusted.contains(part); })
               ? QStringList()
               : code;
}

void ForeignCode::confirm(const QString& file, const QStringList& code) {
    ViewState::instance().set(kTrustedCode, file, QJsonArray::fromStringList(code));
}

}  // namespace trainyard::desktop
