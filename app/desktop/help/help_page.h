// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The manual in the window: contents, a page, a search over all pages. The files are read by a Job; the subject of
// activate() is a page and, after `#`, a heading of it: `recipes`, `desktop#logs-of-other-programs`.

#include <QHash>
#include <QImage>

#include "desktop/help/manual.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/inline_message.h"
#include "widgets/job.h"

class QTextDocument;

namespace trainyard::desktop {

class ManualBrowser;

/// Lays out a page of the manual: Markdown as Qt reads it, in fonts and colours of the theme, with an anchor at each
/// heading. Fenced blocks become panels: added and removed lines of `diff` are coloured, and a block of Python with a
/// block of C++ directly after it become two columns.
void show_manual_page(QTextDocument* document, const ManualPage& page);

class HelpPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "help";  ///< in the registry of pages
    explicit HelpPage(QWidget* parent = nullptr);

    void activate(const QString& subject) override;
    void takeOver(Page& before) override { activate(static_cast<HelpPage&>(before).shown()); }
    QWidget* firstFocus() override;
    void find() override;
    void refresh() override;  ///< reads the files again
    bool step(int by) override;
    void print(QPagedPaintDevice* device) override;  ///< the whole page of the manual

    bool isReading() const { return reading_.isRunning() || pictures_.isRunning(); }
    const Manual& manual() const { return manual_; }
    /// The subject of the page of the manual that belongs to a page or a dialog (F1): its own, or that of the page it
    /// belongs to. The wizard's follows its step. Empty: neither is in the table.
    static QString subjectOf(const QWidget* shown);
    /// The shown page and heading, in the form that activate() takes.
    QString shown() const;

  private:
    void showContents();
    void showSubject(const QString& subject);
    void showTarget(const ManualTarget& target);
    void showPage(const ManualPage& page, const QHash<QString, QImage>& pictures);
    void follow(const QString& link);
    void askToOpen(const QString& address);
    void search();
    void go(const QString& subject);
    void updateSteps();

    Manual manual_;
    QString wanted_;  ///< shown once the manual has been read
    ManualTarget target_;
    QString laid_out_;  ///< page in the browser
    QStringList history_;
    qsizetype at_ = -1;
    QLineEdit* field_;
    QTreeWidget* contents_;
    QListWidget* hits_;
    QStackedWidget* side_;
    ManualBrowser* browser_;
    widgets::InlineMessage* message_;
    QPushButton* back_;
    QPushButton* forward_;
    widgets::Job reading_, pictures_;
};

}  // namespace trainyard::desktop
