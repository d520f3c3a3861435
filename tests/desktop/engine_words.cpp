// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the engine's tables have translations.
#include <gtest/gtest.h>

#include "desktop/text/qt_text.h"
#include "support/catalogue.h"
#include "support/engine_texts.h"

using namespace trainyard;

TEST(EngineWords, EveryTextOfTheTablesIsTranslated) {
    const std::set<std::string> wanted = test::engine_texts();
    EXPECT_GT(wanted.size(), 300u);
    for (const char* catalogue : {"trainyard_de.ts", "trainyard_zh_CN.ts"}) {
        std::set<std::string> translated;
        for (const test::CatalogueText& message : test::messages_of(test::catalogues_folder() / catalogue))
            if (message.context == QStringLiteral("trainyard::engine") && message.type.isEmpty())
                translated.insert(message.source.toStdString());
        for (const std::string& text : wanted)
            EXPECT_TRUE(translated.count(text) == 1)
                << catalogue << " lacks, so run packaging/translations and translate: " << text;
    }
}
