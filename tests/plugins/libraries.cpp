// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of loading plug-ins: a library that is not a plug-in of this version is refused with a message of one sentence.

#include <fstream>

#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>

#include "base/error.h"
#include "models/plugins/plugins.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::plugins {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
    EXPECT_THAT(
        refused((folder.path() / "missing.so").string()),
        says("{} does not exist: name the shared library (.so) that the plug-in's build made", EndsWith("missing.so")));
    EXPECT_THAT(refused(folder.path().string()),
                says("{} cannot be read as a file: name the shared library (.so) that the plug-in's build made", _));
    EXPECT_THAT(refused(text), says("{} is not a shared library: name the .so file that the plug-in's build made",
                                    EndsWith("text.so")));
    EXPECT_THAT(refused(library("no_entry")), AllOf(says("{} is a shared library and no plug-in, because it has no "
                                                         "entry {}(): write TRAINYARD_PLUGIN(...) in one of its files",
                                                         _, "trainyard_plugin"),
                                                    Not(HasSubstr("\n"))));
    EXPECT_THAT(refused(library("other_version")),
                says("{} was built for version {} of the plug-in interface, and this Trainyard has version {}: build "
                     "it again with this Trainyard's headers",
                     _, 999, StartsWith("3")));
    EXPECT_THAT(
        refused(library("other_torch")),
        says("{} was built against LibTorch {}.{}, and this Trainyard has {}.{}: build it again", _, _, _, _, _));
}

TEST(PluginLibraries, NamesAreFoundOrRefusedWithThoseThatThereAre) {
    load({TRAINYARD_SAMPLE_PLUGIN});
    load({TRAINYARD_SAMPLE_PLUGIN});  // which is loaded already
    EXPECT_NO_THROW(loss_named("focal"));
    EXPECT_THAT(refusal([] { loss_named("focus"); }),
                says("{} has no {} named '{}'{}", EndsWith("my_plugin.so"), "loss", "focus",
                     says(": did you mean '{}'?", "focal").at_start()));
    EXPECT_THAT(refusal([] { make_model("mpl", ""); }),
                AllOf(HasSubstr("model.plugin: "), says("{} has no {} named '{}'{}", EndsWith("my_plugin.so"), "model",
                                                        "mpl", says(": did you mean '{}'?", "mlp").at_start())));
    EXPECT_THAT(refusal([] { make_metric("recall"); }),
                says("{} has no {} named '{}'{}", EndsWith("my_plugin.so"), "metric", "recall",
                     says(": known are {}", "confidence").at_start()));
    EXPECT_THAT(refusal([] { make_data_set("rings", ""); }),
                HasSubstr("has no data set named 'rings': known are spirals"));
    EXPECT_THAT(refusal([] { loss_named("focus"); }), says("{} has no {} named '{}'{}", _, "loss", "focus",
                                                           says(": did you mean '{}'?", "focal").at_start()));
    EXPECT_THAT(refusal([] { require(Part::tracker, "text_lgo"); }),
                says("{} has no {} named '{}'{}", EndsWith("my_plugin.so"), "tracker", "text_lgo",
                     says(": did you mean '{}'?", "text_log").at_start()));
    EXPECT_THAT(refusal([] { require(Part::tracker, "own_board"); }),
                AllOf(HasSubstr("known are tensorboard, jsonl, csv, dvclive"), HasSubstr(", text_log")));
    EXPECT_THAT(names_of(Part::tracker), testing::Contains("text_log"));
    EXPECT_THAT(refused(library("tracker_name")),
                says("Trainyard has a tracker named '{}': give the tracker of the plug-in another name", "csv"));
    EXPECT_THAT(refused(library("taken_name")),
                says("two plug-ins, {} and {}, have a {} named '{}': name one of them in plugins, or rename it",
                     "spirals", "second", "loss", "focal"));
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
    EXPECT_THAT(refusal([] { make_data_set("failing", ""); }),
                HasSubstr("the data set 'failing' of the plug-in throws: it made nothing"));
    EXPECT_THAT(
        refusal([] { summed_loss("of_no_type", at::tensor({1.0f}), at::tensor({0})); }),
        test::says("an exception that is not a std::exception").after("the loss 'of_no_type' of the plug-in throws: "));
    EXPECT_THAT(refused(library("no_licence")),
                says("the plug-in {} ({}) failed while it registered its parts: {}", "licensed",
                     EndsWith("plugin_no_licence.so"), "no licence for this plug-in"));
    EXPECT_THAT(refusal([] {
                    summed_loss("of_one_number", at::tensor({1.0f, 2.0f}), at::tensor({0, 1}));
                }),
                says("the loss '{}' gives values of shape [{}], and the labels have the shape [{}]: give a value for "
                     "each sample, or for each label",
                     _, "", 2));
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
