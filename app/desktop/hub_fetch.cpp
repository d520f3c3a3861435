// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hub_fetch.h"

#include <QCoreApplication>

#include "base/clock.h"
#include "base/text.h"
#include "config/inputs/hub_files.h"
#include "desktop/qt_text.h"
#include "formats/hub/fetch.h"

namespace trainyard::desktop {

namespace {

class HubFetch {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::HubFetch)
  public:
    static QString words(const hub::FetchProgress& progress) {
        if (!progress.note.empty())
            return qtSentence(progress.note);
        return tr("Downloading %1: %2 of %3")
            .arg(qt(progress.name), qtNumber(text::file_size(progress.bytes)), qtNumber(text::file_size(progress.of)));
    }
};

}  // namespace

QString downloadByName(HubItem item, const QString& name, std::stop_token stop,
                       const std::function<void(const QString&)>& report) {
    constexpr double kBetweenReports = 0.1;
    hub::FetchOptions options{.stop = std::move(stop)};
    options.report = [&report, last = 0.0](const hub::FetchProgress& progress) mutable {
        const double now = monotonic_seconds();
        if (progress.note.empty() && now - last < kBetweenReports && progress.bytes < progress.of)
            return;
        last = now;
        report(HubFetch::words(progress));
    };
    const std::string text = name.toStdString();
    if (item == HubItem::DataSet)
        return qt(inputs::fetch_data(hub::parse_data_name(text).value(), &options).folder.string());
    const auto files = item == HubItem::Tokenizer ? inputs::files_of_tokenizer() : hub::files_of_model();
    return qt(hub::fetch(hub::parse_model_name(text).value(), files, options).folder.string());
}

}  // namespace trainyard::desktop
