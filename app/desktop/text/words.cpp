// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/text/words.h"

#include <cmath>

#include <QDateTime>
#include <QLocale>

#include "base/text.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

QString lossText(const std::optional<double>& loss) {
    if (!loss)
        return {};
    if (std::isnan(*loss))
        return QStringLiteral("NaN");
    if (std::isinf(*loss))
        return *loss > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::abs(*loss);
    const int whole = size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
    QString text = QString::number(*loss, 'f', std::max(0, 4 - whole));
    return widgets::local_number(text).replace(QLatin1Char('-'), QChar(0x2212));
}

QString rateText(const std::optional<double>& tokensPerSecond) {
    if (!tokensPerSecond || !std::isfinite(*tokensPerSecond))
        return {};
    return qtNumber(text::quantity(*tokensPerSecond)).replace(QLatin1Char(' '), QChar(0xA0));
}

QString stepText(std::int64_t step) {
    return QLocale().toString(static_cast<qlonglong>(step));
}

QString durationText(double seconds) {
    return widgets::duration_words(seconds);
}

QString relativeTime(double then, double now) {
    if (then <= 0)
        return {};
    const double age = std::max(0.0, now - then);
    if (age < 10)
        return tr("just now");
    const auto ago = [](double whole) { return tr("%1 ago").arg(durationText(whole)); };
    if (age < 60)
        return ago(std::floor(age));
    const double minutes = 60 * std::floor(age / 60);
    if (age < 3600)
        return ago(minutes);
    const QDate day = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(then * 1000)).date();
    const QDate today = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(now * 1000)).date();
    const qint64 days = day.daysTo(today);
    if (age < 12 * 3600 || days == 0)
        return ago(minutes);
    if (days == 1)
        return tr("yesterday");
    if (days < 7)
        return tr("%1 days ago").arg(days);
    return QLocale().toString(day, QLocale::ShortFormat);
}

QString absoluteTime(double wall) {
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(wall * 1000)),
                              tr("d MMM yyyy, HH:mm:ss", "format of a date"));
}

}  // namespace trainyard::desktop
