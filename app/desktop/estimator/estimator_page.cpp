// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/estimator_page.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QStandardPaths>

#include "base/error.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/estimator/answers_panel.h"
#include "desktop/estimator/batch_chart.h"
#include "desktop/estimator/calibration_line.h"
#include "desktop/estimator/compare_panel.h"
#include "desktop/estimator/memory_groups.h"
#include "desktop/estimator/model_choices.h"
#include "desktop/estimator/model_source.h"
#include "desktop/estimator/place_bar.h"
#include "desktop/estimator/rank_bars.h"
#include "desktop/estimator/saved_scenarios.h"
#include "desktop/estimator/scenario.h"
#include "desktop/estimator/scenario_menu.h"
#include "desktop/estimator/what_if_panel.h"
#include "desktop/hub/hub_field.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/undo_mirror.h"
#include "desktop/shell/view_state.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

namespace {

/// Item data of the entries in the list of models that open a file or a hub model, and of the heading of the families.
const QString kOpenFile = QStringLiteral(":file"), kOpenHub = QStringLiteral(":hub"),
              kFamilies = QStringLiteral(":families");
const QString kEstimatorPlace = QStringLiteral("place/estimator"),
              kLastScenario = QStringLiteral("scenario");  // in ViewState

const int& kWide = live_px(1050);  ///< narrower, the chart by micro-batch has no room

int groupOf(estimate::Part part) {
    estimate::RankMemory one;
    one.bytes[0][static_cast<std::size_t>(part)] = 1;
    const MemoryGroups groups = memoryGroups(one);
    return static_cast<int>(std::ranges::find(groups, 1.0) - groups.begin());
}

}  // namespace

EstimatorPage::EstimatorPage(QWidget* parent, const QString& keptFile, Scenario* scenario)
    : Page(tr("Estimator"), parent),
      scenario_(scenario != nullptr ? scenario : new Scenario(this)),
      saved_(new SavedScenarios(keptFile, this)),
      scenario_menu_(new ScenarioMenu(scenario_, saved_)),
      compare_(new ComparePanel(scenario_)),
      calibration_(new CalibrationLine(scenario_)),
      models_(named(new QComboBox, tr("Model"))),
      hardware_(named(new QComboBox, tr("Devices"))),
      use_(with_look(new QPushButton(tr("Use in a new run")), {.kind = "primary", .icon = "plus", .elides = true})),
      message_(new widgets::InlineMessage),
      hub_(new HubField(HubItem::Model)),
      what_if_(new WhatIfPanel(scenario_)),
      measured_(new MeasuredTable),
      formula_(make_note({})) {
    setFacts(tr("What a run needs on every rank, before it starts"));
    makeHeader();
    makeBody();
    addActions();
    connect(scenario_, &Scenario::changed, this, [this] {
        use_->setEnabled(scenario_->isValid());
        explain(explained_);
        showHardware();
        remember();
    });
    hub_->hide();
    hub_->setLookUp(tr("Look up"), [this](const QString& name, const widgets::Operation& operation, const auto& tell) {
        const ReadModel model = readModel(name, operation.token(), [&](const QString& file, const QString& hub) {
            tell(tr("Asking %1 for %2…").arg(hub, file));
        });
        return [this, name, model] {
            message_->dismiss();
            hub_->hide();
            showModel(name, name);
            scenario_->setModel(name, model.parts, name);
        };
    });
    // A downloaded model is read from the cache by its name.
    connect(hub_, &HubField::found, this, [this](const QString& name) { hub_->lookUp(name); });
    connect(hub_, &HubField::left, models_, [this] { models_->setFocus(Qt::OtherFocusReason); });
    connect(measured_, &MeasuredTable::runActivated, this, &EstimatorPage::runActivated);
    if (scenario_->modelName().isEmpty()) {
        hardware_->setCurrentIndex(0);
        models_->setCurrentIndex(0);
    } else {
        remembers_ = true;
        showModel(scenario_->modelSource(), scenario_->modelName());
        emit scenario_->changed();
        emit scenario_->answersChanged();
    }
}

