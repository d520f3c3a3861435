// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard checkpoints show | diff | verify

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/checkpoints_command.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "cli/secret_terminal.h"
#include "formats/hub/repo_name.h"
#include "formats/weights/elements.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/quantized_values.h"
#include "observe/inspect/statistics.h"
#include "observe/inspect/tensor_tree.h"
#include "observe/inspect/verify.h"
#include "remote/far_place.h"
#include "remote/remote_checkpoint.h"

namespace trainyard::cli {

namespace {

using inspect::Contents;
using inspect::Tensor;
using inspect::TensorChange;

struct LookFlags {
    std::string checkpoint, other, filter, tensor;
    int depth = 2;
    std::uint64_t first = 0, count = 32;
    bool json = false, all = false, statistics = false, no_nan = false, values = false;
};

using AllFigures = std::map<std::size_t, inspect::Statistics>;

nlohmann::ordered_json figures_json(const inspect::Statistics& figures) {
    const auto number = [](double value) {
        return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    };
    return {{"min", number(figures.min)},
            {"max", number(figures.max)},
            {"mean", number(figures.mean())},
            {"std", number(figures.deviation())},
            {"norm", number(figures.norm())},
            {"zeros", figures.zeros},
            {"nan", figures.nan},
            {"inf", figures.infinite},
            {"bins", figures.bins}};
}

std::string figures_text(const inspect::Statistics& figures) {
    return fmt::format(
        "  norm {:.4g}  min {:.4g}  max {:.4g}  mean {:.4g}  std {:.4g}  zeros {}{}", figures.norm(), figures.min,
        figures.max, figures.mean(), figures.deviation(), figures.zeros,
        figures.nan + figures.infinite > 0 ? fmt::format("  NaN {}, Inf {}", figures.nan, figures.infinite) : "");
}

/// Smallest, largest and mean magnitude of a quantized weight's blocks or rows.
struct Magnitudes {
    std::size_t count = 0;
    float min = 0, max = 0;
    double mean = 0;
};

Magnitudes magnitudes_of(const inspect::QuantizedValues& quantized, std::size_t tensor) {
    const std::vector<float> all = quantized.magnitudes(tensor);
    if (all.empty())
        return {};
    const auto [min, max] = std::ranges::minmax(all);
    return {all.size(), min, max, std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size())};
}

nlohmann::ordered_json magnitudes_json(const Magnitudes& magnitudes) {
    return {{"count", magnitudes.count}, {"min", magnitudes.min}, {"max", magnitudes.max}, {"mean", magnitudes.mean}};
}

void print_node(const inspect::TensorTree& tree, const inspect::Reader& reader, const inspect::TensorTree::Node& node,
                int depth, int deepest, const AllFigures& figures) {
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    const std::string label = text::printable(node.label, 200);
    if (node.leaf) {
        const std::uint32_t row = tree.rows()[node.begin];
        const Tensor& tensor = reader.contents().tensors[row];
        const inspect::QuantizedValues& quantized = reader.quantized();
        const auto known = figures.find(row);
        std::string after = known == figures.end() ? "" : figures_text(known->second);
        if (known != figures.end() && quantized.is_quantized(row)) {
            const Magnitudes scales = magnitudes_of(quantized, row);
            after += fmt::format("  {} magnitudes: min {:.4g}  max {:.4g}  mean {:.4g}", scales.count, scales.min,
                                 scales.max, scales.mean);
        }
        say(fmt::format(
            "{}{}  {} {}  {}{}", indent, label,
            quantized.is_quantized(row) ? quantized.method(row) : inspect::shown_dtype(text::printable(tensor.dtype)),
            shape_text(quantized.shape(row)), text::file_size(tensor.bytes), after));
        return;
    }
    say(fmt::format("{}{}  {}, {} tensors, {} elements, {}", indent, label, tree.dtype_of(node),
                    text::grouped(static_cast<std::int64_t>(node.tensors())),
                    text::quantity(static_cast<double>(node.elements)), text::file_size(node.bytes)));
    if (depth < deepest)
        for (const auto& child : tree.children(node))
            print_node(tree, reader, child, depth + 1, deepest, figures);
}

const Tensor& tensor_named(const Contents& contents, const std::string& name) {
    std::vector<std::string> names;
    for (const Tensor& tensor : contents.tensors) {
        if (tensor.name == name)
            return tensor;
        names.push_back(tensor.name);
    }
    names.resize(std::min<std::size_t>(names.size(), 5000));
    throw UserError("there is no tensor '{}'{}", name, text::did_you_mean(name, names));
}

/// A checkpoint of this machine, or `host:path`, of which headers and what is asked for are brought.
class Opened {
  public:
    explicit Opened(const std::string& text) {
        std::error_code error;
        const bool is_here = inspect::fs::exists(text, error) || hub::has_hub_prefix(text);
        const auto far = is_here ? std::nullopt : remote::far_place(text);
        if (!far) {
            here_ = inspect::read_contents(checkpoint_named(text));
            where_ = here_.root.string();
            title_ = inspect::fs::is_regular_file(text, error) ? text : where_;
            reader_.emplace(here_);
            return;
        }
        const std::unique_ptr<remote::Asker> asker = secret_terminal();
        remote::ConnectOptions options;
        options.asker = asker.get();
        far_ = std::make_unique<remote::RemoteCheckpoint>(remote::Session::connect(far->host, options), far->path);
        title_ = where_ = far_->name();
        reader_.emplace(far_->contents(), far_->need());
    }
    const Contents& contents() const { return reader_->contents(); }
    const inspect::Reader& reader() const { return *reader_; }
    const std::string& where() const { return where_; }
    /// What was asked for: the file, where it is a single one.
    const std::string& title() const { return title_; }

