# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs for memory_utils.py: sizes as Python reads numbers, searches from anywhere, limits.

python memory_utils.py --inputs memory_utils_more.py --out ../memory_utils_more.json
"""
import random

from memory_utils import ERRORS, limits, search, sizes, texts


def inputs():
    r=random.Random(5)
    out=[]
    seen=set()
    for i in range(40):
        s=r.choice([r.randint(1,600), r.randint(1,10), 2**r.randint(0,12), 0,-1,-5])
        l=r.choice([r.randint(0,600),1,0,-3,s])
        more={}
        if r.random()<.3 and not (s<0 and l<s): more['reduce']=r.choice(['half','minus_3'])
        if r.random()<.3: more['calls']=r.randint(2,3)
        e=r.choice(sorted(ERRORS))
        c=search(s,l,e,**more)
        if c[0] in seen: continue
        seen.add(c[0]); out.append(c)
    for i,(s,l) in enumerate([(-1,5),(-1,-3),(0,-5),(0,0),(-7,-9)]):
        for m in ({}, {'reduce':'half'}, {'reduce':'minus_3'}, {'calls':2}):
            if m.get('reduce')=='half' and s<0: continue
            c=search(s,l,'cuda',**m)
            if c[0] not in seen: seen.add(c[0]); out.append(c)
    out+=sizes(["1_000MB","1_0GB","1__0GB","_1GB","1_GB","1_0.5GB","1.5_0GB","١GB","٣.٥MB","１２KB","²GB","-1GB","-1.5MB","-0GB","+1GB","+2.5KiB"," 1GB","1GB ","\t1GB","1\u00a0GB","1\u2003GB","1\n GB","1e3MB","1E3MB","1e-3GB","1e400GB","infGB","-infGB","InfinityGB","nanMB","nan","0x10MB","1,000MB","1.GB",".5GB",".GB","1.5.2GB","1e1_0KB","1_0","1000","1000B","10b","5MIB","5miB","5mib","5KIB","5kIB","5Kib","5GIb","1GiBB","GiB","1 000MB","1GBGB","--1GB","1MBit","9007199254740993KB","0.1KB","1.0000000001KiB","1e20GB","123456789012345678901234567890KB","-5KiB","0GB","0.0001KB","-0.0001KB","1Mb","3Mb","9Gb","1.5gb","-3Gb","-1Mb","-7Mb","1_5Mb","٥Mb","７Gb",1.5,-2.7,1e3,10**30,[],{},"1e3","∞GB","1０GB","Ⅻ GB","໑KB","𝟙GB","1\u0660GB"])
    out+=texts([1023.99,1024*1024-1,-1,-1024,-1023,-1536.5,0.1,0.005,0.015,2.675,1024*1.005,1e21,1e30,2**60,2**70,-2**70,3,999,10**6,123456789,1e16,5e-324,1048575.999,True,-0.0,1e5,100000,12345.678])
    out+=[limits('a',[["0","1_000MB"],["cpu","-1GB"]],1),limits('b',[["0","١GB"]],1),limits('c',[["1",5],["cpu","1GiB"]],2),limits('d',[["cpu",1]],0),limits('e',[],0),limits('f',[["0",1],["1",2],["2",3]],2),limits('g',[["disk",1],["cpu",2]],0),limits('h',[["cpu",5],["1",3],["0",2],["disk",9]],4),limits('i',[["0",-5]],1),limits('j',[["0",None]],1),limits('k',[["0",1.5]],1),limits('l',[["x","1GB"],["0",3]],1),limits('m',[["0","1GB"],["-2",3]],1),limits('n',[["00","1GB"]],1),limits('o',[["7",1]],2),limits('p',[["xpu",1],["0",2]],1),limits('q',[["mps","1GB"],["cpu","2Gb"]],1)]
    return out
