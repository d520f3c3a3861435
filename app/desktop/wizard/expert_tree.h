// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of expert mode: paints keys and values, creates an editor for the value being edited, and turns mouse and
// key events into changes of the model. Values reach the draft while they are typed; Esc restores the previous value.

#include <QStyledItemDelegate>
#include <QTreeView>

namespace trainyard::desktop {

class ExpertFilter;
struct ExpertRow;

class ExpertDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    explicit ExpertDelegate(ExpertFilter* filter, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

    // Rectangles inside of a cell, for painting and mouse input.
    static QRect tickRect(const QRect& cell);
    QRect valueRect(const QRect& cell, const ExpertRow& row) const;
    QVector<QRect> segmentRects(const QRect& cell, const ExpertRow& row) const;
    QRect fixRect(const QRect& cell, const ExpertRow& row) const;

  private:
    const ExpertRow* rowOf(const QModelIndex& index) const;
    void paintKey(QPainter& painter, const QRect& cell, const ExpertRow& row) const;
    void paintValue(QPainter& painter, const QRect& cell, const ExpertRow& row) const;
    void paintMeaning(QPainter& painter, const QRect& cell, const ExpertRow& row, const QString& words) const;

    ExpertFilter* filter_;
};

class ExpertTree : public QTreeView {
    Q_OBJECT
  public:
    explicit ExpertTree(ExpertFilter* filter, QWidget* parent = nullptr);

    /// Expands or collapses groups: groups with set keys are expanded, or all groups while a filter is active.
    void fold();
    /// Rectangle of a row's meaning. A problem also covers the columns next to it.
    QRect meaningRect(const QModelIndex& row) const;
    /// Starts editing the value of this row; a boolean value is toggled instead.
    void editValue(const QModelIndex& row);

  protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  protected slots:
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

  private:
    const ExpertRow* rowAt(const QModelIndex& index) const;
    QModelIndex source(const QModelIndex& index) const;
    bool isGroup(const QModelIndex& index) const;
    void toggleFold(const QModelIndex& group);
    void toggleTick(const QModelIndex& row);
    void pressValue(const QModelIndex& index, const QPoint& at);
    void arrange();

    ExpertFilter* filter_;
    ExpertDelegate* delegate_;
    QSet<QString> turned_;  ///< groups that the user collapsed or expanded against the rule
};

}  // namespace trainyard::desktop
