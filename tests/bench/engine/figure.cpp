// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/engine/figure.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace trainyard::bench {

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double Figure::ratio() const {
    return peer.empty() || median(peer) == 0 ? 0 : median(values) / median(peer);
}

std::string Figure::verdict() const {
    if (!target || values.empty())
        return "-";
    double judged = peer.empty() ? median(values) : ratio();
    return (lower_is_better ? judged <= *target : judged >= *target) ? "ok" : "over";
}

std::string to_line(const Figure& figure) {
    auto [least, most] = std::minmax_element(figure.values.begin(), figure.values.end());
    std::string line = fmt::format("{:24} {:46} n={} median {:.4g} {}", figure.id, figure.what, figure.values.size(),
                                   median(figure.values), figure.unit);
    if (!figure.values.empty())
        line += fmt::format(" ({:.4g}..{:.4g})", *least, *most);
    if (!figure.peer.empty())
        line += fmt::format("  peer {:.4g}  ratio {:.3f}", median(figure.peer), figure.ratio());
    if (figure.target)
        line += fmt::format("  target {} {}", figure.lower_is_better ? "<=" : ">=", *figure.target);
    return line + "  " + figure.verdict();
}

std::string to_json(const std::vector<Figure>& figures) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const Figure& figure : figures) {
        nlohmann::ordered_json one{{"id", figure.id},
                                   {"what", figure.what},
                                   {"unit", figure.unit},
                                   {"n", figure.values.size()},
                                   {"median", median(figure.values)},
                                   {"values", figure.values},
                                   {"verdict", figure.verdict()}};
        if (!figure.peer.empty()) {
            one["peer_median"] = median(figure.peer);
            one["peer_values"] = figure.peer;
            one["ratio"] = figure.ratio();
        }
        if (figure.target)
            one["target"] = *figure.target;
        all.push_back(std::move(one));
    }
    return all.dump(2) + "\n";
}

void print(const std::vector<Figure>& figures, bool json) {
    if (json)
        std::fputs(to_json(figures).c_str(), stdout);
    else
        for (const Figure& figure : figures)
            std::puts(to_line(figure).c_str());
}

int main_of(const char* name, int (*run)(int, char**), int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return 1;
    }
}

}  // namespace trainyard::bench
