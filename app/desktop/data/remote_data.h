// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The first rows of data on a host: copies the beginning of the files over SSH (remote/data_sample.h) and looks at the
// copy as at data of this machine. The connection is kept, and files are copied again only if others are wanted, so
// that a form can ask after every key. In another thread.

#include <memory>

#include <QObject>
#include <QString>

#include "config/recipe/recipe.h"
#include "desktop/data/data_look.h"
#include "remote/asker.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class RemoteData : public QObject {
    Q_OBJECT
  public:
    enum class State { Idle, Reading, Read, Failed };
    struct Request {
        config::Recipe recipe;
        QString host;
        bool models_there = true;  ///< model.weights and data.tokenizer are files of the host, too
    };
    explicit RemoteData(QObject* parent = nullptr);
    ~RemoteData() override;

    /// Looks at the data of a recipe as the host sees its paths. The same request again does nothing.
    void request(const Request& request);
    /// Connects and copies again; `asker` answers questions of the host.
    void retry(const std::shared_ptr<remote::Asker>& asker);
    /// Drops the request, and closes the connection.
    void clear();

    State state() const { return state_; }
    const QString& host() const { return request_.host; }
    /// Returns the rows of the last request that was read.
    const DataLook& look() const { return look_; }
    /// Why nothing was read, as a sentence.
    const QString& problem() const { return problem_; }

  signals:
    void changed();

  private:
    struct Work;
    void start(bool again, const std::shared_ptr<remote::Asker>& asker);

    State state_ = State::Idle;
    Request request_;
    QString problem_;
    DataLook look_;
    std::shared_ptr<Work> work_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
