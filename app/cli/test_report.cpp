// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/test_report.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"

namespace trainyard::cli {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr double kSlowShare = 0.25;                     ///< of the best link's bandwidth
constexpr double kLongTimes = 10, kLongSeconds = 1e-3;  ///< latency
constexpr std::pair<double, const char*> kColumns[] = {{1 << 10, "at 1 KiB"},
                                                       {1 << 16, "at 64 KiB"},
                                                       {1 << 20, "at 1 MiB"},
                                                       {16 << 20, "at 16 MiB"},
                                                       {64 << 20, "at 64 MiB"}};

LinkFigures figures_of(const run::Event& event) {
    LinkFigures figures;
    figures.first = event.rank;
    figures.second = static_cast<int>(event.step);
    figures.bytes_per_s = event.value;
    Json object = read_json(event.text.text());
    if (!object.is_object())
        return figures;
    figures.latency_s = object.value("latency_s", 0.0);
    figures.least_latency_s = object.value("least_latency_s", figures.latency_s);
    for (const Json& one : object.value("sizes", Json::array()))
        if (one.is_object())
            figures.sizes.push_back({one.value("bytes", 0.0), one.value("seconds", 0.0)});
    return figures;
}

std::string rate(double bytes_per_s) {
    return text::file_size(static_cast<std::uint64_t>(bytes_per_s)) + "/s";
}

std::string latency(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.0f} us", seconds * 1e6) : fmt::format("{:.1f} ms", seconds * 1e3);
}

std::string end_of(int rank, const std::string& host) {
    return host.empty() ? fmt::format("rank {}", rank) : fmt::format("{} (rank {})", host, rank);
}

std::string figures_row(const std::string& name, const LinkFigures& figures, double factor, std::size_t width) {
    std::string line = fmt::format("{:{}} {:>9}", name, width, latency(figures.latency_s));
    for (const auto& [bytes, title] : kColumns) {
        double at = factor * figures.rate_at(bytes);
        line += fmt::format(" {:>11}", at > 0 ? rate(at) : "-");
    }
    return line + '\n';
}

struct Slow {
    const LinkFigures* link = nullptr;
    bool narrow = false;  ///< its bandwidth is what is wrong
};

/// A host that all slow links have in common, while not all links are slow.
std::string common_host(const std::vector<Slow>& slow, const std::vector<const LinkFigures*>& between) {
    if (slow.size() < 2)
        return "";
    for (const std::string& host : {slow.front().link->from, slow.front().link->to}) {
        auto has = [&](const LinkFigures* link) { return link->from == host || link->to == host; };
        auto all = std::ranges::count_if(between, has);
        if (std::ranges::all_of(slow, [&](const Slow& one) { return has(one.link); }) &&
            all == static_cast<std::ptrdiff_t>(slow.size()))
            return host;
    }
    return "";
}

OrderedJson link_json(const LinkFigures& figures, double factor) {
    OrderedJson sizes = OrderedJson::array();
    for (const SizeFigure& one : figures.sizes)
        sizes.push_back({{"bytes", static_cast<std::int64_t>(one.bytes)},
                         {"seconds", one.seconds},
                         {"bytes_per_s", one.seconds > 0 ? factor * one.bytes / one.seconds : 0}});
    OrderedJson object{{"latency_s", figures.latency_s}, {"bytes_per_s", figures.bytes_per_s}, {"sizes", sizes}};
    if (figures.first >= 0) {
        object["ranks"] = {figures.first, figures.second};
        object["hosts"] = {figures.from, figures.to};
    }
    return object;
}

/// Of a ring all-reduce: what each rank sends and receives for each byte of the result.
double ring_factor(int ranks) {
    return ranks > 1 ? 2.0 * (ranks - 1) / ranks : 1;
}

}  // namespace

double LinkFigures::rate_at(double bytes) const {
    for (const SizeFigure& one : sizes)
        if (one.bytes == bytes && one.seconds > 0)
            return bytes / one.seconds;
    return 0;
}

bool SelfCheckReport::take(const run::Event& event) {
    if (event.kind == "pair") {
        pairs_.push_back(figures_of(event));
    } else if (event.kind == "all_reduce") {
        together_ = figures_of(event);
        together_.first = -1;
    } else if (event.kind == "check") {
        const std::string& text = event.text.text();
        const std::size_t colon = text.find(": ");
        passed_.push_back(
            {text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 2), event.value});
        return true;
    }
    return false;
}

void SelfCheckReport::name_hosts(const std::vector<run::RankState>& ranks) {
    auto host = [&](int rank) {
        auto at = static_cast<std::size_t>(rank);
        return at < ranks.size() ? ranks[at].host : std::string();
    };
    for (LinkFigures& pair : pairs_) {
        pair.from = host(pair.first);
        pair.to = host(pair.second);
    }
}

