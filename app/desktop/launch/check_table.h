#pragma once
// The checks before a start, checks by hosts, as a model: what is done, what failed, what stands where. With more than six hosts the columns
// are a summary and the hosts on which something failed.

#include <map>
#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

#include "remote/remote_run.h"
#include "widgets/cell.h"

namespace trainyard::desktop {

using CheckState = remote::CheckResult::State;

/// Icon, word and colour of a state.
widgets::Chip checkChip(CheckState state);

class CheckTable : public QAbstractTableModel {
    Q_OBJECT
  public:
    static constexpr int kMostColumns = 6;

    explicit CheckTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    /// Everything is waiting. `titles`: hosts as people call them, by name.
    void reset(const std::vector<std::pair<std::string, std::string>>& checks, const QStringList& hosts,
               const std::map<QString, QString>& titles = {});
    void take(const remote::CheckResult& result);
    /// A cell's own words, e.g. how far a copy is; its state stays.
    void setText(const QString& check, const QString& host, const QString& text);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const remote::CheckResult* result(const QString& check, const QString& host) const;
    /// Of a cell; the worst of the row for its first column or a summary; nullptr: none.
    const remote::CheckResult* resultAt(const QModelIndex& index) const;
    QModelIndex indexOf(const QString& check, const QString& host) const;
    QString checkTitle(const QString& check) const;
    QString hostTitle(const QString& host) const;
    int count(CheckState state) const;
    int all() const { return static_cast<int>(results_.size()); }
    int done() const { return all() - count(CheckState::waiting) - count(CheckState::running); }
    /// The first failed cell, else the first warning.
    QModelIndex worst() const;
    bool isSummary() const { return hosts_.size() > kMostColumns; }
    /// As text, a line each: kept with the run, and for the clipboard.
    QString report() const;

  private:
    QString hostAt(int column) const;  ///< empty: names or the summary
    QStringList failingHosts() const;
    QStringList checks_;
    std::map<QString, QString> check_titles_;
    QStringList hosts_;
    QStringList shown_;  ///< columns behind the names; an empty one is the summary
    std::map<QString, QString> host_titles_;
    std::map<std::pair<QString, QString>, remote::CheckResult> results_;
};

}  // namespace trainyard::desktop
