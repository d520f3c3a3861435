// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hub/hub_line.h"

#include <utility>

#include <QCompleter>
#include <QEvent>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStringListModel>

#include "base/text.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const int& kBarHeight = live_px(6);
constexpr int kBarParts = 1000;

/// Fills the completer of a line when it gets the focus.
class HubNameOffers : public QObject {
  public:
    HubNameOffers(QLineEdit* line, HubItem item) : QObject(line), item_(item), names_(new QStringListModel(this)) {
        auto* completer = new QCompleter(names_, line);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        completer->setMaxVisibleItems(10);
        line->setCompleter(completer);
        line->installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FocusIn && !job_.isRunning())
            job_.submit([item = item_, recents = recentHubNames(item_)] { return hubChoices(item, recents); },
                        [this](const QVector<HubChoice>& choices) {
                            QStringList names;
                            for (const HubChoice& each : choices)
                                names << (item_ == HubItem::Tokenizer ? recipeName(item_, each.name) : each.name);
                            if (names != names_->stringList())
                                names_->setStringList(names);
                        });
        return QObject::eventFilter(watched, event);
    }

  private:
    HubItem item_;
    QStringListModel* names_;
    widgets::Job job_;
};

}  // namespace

HubLine::HubLine(HubItem item, const QString& label, QWidget* parent)
    : QWidget(parent),
      item_(item),
      start_(new QPushButton(tr("Download"))),
      cancel_(new QPushButton(tr("Cancel"))),
      state_(selectable(wrapped(make_note({})))),
      bar_(named(new QProgressBar, tr("Progress of the download"))),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    if (!label.isEmpty()) {
        named(start_, tr("Download: %1").arg(label));
        named(cancel_, tr("Cancel the download: %1").arg(label));
    }
    bar_->setTextVisible(false);
    bar_->setFixedHeight(kBarHeight);
    bar_->setRange(0, kBarParts);
    setLayout(
        make_row(QMargins(), 10,
                 {{make_column(QMargins(), 6, {state_, bar_}), 1}, make_column(QMargins(), 0, {cancel_, stretch()})}));
    connect(start_, &QPushButton::clicked, this, [this] { isOffered() ? download() : prepare(name_); });
    connect(cancel_, &QPushButton::clicked, this, &HubLine::cancel);
    arrange();
}

QString HubLine::words() const {
    return state_->text();
}

void HubLine::setName(const QString& name) {
    if (name.trimmed() == name_)
        return;
    clear();
    name_ = name.trimmed();
    arrange();
}

void HubLine::prepare(const QString& name) {
    name_ = name.trimmed();
    offered_.clear();
    downloading_ = false;
    if (name_.isEmpty())
        return clear();
    if (!isHubName(item_, name_))
        return say(
            item_ == HubItem::DataSet
                ? tr("%1 is not a valid name of a data set: write org/name, org/name/configuration or "
                     "org/name:split")
                      .arg(name_)
                : tr("%1 is not a valid model name: a name on a hub has one or two parts, such as org/name").arg(name_),
            true);
    run(tr("Asking the hub for %1…").arg(name_),
        [this, item = item_, name = name_](const auto& operation, const auto& tell) {
            const HubPlan plan = planDownload(item, name, operation.token(), tell);
            return [this, name, plan] {
                if (plan.isHere()) {
                    clear();
                    emit found(name, plan.folder);
                    return;
                }
                offered_ = name;
                const QString size = qtNumber(text::file_size(plan.bytes));
                start_->setText(tr("Download %1").arg(size));
                const QString files = tr("%Ln files to download", nullptr, static_cast<int>(plan.files));
                say(plan.room ? tr("%1: %2, %3. The disk of the cache has %4 free.")
                                    .arg(name, files, size, qtNumber(text::file_size(*plan.room)))
                              : tr("%1: %2, %3.").arg(name, files, size));
            };
        });
}

void HubLine::download() {
    const QString name = std::exchange(offered_, {});
    downloading_ = true;
    run(tr("Asking the hub for %1…").arg(name), [this, item = item_, name](const auto& operation, const auto&) {
        const QString folder = downloadByName(item, name, operation.token(), [&](const HubProgress& progress) {
            operation.tell([this, progress] {
                say(progress.words);
                if (progress.of > 0)
                    bar_->setValue(static_cast<int>(static_cast<double>(progress.bytes) /
                                                    static_cast<double>(progress.of) * kBarParts));
                bar_->setVisible(progress.of > 0);
            });
        });
        return [this, name, folder] {
            clear();
            emit found(name, folder);
        };
    });
}

void HubLine::run(const QString& words, Work work) {
    start_->setText(tr("Download"));
    bar_->setValue(0);
    job_.submit(
        [this, work = std::move(work)](const widgets::Operation& operation) {
            // The words are set in the thread of the window, while this line exists.
            return work(operation,
                        [&operation, this](const QString& said) { operation.tell([this, said] { say(said); }); });
        },
        [](const Done& done) { done(); }, [this](const QString& sentence) { say(sentence, true); });
    say(words);
}

void HubLine::cancel() {
    const bool was_offered = isOffered();
    offered_.clear();
    job_.cancel();
    start_->setText(tr("Download"));
    if (was_offered)
        return clear();
    say(std::exchange(downloading_, false) ? tr("The download was cancelled. The next one continues it.")
                                           : tr("Cancelled"));
}

void HubLine::clear() {
    offered_.clear();
    downloading_ = false;
    job_.cancel();
    start_->setText(tr("Download"));
    bar_->setValue(0);
    say({});
}

void HubLine::say(const QString& words, bool problem) {
    failed_ = problem;
    state_->setText(words);
    state_->setForegroundRole(tone_role(problem ? Tone::Error : Tone::Secondary));
    arrange();
    emit changed();
}

void HubLine::arrange() {
    state_->setVisible(!state_->text().isEmpty());
    cancel_->setVisible(isRunning() || isOffered());
    start_->setEnabled(!isRunning() && !name_.isEmpty());
    if (!isRunning())
        bar_->hide();
}

void offerHubNames(QLineEdit* line, HubItem item, std::function<void(const QString& name)> chosen) {
    new HubNameOffers(line, item);
    if (chosen)
        QObject::connect(line->completer(), qOverload<const QString&>(&QCompleter::activated), line, std::move(chosen));
}

}  // namespace trainyard::desktop
