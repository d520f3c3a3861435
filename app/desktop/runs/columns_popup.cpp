// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/columns_popup.h"

#include <algorithm>

#include <QHash>
#include <QLineEdit>
#include <QTreeWidget>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
QSize tree_size() {
    return {340_px, 420_px};
}
constexpr int kColumnRole = Qt::UserRole;
constexpr int kNameRole = Qt::UserRole + 1;
}  // namespace

KnownNames knownNames(const RunSummaries& runs) {
    QHash<QString, QString> values;
    QSet<QString> differing;
    QSet<QString> metrics;
    int read = 0;
    QHash<QString, int> times;
    for (const RunSummary& run : runs) {
        if (run.config) {
            ++read;
            for (const ConfigEntry& entry : run.config->entries()) {
                ++times[entry.key];
                const auto at = values.constFind(entry.key);
                if (at == values.constEnd())
                    values.insert(entry.key, entry.text);
                else if (*at != entry.text)
                    differing.insert(entry.key);
            }
        }
        if (run.metrics)
            for (const MetricEntry& metric : run.metrics->entries())
                metrics.insert(metric.tag);
    }
    for (auto it = times.constBegin(); it != times.constEnd(); ++it)
        if (*it != read)
            differing.insert(it.key());
    KnownNames names;
    names.keys = values.keys();
    std::sort(names.keys.begin(), names.keys.end());
    const auto rest = std::stable_partition(names.keys.begin(), names.keys.end(),
                                            [&](const QString& key) { return differing.contains(key); });
    names.differing = static_cast<int>(rest - names.keys.begin());
    names.metrics = metrics.values();
    std::sort(names.metrics.begin(), names.metrics.end());
    return names;
}

ColumnsPopup::ColumnsPopup(const QVector<Fixed>& fixed, const KnownNames& known, const QStringList& extra,
                           QWidget* parent)
    : QFrame(parent, Qt::Popup),
      field_(make_search_field(tr("Find a column"), tr("Search settings and metrics"), "search")),
      tree_(named(new QTreeWidget, tr("Columns"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("palette"));
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    const QSize window = parent == nullptr ? tree_size() : parent->window()->size();
    const QSize wanted = tree_size().expandedTo({window.width() / 3, window.height() / 2});  // keys may be long
    tree_->setFixedSize(wanted.boundedTo(window - QSize(60, 110)));
    setLayout(make_column({10, 10, 10, 10}, 8, {field_, tree_}));

    auto group = [&](const QString& title, bool open) {
        auto* item = new QTreeWidgetItem(tree_, {title});
        item->setFlags(Qt::ItemIsEnabled);
        item->setExpanded(open);
        item->setFont(0, Theme::instance().text(12, QFont::DemiBold));
        return item;
    };
    auto tickable = [&](QTreeWidgetItem* parentItem, const QString& text, bool on) {
        auto* item = new QTreeWidgetItem(parentItem, {text});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
        return item;
    };
    auto named = [&](QTreeWidgetItem* parentItem, const QString& text, const QString& name) {
        tickable(parentItem, text, extra.contains(name))->setData(0, kNameRole, name);
    };
    QTreeWidgetItem* columns = group(tr("Columns"), true);
    for (const Fixed& one : fixed)
        tickable(columns, one.title, one.shown)->setData(0, kColumnRole, one.column);
    QTreeWidgetItem* differing = group(tr("Settings that differ"), true);
    for (const QString& key : known.keys.mid(0, known.differing))
        named(differing, key, key);
    QTreeWidgetItem* metrics = group(tr("Metrics"), true);
    for (const QString& tag : known.metrics) {
        named(metrics, tag, tag);
        QTreeWidgetItem* last = metrics->child(metrics->childCount() - 1);
        for (MetricPart part : {MetricPart::Best, MetricPart::Mean, MetricPart::Lowest, MetricPart::Highest})
            named(last, tag + QLatin1Char('.') + partKey(part), tag + QLatin1Char('.') + partKey(part));
    }
    QTreeWidgetItem* equal = group(tr("Equal settings"), false);
    for (const QString& key : known.keys.mid(known.differing))
        named(equal, key, key);
    for (QTreeWidgetItem* one : {differing, metrics, equal})
        one->setHidden(one->childCount() == 0);

    connect(field_, &QLineEdit::textChanged, this, &ColumnsPopup::seek);
    connect(tree_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        const bool on = item->checkState(0) == Qt::Checked;
        if (const QString name = item->data(0, kNameRole).toString(); !name.isEmpty())
            emit extraToggled(name, on);
        else
            emit fixedToggled(item->data(0, kColumnRole).toInt(), on);
    });
}

void ColumnsPopup::seek(const QString& words) {
    for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = tree_->topLevelItem(i);
        int shown = 0;
        for (int j = 0; j < group->childCount(); ++j) {
            QTreeWidgetItem* item = group->child(j);
            const bool fits = words.isEmpty() || item->text(0).contains(words, Qt::CaseInsensitive);
            item->setHidden(!fits);
            shown += fits ? 1 : 0;
        }
        group->setHidden(shown == 0);
        if (!words.isEmpty())
            group->setExpanded(true);
    }
}

void ColumnsPopup::popup(const QPoint& place) {
    adjustSize();
    move(place - QPoint(width(), 0));
    show();
    field_->setFocus(Qt::PopupFocusReason);
}

}  // namespace trainyard::desktop
