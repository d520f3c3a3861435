// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/encoder/encoder_rows.h"

#include "models/spec/config_keys.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

using M = ModelConfig;
using Head = EncoderHead;
using Keys = std::vector<ConfigKey>;

Keys label_keys() {
    Keys made{{.name = "num_labels",
               .member = &M::num_labels,
               .least = 1,
               .most = 1 << 24,
               .help = "Classes; 1: a number is learnt (regression)."},
              keys::table("id2label", &M::id2label, "Names of the classes, e.g. {0: negative, 1: positive}.", false),
              keys::word("problem_type", &M::problem_type,
                         "single_label_classification, multi_label_classification or regression; empty: as num_labels "
                         "says.")};
    made.back().of_weights = false;
    return made;
}

ConfigKey classifier_dropout(const char* name) {
    ConfigKey key = keys::rate(name, &M::classifier_dropout, "Dropout before the classifier; -1: as between layers.");
    key.null = -1;
    return key;
}

Keys joined_keys(std::initializer_list<Keys> parts) {
    Keys all;
    for (const Keys& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

ConfigKey encoder_epsilon() {
    return keys::number("layer_norm_eps", &M::layer_norm_epsilon, 1, "Added to the variance in layer norms.");
}
ConfigKey encoder_deviation() {
    return keys::number("initializer_range", &M::initializer_range, 10, "Standard deviation of the initial weights.",
                        false);
}
ConfigKey encoder_tied() {
    return keys::choice("tie_word_embeddings", &M::tie_word_embeddings);
}

/// Sizes under the names of BERT.
Keys bert_sizes() {
    return {keys::size("hidden_size", &M::n_embd),
            keys::size("num_hidden_layers", &M::n_layer),
            keys::size("num_attention_heads", &M::n_head),
            keys::size("intermediate_size", &M::n_inner),
            keys::word("hidden_act", &M::activation_function),
            keys::rate("hidden_dropout_prob", &M::resid_pdrop,
                       "Dropout of embeddings, attention's output and feed-forward."),
            keys::rate("attention_probs_dropout_prob", &M::attn_pdrop, "Dropout of the attention weights."),
            encoder_deviation(),
            encoder_epsilon()};
}

Keys bert_keys() {
    return keys::with_token_ids(joined_keys(
        {{keys::size("vocab_size", &M::vocab_size), keys::size("max_position_embeddings", &M::n_positions),
          keys::size("type_vocab_size", &M::type_vocab_size, "Kinds of segments, such as first and second text.")},
         bert_sizes(),
         {classifier_dropout("classifier_dropout"), encoder_tied()},
         label_keys()}));
}

ModelConfig bert_defaults(const char* type) {
    ModelConfig config;
    config.model_type = type;
    config.vocab_size = 30522;
    config.n_embd = 768;
    config.n_layer = config.n_head = 12;
    config.n_inner = 3072;
    config.n_positions = 512;
    config.activation_function = "gelu";
    config.resid_pdrop = config.attn_pdrop = 0.1;
    config.layer_norm_epsilon = 1e-12;
    config.pad_token_id = 0;
    config.task = kMaskedLm;
    return config;
}

EncoderNames bert_names(const std::string& prefix) {
    return {.token_table = prefix + "embeddings.word_embeddings",
            .position_table = prefix + "embeddings.position_embeddings",
            .type_table = prefix + "embeddings.token_type_embeddings",
            .table_norm = prefix + "embeddings.LayerNorm",
            .blocks = prefix + "encoder.layer.",
            .query = "attention.self.query",
            .key = "attention.self.key",
            .value = "attention.self.value",
            .attention_output = "attention.output.dense",
            .norm_1 = "attention.output.LayerNorm",
            .up = "intermediate.dense",
            .down = "output.dense",
            .norm_2 = "output.LayerNorm"};
}

ModuleRow bert_modules(const std::string& type, const std::string& prefix) {
    return {.no_split = {{"embeddings", type + "Embeddings"}, {"layer.#", type + "Layer"}},
            .positions = {prefix + "embeddings.position_ids", prefix + "embeddings.token_type_ids"}};
}

std::vector<TaskClass> tasks_of(const std::vector<Head>& heads) {
    std::vector<TaskClass> tasks;
    for (const Head& head : heads)
        tasks.push_back({head.task, head.architecture});
    return tasks;
}

const std::vector<FixedField>& encoders_only() {
    static const std::vector<FixedField> fields{
        {"is_decoder", "false"}, {"add_cross_attention", "false"}, {"position_embedding_type", "\"absolute\""}};
    return fields;
}

EncoderRow bert() {
    const std::vector<Head> heads{
        {.task = kMaskedLm,
         .architecture = "BertForMaskedLM",
         .dense = "cls.predictions.transform.dense",
         .norm = "cls.predictions.transform.LayerNorm",
         .output = "cls.predictions.decoder",
         .bias = "cls.predictions.bias"},
        {.task = kSequenceClassification,
         .architecture = "BertForSequenceClassification",
         .input = Head::Input::first_token,
         .dense = "bert.pooler.dense",
         .act = Head::Act::tanh,
         .output = "classifier",
         .drops_output = true},
        {.task = kTokenClassification,
         .architecture = "BertForTokenClassification",
         .output = "classifier",
         .drops_output = true},
        {.task = kQuestionAnswering, .architecture = "BertForQuestionAnswering", .output = "qa_outputs"},
        {.task = kMultipleChoice,
         .architecture = "BertForMultipleChoice",
         .input = Head::Input::first_token,
         .dense = "bert.pooler.dense",
         .act = Head::Act::tanh,
         .output = "classifier",
         .drops_output = true},
        {.task = kSentenceEmbedding,
         .architecture = "BertModel",
         .input = Head::Input::mean,
         .unused = "bert.pooler.dense"}};
    return {{"bert",
             "BertModel",
             "bert.",
             "cls.predictions.decoder.weight",
             tasks_of(heads),
             bert_keys(),
             {"gradient_checkpointing", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
              "pooler_size_per_head", "pooler_type", "directionality"},
             bert_modules("Bert", "bert."),
             encoders_only()},
            bert_names("bert."),
            heads,
            bert_defaults("bert"),
            [](const ModelConfig&, EncoderOptions&) {}};
}

/// Shoeybi et al., "Megatron-LM", 2019: BERT with the norms in front of attention and feed-forward.
EncoderRow megatron_bert() {
    EncoderRow row = bert();
    FamilyRow& family = row.family;
    family.model_type = "megatron-bert";
    family.base_architecture = "MegatronBertModel";
    for (EncoderHead& head : row.heads)
        head.architecture.insert(0, "Megatron");
    family.tasks = tasks_of(row.heads);
    // transformers has one rate for all layers, that of the classifier included.
    std::erase_if(family.keys, [](const ConfigKey& key) { return key.name == "classifier_dropout"; });
    family.keys_without_effect = {};
    family.modules = {.no_split = {}, .positions = {"bert.embeddings.position_ids"}};
    row.names.table_norm = {};
    row.names.norm_1 = "attention.ln";
    row.names.norm_2 = "ln";
    row.names.final_norm = "bert.encoder.ln";
    row.defaults = bert_defaults("megatron-bert");
    row.defaults.vocab_size = 29056;
    row.defaults.n_embd = 1024;
    row.defaults.n_layer = 24;
    row.defaults.n_head = 16;
    row.defaults.n_inner = 4096;
    row.configure = [](const ModelConfig&, EncoderOptions& options) {
        options.pre_norm = options.lists_norms_first = true;
    };
    return row;
}

EncoderRow roberta() {
    const std::vector<Head> heads{
        {.task = kMaskedLm,
         .architecture = "RobertaForMaskedLM",
         .dense = "lm_head.dense",
         .act = Head::Act::gelu,
         .norm = "lm_head.layer_norm",
         .output = "lm_head.decoder",
         .bias = "lm_head.bias"},
        {.task = kSequenceClassification,
         .architecture = "RobertaForSequenceClassification",
         .input = Head::Input::first_token,
         .dense = "classifier.dense",
         .act = Head::Act::tanh,
         .output = "classifier.out_proj",
         .drops_input = true,
         .drops_output = true},
        {.task = kTokenClassification,
         .architecture = "RobertaForTokenClassification",
         .output = "classifier",
         .drops_output = true},
        {.task = kQuestionAnswering, .architecture = "RobertaForQuestionAnswering", .output = "qa_outputs"},
        {.task = kMultipleChoice,
         .architecture = "RobertaForMultipleChoice",
         .input = Head::Input::first_token,
         .dense = "roberta.pooler.dense",
         .act = Head::Act::tanh,
         .output = "classifier",
         .drops_output = true},
        {.task = kSentenceEmbedding,
         .architecture = "RobertaModel",
         .input = Head::Input::mean,
         .unused = "roberta.pooler.dense"}};
    ModelConfig defaults = bert_defaults("roberta");
    defaults.vocab_size = 50265;
    defaults.pad_token_id = 1;
    defaults.bos_token_id = 0;
    defaults.eos_token_id = 2;
    ModuleRow modules = bert_modules("Roberta", "roberta.");
    modules.last = {"embeddings.position_embeddings"};
    return {
        {"roberta",
         "RobertaModel",
         "roberta.",
         "lm_head.decoder.weight",
         tasks_of(heads),
         bert_keys(),
         {},
         modules,
         encoders_only()},
        bert_names("roberta."),
        heads,
        defaults,
        [](const ModelConfig& config, EncoderOptions& options) { options.first_position = config.pad_token_id + 1; }};
}

EncoderRow distilbert() {
    const std::vector<Head> heads{
        {.task = kMaskedLm,
         .architecture = "DistilBertForMaskedLM",
         .dense = "vocab_transform",
         .norm = "vocab_layer_norm",
         .output = "vocab_projector",
         .bias = "vocab_projector.bias"},
        {.task = kSequenceClassification,
         .architecture = "DistilBertForSequenceClassification",
         .input = Head::Input::first_token,
         .dense = "pre_classifier",
         .act = Head::Act::relu,
         .output = "classifier",
         .drops_output = true},
        {.task = kTokenClassification,
         .architecture = "DistilBertForTokenClassification",
         .output = "classifier",
         .drops_output = true},
        {.task = kQuestionAnswering,
         .architecture = "DistilBertForQuestionAnswering",
         .output = "qa_outputs",
         .drops_output = true},
        {.task = kMultipleChoice,
         .architecture = "DistilBertForMultipleChoice",
         .input = Head::Input::first_token,
         .dense = "pre_classifier",
         .act = Head::Act::relu,
         .output = "classifier",
         .drops_output = true},
        {.task = kSentenceEmbedding, .architecture = "DistilBertModel", .input = Head::Input::mean}};
    ModelConfig defaults = bert_defaults("distilbert");
    defaults.n_layer = 6;
    defaults.classifier_dropout = 0.2;
    return {{"distilbert",
             "DistilBertModel",
             "distilbert.",
             "vocab_projector.weight",
             tasks_of(heads),
             keys::with_token_ids(joined_keys(
                 {{keys::size("vocab_size", &M::vocab_size), keys::size("max_position_embeddings", &M::n_positions),
                   keys::size("dim", &M::n_embd, "Width of the hidden states.", "hidden_size"),
                   keys::size("n_layers", &M::n_layer, "Number of transformer blocks.", "num_hidden_layers"),
                   keys::size("n_heads", &M::n_head, "Attention heads of each block.", "num_attention_heads"),
                   keys::size("hidden_dim", &M::n_inner, "Width inside the feed-forward layers."),
                   keys::word("activation", &M::activation_function, "Function of the feed-forward layers."),
                   keys::rate("dropout", &M::resid_pdrop), keys::rate("attention_dropout", &M::attn_pdrop),
                   encoder_deviation(), classifier_dropout("seq_classif_dropout"),
                   keys::rate("qa_dropout", &M::qa_dropout, "Dropout before the head of question_answering."),
                   encoder_tied()},
                  label_keys()})),
             {"sinusoidal_pos_embds", "tie_weights_"},
             {.no_split = {}, .positions = {"distilbert.embeddings.position_ids"}}},
            {.token_table = "distilbert.embeddings.word_embeddings",
             .position_table = "distilbert.embeddings.position_embeddings",
             .table_norm = "distilbert.embeddings.LayerNorm",
             .blocks = "distilbert.transformer.layer.",
             .query = "attention.q_lin",
             .key = "attention.k_lin",
             .value = "attention.v_lin",
             .attention_output = "attention.out_lin",
             .norm_1 = "sa_layer_norm",
             .up = "ffn.lin1",
             .down = "ffn.lin2",
             .norm_2 = "output_layer_norm"},
            heads,
            defaults,
            [](const ModelConfig& config, EncoderOptions& options) {
                options.types = 0;
                options.epsilon = 1e-12;
                if (config.task == kTokenClassification)  // which its class takes from `dropout`
                    options.head_dropout = config.resid_pdrop;
                if (config.task == kQuestionAnswering)
                    options.head_dropout = config.qa_dropout;
            }};
}

EncoderRow vit() {
    const std::vector<Head> heads{{.task = kImageClassification,
                                   .architecture = "ViTForImageClassification",
                                   .input = Head::Input::first_token,
                                   .output = "classifier"}};
    ModelConfig defaults = bert_defaults("vit");
    defaults.resid_pdrop = defaults.attn_pdrop = 0;
    defaults.pad_token_id = -1;
    defaults.task = kImageClassification;
    return {{"vit",
             "ViTModel",
             "vit.",
             "",
             tasks_of(heads),
             joined_keys({bert_sizes(),
                          {keys::size("image_size", &M::image_size, "Pixels of either side of an image."),
                           keys::size("patch_size", &M::patch_size, "Pixels of either side of a patch."),
                           keys::size("num_channels", &M::num_channels, "Colours of an image."),
                           keys::choice("qkv_bias", &M::qkv_bias, "Queries, keys and values have biases.")},
                          label_keys()}),
             {"encoder_stride", "pooler_output_size", "pooler_act"},
             {.no_split = {{"embeddings", "ViTEmbeddings"}, {"layers.#", "ViTLayer"}},
              .classes = {{"AutoModel", "ViTModel", "pooler.dense", true, true}},
              .last = {"layers.#.mlp"},
              .renamed = {{"encoder.layer.", "layers."},
                          {"attention.query", "q_proj"},
                          {"attention.key", "k_proj"},
                          {"attention.value", "v_proj"},
                          {"attention.output.dense", "attention.o_proj"},
                          {"intermediate.dense", "mlp.fc1"},
                          {"output.dense", "mlp.fc2"}}},
             {},
             {keys::size("image_width", &M::image_width), keys::size("patch_width", &M::patch_width),
              keys::size("pooler_output_size", &M::pooler_output_size)}},
            {.position_table = "vit.embeddings.position_embeddings",
             .class_token = "vit.embeddings.cls_token",
             .patch_projection = "vit.embeddings.patch_embeddings.projection",
             .blocks = "vit.encoder.layer.",
             .query = "attention.attention.query",
             .key = "attention.attention.key",
             .value = "attention.attention.value",
             .attention_output = "attention.output.dense",
             .norm_1 = "layernorm_before",
             .up = "intermediate.dense",
             .down = "output.dense",
             .norm_2 = "layernorm_after",
             .final_norm = "vit.layernorm"},
            heads,
            defaults,
            [](const ModelConfig& config, EncoderOptions& options) {
                options.pre_norm = true;
                options.types = options.vocabulary = 0;
                options.image_size = config.image_size;
                options.patch_size = config.patch_size;
                options.image_width = config.image_width > 0 ? config.image_width : config.image_size;
                options.patch_width = config.patch_width > 0 ? config.patch_width : config.patch_size;
                options.channels = config.num_channels;
                options.query_bias = config.qkv_bias;
                options.head_dropout = 0;
            }};
}

}  // namespace

const std::vector<EncoderRow>& encoder_rows() {
    static const std::vector<EncoderRow> rows{bert(), roberta(), distilbert(), megatron_bert(), vit()};
    return rows;
}

}  // namespace trainyard::families
