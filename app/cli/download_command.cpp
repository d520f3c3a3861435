// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard download NAME: a model or data set of the hub into the cache, for machines without a network and for the
// newest version.

#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/fetch_report.h"
#include "cli/problem_json.h"
#include "cli/say.h"
#include "config/inputs/hub_files.h"

namespace trainyard::cli {

namespace {

struct DownloadFlags {
    std::string name;
    bool dataset = false, tokenizer = false, pickles = false, json = false;
};

hub::Fetched download(const DownloadFlags& flags, const hub::FetchOptions& options) {
    if (flags.dataset) {
        const std::string text =
            hub::has_hub_prefix(flags.name) ? flags.name : std::string(hub::kHubPrefix) + flags.name;
        if (const auto data = hub::parse_data_name(text))
            return inputs::fetch_data(*data, &options);
        throw UserError(
            "'{}' is not a name of a data set: write org/name, with @REVISION, /CONFIG and :SPLIT where they "
            "are needed",
            flags.name);
    }
    const auto repo = hub::parse_model_name(flags.name);
    if (!repo)
        throw UserError("'{}' is not a name of a model: write org/name or org/name@REVISION", flags.name);
    return hub::fetch(*repo, flags.tokenizer ? inputs::files_of_tokenizer() : hub::files_of_model(flags.pickles),
                      options);
}

int download_and_print(const DownloadFlags& flags) {
    FetchReport report(flags.json);
    hub::FetchOptions options = report.options();
    options.refresh = true;
    try {
        const hub::Fetched fetched = download(flags, options);
        report.finish();
        if (flags.json)
            say(stdout, json_text(nlohmann::ordered_json{{"event", "done"},
                                                         {"path", fetched.folder.string()},
                                                         {"commit", fetched.commit},
                                                         {"files", fetched.files},
                                                         {"bytes", fetched.bytes}}));
        else
            say(stdout, fetched.folder.string());
    } catch (const UserError& error) {
        report.finish();
        if (flags.json)
            say(stdout, problems_json(error));
        throw;
    }
    return kExitDone;
}

}  // namespace

void add_download(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<DownloadFlags>();
    CLI::App* command = app.add_subcommand(
        "download",
        "Download a model or a data set of the hub into the cache, or its newest version; prints the folder");
    command
        ->add_option("name", flags->name,
                     "org/name or org/name@REVISION; of a data set also /CONFIG and :SPLIT (HF_ENDPOINT, HF_TOKEN, "
                     "HF_HUB_CACHE)")
        ->required();
    command->add_flag("--dataset", flags->dataset,
                      "The name is that of a data set, of which Parquet files are downloaded");
    command->add_flag("--tokenizer", flags->tokenizer, "Only the tokenizer of a model");
    command->add_flag("--bin", flags->pickles, "Also weights in pickle files (pytorch_model.bin), if it has no others");
    command->add_flag("--json", flags->json, "Events for programs, one JSON object per line");
    command->callback([flags, &chosen] { chosen = [flags] { return download_and_print(*flags); }; });
}

}  // namespace trainyard::cli