  private:
    Contents here_;
    std::unique_ptr<remote::RemoteCheckpoint> far_;
    std::string where_, title_;
    std::optional<inspect::Reader> reader_;
};

/// Elements of one tensor, as numbers.
int show_elements(const Opened& opened, const LookFlags& flags) {
    const Contents& contents = opened.contents();
    const Tensor& tensor = tensor_named(contents, flags.tensor);
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    std::string line;
    const auto add = [&](auto value) {
        if (std::isfinite(static_cast<double>(value)))
            values.push_back(value);
        else
            values.push_back(std::isnan(static_cast<double>(value)) ? "nan"
                             : static_cast<double>(value) > 0       ? "inf"
                                                                    : "-inf");
        line += fmt::format("{}{:.6g}", line.empty() ? "" : " ", static_cast<double>(value));
    };
    const inspect::QuantizedValues& quantized = opened.reader().quantized();
    const std::size_t number = opened.reader().number_of(tensor);
    if (!weights::is_numeric(tensor.dtype) || quantized.is_quantized(number)) {
        for (float value : opened.reader().values(tensor, flags.first, flags.count))
            add(value);
    } else {
        const std::vector<std::byte> bytes = opened.reader().elements(tensor, flags.first, flags.count);
        const std::size_t size = inspect::element_bytes(tensor);
        weights::with_decoder(tensor.dtype, [&](auto&& element) {
            for (std::size_t i = 0; i < bytes.size() / size; ++i)
                add(element(bytes.data() + i * size));
        });
    }
    const std::string dtype = quantized.is_quantized(number) ? quantized.method(number) : tensor.dtype;
    if (flags.json)
        print_json(nlohmann::ordered_json{{"name", tensor.name},
                                          {"dtype", dtype},
                                          {"shape", quantized.shape(number)},
                                          {"first", flags.first},
                                          {"values", values}});
    else
        say(fmt::format("{}  {} {}  from element {}:\n{}", text::printable(tensor.name), inspect::shown_dtype(dtype),
                        shape_text(quantized.shape(number)), flags.first, line));
    return kExitDone;
}

int show_checkpoint(const LookFlags& flags) {
    const Opened opened(flags.checkpoint);
    const Contents& contents = opened.contents();
    if (!flags.tensor.empty())
        return show_elements(opened, flags);
    std::vector<std::uint32_t> rows = inspect::NameIndex(contents).find(inspect::parse_query(flags.filter));
    AllFigures figures;
    auto problems = contents.problems;
    if (const auto& problem = opened.reader().quantized().problem(); !problem.empty())
        problems.push_back(problem);
    if (flags.statistics && !rows.empty()) {
        const int code = with_progress("reading", [&](Progress& progress) {
            const auto result = inspect::statistics_pass(
                opened.reader(), {rows.begin(), rows.end()},
                [&](std::size_t tensor, const inspect::Statistics& one) { figures.emplace(tensor, one); }, progress);
            problems.insert(problems.end(), result.problems.begin(), result.problems.end());
            return static_cast<int>(kExitDone);
        });
        if (code != kExitDone)
            return code;
    }
    if (flags.json) {
        nlohmann::ordered_json json{{"root", opened.where()},
                                    {"format", contents.format},
                                    {"state", inspect::state_name(contents.state)},
                                    {"problems", problems},
                                    {"notes", contents.notes},
                                    {"files", nlohmann::ordered_json::array()},
                                    {"tensors", nlohmann::ordered_json::array()},
                                    {"values", nlohmann::ordered_json::object()}};
        for (const inspect::File& file : contents.files)
            json["files"].push_back({{"name", file.name},
                                     {"bytes", file.bytes},
                                     {"section", inspect::name_of(file.section)},
                                     {"problem", file.problem}});
        for (std::uint32_t row : rows) {
            const Tensor& tensor = contents.tensors[row];
            nlohmann::ordered_json one{{"name", tensor.name},
                                       {"section", inspect::name_of(tensor.section)},
                                       {"dtype", tensor.dtype},
                                       {"shape", tensor.shape},
                                       {"bytes", tensor.bytes}};
            const inspect::QuantizedValues& quantized = opened.reader().quantized();
            if (quantized.is_quantized(row))
                one["quantized"] = {{"method", quantized.method(row)}, {"shape", quantized.shape(row)}};
            if (auto known = figures.find(row); known != figures.end()) {
                one["statistics"] = figures_json(known->second);
                if (quantized.is_quantized(row))
                    one["quantized"]["magnitudes"] = magnitudes_json(magnitudes_of(quantized, row));
            }
            json["tensors"].push_back(std::move(one));
        }
        for (const inspect::Value& value : contents.values)
            json["values"][value.key] = value.value;
        print_json(json);
        return problems.empty() ? kExitDone : kExitFailed;
    }
    say(fmt::format("{}: {}, {}, {}", opened.title(), contents.format.empty() ? "no weights" : contents.format,
                    text::file_size(contents.file_bytes()), state_words(contents.state)));
    for (const auto& note : contents.notes)
        say(text::printable(std::string(note), 1000));
    const inspect::TensorTree tree(contents, std::move(rows));
    for (const auto& root : tree.roots())
        print_node(tree, opened.reader(), root, 0, flags.all ? 1000 : flags.depth, figures);
    constexpr std::size_t kMostValues = 40;
    for (std::size_t i = 0; flags.filter.empty() && i < contents.values.size(); ++i) {
        if (i == kMostValues && !flags.values) {
            say(fmt::format("and {} more values: --values shows all", contents.values.size() - i));
            break;
        }
        say(fmt::format("{} = {}", text::printable(contents.values[i].key), text::printable(contents.values[i].value)));
    }
    for (const auto& problem : problems)
        say(stderr, text::printable(std::string(problem), 1000));
    return problems.empty() ? kExitDone : kExitFailed;
}

int diff_checkpoints(const LookFlags& flags) {
    const Opened older(flags.checkpoint), newer(flags.other);
    const Contents &before = older.contents(), &after = newer.contents();
    return with_progress("comparing", [&](Progress& progress) {
        const inspect::Comparison comparison = inspect::compare(older.reader(), newer.reader(), progress);
        const auto name = [&](const TensorChange& row) {
            return (row.after != TensorChange::kNone ? after.tensors[row.after] : before.tensors[row.before]).name;
        };
        const bool differs = comparison.count(TensorChange::Kind::same) != comparison.rows.size();
        const bool is_unreadable = comparison.rows.empty() && !comparison.problems.empty();
        if (flags.json) {
            nlohmann::ordered_json json{{"relative", std::isfinite(comparison.relative()) && !is_unreadable
                                                         ? nlohmann::ordered_json(comparison.relative())
                                                         : nlohmann::ordered_json()},
                                        {"problems", comparison.problems},
                                        {"tensors", nlohmann::ordered_json::array()}};
            for (const std::size_t i : comparison.by_change()) {
                const TensorChange& row = comparison.rows[i];
                nlohmann::ordered_json one{{"name", name(row)}, {"kind", inspect::name_of(row.kind)}};
                if (row.kind == TensorChange::Kind::renamed)
                    one["before"] = before.tensors[row.before].name;
                if (row.compared) {
                    one["relative"] =
                        std::isfinite(row.relative) ? nlohmann::ordered_json(row.relative) : nlohmann::ordered_json();
                    one["norm"] = row.norm();
                    one["largest"] = row.largest;
                    one["changed_elements"] = row.changed_elements;
                }
                json["tensors"].push_back(std::move(one));
            }
            print_json(json);
            return static_cast<int>(comparison.problems.empty() ? kExitDone : kExitFailed);
        }
        for (const std::size_t i : comparison.by_change()) {
            const TensorChange& row = comparison.rows[i];
            if (row.kind == TensorChange::Kind::same && !flags.all)
                continue;
            std::string line = fmt::format("{:9} {}", inspect::name_of(row.kind), text::printable(name(row), 200));
            if (row.kind == TensorChange::Kind::renamed)
                line += fmt::format("  (was {})", text::printable(before.tensors[row.before].name, 200));
            if (row.kind == TensorChange::Kind::reshaped)
                line += fmt::format("  {} -> {}", shape_text(before.tensors[row.before].shape),
                                    shape_text(after.tensors[row.after].shape));
            if (row.compared && row.kind != TensorChange::Kind::same)
                line +=
                    fmt::format("  {:.3g} %, norm {:.3g}, largest {:.3g}, {} elements", 100 * row.relative, row.norm(),
                                row.largest, text::grouped(static_cast<std::int64_t>(row.changed_elements)));
            say(line);
        }
        for (const auto& problem : comparison.problems)
            say(stderr, text::printable(std::string(problem), 1000));
        if (is_unreadable)
            return static_cast<int>(kExitFailed);
        say(differs ? fmt::format("{} of {} tensors differ; all together by {:.3g} %",
                                  comparison.rows.size() - comparison.count(TensorChange::Kind::same),
                                  comparison.rows.size(), 100 * comparison.relative())
                    : fmt::format("all {} tensors are the same", comparison.rows.size()));
        return static_cast<int>(comparison.problems.empty() ? kExitDone : kExitFailed);
    });
}

int verify_checkpoint(const LookFlags& flags) {
    const inspect::fs::path path = checkpoint_named(flags.checkpoint);
    return with_progress("checking", [&](Progress& progress) {
        const inspect::Verdict verdict = inspect::verify(path, !flags.no_nan, progress);
        if (flags.json) {
            nlohmann::ordered_json json{{"checkpoint", path.string()},
                                        {"good", verdict.good()},
                                        {"problems", verdict.problems},
                                        {"files", nlohmann::ordered_json::array()},
                                        {"not_finite", nlohmann::ordered_json::array()}};
            for (const inspect::CheckedFile& file : verdict.files)
                json["files"].push_back({{"name", file.name},
                                         {"bytes", file.bytes},
                                         {"checked", inspect::name_of(file.how)},
                                         {"problem", file.problem}});
            for (const inspect::NotFinite& one : verdict.not_finite)
                json["not_finite"].push_back({{"tensor", one.tensor}, {"nan", one.nan}, {"inf", one.infinite}});
            print_json(json);
            return static_cast<int>(verdict.good() ? kExitDone : kExitFailed);
        }
        for (const inspect::CheckedFile& file : verdict.files)
            say(fmt::format("{}  {:>9}  {}  ({})", file.problem.empty() ? "good  " : "broken",
                            text::file_size(file.bytes), text::printable(file.name), inspect::name_of(file.how)));
        for (const inspect::NotFinite& one : verdict.not_finite)
            say(fmt::format("{} has {} NaN and {} infinite numbers", text::printable(one.tensor), one.nan,
                            one.infinite));
        for (const auto& problem : verdict.problems)
            say(stderr, text::printable(std::string(problem), 1000));
        if (verdict.unchecked() > 0)
            say(fmt::format(
                "{} files have no checksum that anybody wrote down: only their headers and lengths were checked",
                verdict.unchecked()));
        return static_cast<int>(verdict.good() ? kExitDone : kExitFailed);
    });
}

}  // namespace