std::vector<std::string> SelfCheckReport::remarks() const {
    std::vector<const LinkFigures*> between;
    for (const LinkFigures& pair : pairs_)
        if (pair.between_hosts())
            between.push_back(&pair);
    if (between.size() < 2)  // nothing to compare with
        return {};
    const LinkFigures& best = **std::ranges::max_element(between, {}, &LinkFigures::bytes_per_s);
    // By least times: other programs on the machines delay some rounds of any link.
    double least = (*std::ranges::min_element(between, {}, &LinkFigures::least_latency_s))->least_latency_s;
    std::vector<Slow> slow;
    for (const LinkFigures* link : between) {
        bool narrow = link->bytes_per_s < kSlowShare * best.bytes_per_s;
        if (narrow || (link->least_latency_s > kLongSeconds && link->least_latency_s > kLongTimes * least))
            slow.push_back({link, narrow});
    }
    std::vector<std::string> sentences;
    if (std::string host = common_host(slow, between); !host.empty()) {
        double most = 0, longest = 0;
        for (const Slow& one : slow) {
            most = std::max(most, one.link->bytes_per_s);
            longest = std::max(longest, one.link->least_latency_s);
        }
        sentences.push_back(
            fmt::format("{0} is reached slowly by all others: {1} at most, latency {2}, while {3} and {4} exchange "
                        "{5}: look at {0}'s "
                        "cable, switch port and interface, or run without it",
                        host, rate(most), latency(longest), best.from, best.to, rate(best.bytes_per_s)));
        return sentences;
    }
    for (const Slow& one : slow)
        sentences.push_back(
            one.narrow
                ? fmt::format(
                      "{} and {} exchange {}, a {:.0f}th of the {} between {} and {}: every step of a run waits for "
                      "the slowest link; look at the way between the two",
                      one.link->from, one.link->to, rate(one.link->bytes_per_s),
                      best.bytes_per_s / std::max(1.0, one.link->bytes_per_s), rate(best.bytes_per_s), best.from,
                      best.to)
                : fmt::format(
                      "a message between {} and {} takes {}, {:.0f} times as long as between the nearest hosts: "
                      "look at the way between the two",
                      one.link->from, one.link->to, latency(one.link->least_latency_s),
                      one.link->least_latency_s / std::max(1e-9, least)));
    return sentences;
}

std::string SelfCheckReport::text() const {
    if (pairs_.empty())
        return "";
    std::vector<std::string> names;
    std::size_t width = std::string("all ranks (all-reduce)").size();
    for (const LinkFigures& pair : pairs_) {
        names.push_back(end_of(pair.first, pair.from) + " - " + end_of(pair.second, pair.to));
        width = std::max(width, names.back().size());
    }
    std::string text = fmt::format("\n{:{}} {:>9}", "between", width, "latency");
    for (const auto& [bytes, title] : kColumns)
        text += fmt::format(" {:>11}", title);
    text += '\n';
    int ranks = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        text += figures_row(names[i], pairs_[i], 1, width);
        ranks = std::max(ranks, pairs_[i].second + 1);
    }
    if (!together_.sizes.empty())
        text += figures_row("all ranks (all-reduce)", together_, ring_factor(ranks), width);
    for (const std::string& remark : remarks())
        text += "\nslow: " + remark + '\n';
    return text;
}

std::string SelfCheckReport::json(const run::RunState& state, int ranks, double seconds) const {
    OrderedJson object{{"passed", state.status == run::Status::finished},
                       {"num_processes", ranks},
                       {"seconds", seconds},
                       {"checks", OrderedJson::array()}};
    for (const SelfCheckPassed& check : passed_)
        object["checks"].push_back(
            {{"name", check.name}, {"ok", true}, {"seconds", check.seconds}, {"text", check.done}});
    if (state.first_failure)
        object["checks"].push_back({{"name", state.first_failure->phase},
                                    {"ok", false},
                                    {"rank", state.first_failure->rank},
                                    {"host", state.first_failure->host},
                                    {"text", state.first_failure->message}});
    if (!together_.sizes.empty())
        object["all_reduce"] = link_json(together_, ring_factor(ranks));
    object["pairs"] = OrderedJson::array();
    for (const LinkFigures& pair : pairs_)
        object["pairs"].push_back(link_json(pair, 1));
    object["remarks"] = remarks();
    return json_text(object, {.indent = 2});
}

std::string line_of(const SelfCheckPassed& check) {
    return fmt::format("ok      {:<12} {:>8}  {}\n", check.name, text::duration(check.seconds), check.done);
}

}  // namespace trainyard::cli
