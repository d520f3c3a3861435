// trainyard cache: prepared tokens of data sets, which runs keep on this machine (files/token_cache.h).

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "files/token_cache.h"

namespace trainyard::cli {

void add_cache(CLI::App& app, Action& chosen) {
    struct Flags {
        bool clear = false, json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("cache", "Prepared tokens of data sets that runs keep on this machine");
    command->add_flag("--clear", flags->clear, "Remove them; the next run prepares its own anew");
    command->add_flag("--json", flags->json, "For programs");
    command->callback([flags, &chosen] {
        chosen = [flags] {
            const fs::path folder = files::token_cache_folder();
            const files::CacheContent content =
                flags->clear ? files::clear_token_cache(folder) : files::token_cache_content(folder);
            if (flags->json)
                print_json(nlohmann::ordered_json{{"folder", folder.string()},
                                                  {flags->clear ? "removed_files" : "files", content.files},
                                                  {flags->clear ? "removed_bytes" : "bytes", content.bytes}});
            else
                say_format(stdout, "%s%zu file%s with prepared tokens, %s, in %s\n", flags->clear ? "removed " : "",
                           content.files, content.files == 1 ? "" : "s", text::file_size(content.bytes).c_str(),
                           folder.c_str());
            return kExitDone;
        };
    });
}

}  // namespace trainyard::cli
