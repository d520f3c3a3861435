// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Asks what a sweep of the draft of New run varies, and writes its sweep.yaml. What is wrong is shown next to its field
// while the user types: the checks are those of the file (sweep/sweep_file.h), in another thread.

#include <memory>
#include <string>
#include <vector>

#include <QDialog>
#include <QTemporaryDir>
#include <QTimer>

#include "base/error.h"
#include "desktop/sweeps/sweep_base.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

/// A parameter with its values or its range.
class SweepParameterRow : public QWidget {
    Q_OBJECT
  public:
    enum Kind { Values, Range, LogRange };
    SweepParameterRow(const QStringList& keys, bool of_recipe, QWidget* parent = nullptr);
    QComboBox* key() const { return key_; }
    QComboBox* kind() const { return kind_; }
    QLineEdit* values() const { return values_; }
    QLineEdit* from() const { return from_; }
    QLineEdit* to() const { return to_; }
    QLineEdit* step() const { return step_; }
    QString problem() const;
    void setProblem(const QString& sentence);
    /// `key: ...` of the file.
    QString line(bool grid) const;

  signals:
    void changed();
    void removeRequested();

  private:
    void showKind();

    QComboBox *key_, *kind_;
    QLineEdit *values_, *from_, *to_, *step_;
    QPushButton* hub_;
    QLabel* problem_;
};

class SweepDialog : public QDialog {
    Q_OBJECT
  public:
    explicit SweepDialog(const SweepBase& base, QWidget* parent = nullptr);
    SweepParameterRow* addParameter(const QString& key = {});
    const QList<SweepParameterRow*>& parameters() const { return rows_; }
    /// A field by its key in the file: method, metric, trials, ...
    widgets::FieldRow* field(const QString& key) const { return fields_.value(key); }
    QPushButton* startButton() const { return start_; }
    QLabel* note() const { return note_; }
    widgets::InlineMessage* message() const { return message_; }
    /// The file with the present answers.
    std::string yaml() const;
    /// The start failed: shows why.
    void showFailure(const QString& words);

  signals:
    /// The file is complete and valid.
    void startRequested(const QString& file);

  protected:
    bool focusNextPrevChild(bool next) override;

  private:
    template <class Editor>
    Editor* add(const QString& label, const QString& key, Editor* editor, const QString& hint = {});
    void check(bool start);
    void showProblems(const std::vector<Problem>& problems);
    void started();

    SweepBase base_;
    std::shared_ptr<QTemporaryDir> place_;
    QList<SweepParameterRow*> rows_;
    QMap<QString, widgets::FieldRow*> fields_;
    QVBoxLayout *parameters_, *form_;
    QLineEdit *name_, *hosts_;
    QComboBox *method_, *metric_, *direction_, *early_;
    QSpinBox *trials_, *at_once_, *devices_, *warmup_, *seed_;
    widgets::InlineMessage* message_;
    QLabel* note_;
    QPushButton* start_;
    QTimer typed_;
    widgets::Job checking_;
};

}  // namespace trainyard::desktop
