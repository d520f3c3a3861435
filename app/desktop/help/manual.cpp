// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/help/manual.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

namespace trainyard::desktop {

namespace {

constexpr qint64 kLongestPage = 4 << 20;  // bytes; the longest one has 73 kB
const QString kIndex = QStringLiteral("index");
const QString kEnding = QStringLiteral(".md");
const QString kFence = QStringLiteral("```");

/// A line without links, code marks, emphasis and the bars of tables.
QString plain_line(const QString& line) {
    static const QRegularExpression link(QStringLiteral("!?\\[([^\\]]*)\\]\\([^)]*\\)")),
        marks(QStringLiteral("`|\\*\\*|^#+ |^[-|] |\\|$")), bars(QStringLiteral("\\s*\\|\\s*"));
    QString text = line.trimmed();
    text.replace(link, QStringLiteral("\\1")).remove(marks);
    return text.replace(bars, QStringLiteral("  ")).trimmed();
}

QString anchor_of(const QString& heading) {
    QString anchor;
    for (const QChar letter : heading.toLower())
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-') || letter == QLatin1Char('_'))
            anchor += letter;
        else if (letter == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    return anchor;
}

/// Level of a heading, 0 for other lines.
int heading_level(const QString& line) {
    const auto end = std::find_if(line.begin(), line.end(), [](QChar letter) { return letter != QLatin1Char('#'); });
    const auto level = static_cast<int>(end - line.begin());
    return level > 0 && level <= 6 && end != line.end() && *end == QLatin1Char(' ') ? level : 0;
}

/// Calls `visit(line, level)` for each line outside the marks of fenced blocks; level 0: not a heading.
template <class Visit>
void each_line(const QString& text, Visit visit) {
    bool code = false;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (line.startsWith(kFence))
            code = !code;
        else
            visit(line, code ? 0 : heading_level(line), code);
    }
}

ManualPage parse_page(const QString& name, const QString& text) {
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\(([^)]+)\\)"));
    ManualPage page{.name = name, .title = name, .text = text, .headings = {}, .pictures = {}};
    QHash<QString, int> used;
    each_line(text, [&](const QString& line, int level, bool code) {
        if (level > 0) {
            const QString heading = plain_line(line);
            QString anchor = anchor_of(heading);
            if (const int before = used[anchor]++; before > 0)
                anchor += QStringLiteral("-%1").arg(before);
            page.headings.push_back({level, heading, anchor});
        }
        if (!code)
            for (auto found = picture.globalMatch(line); found.hasNext();)
                page.pictures << found.next().captured(1);
    });
    if (!page.headings.isEmpty())
        page.title = page.headings.first().text;
    return page;
}

}  // namespace

QString Manual::installedFolder() {
    return QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/doc/Trainyard/manual"));
}

QString Manual::folder() {
    // The Debian package of the programs has the folder under its own name (packaging/package).
    const QString package = QDir::cleanPath(QCoreApplication::applicationDirPath() +
                                            QStringLiteral("/../share/doc/trainyard-engine/manual"));
    QStringList folders{installedFolder(), package, QStringLiteral(TRAINYARD_RESOURCES_DIR "/manual")};
    if (const QString given = qEnvironmentVariable("TRAINYARD_MANUAL"); !given.isEmpty())
        folders = {given};
    for (const QString& folder : folders)
        if (QFileInfo(folder + QLatin1Char('/') + kIndex + kEnding).isFile())
            return folder;
    return {};
}

Manual Manual::read(const QString& folder) {
    Manual manual;
    auto read_page = [&](const QString& name) {
        QFile file(folder + QLatin1Char('/') + name + kEnding);
        if (manual.find(name) == nullptr && file.open(QIODevice::ReadOnly))
            manual.pages_ << parse_page(name, QString::fromUtf8(file.read(kLongestPage)));
    };
    if (folder.isEmpty())
        return manual;
    read_page(kIndex);
    if (manual.pages_.isEmpty())
        return manual;
    // In the order of the index, then those that it does not name.
    static const QRegularExpression link(QStringLiteral("\\]\\(([a-z0-9/-]+)\\.md\\)"));
    const QString index = manual.pages_.first().text;
    for (auto found = link.globalMatch(index); found.hasNext();)
        read_page(found.next().captured(1));
    QStringList others;
    for (QDirIterator files(folder, {QLatin1Char('*') + kEnding}, QDir::Files, QDirIterator::Subdirectories);
         files.hasNext();)
        others << QDir(folder).relativeFilePath(files.next()).chopped(kEnding.size());
    others.sort();
    for (const QString& name : others)
        read_page(name);
    return manual;
}

const ManualPage* Manual::find(const QString& name) const {
    const auto found =
        std::find_if(pages_.begin(), pages_.end(), [&](const ManualPage& page) { return page.name == name; });
    return found == pages_.end() ? nullptr : &*found;
}

ManualTarget Manual::resolve(const QString& from, const QString& link) const {
    static const QRegularExpression scheme(QStringLiteral("^[a-z]+:"));
    if (link.contains(scheme))
        return {.page = link, .outside = true};
    const QString path = link.section(QLatin1Char('#'), 0, 0), anchor = link.section(QLatin1Char('#'), 1);
    if (path.isEmpty())
        return {.page = from, .anchor = anchor};
    QString name = QDir::cleanPath(QFileInfo(from).path() + QLatin1Char('/') + path);
    if (name.endsWith(kEnding))
        name.chop(kEnding.size());
    return {.page = name, .anchor = anchor};
}

bool Manual::has(const ManualTarget& target) const {
    const ManualPage* page = find(target.page);
    return page != nullptr && (target.anchor.isEmpty() ||
                               std::any_of(page->headings.begin(), page->headings.end(),
                                           [&](const ManualHeading& one) { return one.anchor == target.anchor; }));
}

QVector<ManualHit> Manual::search(const QString& words) const {
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QVector<ManualHit> headings, lines;
    if (wanted.isEmpty())
        return headings;
    for (const ManualPage& page : pages_) {
        qsizetype section = -1;
        each_line(page.text, [&](const QString& line, int level, bool code) {
            if (level > 0)
                ++section;
            if (!std::all_of(wanted.begin(), wanted.end(),
                             [&](const QString& word) { return line.contains(word, Qt::CaseInsensitive); }))
                return;
            QVector<ManualHit>& hits = level > 0 ? headings : lines;
            if (hits.size() < kMostHits)
                hits << ManualHit{.page = page.name,
                                  .title = page.title,
                                  .anchor = section < 0 ? QString() : page.headings[section].anchor,
                                  .line = code ? line.trimmed() : plain_line(line),
                                  .heading = level > 0};
        });
    }
    headings += lines;
    if (headings.size() > kMostHits)
        headings.resize(kMostHits);
    return headings;
}

}  // namespace trainyard::desktop
