// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Formulas over metrics: `train/loss - eval/loss`, `exp("eval/loss")`, `smooth(loss, 0.9) / 2`.
//
//   sum       product (('+' | '-') product)*
//   product   sign (('*' | '/') sign)*
//   sign      ('+' | '-') sign | power
//   power     value ('^' sign)?                    right-associative; -2^2 is -4
//   value     number | metric | function '(' sum (',' sum)* ')' | '(' sum ')'
//   metric    letters, digits, _ . # @ and / between two of them; any text in "..." or `...`
//
// A slash without blanks belongs to the name of a metric; a division of two metrics is written with blanks. step, time
// (seconds), tokens and epoch are values of the horizontal axes, pi and e constants, unless a metric has the name.
// Functions: abs ceil exp floor log log10 log2 round sqrt; min max pow; and over the points of a curve: cummax, cummin,
// cumsum, diff (to the point before) and smooth(x, weight), the moving average of the charts.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "widgets/plot/series.h"

namespace trainyard::report {

class Formula {
  public:
    static constexpr std::size_t kLongest = 2000;  ///< bytes
    static constexpr int kDeepest = 64;            ///< nested parentheses and signs

    /// Throws UserError naming the position, which counts characters from 1.
    explicit Formula(std::string text);

    const std::string& text() const { return text_; }
    struct Name {
        std::string name;
        std::size_t position = 1;  ///< of its first use, in characters
    };
    /// Metrics that it names, each once, in the order of their first use.
    const std::vector<Name>& names() const { return names_; }
    /// Whether it is the name of a metric and nothing else.
    bool isPlain() const { return nodes_.size() == 1 && names_.size() == 1; }

    /// Memory of functions that look at the points before.
    struct State {
        std::vector<double> last, weight, count;
        void clear() { last.clear(), weight.clear(), count.clear(); }
    };
    /// The value for the values of the names, in their order. Call it for one point after the other.
    double value(const double* values, State& state) const;

    /// `metric` as a formula has to write it: in quotation marks where it needs them.
    static std::string quoted(std::string_view metric);

  private:
    friend class FormulaParser;
    struct Node {
        enum class Kind { Number, Name, Negate, Add, Subtract, Multiply, Divide, Power, Call } kind = Kind::Number;
        double number = 0;
        int index = 0;  ///< of the name or the function
        std::vector<int> children = {};
    };
    double value(int node, const double* values, State& state) const;

    std::string text_;
    std::vector<Node> nodes_;
    int root_ = 0;
    std::vector<Name> names_;
};

/// The curve of a formula over curves, kept up to date while those grow. Points are at the steps that all curves have;
/// where a step occurs several times in a curve, its last value counts.
class FormulaSeries {
  public:
    struct Input {
        const widgets::Series* series = nullptr;  ///< nullptr: `position` of each point
        std::function<double(std::int64_t step, double wall_time)> position = {};
    };
    /// An input for each of the formula's names, at least one of them a series, which outlive this.
    FormulaSeries(std::shared_ptr<const Formula> formula, std::vector<Input> inputs);

    void follow();
    const widgets::Series& series() const { return out_; }
    /// Whether the inputs have points but no step in common.
    bool isDisjoint() const;

  private:
    struct Column {
        const widgets::Series* series;
        std::size_t at = 0;
        int cuts = -1;
        int name = 0;
    };
    std::shared_ptr<const Formula> formula_;
    std::vector<Input> inputs_;
    std::vector<Column> columns_;
    Formula::State state_;
    widgets::Series out_;
};

}  // namespace trainyard::report
