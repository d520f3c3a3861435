// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints as people have them: wrapped names, metadata that is null, ZeRO folders without `latest` or a rank's
// file, a training state around the model, files that cannot be read beside ones that can.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/merge.h"
#include "formats/weights/weight_source.h"
#include "inspect/saved.h"
#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/conversion.h"
#include "observe/inspect/reader.h"
#include "observe/inspect/verify.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "weights/written.h"

namespace trainyard::inspect {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class AsFound : public testing::Test {
  protected:
    /// A safetensors file of one F32 tensor `w` with this text for its metadata; empty: none.
    fs::path with_metadata(const std::string& name, const std::string& metadata) {
        std::string header = "{" + (metadata.empty() ? "" : "\"__metadata__\":" + metadata + ",") +
                             R"("w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
        header.append((8 - header.size() % 8) % 8, ' ');
        const std::uint64_t length = header.size();
        const float values[] = {1, 2};
        const fs::path file = folder_.path() / name;
        std::ofstream out(file, std::ios::binary);
        out.write(reinterpret_cast<const char*>(&length), 8);
        out << header;
        out.write(reinterpret_cast<const char*>(values), sizeof values);
        return file;
    }
    static std::vector<std::string> rows_of(const Comparison& comparison, const Contents& before,
                                            const Contents& after) {
        std::vector<std::string> rows;
        for (const TensorChange& row : comparison.rows)
            rows.push_back(
                std::string(name_of(row.kind)) + " " +
                (row.after != TensorChange::kNone ? after.tensors[row.after] : before.tensors[row.before]).name);
        return rows;
    }
    static Comparison compared(const Contents& before, const Contents& after) {
        Progress progress;
        return compare(Reader(before), Reader(after), progress);
    }
    /// The golden ZeRO folder of three ranks with its file `latest` and the folder global_step12.
    fs::path zero_folder(const std::string& name) {
        const fs::path copy = folder_.path() / name;
        fs::copy(test::golden("checkpoint_formats/zero2_ranks3/input"), copy, fs::copy_options::recursive);
        return copy;
    }
    std::vector<Message> merge_notes(const fs::path& folder) {
        return weights::merge_weights({.checkpoint = folder, .output = folder_.path() / "out"}).notes;
    }
    static std::string problem_of(const auto& work) {
        try {
            work();
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }

    test::TemporaryFolder folder_;
};

TEST_F(AsFound, NullMetadataAreNone) {
    for (const auto& [name, metadata] : {std::pair("null.safetensors", "null"), std::pair("absent.safetensors", ""),
                                         std::pair("empty.safetensors", "{}")}) {
        SCOPED_TRACE(name);
        const fs::path file = with_metadata(name, metadata);
        const Contents contents = read_contents(file);
        EXPECT_THAT(contents.problems, IsEmpty());
        ASSERT_EQ(contents.tensors.size(), 1u);
        Progress progress;
        EXPECT_TRUE(verify(file, true, progress).good());
        EXPECT_EQ(weights::open_weights(file)->tensors().size(), 1u);
    }
    // The safetensors library refuses these values.
    for (const char* metadata : {"1", "[]", "\"a\"", "nul", "{\"a\":null}", "{\"a\":1}"})
        EXPECT_THAT(read_contents(with_metadata("bad.safetensors", metadata)).problems, Not(IsEmpty())) << metadata;
}

TEST_F(AsFound, JsonWithBracketsInStringsDoesNotOverflowTheStack) {
    const fs::path folder = folder_.path() / "deep";
    test::write_floats(folder / "model.safetensors", {{"a", {1}}});
    std::string text;
    for (int i = 0; i < 30'000; ++i)
        text += R"({"}":)";
    text += "1" + std::string(30'000, '}');
    write_file_atomically(folder / "trainer_state.json", text);
    write_file_atomically(folder / "model.safetensors.index.json",
                          R"({"metadata": )" + text + R"(, "weight_map": {"a": "model.safetensors"}})");
    const Contents contents = read_contents(folder);
    EXPECT_THAT(contents.problems,
                Contains(AllOf(HasSubstr("trainer_state.json"), says("nested deeper than 64 levels"))));
    EXPECT_THAT(contents.problems, Contains(says("it is nested too deeply")));
    std::string metadata = text;
    for (std::size_t at = 0; (at = metadata.find('"', at)) != std::string::npos; at += 2)
        metadata.insert(at, "\\");
    const Contents file = read_contents(with_metadata("deep.safetensors", "{\"note\":\"" + metadata + "\"}"));
    EXPECT_EQ(file.tensors.size(), 1u);
}

TEST_F(AsFound, NamesOfWrappersAreLeftOut) {
    const test::Floats plain{{"model.layers.0.up", {1, 2}}, {"model.norm", {3}}};
    test::write_floats(folder_.path() / "plain" / "model.safetensors", plain);
    const std::pair<const char*, std::function<std::string(std::string)>> cases[] = {
        {"_orig_mod.", [](std::string name) { return "_orig_mod." + name; }},
        {"module.", [](std::string name) { return "module._orig_mod." + name; }},
        {"module.", [](std::string name) { return "module.module." + name; }},
        {"base_model.model.", [](std::string name) { return "base_model.model." + name; }},
        {"_fsdp_wrapped_module.", [](std::string name) { return "_fsdp_wrapped_module." + name; }},
        {"_forward_module.", [](std::string name) { return "_forward_module.module." + name; }},
        {"_checkpoint_wrapped_module.",
         [](std::string name) {
             if (const std::size_t at = name.find("up"); at != std::string::npos)
                 name.insert(at, "_orig_mod._checkpoint_wrapped_module.");
             return name;
         }},
    };
    const Contents expected = read_contents(folder_.path() / "plain");
    int number = 0;
    for (const auto& [part, wrap] : cases) {
        SCOPED_TRACE(part);
        test::Floats wrapped;
        for (const auto& [name, values] : plain)
            wrapped.emplace(wrap(name), values);
        const fs::path folder = folder_.path() / ("wrapped" + std::to_string(number++));
        test::write_floats(folder / "model.safetensors", wrapped);
        const auto source = weights::open_first_model(folder);
        std::vector<std::string> names;
        for (const weights::SourceTensor& tensor : source->tensors())
            names.push_back(tensor.name);
        EXPECT_THAT(names, testing::UnorderedElementsAre("model.layers.0.up", "model.norm"));
        EXPECT_THAT(source->notes(), ElementsAre(HasSubstr(part)));
        const Contents contents = read_contents(folder);
        EXPECT_THAT(contents.notes, ElementsAre(HasSubstr(part)));
        const Comparison comparison = compared(expected, contents);
        EXPECT_EQ(comparison.count(TensorChange::Kind::same), 2u);
        EXPECT_EQ(comparison.rows.size(), 2u);
        // A table of names sees them as the file has them.
        Progress progress;
        const Converted converted = convert({.sources = {folder},
                                             .output = folder_.path() / ("out" + std::to_string(number)),
                                             .renames = {{wrap("model.norm"), "model.norm"}}},
                                            progress);
        EXPECT_EQ(converted.written.tensors, 2u);
    }
}

TEST_F(AsFound, NamesThatOnlyLookWrappedStay) {
    test::write_floats(folder_.path() / "a.safetensors", {{"module.w", {1}}, {"head.w", {2}}});
    test::write_floats(folder_.path() / "b.safetensors", {{"a_orig_mod.w", {1}}, {"module_list.w", {2}}});
    test::write_floats(folder_.path() / "c.safetensors", {{"_orig_mod.w", {1}}, {"w", {2}}});
    test::write_floats(folder_.path() / "d.safetensors", {{"base_model.model.a.lora_A.weight", {1}}});
    for (const char* name : {"a.safetensors", "b.safetensors", "c.safetensors", "d.safetensors"}) {
        SCOPED_TRACE(name);
        EXPECT_THAT(weights::open_weights(folder_.path() / name)->notes(), IsEmpty());
        EXPECT_THAT(read_contents(folder_.path() / name).notes, IsEmpty());
    }
}

TEST_F(AsFound, TheNewestWholeZeroStepIsReadWithoutLatest) {
    const fs::path missing = zero_folder("no_latest"), stale = zero_folder("stale"), two = zero_folder("two_steps");
    fs::remove(missing / "latest");
    fs::copy(missing / "global_step12", missing / "global_step100", fs::copy_options::recursive);
    fs::copy(missing / "global_step12", missing / "global_step200", fs::copy_options::recursive);
    fs::remove(missing / "global_step200" / "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt");
    write_file_atomically(stale / "latest", "global_step99\n");
    fs::copy(two / "global_step12", two / "global_step24", fs::copy_options::recursive);
    for (const auto& [folder, step, words] :
         {std::tuple(missing, "global_step100", "has no file 'latest'"),
          std::tuple(stale, "global_step12", "names global_step99, which is missing")}) {
        SCOPED_TRACE(folder);
        const auto says = AllOf(HasSubstr(words), HasSubstr(step));
        EXPECT_THAT(merge_notes(folder), ElementsAre(says));
        const fs::path shown = find_checkpoint(folder_.path(), folder.string());
        const Contents contents = read_contents(shown);
        EXPECT_THAT(contents.notes, ElementsAre(says));
        EXPECT_THAT(contents.problems, IsEmpty());
        EXPECT_THAT(contents.files, Contains(testing::Field(&File::name, HasSubstr(step))));
        const CheckpointList checkpoint_list = read_checkpoint_list(folder);
        EXPECT_THAT(checkpoint_list.notes, ElementsAre(says));
        ASSERT_GE(checkpoint_list.newest(), 0);
        EXPECT_EQ(checkpoint_list.items[static_cast<std::size_t>(checkpoint_list.newest())].name, step);
    }
    // The step that `latest` names counts for all of them, and not the one with the highest number.
    EXPECT_THAT(merge_notes(two), IsEmpty());
    const Contents contents = read_contents(find_checkpoint(folder_.path(), two.string()));
    EXPECT_THAT(contents.files, Contains(testing::Field(&File::name, HasSubstr("global_step12"))));
    EXPECT_THAT(contents.files, Not(Contains(testing::Field(&File::name, HasSubstr("global_step24")))));
    const CheckpointList checkpoint_list = read_checkpoint_list(two);
    EXPECT_EQ(checkpoint_list.items[static_cast<std::size_t>(checkpoint_list.newest())].name, "global_step12");
}

TEST_F(AsFound, AMissingRanksFileIsNamedAndTheOthersAreShown) {
    const fs::path lost = zero_folder("lost_rank");
    const std::string name = "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt";
    fs::remove(lost / "global_step12" / name);
    EXPECT_THAT(problem_of([&] { merge_notes(lost); }), AllOf(HasSubstr(name), HasSubstr("3 ranks")));
    const Contents contents = read_contents(lost);
    EXPECT_THAT(contents.problems, ElementsAre(HasSubstr(name)));
    EXPECT_THAT(contents.tensors, Contains(testing::Field(&Tensor::name, HasSubstr("zero_pp_rank_2"))));
    EXPECT_THAT(contents.tensors, Contains(testing::Field(&Tensor::section, Section::weights)));
    EXPECT_GT(contents.file_bytes(), 0u);
    const Reader reader(contents);
    for (const Tensor& tensor : contents.tensors)
        EXPECT_EQ(reader.elements(tensor, 0, 1).size(), element_bytes(tensor)) << tensor.name;
    const Contents whole = read_contents(zero_folder("whole"));
    const Comparison comparison = compared(whole, contents);
    EXPECT_THAT(comparison.problems, ElementsAre(HasSubstr(name)));
    EXPECT_EQ(comparison.count(TensorChange::Kind::removed), 0u);
}

TEST_F(AsFound, TheModuleIsReadWhereNoRankSavedAnOptimizer) {
    const fs::path folder = zero_folder("stage0");
    for (const int rank : {0, 1, 2})
        fs::remove(folder / "global_step12" /
                   ("bf16_zero_pp_rank_" + std::to_string(rank) + "_mp_rank_00_optim_states.pt"));
    for (const fs::path& path : {folder, folder / "global_step12"}) {
        const auto source = weights::open_weights(path);
        EXPECT_THAT(
            source->notes(),
            Contains(says(
                "{} has no files of DeepSpeed's optimizer, so the weights are those of the module, in its type", _)));
        const Contents contents = read_contents(path);
        EXPECT_THAT(contents.problems, IsEmpty());
        EXPECT_EQ(std::ranges::count(contents.tensors, Section::weights, &Tensor::section),
                  static_cast<std::ptrdiff_t>(source->tensors().size()));
        std::vector<std::string> names;
        for (const weights::SourceTensor& tensor : source->tensors())
            names.push_back(tensor.name);
        EXPECT_THAT(names,
                    testing::IsSupersetOf({"model.embed.weight", "model.layers.1.up.bias", "model.norm.weight"}));
    }
    // In stage 3 each rank has a part of the module.
    fs::copy(folder / "global_step12" / "mp_rank_00_model_states.pt",
             folder / "global_step12" / "zero_pp_rank_1_mp_rank_00_model_states.pt");
    EXPECT_THAT(problem_of([&] { weights::open_weights(folder); }),
                says("{} holds no weights: expected .metadata with *.distcp, model.safetensors or pytorch_model.bin, "
                     "or an index of these",
                     _));
}

TEST_F(AsFound, WhatCannotBeReadIsNotEmpty) {
    const fs::path good = folder_.path() / "good.safetensors", cut = folder_.path() / "cut.safetensors",
                   longer = folder_.path() / "longer.safetensors", gguf = folder_.path() / "bad.gguf";
    test::write_floats(good, {{"a", {1, 2, 3}}, {"b", {4}}});
    fs::copy(good, cut);
    fs::resize_file(cut, fs::file_size(cut) - 6);
    fs::copy(good, longer);
    std::ofstream(longer, std::ios::app | std::ios::binary) << "more";
    write_file_atomically(gguf, "GGUF\3\0\0\0 and no more");
    const Contents whole = read_contents(good);
    for (const fs::path& file : {cut, longer, gguf}) {
        SCOPED_TRACE(file);
        const Contents broken = read_contents(file);
        for (const auto& [before, after] : {std::pair(&whole, &broken), std::pair(&broken, &whole)}) {
            const Comparison comparison = compared(*before, *after);
            EXPECT_THAT(comparison.problems, ElementsAre(HasSubstr(file.filename().string())));
            EXPECT_THAT(comparison.rows, IsEmpty());
        }
    }
    // Of a folder in which one shard is cut, those of the other are compared.
    const fs::path shards = folder_.path() / "shards", other = folder_.path() / "other";
    for (const fs::path& folder : {shards, other}) {
        test::write_floats(folder / "model-00001-of-00002.safetensors", {{"a", {1, 2, 3}}});
        test::write_floats(folder / "model-00002-of-00002.safetensors", {{"b", {4}}});
    }
    fs::resize_file(other / "model-00002-of-00002.safetensors", 40);
    const Contents both = read_contents(shards), one = read_contents(other);
    EXPECT_THAT(rows_of(compared(both, one), both, one), ElementsAre("same a"));
    EXPECT_THAT(rows_of(compared(one, both), one, both), ElementsAre("same a"));
}

TEST_F(AsFound, AStateAroundTheModelIsShownWithItsKeysAndNumbers) {
    const fs::path topic = test::golden("weights_as_found");
    const Contents app = read_contents(topic / "dcp_app" / "in");
    std::map<std::string, Section> sections;
    for (const Tensor& tensor : app.tensors)
        sections.emplace(tensor.name, tensor.section);
    EXPECT_EQ(sections.at("app.model.lm_head.weight"), Section::weights);
    EXPECT_EQ(sections.at("app.optim.state.lm_head.weight.exp_avg"), Section::optimizer);
    EXPECT_EQ(app.value("app.epoch"), "2");
    EXPECT_EQ(app.value("app.optim.param_groups.0.lr"), "0.001");
    const Contents state = read_contents(topic / "dcp_state_model" / "in");
    EXPECT_EQ(state.value("state.history.0.loss"), "1.5");
    EXPECT_EQ(state.value("state.history.1.loss"), "1.25");
    const Contents models = read_contents(topic / "dcp_two_models" / "in");
    EXPECT_THAT(models.tensors, Contains(testing::Field(&Tensor::section, Section::average)));
    // Only the names of the model are compared.
    const Contents expected = read_contents(topic / "dcp_app" / "expected.safetensors");
    EXPECT_EQ(compared(expected, app).count(TensorChange::Kind::same), 3u);
    EXPECT_EQ(compared(expected, app).count(TensorChange::Kind::removed), 0u);
    const Contents torch = read_contents(topic / "pt_model_optimizer_step" / "in.pt");
    EXPECT_EQ(compared(expected, torch).count(TensorChange::Kind::same), 3u);
    EXPECT_THAT(torch.tensors, Contains(testing::AllOf(testing::Field(&Tensor::name, HasSubstr("optimizer.state.")),
                                                       testing::Field(&Tensor::section, Section::optimizer))));
}

TEST_F(AsFound, TablesThatHoldThemselvesEnd) {
    // {"a": itself, "b": itself, ...}, 40 times.
    std::string body = "}q\x01(";
    for (int i = 0; i < 40; ++i)
        body += test::pickled("key" + std::to_string(i)) + "h\x01";
    write_file_atomically(folder_.path() / "pytorch_model.bin",
                          test::zip({{"archive/data.pkl", test::whole(body + "u")}, {"archive/byteorder", "little"}}));
    EXPECT_THAT(read_contents(folder_.path() / "pytorch_model.bin").problems,
                ElementsAre(says("{} has more than {} values", _, _)));
    EXPECT_THAT(problem_of([&] { weights::open_weights(folder_.path()); }), says("{} has more than {} values", _, _));
}

TEST_F(AsFound, TheStateOfAnOptimizerAloneHasNoWeights) {
    test::write_floats(folder_.path() / "optimizer.safetensors", {{"optimizer.state.w.exp_avg", {1}}, {"step", {2}}});
    EXPECT_THAT(problem_of([&] { weights::open_weights(folder_.path() / "optimizer.safetensors"); }),
                AllOf(says("{} contains the state of an optimizer and no weights of a model ({}): give the folder or "
                           "file of the model",
                           _, _),
                      HasSubstr("optimizer.safetensors")));
}

}  // namespace
}  // namespace trainyard::inspect
