# SPDX-License-Identifier: GPL-3.0-or-later
"""More inputs of data_sharding.py: other sizes and numbers of processes, and combinations of switches that are wrong in the reference.

    python data_sharding.py --inputs data_sharding_more.py --out ../data_sharding_more.json
"""
from data_sharding import loaders, named

BOTH = ("shard", "dispatch")
STREAMS = ("iterable", "iterable_with_length")


def inputs():
    out = []
    for n in (0, 1, 6, 11, 17):
        for b, w in ((2, 2), (1, 3), (6, 3), (5, 1)):
            for s in (False, True):
                if s and b % w:
                    continue
                for e in (True, False):
                    out.append(named("batch_sampler_shard", length=n, batch_size=b, num_processes=w, split_batches=s,
                                     even_batches=e, drop_last=False))
    for n in (0, 1, 3, 13):
        for s in (False, True):
            for b, w in ((3, 3), (6, 2), (4, 1)):
                out.append(named("iterable_shard", length=n, batch_size=b, num_processes=w, split_batches=s, drop_last=False))
    out.append(named("random_sampler", seed=11, length=5, replacement=True, num_samples=64, epochs=3))
    out.append(named("random_sampler", seed=11, length=5, replacement=True, num_samples=None, epochs=2))
    out.append(named("random_sampler", seed=12, length=5, replacement=False, num_samples=5, epochs=2))
    out.append(named("random_sampler", seed=12, length=7, replacement=False, num_samples=3, epochs=3))
    out += loaders((2, 7), 3, (1, 2, 3), modes=BOTH)
    out += loaders((1, 5), 4, (3,), modes=("dispatch",))
    out += loaders((5, 8), 4, (2,), split_batches=True, epochs=2)
    out += loaders((5, 11), 4, (2,), split_batches=True, drop_last=True)
    out += loaders((2, 9), 4, (2,), split_batches=True, even_batches=False, modes=("shard",), gather=False)
    out += loaders((5, 11), 2, (3,), even_batches=False, modes=("shard",), gather=False)
    out += loaders((7, 8), 4, (2,), drop_last=True, datasets=("map", *STREAMS))
    out += loaders((7, 10), 4, (1, 2), datasets=STREAMS, split_batches=True)
    out += loaders((9,), 2, (3,), datasets=STREAMS, epochs=2)
    out += loaders((13,), 2, (1, 2, 3), skip_first_batches=2, epochs=2)
    out += loaders((13,), 2, (2,), skip_first_batches=1, epochs=2, datasets=STREAMS)
    out += loaders((13,), 2, (1, 2), skip_first_batches=1, epochs=2, drop_last=True, datasets=("map", "iterable_with_length"))
    out += loaders((13,), 4, (2,), skip_first_batches=1, epochs=2, split_batches=True)
    out += loaders((11,), 3, (1, 2), shuffle=True, seed=4, epochs=3)
    out += loaders((11,), 3, (1, 2), shuffle=True, seedable=True, seed=4, epochs=3)
    out += loaders((11,), 3, (2,), shuffle=True, seedable=True, seed=4, data_seed=5, epochs=2)
    out += loaders((11,), 3, (1, 2), shuffle=True, seed=4, skip_first_batches=1, epochs=3)
    out += loaders((11,), 3, (1, 2), shuffle=True, seedable=True, seed=4, skip_first_batches=1, epochs=3)
    out += loaders((9, 16), 4, (2,), even_batches=False, modes=("shard",))
    out += loaders((0,), 2, (2,), datasets=("map", *STREAMS))
    return out
