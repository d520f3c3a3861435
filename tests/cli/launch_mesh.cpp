// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh that cannot be is refused with one message that has the key and the numbers, before any rank starts, and the
// message is the same for keys of a recipe, --set, a settings file and flags.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/recipe_plan.h"
#include "support/bad_meshes.h"

namespace trainyard::cli {
namespace {

using test::BadMesh;
using test::Said;

class MeshesThatCannotBe : public test::RecipePlan {
  protected:
    void write_recipe(const BadMesh& mesh, const std::map<std::string, std::string>& keys) {
        write_file_atomically(fake_.recipe(), test::recipe_of(mesh, keys, "text.txt"), false);
    }
    std::string settings_of(const BadMesh& mesh) {
        std::map<std::string, std::string> values = mesh.settings;
        values["num_processes"] = std::to_string(mesh.ranks);
        values["distributed_type"] = "MEGATRON_LM";
        return file(values);
    }
    void expect_refused(const BadMesh& mesh, std::vector<std::string> words, const char* surface) {
        words.insert(words.begin(), "launch");
        words.push_back(fake_.recipe().string());
        const Said said = test::trainyard(words);
        EXPECT_EQ(said.code, 2) << mesh.what << ", " << surface << ": " << said.out << said.err;
        EXPECT_THAT(said.err, ::testing::HasSubstr(mesh.message)) << mesh.what << ", " << surface;
        EXPECT_FALSE(std::filesystem::exists(fake_.recipe().parent_path() / "runs"))
            << mesh.what << ", " << surface << ": a run was made";
    }
};

TEST_F(MeshesThatCannotBe, AreRefusedAlikeOnEverySurface) {
    for (const BadMesh& mesh : test::bad_meshes()) {
        const std::vector<std::string> ranks{"--cpu", "--num_processes", std::to_string(mesh.ranks)};
        write_recipe(mesh, mesh.recipe);
        expect_refused(mesh, ranks, "recipe");
        std::vector<std::string> set = ranks;
        for (const auto& [key, value] : mesh.recipe) {
            set.push_back("--set");
            set.push_back(key + "=" + value);
        }
        write_recipe(mesh, {});
        expect_refused(mesh, set, "--set");
        if (mesh.settings.empty())
            continue;
        expect_refused(mesh, {"--config_file", settings_of(mesh)}, "settings file");
        std::vector<std::string> flags = ranks;
        flags.push_back("--use_megatron_lm");
        for (const auto& [path, value] : mesh.settings) {
            flags.push_back("--" + path.substr(path.find('.') + 1));
            flags.push_back(value);
        }
        expect_refused(mesh, flags, "flags");
    }
}

}  // namespace
}  // namespace trainyard::cli
