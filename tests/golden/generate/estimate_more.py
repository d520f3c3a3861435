# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for estimate.py: small models of every family with other heads, sharing and options, and each family's defaults.

python estimate.py --inputs estimate_more.py --out ../estimate_more.json    (fields that the test does not need were taken out of the file)
"""
from estimate import case


def inputs():
    lm, clf = "AutoModelForCausalLM", "AutoModelForSequenceClassification"
    S=dict(num_hidden_layers=3,num_attention_heads=2)
    L=[("llama",dict(hidden_size=24,intermediate_size=31,vocab_size=55)),("mistral",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1)),("qwen2",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1)),("qwen3",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1,attention_bias=True)),("phi",dict(hidden_size=24,intermediate_size=31,vocab_size=55,qk_layernorm=True)),("phi3",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1,pad_token_id=0)),("gemma",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1,head_dim=6)),("gemma2",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1,head_dim=6)),("mixtral",dict(hidden_size=24,intermediate_size=31,vocab_size=55,num_key_value_heads=1)),("gpt_neox",dict(hidden_size=24,intermediate_size=31,vocab_size=55,attention_bias=False)),("opt",dict(hidden_size=24,ffn_dim=31,vocab_size=55,enable_bias=False)),("bloom",dict(hidden_size=24,vocab_size=55,n_layer=3,n_head=2)),("falcon",dict(hidden_size=24,vocab_size=55,parallel_attn=False,multi_query=False,alibi=True,bias=True)),("gpt2",dict(n_embd=24,vocab_size=55))]
    out=[]
    for m,k in L:
        base=dict(model_type=m,**({} if m in('bloom','gpt2') else S),**k)
        for a in ("AutoModel",lm,clf): out.append(case("x-"+m,base,a))
        out.append(case("tied-"+m,dict(base,tie_word_embeddings=True),lm)); out.append(case("untied-"+m,dict(base,tie_word_embeddings=False),lm))
        out.append(case("def-"+m,dict(model_type=m)))
    for m in ("bert","roberta","electra","distilbert","albert","deberta","deberta-v2","t5","bart","whisper","vit","resnet","convnext","clip"):
        out.append(case("def-"+m,dict(model_type=m)))
    E=dict(hidden_size=20,num_hidden_layers=2,num_attention_heads=4,intermediate_size=37,vocab_size=99,max_position_embeddings=33)
    for m in ("bert","roberta","electra","distilbert"):
        e=dict(E) if m!='distilbert' else dict(dim=20,n_layers=2,n_heads=4,hidden_dim=37,vocab_size=99,max_position_embeddings=33)
        for a in ("AutoModelForMaskedLM",clf,"AutoModelForTokenClassification"): out.append(case("h-"+m,dict(e,model_type=m,num_labels=3),a))
        if m!='distilbert': out.append(case("h-"+m,dict(e,model_type=m),"AutoModelForQuestionAnswering"))
    for m in ("albert","deberta","deberta-v2"): out.append(case("s-"+m,dict(E,model_type=m))); out.append(case("r-"+m,dict(E,model_type=m,relative_attention=True,pos_att_type=["c2p"],type_vocab_size=2,max_relative_positions=8)))
    out.append(case("g-albert",dict(E,model_type="albert",num_hidden_groups=2,inner_group_num=3,embedding_size=7)))
    T=dict(model_type="t5",vocab_size=66,d_model=16,d_kv=3,d_ff=29,num_layers=3,num_heads=5)
    out+= [case("t",T),case("t1",dict(T,num_layers=1)),case("t",T,"AutoModelForSeq2SeqLM"),case("tu",dict(T,tie_word_embeddings=False))]
    B=dict(model_type="bart",vocab_size=66,d_model=16,encoder_layers=2,decoder_layers=3,encoder_attention_heads=2,decoder_attention_heads=4,encoder_ffn_dim=9,decoder_ffn_dim=11,max_position_embeddings=20)
    out+= [case("b",B),case("b",B,"AutoModelForSeq2SeqLM"),case("bu",dict(B,tie_word_embeddings=False))]
    W=dict(model_type="whisper",vocab_size=66,d_model=16,encoder_layers=2,decoder_layers=1,encoder_attention_heads=2,decoder_attention_heads=2,encoder_ffn_dim=9,decoder_ffn_dim=11,max_source_positions=20,max_target_positions=10,pad_token_id=0,decoder_start_token_id=1)
    out+= [case("w",W),case("w",W,"AutoModelForSpeechSeq2Seq")]
    R=dict(model_type="resnet",embedding_size=8,hidden_sizes=[8,16],depths=[2,1],layer_type="bottleneck")
    out+= [case("r",R),case("rd",dict(R,downsample_in_first_stage=True)),case("rb",dict(R,layer_type="basic",num_labels=7),"AutoModelForImageClassification")]
    out+= [case("c",dict(model_type="convnext",hidden_sizes=[8,12,4,6],depths=[2,1,1,3],num_labels=3),"AutoModelForImageClassification"),case("c0",dict(model_type="convnext",hidden_sizes=[8,12,4,6],depths=[2,1,1,3],layer_scale_init_value=0.0))]
    out+= [case("cl",dict(model_type="clip",projection_dim=6,text_config=dict(hidden_size=8,intermediate_size=9,num_attention_heads=2,num_hidden_layers=1,vocab_size=30),vision_config=dict(hidden_size=12,intermediate_size=5,num_attention_heads=2,num_hidden_layers=2,image_size=16,patch_size=4)))]
    out+= [case("v",dict(model_type="vit",hidden_size=12,num_hidden_layers=1,num_attention_heads=2,intermediate_size=5,image_size=[8,12],patch_size=4))]
    return out
