#pragma once
// The table of expert mode: paints keys and values, makes an editor for the one that is edited, and turns mouse and keys into changes of
// the model. Every value is live: it reaches the draft while it is typed; Esc brings back what stood there.

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

    // Places inside of a cell, for painting and for the mouse.
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

    /// Opens or folds groups: those with set keys are open; while the view is narrowed, all.
    void fold();
    /// Where a row's meaning is painted; a problem takes the room of the columns beside it.
    QRect meaningRect(const QModelIndex& row) const;
    /// Begins to edit the value of this row; a truth value is turned over instead.
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
    QSet<QString> turned_;  ///< groups that the user folded or opened against the rule
};

}  // namespace trainyard::desktop
