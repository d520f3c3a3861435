// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_key_dialog.h"

#include "desktop/shell/ui.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

HostKeyDialog::HostKeyDialog(const QString& host, const remote::HostKeyReport& report, QWidget* parent)
    : QDialog(parent),
      report_(report),
      fingerprint_(qt(report.offered.fingerprint())),
      trust_(new QPushButton(tr("Trust and remember"))),
      once_(new QPushButton(tr("This time only"))),
      cancel_(with_look(new QPushButton(tr("Cancel")), {.kind = "primary"})) {
    const bool other_type = !report.recorded.empty();
    setWindowTitle(other_type ? tr("%1 shows a key of another type").arg(host) : tr("First contact with %1").arg(host));
    const QString address = qt(report.address);
    const QString compared =
        tr("Compare the key with the one that the host's administrator gives you, or with the output of this command "
           "on the host itself. If they are equal, the connection is not intercepted.");
    const QString before =
        other_type
            ? tr("You know %1%2 by its %3 key (line %4 of %5). The server was asked for that one and shows another. "
                 "Either it was removed there, or this is not the same host.")
                  .arg(qt(report.host), address.isEmpty() ? QString() : tr(" (%1)").arg(address),
                       qt(report.recorded.front().key.short_type()))
                  .arg(report.recorded.front().line)
                  .arg(qt(report.recorded.front().file.string()))
            : tr("You have not been connected to %1 before%2.")
                  .arg(qt(report.host), address.isEmpty() ? QString() : tr(" (%1)").arg(address));
    QString sentences = before + QLatin1Char(' ');
    widgets::append_text(sentences, compared);
    auto* words = make_note(sentences, other_type ? Tone::Warn : Tone::Secondary);
    words->setWordWrap(true);
    const QString type = qt(report.offered.short_type());
    auto* compare = make_mono_label(QStringLiteral("ssh-keygen -lvf /etc/ssh/ssh_host_%1_key.pub").arg(type.toLower()),
                                    12, Tone::Secondary);
    compare->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    auto* art = named(make_mono_label(qt(report.offered.randomart()).trimmed(), 12), tr("The key as a picture"));
    auto* right = make_column(4, {});
    auto fact = [right](const QString& label, const QString& value) {
        right->addWidget(make_note(label, Tone::Muted));
        QLabel* shown = make_mono_label(value, 12);
        shown->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        shown->setAccessibleName(label + QStringLiteral(": ") + value);
        add_items(right, {shown, gap(6)});
    };
    fact(tr("Type"), type);
    fact(tr("Fingerprint"), fingerprint_);
    fact(tr("Remembered in"), qt(report.file.string()));
    auto* copy = with_look(new QPushButton(tr("Copy fingerprint")), {.icon = "copy"});
    connect(copy, &QPushButton::clicked, this, [this] { copy_text(fingerprint_); });
    add_items(right, {{copy, 0, Qt::AlignLeft}, stretch()});
    auto* well = make_frame("well", make_row({14, 12, 14, 12}, 18, {art, {right, 1}}));
    setLayout(make_column(10, {make_title(tr("Is this %1?").arg(host), 16), words, compare, well,
                               make_row(8, {trust_, once_, stretch(), cancel_})}));
    // Cancel is the default, so that an accidental Enter does not trust the key.
    for (QPushButton* button : {trust_, once_, copy})
        button->setAutoDefault(false);
    cancel_->setDefault(true);
    cancel_->setFocus();
    connect(trust_, &QPushButton::clicked, this, [this] {
        choice_ = Choice::Trust;
        accept();
    });
    connect(once_, &QPushButton::clicked, this, [this] {
        choice_ = Choice::Once;
        accept();
    });
    connect(cancel_, &QPushButton::clicked, this, &QDialog::reject);
}

}  // namespace trainyard::desktop