void EstimatorPage::makeHeader() {
    for (QComboBox* choice : {models_, hardware_}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(17);
    }
    connect(hardware_, &QComboBox::currentIndexChanged, this, [this](int index) {
        const QVector<HardwareChoice> choices = hardwareChoices();
        if (index < 0 || index >= choices.size())
            return;
        estimate::Hardware hardware = choices[index].hardware;
        if (!hardware.device.cpu)
            hardware.host_memory = scenario_->search().hardware().host_memory;
        scenario_->setHardware(choices[index].name, hardware);
    });
    connect(models_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index < 0)
            return;
        message_->dismiss();
        const QString path = models_->itemData(index).toString(), name = models_->itemText(index);
        if (path.isEmpty()) {
            const auto choice = std::ranges::find(modelChoices(), name, &ModelChoice::name);
            scenario_->setModel(name, estimate::model_parts(choice->config, name.toStdString()));
        } else if (path == kOpenFile) {
            chooseModelFile();
        } else if (path == kOpenHub) {
            showChosen();
            hub_->ask(
                tr("Look up reads config.json or the headers of the weights, Download fetches all files into the "
                   "cache."));
        } else if (path != scenario_->modelSource()) {
            openModel(path);
        }
    });
    const QSignalBlocker quiet_models(models_), quiet_hardware(hardware_);
    for (const ModelChoice& choice : modelChoices()) {
        if (choice.family && models_->findData(kFamilies) < 0) {
            models_->addItem(tr("Families, with the sizes of transformers"), kFamilies);
            qobject_cast<QStandardItemModel*>(models_->model())->item(models_->count() - 1)->setEnabled(false);
        }
        models_->addItem(choice.name);
    }
    models_->addItem(tr("Open a file or folder…"), kOpenFile);
    models_->addItem(tr("Look up on the hub…"), kOpenHub);
    models_->setCurrentIndex(-1);
    devices_ = hardwareChoices();
    for (const HardwareChoice& choice : std::as_const(devices_))
        hardware_->addItem(choice.name);
    hardware_->setCurrentIndex(-1);
    connect(use_, &QPushButton::clicked, this, &EstimatorPage::primaryAction);
    connect(scenario_menu_, &ScenarioMenu::said, this, &EstimatorPage::say);
    connect(scenario_menu_, &ScenarioMenu::opened, this, &EstimatorPage::openKept);
    connect(scenario_menu_, &ScenarioMenu::compared, this, [this](const SavedEstimate& kept) {
        compare_->compare(kept);
        arrange();
    });
    connect(compare_, &ComparePanel::ended, this, &EstimatorPage::arrange);
    connect(calibration_, &CalibrationLine::failed, this, [this](const QString& sentence) { say(sentence, true); });
    add_items(actions(), {models_, hardware_, scenario_menu_, use_});
}

void EstimatorPage::say(const QString& sentence, bool problem) {
    if (problem)
        message_->showMessage(widgets::InlineMessage::Kind::Warning, tr("Scenarios"), sentence);
    else
        message_->showMessage(widgets::InlineMessage::Kind::Note, sentence);
}

void EstimatorPage::setRuns(const QVector<MeasuredTable::Run>& runs) {
    measured_->setRuns(runs);
    calibration_->refresh();
}

void EstimatorPage::makeBody() {
    body()->addWidget(message_);
    body()->addWidget(hub_);
    QWidget* legend = widgets::make_wrapping_row(12, {});
    for (int group = 0; group < kMemoryGroups; ++group) {
        auto* button =
            with_look(new QPushButton(memoryGroupName(group)),
                      {.kind = "hint", .name = tr("Formula of %1").arg(memoryGroupName(group)), .elides = true});
        button->setFont(Theme::instance().text(12));
        connect(button, &QPushButton::clicked, this, [this, group] { explain(group); });
        static_cast<QHBoxLayout*>(legend->layout())
            ->addLayout(make_row(2, {new Swatch([group] { return memoryGroupColor(group); }, 10), button}));
    }
    static_cast<QHBoxLayout*>(legend->layout())->addStretch();
    auto* bars = new RankBars(scenario_);
    connect(bars, &RankBars::groupClicked, this, &EstimatorPage::explain);
    const int kLeastBars = 150_px;
    bars->setMinimumHeight(kLeastBars);
    selectable(wrapped(formula_));
    QScrollArea* formulas = widgets::make_upright_scroll(formula_);
    formulas->setFixedHeight(64_px);
    auto* panel = make_frame("panel", make_column({14, 10, 14, 8}, 6,
                                                  {make_title(tr("Memory per rank, GiB"), 14),
                                                   legend,
                                                   {make_row(0, {{bars, 1},
                                                                 new PlaceBar(scenario_, estimate::Place::host),
                                                                 new PlaceBar(scenario_, estimate::Place::disk)}),
                                                    1},
                                                   formulas}));
    by_batch_ = make_frame("panel", make_column({14, 10, 14, 8}, {make_title(tr("By micro-batch, GiB"), 14),
                                                                  {new BatchChart(scenario_), 1}}));
    measured_->layout()->addWidget(calibration_);
    auto* panel_of_answers = new AnswersPanel(scenario_);
    QScrollArea* answers = widgets::make_upright_scroll(panel_of_answers);
    answers->setMinimumWidth(panel_of_answers->minimumWidth() + 14_px);
    // The cards end at the same place as the header if there is no scroll bar.
    panel_of_answers->setMaximumWidth(QWIDGETSIZE_MAX);
    QScrollArea* charts = widgets::make_panel_scroll(make_column(
        {0, 0, 0, 0}, 10, {{panel, 3}, {make_row(10, {{by_batch_, 2}, {measured_, 3}, {compare_, 3}}), 2}}));
    // Below each other with large text on a small screen, and then the page scrolls.
    const int kAnswersBesideFrom = 560_px, kLeastCharts = 320_px, kLeastAnswers = 160_px;
    charts->setMinimumHeight(kLeastCharts);
    answers->setMinimumHeight(kLeastAnswers);
    QWidget* beside = widgets::make_stacking_row(kAnswersBesideFrom, 10, {{charts, 1}, answers});
    body()->addWidget(widgets::make_stacking_row(0, 10, {what_if_, {beside, 1}}), 1);
}

