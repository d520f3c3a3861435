// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hub/hub_items.h"

#include <QCoreApplication>
#include <QJsonArray>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "config/inputs/hub_files.h"
#include "desktop/shell/view_state.h"
#include "desktop/text/qt_text.h"
#include "formats/hub/fetch.h"
#include "formats/hub/hub_settings.h"

namespace trainyard::desktop {

namespace {

constexpr qsizetype kMostRecentNames = 20;

class HubItems {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::HubItems)
  public:
    static QString words(const hub::FetchProgress& progress) {
        if (!progress.note.empty())
            return qtSentence(progress.note);
        return tr("Downloading %1: %2 of %3")
            .arg(qt(progress.name), qtNumber(text::file_size(progress.bytes)), qtNumber(text::file_size(progress.of)));
    }
};

hub::Fetched fetch_item(HubItem item, const QString& name, const hub::FetchOptions& options) {
    const std::string text = recipeName(item, name).toStdString();
    if (item == HubItem::DataSet)
        return inputs::fetch_data(hub::parse_data_name(text).value(), &options);
    const auto files = item == HubItem::Tokenizer ? inputs::files_of_tokenizer() : hub::files_of_model();
    return hub::fetch(hub::parse_model_name(text).value(), files, options);
}

/// Whether what is in the cache can be used without the hub.
bool is_whole(HubItem item, const QString& name) {
    try {
        const std::string text = recipeName(item, name).toStdString();
        if (item == HubItem::DataSet) {
            (void)inputs::fetch_data(hub::parse_data_name(text).value(), nullptr);
            return true;
        }
        const auto files = item == HubItem::Tokenizer ? inputs::files_of_tokenizer() : hub::files_of_model();
        return hub::find_fetched(hub::parse_model_name(text).value(), files).has_value();
    } catch (const std::exception&) {
        return false;
    }
}

QString key_of(HubItem item) {
    return item == HubItem::Model       ? QStringLiteral("models")
           : item == HubItem::Tokenizer ? QStringLiteral("tokenizers")
                                        : QStringLiteral("datasets");
}

const QString kRecentNames = QStringLiteral("hub/recent");

}  // namespace

bool isHubName(HubItem item, const QString& text) {
    try {
        const std::string name = recipeName(item, text).toStdString();
        return item == HubItem::DataSet ? hub::parse_data_name(name).has_value()
                                        : hub::parse_model_name(name).has_value();
    } catch (const UserError&) {
        return false;  // of HF_ENDPOINT, which the request reports
    }
}

QString recipeName(HubItem item, const QString& text) {
    QString name = text.trimmed();
    if (name.contains(QLatin1String("://")))
        try {
            name = qt(hub::name_of_address(name.toStdString()));
        } catch (const UserError&) {
            return name;
        }
    const QString prefix = QStringLiteral("hub:");
    const bool has = name.startsWith(prefix);
    if (item == HubItem::Model)
        return has ? name.mid(prefix.size()) : name;
    return has || name.isEmpty() ? name : prefix + name;
}

HubPlan planDownload(HubItem item, const QString& name, std::stop_token stop,
                     const std::function<void(const QString&)>& report) {
    HubPlan plan;
    hub::FetchOptions options{.stop = std::move(stop)};
    options.report = [&report](const hub::FetchProgress& progress) {
        if (!progress.note.empty())
            report(HubItems::words(progress));
    };
    options.confirm = [&plan](const hub::FetchPlan& missing) {
        plan.files = static_cast<qint64>(missing.files);
        plan.bytes = missing.bytes;
        plan.room = missing.room;
        return false;
    };
    try {
        plan.folder = qt(fetch_item(item, name, options).folder.string());
    } catch (const hub::DeclinedError&) {
        // As asked: the plan has been made.
    }
    return plan;
}

QString downloadByName(HubItem item, const QString& name, std::stop_token stop,
                       const std::function<void(const HubProgress&)>& report) {
    constexpr double kBetweenReports = 0.1;
    hub::FetchOptions options{.stop = std::move(stop)};
    options.report = [&report, last = 0.0](const hub::FetchProgress& progress) mutable {
        const double now = monotonic_seconds();
        if (progress.note.empty() && now - last < kBetweenReports && progress.bytes < progress.of)
            return;
        last = now;
        report({HubItems::words(progress), progress.bytes, progress.of});
    };
    return qt(fetch_item(item, name, options).folder.string());
}

QVector<HubChoice> hubChoices(HubItem item, const QStringList& recents) {
    QVector<HubChoice> choices;
    const auto kind = item == HubItem::DataSet ? hub::RepoKind::dataset : hub::RepoKind::model;
    const std::vector<hub::CachedRepo> cached = hub::cached_repos(kind);
    const auto bytes_of = [&](const QString& name) -> quint64 {
        const auto data = hub::parse_data_name(recipeName(HubItem::DataSet, name).toStdString());
        for (const hub::CachedRepo& each : cached)
            if (data && (each.repo.name == data->repo.name || data->shorter() == each.repo))
                return each.bytes;
        return 0;
    };
    for (const QString& name : recents)
        if (isHubName(item, name))
            choices << HubChoice{name, bytes_of(name), is_whole(item, name), true};
    for (const hub::CachedRepo& each : cached) {
        const QString name =
            item == HubItem::DataSet ? QStringLiteral("hub:") + qt(each.repo.name) : qt(each.repo.name);
        if (!recents.contains(name) && is_whole(item, name))
            choices << HubChoice{name, each.bytes, true, false};
    }
    return choices;
}

HubPlace hubPlace() {
    HubPlace place;
    try {
        place.cache = qt(hub::cache_root().string());
        place.isOffline = hub::is_offline();
        place.endpoint = qt(hub::endpoint());
        place.hasToken = !hub::access_token().empty();
    } catch (const UserError& error) {
        place.problem = qtSentence(error.message());
    }
    return place;
}

QStringList recentHubNames(HubItem item) {
    return stringsOf(ViewState::instance().value(kRecentNames, key_of(item)));
}

void rememberHubName(HubItem item, const QString& text) {
    QString name = recipeName(item, text);
    if (item == HubItem::Tokenizer && name.startsWith(QLatin1String("hub:")))
        name = name.mid(4);
    QStringList names = recentHubNames(item);
    names.removeAll(name);
    names.prepend(name);
    ViewState::instance().set(kRecentNames, key_of(item), QJsonArray::fromStringList(names.mid(0, kMostRecentNames)));
}

}  // namespace trainyard::desktop
