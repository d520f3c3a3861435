// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One figure of a benchmark: measured several times, optionally with a peer, and compared with a target.

#include <optional>
#include <string>
#include <vector>

namespace trainyard::bench {

struct Figure {
    std::string id;    ///< `speed.small`
    std::string what;  ///< `tokens/s, 0.83 M parameters, 1 rank`
    std::string unit;
    std::vector<double> values;    ///< ours, one per round
    std::vector<double> peer;      ///< empty: no peer
    std::optional<double> target;  ///< for the ratio to the peer's median, or for the median if there is no peer
    bool lower_is_better = false;

    double ratio() const;         ///< median / peer's median; 0 without a peer
    std::string verdict() const;  ///< ok | over | `-` without a target
};

double median(std::vector<double> values);  ///< 0 for none

/// `id  what  n=5  median 1.23 s  (1.20..1.31)  peer 6.01  ratio 0.04  target <= 0.1  ok`
std::string to_line(const Figure& figure);
std::string to_json(const std::vector<Figure>& figures);
/// Prints the figures as a JSON list, or one per line.
void print(const std::vector<Figure>& figures, bool json);
/// main() of a benchmark: exceptions of `run` are printed as one sentence, with exit code 1.
int main_of(const char* name, int (*run)(int, char**), int argc, char** argv);

}  // namespace trainyard::bench