void EstimatorPage::addActions() {
    ActionCollection::instance().addUndo(this, new UndoMirror(scenario_->history(), this));
    addCommand("estimator.batch", [this] { what_if_->batch()->setFocus(Qt::ShortcutFocusReason); });
    addCommand("estimator.sequence", [this] { what_if_->sequence()->setFocus(Qt::ShortcutFocusReason); });
    addCommand("estimator.copy", [this] {
        if (!scenario_->isValid())
            return;
        QString table;
        for (const estimate::Explanation& why : scenario_->explanations())
            table +=
                QStringLiteral("%1\t%2\t%3\t%4\n")
                    .arg(engineWords(estimate::part_words(why.part)), engineWords(estimate::place_words(why.place)),
                         memoryText(why.bytes), qtClause(why.formula));
        copy_text(table);
    });
}

QWidget* EstimatorPage::firstFocus() {
    return models_;
}

void EstimatorPage::activate(const QString& subject) {
    if (!subject.isEmpty())
        openModel(subject);
    else if (!remembers_)
        restore();
    remembers_ = true;
}

void EstimatorPage::restore() {
    const QJsonObject stored = ViewState::instance().value(kEstimatorPlace, kLastScenario).toObject();
    if (stored.isEmpty())
        return;
    try {
        const SavedScenario last = scenarioFromJson(stored);
        restoring_.submit(
            [last] {
                if (!last.source.isEmpty() && isOnHub(last.source))
                    throw UserError(Message::verbatim(
                        tr("The model is on the hub. Look it up there again, or open its folder.").toStdString()));
                return estimateKept(last);
            },
            [this, before = keptOf(*scenario_, kLastScenario)](const SavedEstimate& kept) {
                if (keptOf(*scenario_, kLastScenario) == before)
                    openKept(kept);
            },
            [this, model = last.model](const QString& sentence) {
                message_->showMessage(widgets::InlineMessage::Kind::Note,
                                      tr("The last scenario, of %1, was not opened").arg(model), sentence);
            });
    } catch (const UserError&) {
        // Of another version: begins with the defaults.
    }
}

void EstimatorPage::remember() {
    if (remembers_ && !restoring_.isRunning() && scenario_->isValid())
        ViewState::instance().set(kEstimatorPlace, kLastScenario, scenarioToJson(keptOf(*scenario_, kLastScenario)));
}

void EstimatorPage::showHardware() {
    const auto found = std::ranges::find_if(devices_, [this](const HardwareChoice& choice) {
        return are_same_devices(choice.hardware, scenario_->search().hardware());
    });
    const QSignalBlocker quiet(hardware_);
    const int other = static_cast<int>(devices_.size());
    if (found == devices_.end() && hardware_->count() > other)
        hardware_->setItemText(other, scenario_->hardwareName());
    else if (found == devices_.end())
        hardware_->addItem(scenario_->hardwareName());
    hardware_->setCurrentIndex(static_cast<int>(found - devices_.begin()));
}

/// Selects the model of the scenario in the list again.
void EstimatorPage::showChosen() {
    const QSignalBlocker quiet(models_);
    const QString source = scenario_->modelSource();
    models_->setCurrentIndex(source.isEmpty() ? models_->findText(scenario_->modelName()) : models_->findData(source));
}

