// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/fetch_dialog.h"

#include <QProgressBar>

#include "base/error.h"
#include "base/text.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/shell/ui.h"
#include "remote/mirror.h"
#include "run/folder_record.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kFetchDialogWidth = live_px(460);
constexpr int kScale = 1000;
}  // namespace

FetchDialog::FetchDialog(const run::RunPaths& run, const std::string& checkpoint,
                         const remote::AcceptedKeys& acceptedOnce, QWidget* parent)
    : QDialog(parent),
      run_(run),
      words_(wrapped(make_note(checkpoint.empty() ? tr("Looking for the newest checkpoint…")
                                                  : tr("Looking for %1…").arg(qt(checkpoint))))),
      bar_(new QProgressBar),
      cancel_button_(new QPushButton(tr("Cancel"))),
      asker_(DialogAsker::make(this)) {
    setWindowTitle(tr("Copying the checkpoint"));
    setMinimumWidth(kFetchDialogWidth);
    words_->setTextFormat(Qt::PlainText);
    bar_->setRange(0, kScale);
    bar_->setTextVisible(false);
    bar_->setFixedHeight(6_px);
    bar_->setAccessibleName(windowTitle());
    setLayout(make_column(10, {make_title(windowTitle(), 16), words_, bar_, make_row({stretch(), cancel_button_})}));
    connect(cancel_button_, &QPushButton::clicked, this, &QDialog::reject);
    begin(checkpoint, acceptedOnce);
}

FetchDialog::~FetchDialog() {
    asker_->close();
}

void FetchDialog::begin(const std::string& checkpoint, const remote::AcceptedKeys& acceptedOnce) {
    work_.inOrder(
        work_.key(),
        [this, checkpoint, acceptedOnce, asker = asker_, run = run_](const widgets::Operation& operation) {
            const HangUp hang_up(operation);
            remote::ConnectOptions options;
            options.asker = asker.get();
            options.accepted_once = acceptedOnce;
            options.cancel = hang_up.cancel();
            const auto source = run::mirror_source(run);
            if (!source)
                throw UserError("{} is not the copy of a run on another machine", run.root().string());
            remote::Session session = remote::Session::connect(source->host, options);
            return remote::fetch_checkpoint(session, run, checkpoint, [&](const remote::TransferProgress& progress) {
                operation.tell([this, progress] { show(progress.done, progress.total); });
                return !operation;
            });
        },
        [this](const std::filesystem::path& folder) {
            accept();
            emit fetched(qt(folder.string()));
        },
        [this](const QString& sentence) {
            over_ = true;
            words_->setText(sentence);
            words_->setForegroundRole(tone_role(Tone::Error));
            bar_->hide();
            cancel_button_->setText(tr("Close"));
            adjustSize();  // the sentence may be longer than the one before
        });
}

void FetchDialog::show(std::uint64_t done, std::uint64_t total) {
    if (total == 0)
        return;
    bar_->setValue(static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kScale));
    words_->setText(
        tr("%1 of %2 copied to this machine.").arg(qtNumber(text::file_size(done)), qtNumber(text::file_size(total))));
}

void FetchDialog::reject() {
    if (over_) {
        QDialog::reject();
        return;
    }
    cancel_button_->setEnabled(false);
    words_->setText(tr("Cancelling…"));
    asker_->close();
    work_.cancel();
    work_.inOrder(
        work_.key(), [] {}, [this] { QDialog::reject(); });
}

}  // namespace trainyard::desktop
