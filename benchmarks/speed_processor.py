"""The generation of a processor, which virtual machines do not name: "AMD EPYC" is Zen 2, 3, 4 or 5."""

import re
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
INSTRUCTION_CACHE = Path("/sys/devices/system/cpu/cpu0/cache/index1/size")
AMD_ZEN_2 = 0x30  #: model of family 23 from which it is Zen 2
AMD_ZEN_4 = (
    range(0x10, 0x20),
    range(0x60, 0x80),
    range(0xA0, 0xB0),
)  #: models of family 25; the others: Zen 3
#: of Intel's, the newest first: a flag that it has and older ones have not, and the name
INTEL = (
    ("amx_tile", "Xeon Sapphire Rapids"),
    ("avx512_vpopcntdq", "Xeon Ice Lake"),
    ("avx512f", "Xeon Skylake"),
    ("avx_vnni", "Core Alder Lake"),
    ("avx2", "Core Haswell to Comet Lake"),
)


def generation(cpuinfo: str, instruction_cache: str) -> str:
    """By the first processor of /proc/cpuinfo; its model name where it is not known.

    Args:
        instruction_cache: size of the first one, such as "32K": twice as large from Xeon 6 on
    """
    first = cpuinfo.split("\n\n")[0]
    fields = dict(re.findall(r"^([^\t:]+)\t*: (.*)$", first, re.MULTILINE))
    flags = fields.get("flags", "").split()
    family, model = (int(fields.get(name, 0)) for name in ("cpu family", "model"))
    if fields.get("vendor_id") == "AuthenticAMD" and family in (23, 25, 26):
        if family == 25:
            new = "avx512f" in flags or any(model in some for some in AMD_ZEN_4)
            return "Zen 4" if new else "Zen 3"
        return "Zen 5" if family == 26 else "Zen 2" if model >= AMD_ZEN_2 else "Zen"
    if fields.get("vendor_id") == "GenuineIntel":
        name = next((name for flag, name in INTEL if flag in flags), "")
        return (
            "Xeon 6" if "amx_tile" in flags and instruction_cache == "64K" else name or fields["model name"]
        )
    return fields.get("model name", "unknown")


def generation_here() -> str:
    """Of this machine."""
    size = INSTRUCTION_CACHE.read_text().strip() if INSTRUCTION_CACHE.exists() else ""
    return generation(CPUINFO.read_text(), size)
