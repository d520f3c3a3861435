// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Follows one run directory in the reading threads (sources/read_pool.h): state.json, events.jsonl, metrics/, logs/, and the way of the
// requests this window dropped. Hands over batches in the thread of the object, at most one every 50 ms; while the window does not keep
// up, it reads no further.

#include <cstdint>
#include <memory>

#include <QObject>

#include "desktop/dashboard/run_batch.h"
#include "desktop/sources/read_pool.h"
#include "run/paths.h"
#include "run/request.h"
#include "widgets/mailbox.h"

namespace trainyard::desktop {

class RunFeed : public QObject {
    Q_OBJECT
  public:
    explicit RunFeed(run::RunPaths run, QObject* parent = nullptr);

    void start();
    /// Drops a request and watches for the answer: see RunBatch::requests.
    void ask(run::Request request);

  signals:
    void batch(const trainyard::desktop::RunBatchPtr& batch);

  private:
    class Reader;
    struct Asked;

    run::RunPaths run_;
    std::shared_ptr<Asked> asked_;
    widgets::Mailbox mailbox_;
    PooledWork reading_;
};

}  // namespace trainyard::desktop
