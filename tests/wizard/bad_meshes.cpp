// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes that cannot be: the wizard's check of a draft has the key and the sentence of every other surface.

#include "support/bad_meshes.h"

#include <cctype>
#include <cstdlib>

#include <gmock/gmock.h>

#include "base/file.h"
#include "desktop/wizard/recipe_draft.h"
#include "support/temporary_folder.h"

using namespace trainyard;

TEST(BadMeshes, AreRefusedByTheDraftOfTheWizard) {
    const test::TemporaryFolder folder;
    ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    const std::string data = (folder.path() / "text.txt").string();
    write_file_atomically(data, std::string(20000, 'a'));
    for (const test::BadMesh& bad : test::bad_meshes()) {
        SCOPED_TRACE(bad.what);
        const std::string message = bad.message;
        const std::string key = message.substr(0, message.find(": "));
        const std::string words = message.substr(key.size() + 2);
        std::string sentence = words;  // a key stays as it is
        sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
        std::vector<std::string> said;
        const desktop::DraftReport report = desktop::checkDraft(test::recipe_of(bad, bad.recipe, data), bad.ranks);
        for (const desktop::DraftProblem& problem : report.problems)
            if (problem.key.toStdString() == key)
                said.push_back(problem.message.toStdString());
        EXPECT_THAT(said, testing::ElementsAre(testing::AnyOf(words, sentence)));
    }
}
