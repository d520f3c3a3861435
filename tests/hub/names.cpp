// SPDX-License-Identifier: GPL-3.0-or-later
// Names of models and data sets, and paths of the cache.

#include <gtest/gtest.h>

#include "formats/hub/hub_cache.h"
#include "formats/hub/repo_name.h"

namespace trainyard::hub {
namespace {

TEST(HubNames, OfModels) {
    EXPECT_EQ(parse_model_name("org/name"), (RepoName{RepoKind::model, "org/name"}));
    EXPECT_EQ(parse_model_name("hub:gpt2@v1.0"), (RepoName{RepoKind::model, "gpt2", "v1.0"}));
    EXPECT_EQ(parse_model_name("hub:org/name@refs/pr/3")->text(), "org/name@refs/pr/3");
    for (const char* other : {"", "a/b/c", "/etc/passwd", "../up", "org/name@", "org/name@..", "org/name@a b",
                              "hub:", "org/model.safetensors", "r.yaml", "hub:org/"})
        EXPECT_FALSE(parse_model_name(other)) << other;
    EXPECT_FALSE(model_not_here("gpt2")) << "one word may be a run or a file that is missing";
    EXPECT_TRUE(model_not_here("hub:gpt2"));
    EXPECT_TRUE(model_not_here("org/name"));
    EXPECT_FALSE(model_not_here("/proc/self"));
}

TEST(HubNames, OfDataSets) {
    const auto is = [](const char* text, const char* name, const char* revision, const char* config,
                       const char* split) {
        const auto data = parse_data_name(text);
        ASSERT_TRUE(data) << text;
        EXPECT_EQ(data->repo, (RepoName{RepoKind::dataset, name, revision})) << text;
        EXPECT_EQ(data->config, config) << text;
        EXPECT_EQ(data->split, split) << text;
    };
    is("hub:org/name", "org/name", "main", "", "");
    is("hub:org/name:validation", "org/name", "main", "", "validation");
    is("hub:org/name/mrpc:test", "org/name", "main", "mrpc", "test");
    is("hub:org/name@v2/mrpc", "org/name", "v2", "mrpc", "");
    is("hub:glue/mrpc", "glue/mrpc", "main", "", "");
    EXPECT_EQ(parse_data_name("hub:glue/mrpc")->shorter(), (RepoName{RepoKind::dataset, "glue"}));
    EXPECT_FALSE(parse_data_name("hub:org/name/mrpc")->shorter());
    for (const char* other :
         {"org/name", "hub:", "hub:org/name:", "hub:org/name@/x", "hub:a/b/c/d", "hub:org/name@v/../x"})
        EXPECT_FALSE(parse_data_name(other)) << other;
}

/// Addresses as copied from a browser.
TEST(HubNames, OfAddresses) {
    for (const char* address : {"https://huggingface.co/org/name", "https://huggingface.co/org/name/",
                                "http://hf.co/org/name?library=transformers",
                                "https://huggingface.co/org/name/tree/main", "https://huggingface.co/org/name#usage"})
        EXPECT_EQ(name_of_address(address), "hub:org/name") << address;
    EXPECT_EQ(name_of_address("https://huggingface.co/org/name/blob/v2/config.json"), "hub:org/name@v2");
    // Issue 4212 of huggingface/accelerate: timm's own prefixes.
    for (const char* of_timm : {"hf-hub:timm/resnet50.a1_in1k", "hf_hub:timm/resnet50.a1_in1k"})
        EXPECT_EQ(parse_model_name(of_timm), (RepoName{RepoKind::model, "timm/resnet50.a1_in1k"})) << of_timm;
    EXPECT_EQ(parse_model_name("https://huggingface.co/gpt2"), (RepoName{RepoKind::model, "gpt2"}));
    EXPECT_TRUE(model_not_here("https://huggingface.co/org/name"));
    for (const char* address :
         {"https://huggingface.co/datasets/org/name", "hub:https://huggingface.co/datasets/org/name"})
        EXPECT_EQ(parse_data_name(address)->repo, (RepoName{RepoKind::dataset, "org/name"})) << address;
    for (const char* other :
         {"https://example.org/org/name", "org/name", "/https://huggingface.co/org/name", "huggingface.co/a"})
        EXPECT_EQ(name_of_address(other), other);
    EXPECT_FALSE(parse_model_name("https://huggingface.co/"));
}

TEST(HubNames, OfPathsInTheCache) {
    const std::string commit(40, 'a');
    const auto found =
        parse_snapshot_path("/home/me/hub/datasets--org--name/snapshots/" + commit + "/mrpc/train.parquet");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->repo, (RepoName{RepoKind::dataset, "org/name", commit}));
    EXPECT_EQ(found->file, "mrpc/train.parquet");
    EXPECT_EQ(parse_snapshot_path("models--gpt2/snapshots/" + commit)->repo.name, "gpt2");
    for (const std::string& other : std::vector<std::string>{
             std::string("/data/weights"), "/x/models--a/snapshots/main", "/x/other/snapshots/" + commit})
        EXPECT_FALSE(parse_snapshot_path(other)) << other;
}

}  // namespace
}  // namespace trainyard::hub
