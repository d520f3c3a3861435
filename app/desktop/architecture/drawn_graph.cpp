// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/architecture/drawn_graph.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "base/text.h"
#include "desktop/text/qt_text.h"
#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/reader.h"
#include "run/paths.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("trainyard::desktop::ArchitecturePage", text);
}

struct Hue {
    int number;
    std::initializer_list<const char*> names;
};

/// Kinds of layers that have a colour of their own, by a part of their names.
const Hue kHues[] = {
    {1, {"linear", "matmul", "gemm", "mm"}},
    {2, {"norm"}},
    {3, {"conv", "pool"}},
    {4, {"embedding", "gather"}},
    {5, {"attention", "attn", "softmax", "scaled_dot"}},
    {6, {"relu", "gelu", "silu", "sigmoid", "tanh", "erf", "swish"}},
    {7, {"input", "output"}},
};

int hue_of(const graph::Node& node) {
    if (node.is_block)
        return 0;
    const QString op = qt(node.op).toLower();
    for (const Hue& hue : kHues)
        for (const char* name : hue.names)
            if (op.contains(QLatin1String(name)))
                return hue.number;
    return 0;
}

QString counted(std::uint64_t number) {
    constexpr std::uint64_t kLeastRounded = 10'000;
    return qtNumber(number < kLeastRounded ? text::grouped(static_cast<std::int64_t>(number))
                                           : text::quantity(static_cast<double>(number)));
}

QString whole_number(std::uint64_t number) {
    return qtNumber(text::grouped(static_cast<std::int64_t>(number)));
}

}  // namespace

OpenArchitecturePointer open_architecture(const QString& path) {
    std::filesystem::path file(path.toStdString());
    auto opened = std::make_shared<OpenArchitecture>();
    if (std::error_code error; std::filesystem::is_directory(file, error)) {
        // Of a run, or a folder of checkpoints, the newest one; of a run without any, the model of its recipe.
        const inspect::CheckpointList list = inspect::read_checkpoint_list(file);
        if (list.newest() >= 0)
            file = list.items[static_cast<std::size_t>(list.newest())].folder;
        else if (std::filesystem::exists(run::RunPaths(file).spec(), error))
            file = run::RunPaths(file).spec();
    }
    const std::string ending = file.extension().string();
    const bool is_description = ending == ".yaml" || ending == ".yml" || file.filename() == "config.json";
    if (!is_description && !graph::is_graph_file(file))
        return architecture_of_checkpoint(std::make_shared<const OpenCheckpoint>(file.string()));
    opened->graph = graph::open_graph(file);
    return opened;
}

OpenArchitecturePointer architecture_of_checkpoint(OpenCheckpointPointer checkpoint) {
    auto opened = std::make_shared<OpenArchitecture>();
    opened->graph = graph::graph_of_checkpoint(checkpoint->reader);
    opened->checkpoint = std::move(checkpoint);
    return opened;
}

OpenArchitecturePointer architecture_of_recipe(const QString& yaml, const QString& file) {
    auto opened = std::make_shared<OpenArchitecture>();
    opened->graph = graph::graph_of_recipe(yaml.toStdString(), file.toStdString());
    return opened;
}

widgets::GraphData drawn_graph(const graph::Graph& graph) {
    widgets::GraphData data;
    data.nodes.reserve(graph.nodes.size());
    const auto number = [](std::uint32_t node) { return node == graph::kNone ? -1 : static_cast<int>(node); };
    for (const graph::Node& node : graph.nodes) {
        widgets::GraphNode drawn;
        drawn.label = qt(node.label);
        QStringList caption;
        if (!node.op.empty() && node.op != node.label)
            caption << qt(node.op);
        if (!node.is_block && node.weights.size() == 1)
            caption << qt(graph::shape_text(node.weights.front().shape));
        if (node.parameters > 0)
            caption << counted(node.parameters);
        drawn.caption = caption.join(QStringLiteral(" · "));
        drawn.search = qt(node.name) + QLatin1Char(' ') + qt(node.op);
        drawn.parent = number(node.parent);
        drawn.is_block = node.is_block;
        drawn.repeat = static_cast<int>(node.repeat);
        drawn.alike = number(node.alike);
        drawn.hue = hue_of(node);
        data.nodes.push_back(std::move(drawn));
    }
    data.edges.reserve(graph.edges.size());
    for (const graph::Edge& edge : graph.edges)
        data.edges.push_back({number(edge.from), number(edge.to)});
    return data;
}

