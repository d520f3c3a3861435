// Loading: every library that is no plug-in of this version is refused with one sentence.

#include <fstream>

#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>

#include "base/error.h"
#include "models/plugins/plugins.h"
#include "support/temporary_folder.h"

namespace trainyard::plugins {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string library(const std::string& name) {
    return std::string(TRAINYARD_PLUGINS_FOLDER) + "/plugin_" + name + ".so";
}

template <class Call>
std::string refusal(Call call) {
    try {
        call();
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

std::string refused(const std::string& file) {
    return refusal([&] { load({file}); });
}

TEST(PluginLibraries, WhatIsNoPluginIsSaidInOneSentence) {
    test::TemporaryFolder folder;
    const std::string text = (folder.path() / "text.so").string();
    std::ofstream(text) << "no library at all, but long enough to be looked at as one: 64 bytes and more\n";
    EXPECT_THAT(refused((folder.path() / "missing.so").string()),
                HasSubstr("missing.so does not exist: name the shared"));
    EXPECT_THAT(refused(folder.path().string()), HasSubstr("cannot be read as a file"));
    EXPECT_THAT(refused(text), HasSubstr("text.so is not a shared library"));
    EXPECT_THAT(refused(library("no_entry")),
                AllOf(HasSubstr("has no entry trainyard_plugin()"), Not(HasSubstr("\n"))));
    EXPECT_THAT(refused(library("other_version")),
                HasSubstr("was built for version 999 of the plug-in interface, and this Trainyard has version 1"));
    EXPECT_THAT(refused(library("other_torch")), HasSubstr("was built against LibTorch"));
}

TEST(PluginLibraries, NamesAreFoundOrRefusedWithThoseThatThereAre) {
    load({TRAINYARD_SAMPLE_PLUGIN});
    load({TRAINYARD_SAMPLE_PLUGIN});  // which is loaded already
    EXPECT_NE(find_loss("focal"), nullptr);
    EXPECT_EQ(find_loss("focus"), nullptr);
    EXPECT_THAT(
        refusal([] { make_model("mpl", ""); }),
        AllOf(HasSubstr("model.plugin: "), HasSubstr("my_plugin.so has no model named 'mpl': did you mean 'mlp'")));
    EXPECT_THAT(refusal([] { make_metric("recall"); }),
                HasSubstr("my_plugin.so has no metric named 'recall': known are confidence"));
    EXPECT_THAT(refusal([] { make_data_set("rings", ""); }),
                HasSubstr("has no data set named 'rings': known are spirals"));
    EXPECT_THAT(refusal([] { loss_named("focus"); }), HasSubstr("has no loss named 'focus': did you mean 'focal'"));
    EXPECT_THAT(refused(library("taken_name")),
                HasSubstr("two plug-ins, spirals and second, have a loss named 'focal'"));
}

TEST(PluginLibraries, ArgumentsAreReadAndRefusedByName) {
    load({TRAINYARD_SAMPLE_PLUGIN});
    EXPECT_EQ(make_data_set("spirals", R"({"points": 7})")->size(), 7);
    EXPECT_EQ(make_data_set("spirals", "")->size(), 2000);
    EXPECT_THAT(refusal([] { make_data_set("spirals", R"({"points": "many"})"); }),
                HasSubstr("the data set 'spirals' of the plug-in spirals: arguments.points is many, and not a whole"));
    EXPECT_THAT(refusal([] { make_data_set("spirals", R"({"points": 1})"); }), HasSubstr("must be from 2 on"));
    EXPECT_THAT(refusal([] { make_model("mlp", R"({"dropout": true})"); }), HasSubstr("arguments.dropout is true"));
}

TEST(PluginLibraries, WhatAPluginThrowsIsSaidWithItsNames) {
    load({library("throws")});
    EXPECT_THAT(refusal([] { make_model("failing", ""); }),
                HasSubstr("the model 'failing' of the plug-in throws: the width is unlucky"));
    EXPECT_THAT(refusal([] { make_data_set("failing", ""); }), HasSubstr("it made nothing"));
    EXPECT_THAT(refusal([] {
                    summed_loss("of_one_number", at::tensor({1.0f, 2.0f}), at::tensor({0, 1}));
                }),
                HasSubstr("gives values of shape [], and the labels have the shape [2]"));
}

TEST(PluginLibraries, LabelsThatAreNotCountedAreLeftOut) {
    load({TRAINYARD_SAMPLE_PLUGIN});
    const at::Tensor outputs = at::tensor({0.0f, 0.0f, 3.0f, 1.0f}).view({2, 2});
    const double both = summed_loss("focal", outputs, at::tensor({1, 0})).item<double>();
    const double first = summed_loss("focal", outputs, at::tensor({1, -100})).item<double>();
    const double second = summed_loss("focal", outputs, at::tensor({-100, 0})).item<double>();
    EXPECT_NEAR(first, 0.25 * std::log(2.0), 1e-6);  // (1 - 1/2)^2 * -log(1/2)
    EXPECT_NEAR(both, first + second, 1e-6);
}

}  // namespace
}  // namespace trainyard::plugins
