// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The manual as text: its pages in the order of index.md, their headings and a search over all lines. The folder is
// $TRAINYARD_MANUAL, else share/doc/Trainyard/manual or share/doc/trainyard-engine/manual of the installed program,
// else the source tree that this program was built from.

#include <QString>
#include <QStringList>
#include <QVector>

namespace trainyard::desktop {

struct ManualHeading {
    int level = 1;
    QString text;
    QString anchor;  ///< as GitHub writes it
};

struct ManualPage {
    QString name;  ///< path in the folder without `.md`, e.g. `reference/metrics`
    QString title;
    QString text;  ///< Markdown
    QVector<ManualHeading> headings;
    QStringList pictures;  ///< as the page names them
};

struct ManualHit {
    QString page;  ///< ManualPage::name
    QString title;
    QString anchor;  ///< of the section; empty above the first heading
    QString line;    ///< without the marks of Markdown
    bool heading = false;
};

/// Where a link of a page leads to: a page and a heading of it, or an address outside the manual.
struct ManualTarget {
    QString page;
    QString anchor = {};
    bool outside = false;
};

class Manual {
  public:
    static constexpr qsizetype kMostHits = 200;

    /// Empty if the manual is not installed.
    static QString folder();
    /// The folders in which folder() looks for an installed manual.
    static QString installedFolder();
    /// Reads all pages; returns an empty manual if `folder` has no index.md.
    static Manual read(const QString& folder);

    const QVector<ManualPage>& pages() const { return pages_; }
    const ManualPage* find(const QString& name) const;
    /// Resolves a link of the page `from`.
    ManualTarget resolve(const QString& from, const QString& link) const;
    /// Whether the manual has the page and the heading.
    bool has(const ManualTarget& target) const;
    /// Returns the lines that have every word, headings first, at most kMostHits.
    QVector<ManualHit> search(const QString& words) const;

  private:
    QVector<ManualPage> pages_;
};

}  // namespace trainyard::desktop