std::vector<double> changes_by_node(const graph::Graph& graph, const inspect::Comparison& comparison) {
    struct Sum {
        double squares = 0, base = 0;
        bool known = false;
    };
    std::vector<Sum> of_tensor, sums(graph.nodes.size());
    for (const inspect::TensorChange& row : comparison.rows)
        if (row.compared && row.after != inspect::TensorChange::kNone) {
            of_tensor.resize(std::max<std::size_t>(of_tensor.size(), row.after + std::size_t{1}));
            of_tensor[row.after] = {row.squares, row.base, true};
        }
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
        Sum& sum = sums[i];
        for (const graph::Weight& weight : graph.nodes[i].weights)
            if (weight.tensor < of_tensor.size() && of_tensor[weight.tensor].known) {
                sum.squares += of_tensor[weight.tensor].squares;
                sum.base += of_tensor[weight.tensor].base;
                sum.known = true;
            }
        if (graph.nodes[i].parent != graph::kNone && sum.known) {
            Sum& parent = sums[graph.nodes[i].parent];
            parent.squares += sum.squares;
            parent.base += sum.base;
            parent.known = true;
        }
    }
    std::vector<double> changes;
    changes.reserve(sums.size());
    for (const Sum& sum : sums)
        changes.push_back(!sum.known         ? -1
                          : sum.squares == 0 ? 0
                          : sum.base == 0    ? 1
                                             : std::sqrt(sum.squares / sum.base));
    return changes;
}

std::vector<double> heat_of(const std::vector<double>& changes) {
    const double most = changes.empty() ? 0 : *std::max_element(changes.begin(), changes.end());
    std::vector<double> heat = changes;
    for (double& one : heat)
        one = one < 0 ? -1 : most > 0 ? one / most : 0;
    return heat;
}

QString kind_words(const graph::Graph& graph) {
    return graph.kind == "checkpoint" ? words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "checkpoint"))
           : graph.kind == "recipe"   ? words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "recipe"))
                                      : qt(graph.kind);
}

QVector<std::pair<QString, QString>> node_details(const graph::Graph& graph, int node,
                                                  const std::vector<double>& changes) {
    QVector<std::pair<QString, QString>> details;
    const auto add = [&](const QString& key, const QString& value) {
        if (!value.isEmpty())
            details.append({key, value});
    };
    const bool is_whole = node < 0;
    const graph::Node* one = is_whole ? nullptr : &graph.nodes[static_cast<std::size_t>(node)];
    if (is_whole) {
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Format")), kind_words(graph));
    } else {
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Name")), qt(one->name));
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Type")), qt(one->op));
    }
    const std::uint64_t parameters = is_whole ? graph.parameters : one->parameters;
    if (parameters > 0) {
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Parameters")), whole_number(parameters));
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Size")),
            qtNumber(text::file_size(is_whole ? graph.bytes : one->bytes)));
    }
    if (is_whole) {
        // Modules of which something was compared, the largest change first.
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < changes.size(); ++i)
            if (changes[i] > 0 && !graph.nodes[i].weights.empty())
                order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return changes[a] > changes[b]; });
        constexpr std::size_t kShownChanges = 100;
        order.resize(std::min(order.size(), kShownChanges));
        for (std::size_t i : order)
            add(qt(graph.nodes[i].name), widgets::percent_text(changes[i], 2));
        for (const auto& [key, value] : graph.facts)
            add(qt(key), qt(value));
        return details;
    }
    if (one->repeat > 1)
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Equal blocks")),
            whole_number(one->repeat));
    if (static_cast<std::size_t>(node) < changes.size() && changes[static_cast<std::size_t>(node)] >= 0)
        add(words(QT_TRANSLATE_NOOP("trainyard::desktop::ArchitecturePage", "Change")),
            widgets::percent_text(changes[static_cast<std::size_t>(node)], 2));
    for (const graph::Weight& weight : one->weights)
        add(qt(weight.name), qt(weight.dtype + " " + graph::shape_text(weight.shape)));
    for (const auto& [key, value] : one->facts)
        add(qt(key), qt(value));
    return details;
}

}  // namespace trainyard::desktop
