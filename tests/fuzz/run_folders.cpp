// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a foreign run folder or of one that another machine sent: each text as every file of the folder, for
// all readers of it. Each is read or refused with a sentence, and what was read can be written and read again.

#include <cstdint>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "run/journal.h"
#include "run/listing.h"
#include "run/mirror.h"
#include "run/request.h"
#include "run/run_health.h"
#include "run/run_labels.h"
#include "run/spec.h"
#include "run/state.h"

namespace {

using namespace trainyard;

void must(bool holds) {
    if (!holds)
        std::abort();
}

template <class Read>
void drive(Read read) {
    try {
        read();
    } catch (const UserError& error) {
        must(!std::string(error.what()).empty());
    }
}

/// Removed at the end of the program.
struct Folder {
    Folder() {
        std::string text = (fs::temp_directory_path() / "trainyard-fuzz-XXXXXX").string();
        must(::mkdtemp(text.data()) != nullptr);
        path = text;
        ::setenv("XDG_STATE_HOME", (path / "state").c_str(), 1);
    }
    ~Folder() {
        std::error_code error;
        fs::remove_all(path, error);
    }
    fs::path path;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    const std::string text(reinterpret_cast<const char*>(data), size);
    drive([&] {
        const run::RunState state = run::parse_state(text);
        run::parse_state(run::to_json(state));
    });
    drive([&] {
        const run::Event event = run::parse_event(text, "events.jsonl");
        run::parse_event(run::to_json(event), "events.jsonl");
    });
    drive([&] { run::to_json(run::parse_request(text, "request")); });
    drive([&] {
        const run::RunSpec spec = run::parse_spec(text, "run.yaml");
        run::parse_spec(run::to_yaml(spec), "run.yaml");
    });
    const run::RunPaths run(folder.path / "r" / "run");
    fs::create_directories(run.requests());
    for (const fs::path& file : {run.state(), run.journal(), run.spec(), run.root() / "labels.json",
                                 run::mirror_file(run), run.queue(), run.requests() / "1.json"})
        write_file_atomically(file, text, false);
    must(run::list_runs(folder.path / "r").size() == 1);
    run::JournalReader journal(run.journal());
    journal.poll();
    run::labels_or_none(run);
    run::pending_requests(run);
    run::is_trusted(run);
    if (const auto mirror = run::read_mirror(run))
        must(!mirror->source);
    drive([&] {
        if (const auto state = run::read_state(run))
            run::run_health(run, *state, 1.8e9);
    });
    return 0;
}
