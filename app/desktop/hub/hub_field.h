// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A line for the name of a model, tokenizer or data set of the hub: offers recent names and those of the cache, looks a
// name up where the owner can do without its files, and downloads (hub_line.h).

#include <functional>

#include <QWidget>

#include "desktop/hub/hub_line.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HubField : public QWidget {
    Q_OBJECT
  public:
    explicit HubField(HubItem item, QWidget* parent = nullptr);

    /// Work with a name that needs no download (HubLine::Work); Enter does it then. Without it, Enter asks for the
    /// size.
    using LookUp = std::function<HubLine::Done(const QString& name, const widgets::Operation& operation,
                                               const std::function<void(const QString&)>& tell)>;
    void setLookUp(const QString& verb, LookUp look_up);

    /// Shows the field with a hint.
    void ask(const QString& hint);
    /// The same with a name, which is looked up at once.
    void lookUp(const QString& name);
    /// Makes a field that holds a name and asks for its size at once.
    void prepare(const QString& name);
    bool isAsking() const { return line_->isRunning(); }
    QLineEdit* name() const { return name_; }
    HubLine* line() const { return line_; }

  signals:
    /// The files are in the folder of the cache.
    void found(const QString& name, const QString& folder);
    /// Nobody wants a name of the hub any more.
    void left();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void begin();
    void close();
    void arrange();

    const HubItem item_;
    QLineEdit* name_;
    QPushButton* look_up_;
    QPushButton* close_;
    HubLine* line_;
    LookUp look_up_work_;
};

}  // namespace trainyard::desktop
