// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Logs of anybody, without a run of ours: the sources of a folder at the left, their curves at the right. Also for a
// folder of another machine, which is copied (remote_logs.h) while it grows.

#include <memory>

#include <QTimer>

#include "desktop/shell/page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class CurvesPanel;
class DialogAsker;
class HostKeyDialog;
class LogList;
class LogTree;
class RemoteLogs;

class LogPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "logs";  ///< in the registry of pages
    /// `place`: an absolute path, or RemotePlace::text().
    explicit LogPage(const QString& place, QWidget* parent = nullptr);
    ~LogPage() override;

    const QString& place() const { return place_; }
    LogTree* tree() const { return tree_.get(); }
    RemoteLogs* remote() const { return remote_.get(); }
    DialogAsker* asker() const { return asker_.get(); }
    /// The key a host shows at the first contact; null while there is none to look at.
    HostKeyDialog* showKey();
    widgets::InlineMessage* warning() const { return warning_; }
    widgets::InlineMessage* strip() const { return strip_; }

    QWidget* firstFocus() override;
    void find() override;
    void refresh() override;

  signals:
    void windowRequested();
    void folderRequested(const QString& folder);

  private:
    void build();
    void follow(const QString& folder);
    void sourcesAdded(int first, int count);
    void showTicked();
    void refreshWords();
    void refreshWarnings();
    void refreshRemote();

    QString place_;
    QString key_;  ///< of the view's state
    std::shared_ptr<DialogAsker> asker_;
    std::unique_ptr<RemoteLogs> remote_;
    std::unique_ptr<LogTree> tree_;
    widgets::InlineMessage* strip_;
    QPushButton* key_button_;
    QPushButton* retry_button_;
    widgets::InlineMessage* warning_;
    widgets::StateChip* state_;
    LogList* list_;
    CurvesPanel* panel_;
    QSplitter* splitter_;
    QTimer warnings_due_;
};

}  // namespace trainyard::desktop
