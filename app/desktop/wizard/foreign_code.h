// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parts of opened files that lead to execution (code_of_draft), with the file that names each, and what the user has
// confirmed of them.

#include <QJsonObject>
#include <QMap>
#include <QStringList>

#include "desktop/wizard/run_draft.h"

namespace trainyard::desktop {

class ForeignCode {
  public:
    /// A part stays when the draft is filled from another file: Undo brings it back.
    void add(const QStringList& parts, const QString& file);
    QJsonObject toJson() const;
    /// Adds the parts of `place`, which is stored with the draft (DraftKeeper::setPlace).
    void restore(const QJsonObject& place);
    /// Parts of the draft that come from a file from elsewhere and that the user has not confirmed.
    QStringList unconfirmed(const RunDraft& draft) const;
    QString fileOf(const QString& part) const { return parts_.value(part); }
    /// Stores that the user has confirmed what unconfirmed() returned. `file`: that of the first part.
    static void confirm(const QString& file, const QStringList& code);

  private:
    QMap<QString, QString> parts_;
};

}  // namespace trainyard::desktop
