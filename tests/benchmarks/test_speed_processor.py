"""Which generation a processor is of, by what Linux says of it."""

import pytest
from speed_processor import generation, generation_here


def cpuinfo(vendor: str, family: int, model: int, flags: str) -> str:
    one = (
        f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\n"
        f"model name\t: some processor\nflags\t\t: fpu {flags}\n"
    )
    return one + "\n" + one.replace("processor\t: 0", "processor\t: 1")


AMD = [
    (23, 1, "avx2", "Zen"),
    (23, 49, "avx2", "Zen 2"),
    (25, 1, "avx2", "Zen 3"),
    (25, 17, "avx2", "Zen 4"),  # the host hides AVX-512
    (25, 1, "avx2 avx512f", "Zen 4"),
    (26, 2, "avx2 avx512f", "Zen 5"),
    (15, 2, "", "some processor"),
]


@pytest.mark.parametrize(("family", "model", "flags", "name"), AMD)
def test_amd(family, model, flags, name):
    assert generation(cpuinfo("AuthenticAMD", family, model, flags), "32K") == name


INTEL = [
    ("avx2 avx512f amx_tile avx_vnni", "64K", "Xeon 6"),
    ("avx2 avx512f amx_tile avx_vnni avx512_vpopcntdq", "32K", "Xeon Sapphire Rapids"),
    ("avx2 avx512f avx512_vpopcntdq", "32K", "Xeon Ice Lake"),
    ("avx2 avx512f", "32K", "Xeon Skylake"),
    ("avx2 avx_vnni", "32K", "Core Alder Lake"),
    ("avx2", "32K", "Core Haswell to Comet Lake"),
    ("avx", "32K", "some processor"),
]


@pytest.mark.parametrize(("flags", "cache", "name"), INTEL)
def test_intel(flags, cache, name):
    assert generation(cpuinfo("GenuineIntel", 6, 143, flags), cache) == name


def test_this_machine_and_others_have_a_name():
    assert generation_here()
    assert generation("processor\t: 0\n", "") == "unknown"
