#include "desktop/wizard/draft_keeper.h"

#include <QFileInfo>
#include <QJsonDocument>

#include "base/error.h"
#include "base/file.h"
#include "desktop/preferences.h"
#include "desktop/qt_text.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
constexpr int kWaitMs = 1000;
constexpr std::uint64_t kMostDraftBytes = 8u << 20;

void writeFile(const QString& file, const QByteArray& content) {
    const std::filesystem::path path = file.toStdString();
    make_private_folder(path.parent_path());
    write_file_atomically(path, content.toStdString(), false);
}
}  // namespace

QString DraftKeeper::file() {
    return Preferences::stateFolder() + QStringLiteral("/drafts/current.json");
}

DraftKeeper::DraftKeeper(RunDraft* draft, QObject* parent) : QObject(parent), draft_(draft) {
    widgets::act_after(wait_, kWaitMs, this, &DraftKeeper::write);
}

DraftKeeper::~DraftKeeper() {
    if (dirty_)
        write();
    writing_.wait();
}

void DraftKeeper::start() {
    struct Read {
        QByteArray text;
        bool found = false;
        QString error;
    };
    const QString path = file();
    reading_.submit(
        [path] {
            Read read;
            if (!QFileInfo::exists(path))
                return read;
            read.found = true;
            try {
                read.text = QByteArray::fromStdString(read_file(path.toStdString(), kMostDraftBytes));
            } catch (const UserError& error) {
                read.error = qtSentence(message_of(error));
            }
            return read;
        },
        [this, path](const Read& read) {
            started_ = true;
            const QJsonObject all = QJsonDocument::fromJson(read.text).object();
            const bool good =
                read.found && draft_->restore(QJsonDocument(all.value(QLatin1String("draft")).toObject()).toJson());
            if (read.found && !good) {
                writing_.inOrder(
                    path.toStdString(),
                    [path] {
                        std::error_code ignored;
                        std::filesystem::rename(path.toStdString(), path.toStdString() + ".bad", ignored);
                    },
                    [] {});
                emit complaint(
                    tr("The draft %1 could not be read; it is kept as %1.bad, and the form begins anew.").arg(path));
            }
            dirty_ = false;
            wait_.stop();
            if (good)
                emit restored(all.value(QLatin1String("place")).toObject());
            else
                emit nothing();
        });
}

void DraftKeeper::setPlace(const QJsonObject& place) {
    if (place == place_)
        return;
    place_ = place;
    changed();
}

void DraftKeeper::changed() {
    if (!started_)
        return;
    if (!dirty_) {
        dirty_ = true;
        emit saved(false);
    }
    wait_.start();
}

QByteArray DraftKeeper::content() const {
    const QJsonObject all{{QStringLiteral("draft"), QJsonDocument::fromJson(draft_->store()).object()},
                          {QStringLiteral("place"), place_}};
    return QJsonDocument(all).toJson();
}

void DraftKeeper::write() {
    const QByteArray text = content();
    const QString path = file();
    writing_.inOrder(
        path.toStdString(), [path, text] { writeFile(path, text); },
        [this] {
            if (wait_.isActive() || writing_.isRunning())
                return;  // a newer text is on its way
            dirty_ = false;
            failed_ = false;
            emit saved(true);
        },
        [this](const QString& words) {
            if (!failed_)
                emit complaint(tr("The draft could not be kept: %1").arg(words));
            failed_ = true;
        });
}

}  // namespace trainyard::desktop
