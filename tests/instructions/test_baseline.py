"""The program runs on any x86-64: only kernels of an instruction set have its instructions.

Not what is done before main, which once copied a table of a kernel's functions by AVX2; and no function that
the linker chose from several copies.
"""

import re

from program_listing import instructions

VECTORS = re.compile(r"\tv[a-z0-9]+ .*%[xyz]mm|\tvzeroupper")


def test_other_functions_have_no_avx():
    kernels, others = set(), set()
    for name, line in instructions():
        if VECTORS.search(line):
            (kernels if re.search(r"\d(avx2|avx512)", name) else others).add(name)
    assert others == set()
    assert len(kernels) > 100
