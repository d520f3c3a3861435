// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/remote_data.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "base/text.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/recipe_draft.h"
#include "formats/hub/repo_name.h"
#include "remote/data_sample.h"
#include "remote/session.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

remote::DataOrder order_of(const config::Recipe& recipe, bool models_there) {
    using enum config::DataFormat;
    using Kind = remote::DataOrder::Kind;
    const config::DataRecipe& data = recipe.data;
    remote::DataOrder order;
    order.paths = data.paths;
    order.pattern = data.pattern;
    switch (data.format) {
        case csv:
            order.kind = Kind::quoted;
            break;
        case parquet:
        case arrow:
            order.kind = Kind::columns;
            break;
        case numpy:
        case safetensors:
            order.kind = Kind::whole;
            break;
        case images:
        case audio:
            order.kind = Kind::spread;
            order.masks = data.mask_path;
            break;
        case megatron:
            order.kind = Kind::indexed;
            break;
        case bytes:
        case text:
        case jsonl:
            break;
    }
    for (const std::string& path : {data.tokenizer, recipe.model.weights})
        if (models_there && !path.empty() && !hub::has_hub_prefix(path))
            order.models.push_back(path);
    return order;
}

/// The recipe with the copies instead of the files of the host.
config::Recipe with_copies(config::Recipe recipe, const remote::DataSample& sample) {
    const auto replace = [&](std::string& path) {
        if (const auto here = sample.here.find(path); here != sample.here.end())
            path = here->second;
    };
    for (std::string& path : recipe.data.paths)
        replace(path);
    replace(recipe.data.tokenizer);
    replace(recipe.data.mask_path);
    replace(recipe.model.weights);
    recipe.data.pattern = recipe.data.pattern.empty() ? "*" : recipe.data.pattern;
    return recipe;
}

/// Replaces paths of copies by those on the host in everything that a user reads.
class HostNames {
  public:
    HostNames(std::string host, const remote::DataSample& sample) : host_(std::move(host)), sample_(sample) {}
    void put_into(QString& text) const {
        for (const auto& [there, here] : sample_.here)
            text.replace(qt(here), qt(host_ + ":" + there));
    }
    void put_into(Message& message) const {
        for (const auto& [there, here] : sample_.here)
            message = text::replaced(message, here, host_ + ":" + there);
    }

  private:
    std::string host_;
    const remote::DataSample& sample_;
};

void name_host(DataLook& look, const HostNames& names) {
    names.put_into(look.problem);
    names.put_into(look.left_out_why);
    names.put_into(look.samples_as_tokens.problem);
    for (inputs::SamplePreview& row : look.samples_as_tokens.rows)
        names.put_into(row.problem);
    for (QStringList& row : look.rows)
        for (QString& cell : row)
            names.put_into(cell);
    for (QVector<DataPicture>& row : look.pictures)
        for (DataPicture& picture : row)
            names.put_into(picture.problem);
}

}  // namespace

/// Used by one thread at a time.
struct RemoteData::Work {
    std::mutex mutex;
    std::string host;
    std::optional<remote::Session> session;
    std::optional<remote::DataOrder> order;  ///< of the sample
    std::optional<files::TemporaryFolder> folder;
    remote::DataSample sample;

    DataLook look(const Request& request, bool again, const std::shared_ptr<remote::Asker>& asker,
                  const widgets::Operation& operation) {
        const std::lock_guard lock(mutex);
        const config::Recipe& recipe = request.recipe;
        const std::string wanted = request.host.toStdString();
        const remote::DataOrder now = order_of(recipe, request.models_there);
        if (again || host != wanted || order != now)
            copy(now, wanted, again, asker, operation);
        const HostNames names(host, sample);
        DataLook made = look_at_data(with_weights(with_copies(recipe, sample)));
        name_host(made, names);
        made.host = qt(host);
        if (made.files > 0) {
            made.files = sample.files;
            made.bytes = sample.bytes;
            made.tokens = made.tokens > 0 && recipe.data.format == config::DataFormat::bytes ? sample.bytes : 0;
        }
        if (sample.is_part) {  // classes of other rows are not known
            made.class_count = 0;
            made.classes.clear();
        }
        QStringList problems;
        for (const Message& problem : sample.problems)
            problems << qtSentence(problem);
        if (!problems.isEmpty() && (made.rows.isEmpty() || made.problem.isEmpty()))
            made.problem = problems.first();
        return made;
    }

  private:
    void copy(const remote::DataOrder& now, const std::string& wanted, bool again,
              const std::shared_ptr<remote::Asker>& asker, const widgets::Operation& operation) {
        const HangUp hang_up(operation);
        order.reset();
        if (again || host != wanted || !session || !session->alive())
            session.reset();
        host = wanted;
        if (!session) {
            remote::ConnectOptions options;
            options.asker = asker.get();
            options.cancel = hang_up.cancel();
            session.emplace(remote::Session::connect(wanted, options));
        } else {
            session->set_cancel(hang_up.cancel());
        }
        folder.emplace("trainyard-data");
        try {
            remote::Sftp sftp = session->sftp();
            sample = remote::copy_data_sample(sftp, wanted, now, folder->path(), [&] { return !operation; });
        } catch (...) {
            session.reset();
            throw;
        }
        order = now;
    }
};

RemoteData::RemoteData(QObject* parent) : QObject(parent), job_(nullptr, widgets::Executor::Kind::Waits) {}
RemoteData::~RemoteData() = default;

void RemoteData::request(const Request& request) {
    const bool is_same = request.recipe.data == request_.recipe.data && request.recipe.model == request_.recipe.model &&
                         request.host == request_.host && request.models_there == request_.models_there;
    if (state_ != State::Idle && is_same)
        return;
    request_ = request;
    start(false, nullptr);
}

void RemoteData::retry(const std::shared_ptr<remote::Asker>& asker) {
    if (state_ != State::Idle)
        start(true, asker);
}

void RemoteData::clear() {
    if (state_ == State::Idle)
        return;
    job_.cancel();
    work_.reset();
    state_ = State::Idle;
    look_ = {};
    problem_.clear();
    emit changed();
}

void RemoteData::start(bool again, const std::shared_ptr<remote::Asker>& asker) {
    if (!work_)
        work_ = std::make_shared<Work>();
    state_ = State::Reading;
    job_.submit([work = work_, request = request_, again,
                 asker](const widgets::Operation& operation) { return work->look(request, again, asker, operation); },
                [this](const DataLook& look) {
                    look_ = look;
                    problem_.clear();
                    state_ = State::Read;
                    emit changed();
                },
                [this](const QString& sentence) {
                    problem_ = sentence;
                    state_ = State::Failed;
                    emit changed();
                });
    emit changed();
}

}  // namespace trainyard::desktop
