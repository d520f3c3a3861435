// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_names.h"

#include <array>

#include "desktop/dashboard/other_runs.h"
#include "desktop/runs/run_details.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {

/// Settings that people vary, and how a name says them. dashboard/other_runs.cpp takes these endings off again.
constexpr std::array<std::pair<const char*, const char*>, 5> kTelling{{{"optimizer.lr", "lr"},
                                                                       {"training.batch_size", "bs"},
                                                                       {"training.seed", "seed"},
                                                                       {"training.steps", "steps"},
                                                                       {"model.n_layer", "layers"}}};

bool is_same_value(const QString& a, const QString& b) {
    bool first = false, second = false;
    const double x = a.toDouble(&first), y = b.toDouble(&second);
    return first && second ? x == y : a == b;
}

}  // namespace

QString unique_run_name(const QString& name, const RunSummaries& runs, const QMap<QString, QString>& values) {
    QSet<QString> taken;
    const RunSummary* newest = nullptr;
    for (const RunSummary& run : runs) {
        taken << run.name << run.ownName;
        if (run.ownName == name && run.config && (newest == nullptr || run.created > newest->created))
            newest = &run;
    }
    if (!taken.contains(name))
        return name;
    const QString stem = qt(name_stem(name.toStdString()));
    QStringList different;
    for (const auto& [key, word] : kTelling) {
        const QString value = values.value(QLatin1String(key));
        const ConfigEntry* entry = newest == nullptr ? nullptr : newest->config->find(QLatin1String(key));
        if (value.isEmpty() || entry == nullptr || is_same_value(value, entry->text))
            continue;
        bool number = false;
        const double typed = value.toDouble(&number);
        different << QLatin1Char('-') + QLatin1String(word) +
                         (number ? QString::number(typed, 'g', 4).replace(QStringLiteral("e-0"), QStringLiteral("e-"))
                                 : value);
    }
    if (different.size() == 1 && !taken.contains(stem + different.first()))
        return stem + different.first();
    for (int number = 2;; ++number)
        if (const QString numbered = stem + QLatin1Char('-') + QString::number(number); !taken.contains(numbered))
            return numbered;
}

QSet<QString> repeated_names(const RunSummaries& runs) {
    QSet<QString> seen, repeated;
    for (const RunSummary& run : runs)
        (seen.contains(run.name) ? repeated : seen) << run.name;
    return repeated;
}

QString short_id(const RunSummary& run) {
    return run.id.section(QLatin1Char('-'), -1).right(4);
}

}  // namespace trainyard::desktop
