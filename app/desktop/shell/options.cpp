// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include "desktop/pages/pages.h"
#include "desktop/shell/location.h"
#include "desktop/shell/open_target.h"
#include "desktop/shell/theme_words.h"
#include "desktop/text/translate.h"
#include "widgets/languages.h"

namespace trainyard::desktop {

namespace {

/// Valid arguments of `--page`: the pages, and parts of pages.
QStringList page_names() {
    QStringList names;
    for (const PageEntry& entry : all_pages())
        names << entry.key;
    names << kComparePage;
    names.sort();
    return names;
}

}  // namespace

const QStringList Options::kActions{QStringLiteral("new-run"), QStringLiteral("open"), QStringLiteral("open-folder"),
                                    QStringLiteral("open-on-host")};

QString Options::command() const {
    return action.isEmpty() ? QString()
                            : QStringLiteral("window.") + QString(action).replace(QLatin1Char('-'), QLatin1Char('_'));
}

QString Options::openFromHere() const {
    const QFileInfo file(open);
    // The window that takes it may be in another folder, where the same name is another file.
    const bool is_address = open.startsWith(QLatin1String("file:")) || remote_place(open);
    return open.isEmpty() || (is_address && !file.exists()) ? open : file.absoluteFilePath();
}

QString parseOptions(const QStringList& arguments, Options& options) {
    QCommandLineParser parser;
    parser.setApplicationDescription(tr("Starts and monitors training runs. Runs continue when the window is closed."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("open"),
        tr("What to open: a recipe (YAML), a run folder, a folder or file of logs (TensorBoard, "
           "JSONL, CSV), host:path or an sftp address."),
        QStringLiteral("[FILE|FOLDER|ADDRESS]"));
    const QCommandLineOption sample(QStringLiteral("sample"), tr("Show the first-run page with the sample."));
    const QCommandLineOption autostart(
        QStringLiteral("autostart"), tr("With --sample: start it, wait for its end, print the final loss, and exit."));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"), tr("Save a screenshot of the window and exit."),
                                        QStringLiteral("FILE"));
    const QCommandLineOption theme(QStringLiteral("theme"), tr("dark, light or system, for this start."),
                                   QStringLiteral("THEME"));
    QStringList codes;
    for (const widgets::Languages::Language& each : widgets::Languages::all())
        codes << each.code;
    const QCommandLineOption language(
        QStringLiteral("language"),
        tr("Language of the window for this start: %1.").arg(codes.join(QStringLiteral(", "))),
        QStringLiteral("LANGUAGE"));
    const QCommandLineOption page(
        QStringLiteral("page"),
        tr("Open this page: %1. Its subject follows a colon: run:ID, new:PAGE, hosts:NAME, compare:ID,ID.")
            .arg(page_names().join(QStringLiteral(", "))),
        QStringLiteral("PAGE"));
    const QCommandLineOption size(QStringLiteral("size"), tr("Size of the window, e.g. 1440x900."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption action(
        QStringLiteral("action"),
        tr("Do this in the window, also if it is already open: %1.").arg(Options::kActions.join(QStringLiteral(", "))),
        QStringLiteral("ACTION"));
    parser.addOptions({sample, autostart, screenshot, theme, language, page, action, size});
    parser.process(arguments);
    options.sample = parser.isSet(sample);
    options.autostart = parser.isSet(autostart);
    options.screenshot = parser.value(screenshot);
    options.page = parser.value(page);
    if (const QString name = Location::parse(options.page).page;
        !options.page.isEmpty() && !page_names().contains(name))
        return tr("--page %1 is not known: write one of %2.").arg(name, page_names().join(QStringLiteral(", ")));
    const QStringList rest = parser.positionalArguments();
    if (rest.size() > 1)
        return tr("One file or folder can be opened at a time, not %1.").arg(rest.size());
    options.open = rest.value(0);
    if (options.autostart && !options.sample)
        return tr("--autostart needs --sample.");
    if (const QString word = parser.value(theme); !word.isEmpty()) {
        options.theme = theme_of(word);
        if (!options.theme)
            return tr("--theme %1 is not known: write dark, light or system.").arg(word);
    }
    options.action = parser.value(action);
    if (parser.isSet(action) && !Options::kActions.contains(options.action))
        return tr("--action %1 is not known: write one of %2.")
            .arg(options.action, Options::kActions.join(QStringLiteral(", ")));
    options.language = parser.value(language);
    if (parser.isSet(language) && !widgets::Languages::knows(options.language))
        return tr("--language %1 is not known: write one of %2.")
            .arg(options.language, codes.join(QStringLiteral(", ")));
    if (const QString text = parser.value(size); !text.isEmpty()) {
        static const QRegularExpression form(QStringLiteral("^([0-9]{3,5})x([0-9]{3,5})$"));
        const QRegularExpressionMatch match = form.match(text);
        if (!match.hasMatch())
            return tr("--size %1 is not a valid size: write for example 1440x900.").arg(text);
        options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    }
    return {};
}

}  // namespace trainyard::desktop