void print_structure(const inspect::fs::path& checkpoint) {
    const Opened opened(checkpoint.string());
    std::vector<std::uint32_t> rows(opened.contents().tensors.size());
    std::iota(rows.begin(), rows.end(), 0);
    const inspect::TensorTree tree(opened.contents(), std::move(rows));
    for (const auto& root : tree.roots())
        print_node(tree, opened.reader(), root, 0, 1000, {});
}

void add_checkpoints_look(CLI::App& group, Action& chosen) {
    auto flags = std::make_shared<LookFlags>();
    const auto add = [&](const char* name, const char* what, auto action) {
        CLI::App* command = group.add_subcommand(name, what);
        command->callback([flags, &chosen, action] { chosen = [flags, action] { return action(*flags); }; });
        command
            ->add_option("checkpoint", flags->checkpoint,
                         "A folder or file, a run's: RUN@STEP (RUN: its newest), or a model of the hub: org/name")
            ->required();
        command->add_flag("--json", flags->json, "For programs");
        return command;
    };
    CLI::App* command =
        add("show", "Tensors and training state, from headers only; also of HOST:PATH over SSH", show_checkpoint);
    command->add_option("--depth", flags->depth, "Levels of the tree (2)")->check(CLI::Range(0, 1000));
    command->add_flag("--all", flags->all, "Every tensor");
    command->add_option("--filter", flags->filter,
                        "Only tensors whose names have these words, a type (bf16), size>1GB");
    command->add_flag("--statistics", flags->statistics, "Read the tensors: norm, smallest, largest, mean, NaN");
    command->add_flag("--values", flags->values, "All values of the training state");
    command->add_option("--tensor", flags->tensor, "The elements of this tensor");
    command->add_option("--first", flags->first, "From this element on");
    command->add_option("--count", flags->count, "So many elements (32)")->check(CLI::Range(1, 1'000'000));

    command = add("diff", "What changed between two checkpoints, each here or HOST:PATH", diff_checkpoints);
    command->add_option("other", flags->other, "The newer one")->required();
    command->add_flag("--all", flags->all, "Tensors that are the same, too");

    command = add("verify", "Lengths, hashes, index, NaN", verify_checkpoint);
    command->add_flag("--no-nan", flags->no_nan, "Do not look for NaN and infinite numbers");
}

}  // namespace trainyard::cli
