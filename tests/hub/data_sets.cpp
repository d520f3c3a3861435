// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets by name: which files a configuration and a split are, and where they are looked for.

#include <gmock/gmock.h>

#include "base/error.h"
#include "config/inputs/hub_files.h"
#include "hub/hub_test.h"
#include "support/says.h"

namespace trainyard::inputs {
namespace {

namespace fs = std::filesystem;
using test::noise;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Names = std::vector<std::string>;

struct Given : hub::RepoFiles {
    std::string readme;
    bool is_here(const std::string&) const override { return true; }
    std::optional<std::string> text(const std::string&) override { return readme; }
};

Names chosen(const std::string& name, Names files, const std::string& readme = "") {
    Given given;
    given.readme = readme;
    if (!readme.empty())
        files.push_back("README.md");
    Names names = files_of_data(*hub::parse_data_name("hub:" + name))(files, given);
    std::erase(names, "README.md");
    return names;
}

TEST(HubDataSets, SplitsFollowTheNames) {
    const Names plain{"data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet",
                      "data/validation-00000-of-00001.parquet", "data/test-00000-of-00001.parquet"};
    EXPECT_THAT(chosen("org/name", plain),
                ElementsAre("data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"));
    EXPECT_THAT(chosen("org/name:validation", plain), ElementsAre("data/validation-00000-of-00001.parquet"));
    EXPECT_THAT(chosen("org/name:validation", {"train.parquet", "my-dev.parquet"}), ElementsAre("my-dev.parquet"));
    EXPECT_THAT(chosen("org/name:train_sft",
                       {"data/train_gen-00000-of-00001.parquet", "data/train_sft-00000-of-00001.parquet"}),
                ElementsAre("data/train_sft-00000-of-00001.parquet"));
    EXPECT_THAT(chosen("org/name", {"a.parquet", "b.parquet", "notes.txt"}), ElementsAre("a.parquet", "b.parquet"))
        << "without splits everything is trained on";
    EXPECT_THAT(chosen("org/name", {"default/train/0000.parquet", "default/test/0000.parquet"}),
                ElementsAre("default/train/0000.parquet"));
    EXPECT_THAT(chosen("org/name", {"default/partial-train/0000.parquet"}),
                ElementsAre("default/partial-train/0000.parquet"));
    EXPECT_THROW(chosen("org/name:test", {"train.parquet"}), hub::UnusableError);
}

TEST(HubDataSets, ConfigurationsFollowTheFolders) {
    const Names glue{"cola/train-00000-of-00001.parquet", "mrpc/test-00000-of-00001.parquet",
                     "mrpc/train-00000-of-00001.parquet"};
    EXPECT_THAT(chosen("org/glue/mrpc", glue), ElementsAre("mrpc/train-00000-of-00001.parquet"));
    const auto message = [&](const char* name) {
        try {
            chosen(name, glue);
        } catch (const hub::UnusableError& error) {
            return error.message();
        }
        return Message();
    };
    EXPECT_THAT(message("org/glue"), says("it has the configurations {}: name one of them, as in hub:{}/{}",
                                          "cola, mrpc", "org/glue", "cola"));
    EXPECT_THAT(message("org/glue/sst2"), says("it does not have the configuration {}, but {}", "sst2", "cola, mrpc"));
}

TEST(HubDataSets, TheCardSaysWhichFiles) {
    const std::string card = R"(---
license: mit
configs:
- config_name: cola
  data_files:
  - split: train
    path: cola/a-*
- config_name: mrpc
  default: true
  data_files:
  - split: train
    path:
    - mrpc/one.parquet
    - mrpc/two/*
  - split: validation
    path: mrpc/three.parquet
- config_name: whole
  data_files: "*/one.parquet"
---
# A card
)";
    const Names files{"cola/a-1.parquet", "cola/b-1.parquet", "mrpc/one.parquet", "mrpc/two/x.parquet",
                      "mrpc/three.parquet"};
    EXPECT_THAT(chosen("org/name", files, card), ElementsAre("mrpc/one.parquet", "mrpc/two/x.parquet"));
    EXPECT_THAT(chosen("org/name/mrpc:validation", files, card), ElementsAre("mrpc/three.parquet"));
    EXPECT_THAT(chosen("org/name/cola", files, card), ElementsAre("cola/a-1.parquet"));
    EXPECT_THAT(chosen("org/name/whole", files, card), ElementsAre("mrpc/one.parquet"));
    EXPECT_THAT(chosen("org/name", {"data/train.parquet"}, "---\nlicense: mit\n---\n"),
                ElementsAre("data/train.parquet"));
}

class FetchData : public test::HubTest {
  protected:
    Names files_of(const std::string& name) {
        config::Recipe recipe;
        recipe.data.paths = {name};
        const hub::FetchOptions options;
        for (const InputProblem& problem : settle_hub_names(recipe, &options))
            throw UserError(problem.message);
        Names names;
        for (const std::string& path : recipe.data.paths)
            names.push_back(fs::path(path).lexically_relative(cache()).string());
        return names;
    }
};

TEST_F(FetchData, OnlyTheSplitIsDownloadedAndOnce) {
    hub_.put("datasets/org/name", "data/train-00000-of-00001.parquet", noise(10'000), true);
    hub_.put("datasets/org/name", "data/test-00000-of-00001.parquet", noise(10'000, 2), true);
    hub_.put("datasets/org/name", "README.md", "---\nlicense: mit\n---\n");
    const std::string place = "datasets--org--name/snapshots/" + hub_.commit_of("datasets/org/name");
    EXPECT_THAT(files_of("hub:org/name"), ElementsAre(place + "/data/train-00000-of-00001.parquet"));
    EXPECT_EQ(hub_.sent("data/test-00000-of-00001.parquet"), 0u);
    hub_.forget_requests();
    files_of("hub:org/name");
    EXPECT_THAT(hub_.requests(), IsEmpty());
    ::setenv("HF_HUB_OFFLINE", "1", 1);
    fs::remove_all(folder_.path() / "cache");
    EXPECT_THAT(files_of("hub:org/name"), ElementsAre(place + "/data/train-00000-of-00001.parquet"));
    EXPECT_THROW(files_of("hub:org/name:test"), UserError);
    ::unsetenv("HF_HUB_OFFLINE");
    // A path of the cache, as the run has it, is brought again.
    config::Recipe recipe;
    recipe.data.paths = {(cache() / place / "data/train-00000-of-00001.parquet").string()};
    fs::remove_all(cache());
    const hub::FetchOptions options;
    EXPECT_THAT(settle_hub_names(recipe, &options, HubPart::data), IsEmpty());
    EXPECT_EQ(test::content_of(recipe.data.paths.front()), noise(10'000));
}

TEST_F(FetchData, TwoWordsMayBeANameAndAConfiguration) {
    hub_.put("datasets/glue", "mrpc/train-00000-of-00001.parquet", noise(1000), true);
    hub_.put("datasets/glue", "cola/train-00000-of-00001.parquet", noise(1000, 2), true);
    EXPECT_THAT(files_of("hub:glue/mrpc"), ElementsAre(HasSubstr("datasets--glue/snapshots")));
    hub_.forget_requests();
    EXPECT_THAT(files_of("hub:glue/mrpc"), ElementsAre(HasSubstr("mrpc/train")));
    EXPECT_THAT(hub_.requests(), IsEmpty());
}

TEST_F(FetchData, TheHubsConversionIsUsedForOtherFormats) {
    hub_.put("datasets/org/lines", "train.jsonl", "{}");
    hub_.put_revision("datasets/org/lines", "refs/convert/parquet", "default/train/0000.parquet", noise(1000));
    EXPECT_THAT(files_of("hub:org/lines"), ElementsAre(HasSubstr("default/train/0000.parquet")));
    hub_.put("datasets/org/text", "train.txt", "x");
    try {
        files_of("hub:org/text");
        ADD_FAILURE();
    } catch (const UserError& error) {
        EXPECT_THAT(error.message(),
                    says("{} on {} cannot be used: {}", "org/text", _, "it does not have Parquet files"));
    }
    EXPECT_THROW(files_of("hub:org/nothing"), UserError);
}

}  // namespace
}  // namespace trainyard::inputs
