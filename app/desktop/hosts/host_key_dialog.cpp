#include "desktop/hosts/host_key_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/label.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::make_label;
using widgets::make_mono_label;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;

HostKeyDialog::HostKeyDialog(const QString& host, const remote::HostKeyReport& report, QWidget* parent)
    : QDialog(parent),
      report_(report),
      fingerprint_(QString::fromStdString(report.offered.fingerprint())),
      trust_(new QPushButton(tr("Trust and remember"))),
      once_(new QPushButton(tr("This time only"))),
      cancel_(new QPushButton(tr("Cancel"))) {
    const bool other_type = !report.recorded.empty();
    setWindowTitle(other_type ? tr("%1 shows a key of another type").arg(host) : tr("First contact with %1").arg(host));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    layout->addWidget(make_label(tr("Is this %1?").arg(host), 16, QFont::DemiBold));
    const QString address = QString::fromStdString(report.address);
    const QString compared =
        tr("Compare the key with what whoever runs it tells you, or with the output of this command on the host "
           "itself: if "
           "they are the same, nobody stands between you and it.");
    const QString before =
        other_type
            ? tr("You know %1%2 by its %3 key (line %4 of %5). The server was asked for that one and shows another. "
                 "Either it was removed there, or this is not the same host.")
                  .arg(QString::fromStdString(report.host), address.isEmpty() ? QString() : tr(" (%1)").arg(address),
                       QString::fromStdString(report.recorded.front().key.short_type()))
                  .arg(report.recorded.front().line)
                  .arg(QString::fromStdString(report.recorded.front().file.string()))
            : tr("You have not been connected to %1 before%2.")
                  .arg(QString::fromStdString(report.host), address.isEmpty() ? QString() : tr(" (%1)").arg(address));
    auto* words =
        make_label(before + QLatin1Char(' ') + compared, 12, QFont::Normal, other_type ? Tone::Warn : Tone::Secondary);
    words->setWordWrap(true);
    layout->addWidget(words);
    const QString type = QString::fromStdString(report.offered.short_type());
    auto* compare = make_mono_label(QStringLiteral("ssh-keygen -lvf /etc/ssh/ssh_host_%1_key.pub").arg(type.toLower()),
                                    12, Tone::Secondary);
    compare->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(compare);

    auto* well = new QFrame;
    well->setProperty("surface", QStringLiteral("well"));
    auto* inside = new QHBoxLayout(well);
    inside->setContentsMargins(14, 12, 14, 12);
    inside->setSpacing(18);
    auto* art = make_mono_label(QString::fromStdString(report.offered.randomart()).trimmed(), 12);
    art->setAccessibleName(tr("The key as a picture"));
    inside->addWidget(art);
    auto* right = new QVBoxLayout;
    right->setSpacing(4);
    auto fact = [right](const QString& label, const QString& value) {
        right->addWidget(make_label(label, 12, QFont::Normal, Tone::Muted));
        QLabel* shown = make_mono_label(value, 12);
        shown->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        shown->setAccessibleName(label + QStringLiteral(": ") + value);
        right->addWidget(shown);
        right->addSpacing(6);
    };
    fact(tr("Type"), type);
    fact(tr("Fingerprint"), fingerprint_);
    fact(tr("Remembered in"), QString::fromStdString(report.file.string()));
    auto* copy = new QPushButton(tr("Copy fingerprint"));
    Theme::instance().bindIcon(copy, QStringLiteral("copy"), Token::Text);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(fingerprint_); });
    right->addWidget(copy, 0, Qt::AlignLeft);
    right->addStretch();
    inside->addLayout(right, 1);
    layout->addWidget(well);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(trust_);
    buttons->addWidget(once_);
    buttons->addStretch();
    buttons->addWidget(cancel_);
    layout->addLayout(buttons);
    // Nobody trusts a key by pressing Enter once too often.
    for (QPushButton* button : {trust_, once_, copy})
        button->setAutoDefault(false);
    cancel_->setDefault(true);
    cancel_->setProperty("kind", QStringLiteral("primary"));
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
