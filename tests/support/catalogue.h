// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts of a catalogue (resources/translations/*.ts).

#include <filesystem>
#include <string>

#include <QString>
#include <QStringList>
#include <QVector>

namespace trainyard::test {

struct CatalogueText {
    QString context, source, type;
    bool counted = false;      ///< has plural forms
    QStringList translations;  ///< one, or each plural form
    std::string words() const { return (context + QStringLiteral(": ") + source).toStdString(); }
};

inline std::filesystem::path catalogues_folder() {
    return std::filesystem::path(TRAINYARD_SOURCE_DIR) / "resources" / "translations";
}

/// Complains as a test where the file cannot be read.
QVector<CatalogueText> messages_of(const std::filesystem::path& catalogue);

}  // namespace trainyard::test
