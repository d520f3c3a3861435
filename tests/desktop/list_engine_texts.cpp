// SPDX-License-Identifier: GPL-3.0-or-later
// list_engine_texts: the texts of the engine's tables as a source that lupdate reads (packaging/translations).
#include <cstdio>

#include "support/engine_texts.h"

int main() {
    for (const std::string& text : trainyard::test::engine_texts()) {
        std::string quoted;
        for (const char letter : text)
            quoted += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter};
        std::printf("QT_TRANSLATE_NOOP(\"trainyard::engine\", \"%s\")\n", quoted.c_str());
    }
}
