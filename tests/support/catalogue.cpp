// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catalogue.h"

#include <QFile>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

namespace trainyard::test {

QVector<CatalogueText> messages_of(const std::filesystem::path& catalogue) {
    QFile file(QString::fromStdString(catalogue.string()));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << catalogue;
    QXmlStreamReader reader(&file);
    QVector<CatalogueText> all;
    QString context;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("name")) {
            context = reader.readElementText();
        } else if (reader.name() == QLatin1String("message")) {
            all.push_back(
                {context, {}, {}, reader.attributes().value(QLatin1String("numerus")) == QLatin1String("yes"), {}});
        } else if (reader.name() == QLatin1String("source")) {
            all.last().source = reader.readElementText();
        } else if (reader.name() == QLatin1String("translation")) {
            all.last().type = reader.attributes().value(QLatin1String("type")).toString();
            if (!all.last().counted)
                all.last().translations << reader.readElementText();
        } else if (reader.name() == QLatin1String("numerusform")) {
            all.last().translations << reader.readElementText();
        }
    }
    EXPECT_FALSE(reader.hasError()) << catalogue << ": " << reader.errorString().toStdString();
    return all;
}

}  // namespace trainyard::test
