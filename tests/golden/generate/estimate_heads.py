# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for estimate.py: drawn models with every head that their families have.

python estimate.py --inputs estimate_heads.py --out ../estimate_heads.json    (fields that the test does not need were taken out of the file)
"""
import random

from estimate import case


def inputs():
    r=random.Random(82); out=[]
    lm,clf="AutoModelForCausalLM","AutoModelForSequenceClassification"
    dec=["llama","mistral","qwen2","qwen3","phi","phi3","gemma","gemma2","mixtral","gpt_neox","opt","bloom","falcon","gpt2"]
    for i in range(70):
        m=r.choice(dec); heads=r.choice([1,2,4]); hd=r.choice([4,6,8]); h=heads*hd
        c=dict(model_type=m,vocab_size=r.randint(20,200))
        kv=r.choice([k for k in (1,2,4) if heads%k==0])
        if m=="gpt2": c.update(n_embd=h,n_head=heads,n_layer=r.randint(1,4),n_positions=r.randint(4,40)); 
        elif m=="bloom": c.update(hidden_size=h,n_head=heads,n_layer=r.randint(1,3))
        else:
            c.update(hidden_size=h,num_hidden_layers=r.randint(1,4),num_attention_heads=heads)
            if m=="opt": c.update(ffn_dim=r.randint(5,40),max_position_embeddings=r.randint(8,40),word_embed_proj_dim=h,enable_bias=r.random()<.5,layer_norm_elementwise_affine=r.random()<.5,do_layer_norm_before=r.random()<.5)
            elif m=="falcon": c.update(new_decoder_architecture=r.random()<.5,multi_query=r.random()<.5,bias=r.random()<.5,parallel_attn=r.random()<.5,num_kv_heads=kv)
            else: c.update(intermediate_size=r.randint(5,50))
        if m in("llama","mistral","qwen2","qwen3","phi3","gemma","gemma2","mixtral","phi"): c["num_key_value_heads"]=kv
        if m in("llama","qwen3","gemma","gemma2","mistral") and r.random()<.5: c["head_dim"]=r.choice([2,4,10])
        if m=="phi3": c["pad_token_id"]=0
        if m=="mixtral": c["num_local_experts"]=r.randint(1,5)
        if m in("llama","qwen3") and r.random()<.5: c["attention_bias"]=True
        if m=="llama" and r.random()<.5: c["mlp_bias"]=True
        if m=="gpt_neox" and r.random()<.5: c["attention_bias"]=r.random()<.5
        if r.random()<.6: c["tie_word_embeddings"]=r.random()<.5
        out.append((f"d{i}",case(f"d{i}-{m}",c,r.choice(["AutoModel",lm,clf,"AutoModelForTokenClassification"]) if m!="opt" else r.choice(["AutoModel",lm,clf]))[1]))
    E=dict(hidden_size=20,num_hidden_layers=2,num_attention_heads=4,intermediate_size=37,vocab_size=99,max_position_embeddings=33)
    for i in range(30):
        m=r.choice(["bert","roberta","electra","albert","deberta","deberta-v2","distilbert"])
        e=dict(E,model_type=m,num_hidden_layers=r.randint(1,3),vocab_size=r.randint(10,90),type_vocab_size=r.randint(1,3)) if m!="distilbert" else dict(model_type=m,dim=20,n_layers=r.randint(1,3),n_heads=4,hidden_dim=37,vocab_size=99,max_position_embeddings=33,sinusoidal_pos_embds=r.random()<.5)
        if m in("albert","electra") and r.random()<.5: e["embedding_size"]=r.randint(4,20)
        if m=="deberta-v2" and r.random()<.5: e.update(relative_attention=True,pos_att_type=["c2p","p2c"],share_att_key=r.random()<.5,position_buckets=r.choice([-1,8]),conv_kernel_size=r.choice([0,3]))
        if m.startswith("deberta") and r.random()<.4: e["position_biased_input"]=False
        out.append((f"e{i}",case(f"e{i}-{m}",dict(e,num_labels=r.randint(2,5)),r.choice(["AutoModel","AutoModelForMaskedLM",clf,"AutoModelForTokenClassification","AutoModelForQuestionAnswering"]))[1]))
    return out
