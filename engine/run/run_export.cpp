// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_export.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/files/file_writer.h"
#include "base/files/mapped_file.h"
#include "base/files/zip_archive.h"
#include "base/files/zip_directory.h"
#include "base/files/zip_writer.h"
#include "base/random_hex.h"
#include "base/untrusted.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::run {

namespace {

constexpr std::uint64_t kPiece = 4 << 20;

const std::set<std::string>& left_behind() {
    static const std::set<std::string> names{"requests", "queue.json", "mirror.json"};
    return names;
}

/// Files of the run relative to its folder, the description and the state first: a reader of the beginning knows what
/// it is.
std::vector<fs::path> files_of(const RunPaths& run, const ExportOptions& options) {
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator entry(run.root()), end; entry != end; ++entry) {
        const fs::path name = entry->path().lexically_relative(run.root());
        const bool at_top = entry.depth() == 0;
        const std::string own = name.filename().string();
        const bool stays = own.starts_with('.') || (at_top && left_behind().contains(own)) ||
                           (at_top && own == "checkpoints" && !options.checkpoints) ||
                           (at_top && own == "traces" && !options.traces);
        if (entry->is_symlink() || stays) {
            if (!entry->is_symlink() && entry->is_directory())
                entry.disable_recursion_pending();
        } else if (entry->is_regular_file()) {
            files.push_back(name);
        }
    }
    std::ranges::sort(files, {}, [](const fs::path& name) {
        return std::pair(name == "run.yaml" ? 0 : name == "state.json" ? 1 : 2, name);
    });
    return files;
}

/// A name that stays in the run's folder.
bool is_inside(const fs::path& name) {
    return name.is_relative() && !name.empty() && name.has_filename() &&
           std::ranges::none_of(name, [](const fs::path& part) { return part == ".." || part == "." || part.empty(); });
}

/// In pieces, so that progress is shown and a cancelled copy ends soon.
void write_pieces(files::FileWriter& out, std::span<const std::byte> bytes, trainyard::Progress& progress) {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const auto piece = bytes.subspan(at, std::min<std::size_t>(kPiece, bytes.size() - at));
        out.write(piece);
        progress.add(piece.size());
    }
}

}  // namespace

ExportedRun export_run(const RunPaths& run, const fs::path& file, const ExportOptions& options,
                       trainyard::Progress& progress) {
    const std::optional<RunState> state = read_state(run);
    if (!state)
        throw UserError("there is no run in {}", run.root().string());
    if (!is_over(state->status) && !is_lost(*state, wall_seconds()))
        throw UserError("run {} is not over: what it writes meanwhile would be torn; stop it, or wait for its end",
                        run.id());
    const std::vector<fs::path> names = files_of(run, options);
    ExportedRun exported{.files = names.size()};
    std::vector<std::uint64_t> sizes;
    for (const fs::path& name : names) {
        sizes.push_back(fs::file_size(run.root() / name));
        exported.bytes += sizes.back();
    }
    progress.begin(exported.bytes);
    files::FileWriter out(file, files::ZipWriter::size_limit(sizes));
    files::ZipWriter zip([&](std::span<const std::byte> bytes) { write_pieces(out, bytes, progress); }, run.id());
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (sizes[i] == 0) {
            zip.add(names[i].string(), std::string_view());
            continue;
        }
        const files::MappedFile mapped(run.root() / names[i], files::MappedFile::Pages::shared);
        zip.add(names[i].string(), mapped.bytes());
    }
    zip.finish();
    out.finish();
    return exported;
}

RunPaths import_run(const fs::path& file, const fs::path& runs_root, trainyard::Progress& progress) {
    const files::MappedFile mapped(file, files::MappedFile::Pages::shared);
    const Message refused("{} is not a run that Trainyard exported", file.string());
    std::string id;
    CopyBudget budget({}, file.string());
    std::vector<std::pair<fs::path, files::ZipEntry>> entries;
    for (files::ZipEntry& entry : files::read_zip_directory(mapped.bytes(), refused)) {
        const std::size_t slash = entry.name.find('/');
        const std::string folder = entry.name.substr(0, slash);
        const fs::path name = slash == std::string::npos ? fs::path() : fs::path(entry.name.substr(slash + 1));
        if (entry.deflated || !is_inside(name) || folder.empty() || folder.starts_with('.') ||
            (!id.empty() && folder != id))
            throw UserError("{}: it has an entry '{}'", refused, entry.name);
        id = folder;
        budget.add_entry();
        budget.add_bytes(entry.bytes);
        entries.emplace_back(name, std::move(entry));
    }
    const auto has = [&](const char* name) {
        return std::ranges::any_of(entries, [&](const auto& one) { return one.first == name; });
    };
    if (!has("run.yaml") || !has("state.json"))
        throw UserError("{}: it has no run.yaml and state.json", refused);
    const RunPaths run(runs_root / id);
    std::error_code error;
    if (fs::exists(run.root(), error))
        throw UserError("run {} is in {} already", id, runs_root.string());
    make_private_folder(runs_root);
    budget.require_room(runs_root, budget.bytes());

    // In a folder that lists of runs do not look into.
    const fs::path aside = runs_root / ".import" / random_hex(8);
    const auto clean = [&] {
        fs::remove_all(aside, error);
        fs::remove(aside.parent_path(), error);
    };
    try {
        progress.begin(budget.bytes());
        make_private_folder(aside);
        for (const auto& [name, entry] : entries) {
            const fs::path to = aside / name;
            make_private_folder(to.parent_path());
            const auto bytes = mapped.bytes().subspan(entry.begin, entry.bytes);
            if (files::crc32(bytes) != entry.crc)
                throw UserError("{} is damaged: the checksum of '{}' is wrong", file.string(), entry.name);
            files::FileWriter out(to, bytes.size());
            write_pieces(out, bytes, progress);
            out.finish(false);
            files::release_pages(bytes);
        }
        for (const char* folder : {"logs", "metrics", "checkpoints", "traces", "requests"})
            make_private_folder(aside / folder);
        read_spec(aside / "run.yaml");
        if (const auto state = read_state(RunPaths(aside)); !state || state->run_id != id)
            throw UserError("{}: its state.json is of another run", refused);
        fs::rename(aside, run.root(), error);
        if (error)
            throw_file_error("cannot make the run", run.root(), error.value());
    } catch (...) {
        clean();
        throw;
    }
    clean();
    return run;
}

}  // namespace trainyard::run
