// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard merge-weights: the weights of a checkpoint in pieces as one safetensors file, or several with an index.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files/user_folders.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "config/inputs/stored_head.h"
#include "formats/weights/merge.h"

namespace trainyard::cli {

namespace {

struct MergeArguments {
    weights::MergeOptions options;
    std::string checkpoint, output, shard_size;
    bool unsafe_serialization = false;
    bool json = false;
};

int merge(MergeArguments& arguments) {
    if (arguments.unsafe_serialization)
        throw UserError(
            "--unsafe_serialization asks for a pickle, and Trainyard writes none, since reading one can run code: "
            "leave it "
            "out and get model.safetensors, which Python's libraries read too");
    weights::MergeOptions& options = arguments.options;
    options.checkpoint = files::expand_home(arguments.checkpoint);
    options.output = files::expand_home(arguments.output);
    if (!arguments.shard_size.empty())
        options.max_shard_bytes = weights::parse_size(arguments.shard_size);
    options.look = [&](const weights::WeightSource& source) {
        const Message note = inputs::note_of_head(source, options.checkpoint, false);
        return note.empty() ? std::vector<Message>() : std::vector{note};
    };
    weights::MergeResult result = weights::merge_weights(options);
    if (arguments.json) {
        nlohmann::ordered_json json{{"source", result.source},
                                    {"tensors", result.tensors},
                                    {"bytes", result.bytes},
                                    {"removed", result.removed},
                                    {"notes", result.notes}};
        for (const auto& file : result.files)
            json["files"].push_back(file.string());
        print_json(json);
        return kExitDone;
    }
    for (const auto& note : result.notes)
        say(stderr, text::printable(note.text(), 1000));
    say_format(stdout, "%s: %zu tensors, %s\n", result.source.c_str(), result.tensors,
               text::file_size(result.bytes).c_str());
    for (const auto& file : result.files)
        say(file.string());
    if (result.removed)
        say("removed " + arguments.checkpoint);
    return kExitDone;
}

}  // namespace

void add_merge_weights(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App* command = app.add_subcommand("merge-weights", "Weights of a checkpoint in pieces as safetensors");
    command
        ->add_option("checkpoint_dir", arguments->checkpoint,
                     "Folder with the pieces, such as .../pytorch_model_fsdp_0, or with an index of weights")
        ->required();
    command->add_option("output_path", arguments->output, "Folder for model.safetensors")->required();
    command->add_option("--max_shard_size", arguments->shard_size,
                        "Split the result into files of at most this size, with an index: 5GB, 500MiB");
    command->add_flag("--remove_checkpoint_dir", arguments->options.remove_checkpoint,
                      "Remove the pieces once the result is written and checked");
    command->add_flag("--unsafe_serialization", arguments->unsafe_serialization,
                      "Accelerate's flag for a pickle; refused, Trainyard writes none");
    command->add_flag("--json", arguments->json, "For programs");
    command->callback([arguments, &chosen] { chosen = [arguments] { return merge(*arguments); }; });
}

}  // namespace trainyard::cli
