// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/about_dialog.h"

#include <QCoreApplication>
#include <QFile>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSysInfo>

#include "desktop/launch/engine_link.h"
#include "desktop/shell/logo_mark.h"
#include "desktop/shell/parts.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr qint64 kLongestLicence = 1 << 20;  // bytes

/// Files that may have the text of the licence, the best first.
QStringList licence_files(const SoftwarePart& part) {
    const QString share = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/doc/");
    const QString package = QLatin1String(part.package);
    QStringList files;
    for (const QString& root : {share, QStringLiteral("/usr/share/doc/")})
        files << root + package + QStringLiteral("/copyright");
    if (package == QLatin1String("trainyard"))
        return QStringList{share + QStringLiteral("Trainyard/LICENSE"),
                           QStringLiteral(TRAINYARD_RESOURCES_DIR "/../LICENSE"),
                           QStringLiteral("/usr/share/common-licenses/GPL-3")} +
               files;
    // Packages of the program have the texts of all that they contain in one file.
    return files << share + QStringLiteral("trainyard/copyright");
}

}  // namespace

AboutDialog::AboutDialog(EngineLink* engine, QWidget* parent)
    : QDialog(parent),
      parts_(named(new QListWidget, tr("Parts of the program"))),
      which_(selectable(make_note({}))),
      licence_(named(new QPlainTextEdit, tr("Text of the licence"))) {
    setWindowTitle(tr("About Trainyard"));
    resize(830_px, 560_px);  // lines of 80 characters
    for (const SoftwarePart& part : software_parts())
        parts_->addItem(QStringLiteral("%1  ·  %2").arg(QLatin1String(part.name), QLatin1String(part.licence)));
    parts_->setFont(Theme::instance().text(12));
    parts_->setWordWrap(true);
    parts_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    licence_->setReadOnly(true);
    licence_->setFont(Theme::instance().mono(11));
    auto* copy = with_look(new QPushButton(tr("Copy environment")), {.icon = "copy"});
    auto* close = new QPushButton(tr("Close"));
    const QString environment = environmentText(*engine);
    const int kListWidth = 210_px;
    parts_->setFixedWidth(kListWidth);
    setLayout(make_column(
        12, {make_row(14, {{new LogoMark, 0, Qt::AlignTop},
                           {make_column(4, {make_title(QStringLiteral("Trainyard"), 18),
                                            selectable(make_mono_label(environment, 12, Tone::Secondary)),
                                            wrapped(make_note(tr("Free software under the GNU General Public License, "
                                                                 "version 3 or later.")))}),
                            1}}),
             make_title(tr("Licences"), 14),
             {make_row(8, {parts_, {make_column(6, {which_, {licence_, 1}}), 1}}), 1},
             make_row(8, {copy, stretch(), close})}));
    for (QPushButton* button : {copy, close})
        button->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [environment] { copy_text(environment); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(parts_, &QListWidget::currentRowChanged, this, &AboutDialog::showLicence);
    parts_->setCurrentRow(0);
}

QString AboutDialog::environmentText(const EngineLink& engine) {
    return tr("Trainyard %1\nEngine %2\nQt %3\n%4, %5")
        .arg(QLatin1String(TRAINYARD_VERSION), engine.isReady() ? engine.version() : tr("not found"),
             QLatin1String(qVersion()), QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture());
}

void AboutDialog::showLicence(int at) {
    if (at < 0)
        return;
    const SoftwarePart& part = software_parts()[static_cast<std::size_t>(at)];
    const QString home = QLatin1String(part.home);
    which_->setText(QStringList{QLatin1String(part.name), QLatin1String(part.licence), home}
                        .filter(QRegularExpression(QStringLiteral(".")))
                        .join(QStringLiteral("  ·  ")));
    reading_.submit(
        [files = licence_files(part)] {
            for (const QString& name : files)
                if (QFile file(name); file.open(QIODevice::ReadOnly))
                    return QString::fromUtf8(file.read(kLongestLicence));
            return QString();
        },
        [this, home](const QString& text) {
            licence_->setPlainText(!text.isEmpty() ? text
                                                   : tr("The text of the licence is not installed on this machine. It "
                                                        "is published at %1.")
                                                         .arg(home));
        });
}

}  // namespace trainyard::desktop
