// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The controls of the estimator: batch, formats, sharding, layout, what is recomputed and offloaded. They show the scenario and change it; what contradicts the
// model is said below them.

#include <functional>

#include <QFrame>
#include <QVector>

#include "widgets/forward.h"

namespace trainyard::desktop {

class Scenario;

class WhatIfPanel : public QFrame {
    Q_OBJECT
  public:
    explicit WhatIfPanel(Scenario* scenario, QWidget* parent = nullptr);
    /// `B` and `Q`: the micro-batch and the sequence.
    QSpinBox* batch() const { return batch_; }
    QSpinBox* sequence() const { return sequence_; }
    /// Its content scrolls.
    bool hasHeightForWidth() const override { return false; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    QSpinBox* addBox(QVBoxLayout* layout, const QString& label, int least, int most);
    QSpinBox* addNumber(QVBoxLayout* layout, const QString& label, const std::string& field, int most_exponent);
    void addSegments(QVBoxLayout* layout, const QString& label, const std::string& field, const QStringList& labels,
                     const std::vector<std::string>& values);
    void addHostMemory(QVBoxLayout* layout);
    void addCheck(QVBoxLayout* layout, const QString& label, const std::string& field, const std::string& on,
                  const std::string& off);
    void change(const std::string& field, const std::string& value);
    void show();

    Scenario* scenario_;
    QSpinBox* batch_ = nullptr;
    QSpinBox* sequence_ = nullptr;
    QLabel* problems_;
    QLabel* ranks_;
    QPushButton* reset_;
    QScrollArea* scroll_;
    QVector<std::function<void()>> updaters_;  ///< of each control: what the scenario says
    bool showing_ = false;
};

}  // namespace trainyard::desktop
