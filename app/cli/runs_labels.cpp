// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/runs_parts.h"
#include "cli/say.h"
#include "run/listing.h"
#include "run/run_labels.h"
#include "run/trash.h"

namespace trainyard::cli {

namespace {

struct LabelFlags {
    std::vector<std::string> runs;
    std::vector<std::string> tags;  ///< `+x` or `x`: put on, `-x`: take off
    std::optional<std::string> name, note;
    std::optional<int> color;
    bool baseline = false, no_baseline = false;
    bool undo = false;
    bool purge = false;
};

/// Finds all runs before any is changed, so that an unknown name does not leave the work half done.
std::vector<run::RunPaths> find_all(const std::vector<std::string>& names) {
    std::vector<run::RunPaths> found;
    std::vector<Message> problems;
    for (const std::string& name : names)
        try {
            found.push_back(run::find_run(run::runs_root(), name));
        } catch (const UserError& error) {
            problems.push_back(error.message());
        }
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
    return found;
}

std::string in_words(const run::RunPaths& run, const run::Labels& labels) {
    std::string words = run.id();
    if (!labels.name.empty())
        words += "  name: " + text::printable(labels.name);
    if (!labels.tags.empty())
        words += "  tags: " + text::printable(fmt::format("{}", fmt::join(labels.tags, " ")));
    if (!labels.note.empty())
        words += "  note: " + text::printable(labels.note);
    if (labels.color > 0)
        words += fmt::format("  color: {}", labels.color);
    for (const auto& [set, word] : {std::pair(labels.baseline, "baseline"), std::pair(labels.archived, "archived")})
        if (set)
            words += fmt::format("  {}", word);
    return words;
}

int label(const LabelFlags& flags) {
    if (flags.color && (*flags.color < 0 || *flags.color > 40))
        throw UserError("--color {} is not a run colour: give 1 to 40, or 0 for the automatic one", *flags.color);
    if (flags.baseline && flags.no_baseline)
        throw UserError("--baseline and --no-baseline are given together: keep one");
    for (const run::RunPaths& run : find_all(flags.runs)) {
        run::Labels labels = run::read_labels(run);
        const run::Labels before = labels;
        for (const std::string& tag : flags.tags) {
            const bool off = tag.starts_with('-');
            const std::string word = run::tidy_tag(off || tag.starts_with('+') ? tag.substr(1) : tag);
            if (word.empty())
                throw UserError("'{}' is not a tag: write --tag +word or --tag=-word", tag);
            off ? run::remove_tag(labels, word) : run::add_tag(labels, word);
        }
        labels.name = flags.name.value_or(labels.name);
        labels.note = flags.note.value_or(labels.note);
        labels.color = flags.color.value_or(labels.color);
        labels.baseline = flags.baseline || (labels.baseline && !flags.no_baseline);
        if (labels != before)
            run::write_labels(run, labels);
        say(in_words(run, labels));
    }
    return kExitDone;
}

int archive(const LabelFlags& flags) {
    for (const run::RunPaths& run : find_all(flags.runs)) {
        run::Labels labels = run::read_labels(run);
        labels.archived = !flags.undo;
        run::write_labels(run, labels);
        say(in_words(run, labels));
    }
    return kExitDone;
}

int remove(const LabelFlags& flags) {
    for (const run::RunPaths& run : find_all(flags.runs)) {
        const run::fs::path where = run::move_to_trash(run);
        say(fmt::format("{} is in {}; `trainyard runs restore {}` puts it back", run.id(), where.string(), run.id()));
    }
    return kExitDone;
}

int restore(const LabelFlags& flags) {
    const std::vector<run::TrashedRun> trashed = run::list_trash(run::runs_root());
    std::vector<run::fs::path> wanted;
    for (const std::string& name : flags.runs) {
        const run::TrashedRun* fitting = nullptr;  // of two with one id, the one deleted last
        std::vector<std::string> ids;
        for (const run::TrashedRun& one : trashed) {
            ids.push_back(one.id);
            if (fitting == nullptr && (one.id == name || one.folder.filename() == name))
                fitting = &one;
        }
        if (fitting == nullptr) {
            const auto near = text::nearest(name, ids);
            throw UserError(near ? Message("no deleted run '{}': did you mean '{}'?", name, *near)
                                 : Message("no deleted run '{}': `trainyard runs trash` names them", name));
        }
        wanted.push_back(fitting->folder);
    }
    for (const run::fs::path& folder : wanted)
        say(run::restore_from_trash(folder).id() + " is back");
    return kExitDone;
}

int trash(const LabelFlags& flags) {
    if (flags.purge) {
        std::printf("%d deleted for good\n", run::purge_trash(run::runs_root(), 0));
        return kExitDone;
    }
    const std::vector<run::TrashedRun> trashed = run::list_trash(run::runs_root());
    if (trashed.empty())
        say("No deleted runs in " + run::runs_root().string() + ".");
    for (const run::TrashedRun& run : trashed)
        say(run.id + "  deleted " + text::duration(wall_seconds() - run.deleted) + " ago");
    return kExitDone;
}

CLI::App* add_label_command(CLI::App& runs, Action& chosen, const std::shared_ptr<LabelFlags>& flags, const char* name,
                            const char* help, int (*action)(const LabelFlags&)) {
    CLI::App* command = runs.add_subcommand(name, help);
    if (action != trash)
        command
            ->add_option("run", flags->runs, "Id, unique beginning or end of it, name, or folder; several may be given")
            ->required();
    command->callback([flags, action, &chosen] { chosen = [flags, action] { return action(*flags); }; });
    return command;
}

}  // namespace

void add_run_labels(CLI::App& runs, Action& chosen) {
    auto flags = std::make_shared<LabelFlags>();
    CLI::App* labels = add_label_command(runs, chosen, flags, "label", "Name, tags, note, colour of runs", label);
    labels->add_option("--tag", flags->tags, "+WORD adds a tag, --tag=-WORD removes it; may be repeated")
        ->expected(1)
        ->take_all();
    labels->add_option("--name", flags->name, "Name to show instead of the run's own; empty: its own again");
    labels->add_option("--note", flags->note, "A few words; empty: none");
    labels->add_option("--color", flags->color, "Number of the run colour, 1 to 40; 0: automatic");
    labels->add_flag("--baseline", flags->baseline, "Make this run the baseline of comparisons");
    labels->add_flag("--no-baseline", flags->no_baseline, "The run is no longer the baseline");
    CLI::App* hide =
        add_label_command(runs, chosen, flags, "archive", "Hide runs in the list; nothing is deleted", archive);
    hide->add_flag("--undo", flags->undo, "Show them in the list again");
    add_label_command(runs, chosen, flags, "delete", "Move ended runs to the trash, where they are kept for 30 days",
                      remove);
    add_label_command(runs, chosen, flags, "restore", "Restore deleted runs", restore);
    CLI::App* bin = add_label_command(runs, chosen, flags, "trash", "List deleted runs that can be restored", trash);
    bin->add_flag("--purge", flags->purge, "Delete all of them permanently");
}

}  // namespace trainyard::cli
