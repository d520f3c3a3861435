// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/checkpoints_command.h"
#include "cli/runs_parts.h"
#include "cli/say.h"
#include "run/listing.h"
#include "run/run_export.h"

namespace trainyard::cli {

namespace {

struct ExportFlags {
    std::string run, file;
    bool without_checkpoints = false, without_traces = false, json = false;
};

int export_to_file(const ExportFlags& flags) {
    const run::RunPaths run = run::find_run(run::runs_root(), flags.run);
    return with_progress("exporting", [&](Progress& progress) {
        const run::ExportedRun exported = run::export_run(
            run, flags.file, {.checkpoints = !flags.without_checkpoints, .traces = !flags.without_traces}, progress);
        if (flags.json)
            say(json_text(nlohmann::json{
                {"run_id", run.id()}, {"file", flags.file}, {"files", exported.files}, {"bytes", exported.bytes}}));
        else
            say(fmt::format("{}: run {}, {} files, {}", flags.file, run.id(), exported.files,
                            text::file_size(exported.bytes)));
        return kExitDone;
    });
}

int import_from_file(const ExportFlags& flags) {
    return with_progress("importing", [&](Progress& progress) {
        const run::RunPaths run = run::import_run(flags.file, run::runs_root(), progress);
        if (flags.json)
            say(json_text(nlohmann::json{{"run_id", run.id()}, {"path", run.root().string()}}));
        else
            say(run.id() + "\n" + run.root().string());
        return kExitDone;
    });
}

}  // namespace

void add_run_exports(CLI::App& runs, Action& chosen) {
    auto flags = std::make_shared<ExportFlags>();
    CLI::App* out = runs.add_subcommand("export", "A run that is over as one file, to open it on another machine");
    out->add_option("run", flags->run, "Id, unique beginning or end of it, name, or folder")->required();
    out->add_option("file", flags->file, "File to write, such as run.zip")->required();
    out->add_flag("--no-checkpoints,--no_checkpoints", flags->without_checkpoints, "Leave out the checkpoints");
    out->add_flag("--no-traces,--no_traces", flags->without_traces, "Leave out the profiler traces");
    CLI::App* in = runs.add_subcommand("import", "Add a run that `runs export` wrote to the runs of this machine");
    in->add_option("file", flags->file, "The file")->required();
    for (CLI::App* command : {out, in})
        command->add_flag("--json", flags->json, "For programs");
    out->callback([flags, &chosen] { chosen = [flags] { return export_to_file(*flags); }; });
    in->callback([flags, &chosen] { chosen = [flags] { return import_from_file(*flags); }; });
}

}  // namespace trainyard::cli