void EstimatorPage::chooseModelFile() {
    showChosen();
    widgets::ask_file(this, tr("A config.json, weights or a recipe"),
                      tr("Models (*.json *.safetensors *.yaml *.yml *.bin);;All files (*)"),
                      [this](const QString& path) { openModel(path); });
}

void EstimatorPage::openModel(const QString& path) {
    if (isOnHub(path)) {
        job_.cancel();
        showChosen();
        return hub_->lookUp(path);
    }
    job_.submit([path] { return readModel(path); },
                [this, path](const ReadModel& opened) {
                    message_->dismiss();
                    const QFileInfo file(path);
                    const QString name =
                        file.fileName() == QLatin1String("config.json") ? file.dir().dirName() : file.fileName();
                    showModel(path, name);
                    if (opened.recipe)
                        scenario_->setRecipe(name, *opened.recipe, path);
                    else
                        scenario_->setModel(name, opened.parts, path);
                    QStringList notes;
                    for (const Message& note : opened.parts.notes)
                        notes += qtSentence(note);
                    if (!notes.isEmpty())
                        message_->showMessage(widgets::InlineMessage::Kind::Note, tr("How the weights were read"),
                                              notes.join(QLatin1Char('\n')));
                },
                [this](const QString& sentence) {
                    message_->showMessage(widgets::InlineMessage::Kind::Error, tr("This model cannot be estimated"),
                                          sentence);
                });
}

/// Selects an entry in the list of models without changing the scenario. `path` is empty for one of modelChoices().
void EstimatorPage::showModel(const QString& path, const QString& name) {
    const QSignalBlocker quiet(models_);
    int index = path.isEmpty() ? models_->findText(name) : models_->findData(path);
    if (index < 0) {
        index = models_->findData(kOpenFile);
        models_->insertItem(index, name, path);
    }
    models_->setCurrentIndex(index);
}

void EstimatorPage::openKept(const SavedEstimate& kept) {
    message_->dismiss();
    showModel(kept.kept.source, kept.kept.model);
    if (kept.recipe)
        scenario_->setRecipe(kept.kept.model, *kept.recipe, kept.kept.source);
    else
        scenario_->setModel(kept.kept.model, kept.search.model(), kept.kept.source);
    scenario_->setAll(kept.kept.hardware, kept.search.hardware(), kept.kept.setup);
}

/// Hides the measurements of runs while two scenarios are compared.
void EstimatorPage::arrange() {
    measured_->setVisible(!compare_->isComparing());
    by_batch_->setVisible(width() >= kWide && !compare_->isComparing());
}

void EstimatorPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
}

void EstimatorPage::explain(int group) {
    explained_ = group;
    QStringList lines;
    for (const estimate::Explanation& why : scenario_->explanations())
        if (groupOf(why.part) == group) {
            const QString source = qtClause(why.source);
            QString part = engineWords(estimate::part_words(why.part));
            if (why.place != estimate::Place::device)
                part += QStringLiteral(" (%1)").arg(engineWords(estimate::place_words(why.place)));
            lines << tr("%1: %2 = %3%4")
                         .arg(part, memoryText(why.bytes), qtClause(why.formula),
                              source.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(source));
        }
    if (group == 0 && scenario_->isValid()) {
        QStringList tensors;
        for (const estimate::NamedTensor& tensor : scenario_->search().model().largest)
            tensors << qt(tensor.name);
        lines << tr("Largest tensors: %1").arg(widgets::list_text(tensors));
    }
    formula_->setText(lines.isEmpty() ? tr("%1: no memory on the device.").arg(memoryGroupName(group))
                                      : lines.join(QLatin1Char('\n')));
}

void EstimatorPage::primaryAction() {
    if (!scenario_->isValid())
        return;
    const QString begin =
        QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/estimator");
    job_.submit(
        [begin, kept = keptOf(*scenario_, scenario_->modelName())] {
            QDir().mkpath(QFileInfo(begin).path());
            return writeRun(kept, begin, QStringLiteral("estimated"));
        },
        [this, fits = scenario_->fits()](const WrittenRun& written) {
            emit newRunRequested(written.recipe, written.settings, written.unsaid, fits);
        },
        [this](const QString& sentence) {
            message_->showMessage(widgets::InlineMessage::Kind::Error, tr("The settings were not written"), sentence);
        });
}

}  // namespace trainyard::desktop
