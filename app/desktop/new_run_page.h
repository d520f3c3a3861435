#pragma once
// A new run: the few settings that matter, beside them the file they make and the command that starts it. Nothing is
// written before Launch; Launch is always enabled and goes to the first wrong field.

#include <QTimer>

#include "desktop/page.h"
#include "desktop/recipe_draft.h"
#include "widgets/inline_message.h"
#include "widgets/job.h"

class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;

namespace trainyard::widgets {
class FieldRow;
class SegmentedControl;
class StateChip;
}  // namespace trainyard::widgets

namespace trainyard::desktop {

class EngineLink;

class NewRunPage : public Page {
    Q_OBJECT
  public:
    explicit NewRunPage(EngineLink* engine, QWidget* parent = nullptr);
    QWidget* firstFocus() override;
    void primaryAction() override;

    /// Fills the form from a recipe or run.yaml (read in another thread); says so when it cannot be read.
    void load(const QString& file);
    void setDataPath(const QString& path);
    /// Row of a dotted key, for tests and for going to a wrong one; nullptr when the form has none.
    widgets::FieldRow* row(const QString& key) const;
    QLineEdit* field(const QString& key) const;
    QString previewText() const;
    QPushButton* launchButton() const { return launch_; }
    bool isChecked() const { return !typing_.isActive() && !check_.isRunning() && !loading_.isRunning(); }

  signals:
    void launched(const QString& runPath);
    void folderChooserRequested();

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    QWidget* makeForm();
    QWidget* makePreview();
    QLineEdit* addField(class QVBoxLayout* into, const QString& label, const QString& key, const QString& hint);
    void addChoice(class QVBoxLayout* into, const QString& label, const QString& key, QWidget* choice,
                   const QString& hint);
    void fill(const config::Recipe& recipe, int ranks);
    void typed();
    void validate();
    void showReport(const DraftReport& report);
    void selectSize(int index);
    void showSize();
    void setLaunching(bool launching);
    void goToFirstProblem();
    int ranks() const;
    QString command(const QString& file) const;

    EngineLink* engine_;
    RecipeDraft draft_;
    DraftReport report_;
    QVector<widgets::FieldRow*> rows_;  ///< in reading order
    widgets::SegmentedControl* size_ = nullptr;
    widgets::SegmentedControl* precision_ = nullptr;
    QLineEdit* ranks_ = nullptr;
    QPlainTextEdit* preview_ = nullptr;
    QLabel* command_ = nullptr;
    QLabel* parameters_ = nullptr;
    QLabel* step_tokens_ = nullptr;
    QLabel* all_tokens_ = nullptr;
    QLabel* problems_ = nullptr;
    QPushButton* launch_;
    QScrollArea* scroll_ = nullptr;
    widgets::InlineMessage* message_;
    widgets::StateChip* verdict_ = nullptr;
    QTimer typing_;
    widgets::Job check_;
    widgets::Job loading_;
    widgets::Job writing_;
    bool filling_ = false;
    bool launch_when_checked_ = false;
};

}  // namespace trainyard::desktop
