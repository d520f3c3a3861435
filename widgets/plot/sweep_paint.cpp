#include "widgets/plot/sweep_paint.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

QColor sweep_heat(double share, const Look& look) {
    share = std::clamp(share, 0.0, 1.0);
    const QColor low = mixed(look.run(1), look.color(Token::BgPanel), 0.45);
    return share < 0.5 ? mixed(look.run(1), low, share * 2)
                       : mixed(look.color(Token::Warn), look.run(1), share * 2 - 1);
}

QColor sweep_color(const Sweep& sweep, int run, int axis, const XRange& range, const Look& look) {
    if (axis < 0 || axis >= sweep.axes.size())
        return look.run(sweep.runs[run].color);
    const std::optional<double> share = sweep_place(sweep.axes[axis], range, sweep.runs[run].values[axis]);
    return share ? sweep_heat(*share, look) : look.color(Token::TextMuted);
}

std::vector<AxisTick> sweep_ticks(const SweepAxis& axis, const XRange& range, int wanted) {
    if (!axis.isWords())
        return number_ticks(range.lower, range.upper, axis.log, wanted);
    std::vector<AxisTick> ticks;
    const auto stride = std::max<qsizetype>(1, (axis.words.size() + wanted - 1) / std::max(1, wanted));
    for (qsizetype i = 0; i < axis.words.size(); i += stride)
        ticks.push_back({static_cast<double>(i), axis.words[i]});
    return ticks;
}

QString sweep_words(const SweepAxis& axis, double value) {
    if (axis.isWords())
        return std::isfinite(value) ? axis.words.value(static_cast<qsizetype>(value)) : QString();
    if (value == std::floor(value) && std::abs(value) < 1e9)
        return QLocale().toString(static_cast<qlonglong>(value));
    return value_number(value);
}

}  // namespace trainyard::widgets
