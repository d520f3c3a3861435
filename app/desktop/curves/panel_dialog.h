// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Editor of a user's panel: what it shows and on which axes. Formulas are checked while one types; a panel with a wrong
// one can be saved, and shows the message itself.

#include <QDialog>
#include <QTimer>

#include "desktop/curves/panel_card.h"
#include "report/panel.h"
#include "widgets/forward.h"

class QCheckBox;
class QDoubleSpinBox;
class QPlainTextEdit;

namespace trainyard::desktop {

class PanelDialog : public QDialog {
    Q_OBJECT
  public:
    PanelDialog(const report::Panel& panel, const PanelContext* context, QWidget* parent = nullptr);
    /// As it is filled in now.
    report::Panel panel() const;

  private:
    QPlainTextEdit* addLines(QVBoxLayout* column, const QString& name, const QString& hint,
                             const std::vector<std::string>& lines);
    void addAxes(QVBoxLayout* column, const QStringList& metrics);
    void check();
    QStringList metricNames() const;

    report::Panel panel_;
    const PanelContext* context_;
    QLineEdit* title_;
    QPlainTextEdit* lines_ = nullptr;
    QPlainTextEdit* right_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
    QComboBox* x_ = nullptr;
    QCheckBox* own_smoothing_ = nullptr;
    QDoubleSpinBox* smoothing_ = nullptr;
    QCheckBox* log_x_ = nullptr;
    QCheckBox* log_y_ = nullptr;
    QCheckBox* log_right_ = nullptr;
    QLabel* problem_;
    QTimer check_due_;
};

}  // namespace trainyard::desktop
