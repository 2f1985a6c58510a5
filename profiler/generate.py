"""Writes the wrappers of the MPI functions in mpi-3.1.txt: functions.h, wrappers.c, and fortran_*.c."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

HANDLES = {
    "MPI_Comm": "MPI_Comm_f2c",
    "MPI_Datatype": "MPI_Type_f2c",
    "MPI_Request": "MPI_Request_f2c",
    "MPI_Win": "MPI_Win_f2c",
}
NOTICE = "// Written by generate.py from mpi-3.1.txt; do not edit.\n"


@dataclass
class Parameter:
    """One of a function: its declaration, and type and name apart."""

    declaration: str
    name: str
    type: str
    array: bool

    @property
    def text(self) -> bool:
        """Whether Fortran passes its length behind the other arguments."""
        return self.type.replace("const ", "") == "char" or self.declaration.startswith("const char datarep")


@dataclass
class Function:
    """One line of the table."""

    name: str
    declaration: str
    parameters: list[Parameter]
    actions: list[tuple[str, list[str]]]

    def has(self, name: str) -> bool:
        """Whether there is a parameter of this name."""
        return any(p.name == name for p in self.parameters)


def parameter(text: str) -> Parameter:
    """Take a parameter's declaration apart."""
    name = re.search(r"(\w+)\s*(\[\d*\])*$", text.replace("[][3]", "[]"))
    if not name:
        raise ValueError(f"no name in '{text}'")
    kind = text[: name.start(1)].replace("*", "").strip()
    return Parameter(text, name[1], kind, "[" in text or "*" in text)


def split(text: str) -> list[str]:
    """Split at commas outside brackets."""
    return [part.strip() for part in re.split(r",\s*(?![^()\[\]]*[)\]])", text) if part.strip()]


def read_table(path: Path) -> list[Function]:
    """The functions of the table, in its order."""
    found = []
    for line in path.read_text().splitlines():
        if not line or line[0] in "#[":
            continue
        prototype, _, notes = line.partition(" : ")
        name, _, inside = prototype.partition("(")
        inside = inside.rsplit(")", 1)[0]
        actions = [(m[1], split(m[2])) for m in re.finditer(r"(\w+)\(((?:[^()]|\([^()]*\))*)\)", notes)]
        found.append(Function(name, inside or "void", [parameter(p) for p in split(inside)], actions))
    return found


class Writer:
    """C text for one language's wrappers: how arguments are named and turned into C values."""

    def __init__(self, function: Function, fortran: bool) -> None:
        self.function = function
        self.fortran = fortran

    def value(self, name: str) -> str:
        """A scalar argument as a C value."""
        if not self.fortran:
            return name
        of = next(p for p in self.function.parameters if p.name == name)
        return f"{HANDLES[of.type]}(*{name})" if of.type in HANDLES else f"*{name}"

    def communicator(self) -> str:
        """The function's communicator."""
        return self.value("comm")

    def term(self, text: str) -> str:
        """Bytes of one product such as size*sendcount*sendtype."""
        sums = re.fullmatch(r"sum\((\w+)\*(\w+)\)", text)
        if sums:
            function = "sum_of_fortran_types" if self.fortran else "sum_of_types"
            return f"{function}({sums[1]}, {sums[2]}, {self.ranks()})"
        if text == "0":
            return "0"
        *counts, kind = text.split("*")
        return f"bytes_of({' * '.join(self.count(c) for c in counts)}, {self.value(kind)})"

    def ranks(self) -> str:
        """How many counts an array has."""
        call = "out_degree" if "eighbor" in self.function.name else "size_of"
        return f"{call}({self.communicator()})"

    def count(self, text: str) -> str:
        """A factor as an int64_t."""
        if text == "size":
            return f"(int64_t)size_of({self.communicator()})"
        if text == "outdegree":
            return f"(int64_t)out_degree({self.communicator()})"
        if text == "1":
            return "1"
        if sums := re.fullmatch(r"sum\((\w+)\)", text):
            return f"sum_of({sums[1]}, {self.ranks()})"
        if indexed := re.fullmatch(r"(\w+)\[rank\]", text):
            return f"(int64_t){indexed[1]}[rank_in({self.communicator()})]"
        return f"(int64_t){self.value(text)}"

    def bytes(self, text: str) -> str:
        """Bytes of an expression with its alternative for MPI_IN_PLACE."""
        usual, _, in_place = text.partition("|")
        if not in_place:
            return self.term(usual)
        buffer = "sendbuf" if "send" in usual else "recvbuf"
        test = f"in_place({buffer})" if self.fortran else f"{buffer} == MPI_IN_PLACE"
        return f"{test} ? {self.term(in_place)} : {self.term(usual)}"

    def records(self) -> list[str]:
        """Statements behind the call."""
        return [line for kind, arguments in self.function.actions for line in self.record(kind, arguments)]

    def record(self, kind: str, arguments: list[str]) -> list[str]:
        """Statements of one action of the table."""
        f = self.function
        if kind in ("send", "isend"):
            dest, size = self.value(arguments[0]), self.bytes(arguments[3])
            return [f"record_send(&call, {dest}, {self.communicator()}, {size});"]
        if kind in ("recv", "irecv", "mrecv", "imrecv"):
            at_most = self.bytes(arguments[-1])
            if not f.has("status"):
                return [f"record_receive(&call, {at_most});"]
            source = f"if ({self.value('source')} != MPI_PROC_NULL) " if f.has("source") else ""
            arrived = "received_in_fortran" if self.fortran else "received_bytes"
            return [f"{source}record_receive(&call, {arrived}(status, {at_most}));"]
        if kind in ("send_init", "recv_init"):
            amounts = [self.bytes(arguments[3]), "-1"]
            sends, receives = amounts if kind == "send_init" else reversed(amounts)
            rank = self.value(arguments[0])
            return [
                f"remember_request({self.value('request') if self.fortran else '*request'}, {rank}, "
                f"{self.communicator()}, {sends}, {receives});"
            ]
        if kind == "start":
            return self.each_request(arguments, "start_request(&call, {});")
        if kind in ("collective", "icollective", "neighbour", "ineighbour"):
            return [f"record_collective(&call, {self.bytes(arguments[1])});"]
        if kind in ("put", "get"):
            amounts = [self.bytes(arguments[2]), "0"]
            out, into = amounts if kind == "put" else reversed(amounts)
            return [
                f"record_one_sided(&call, {self.value(arguments[0])}, {self.value('win')}, {out}, {into});"
            ]
        if kind in ("read", "write"):
            amounts = [self.bytes(arguments[0]), "0"]
            out, into = amounts if kind == "write" else reversed(amounts)
            return [f"record_file(&call, {out}, {into});"]
        if kind in ("free", "complete"):
            return []
        raise ValueError(f"{f.name}: unknown action '{kind}'")

    def each_request(self, arguments: list[str], statement: str) -> list[str]:
        """A statement for one or for all requests."""
        count, requests = arguments
        convert = "MPI_Request_f2c({})" if self.fortran else "{}"
        if count == "1":
            return [statement.format(convert.format(f"*{requests}"))]
        one = statement.format(convert.format(f"{requests}[k]"))
        return [f"for (int k = 0; k < {self.value(count)}; ++k) {one}"]

    def before(self) -> list[str]:
        """Statements before the call."""
        kinds = {kind for kind, _ in self.function.actions}
        lines = []
        if kinds & {"recv", "mrecv"} and self.function.has("status"):
            if self.fortran:
                lines += ["MPI_Fint own[FORTRAN_STATUS];", "if (ignored(status)) status = own;"]
            else:
                lines += ["MPI_Status own;", "if (status == MPI_STATUS_IGNORE) status = &own;"]
        if "free" in kinds:
            lines.append(f"forget_request({'MPI_Request_f2c(*request)' if self.fortran else '*request'});")
        if self.function.name == "MPI_Barrier":
            lines.append("call.waited = kAllOfIt;")
        elif "collective" in kinds:
            lines.append(f"arrive(&call, {self.communicator()});")
        return lines


def c_wrapper(f: Function) -> str:
    """The wrapper of a function for C callers."""
    writer = Writer(f, fortran=False)
    arguments = ", ".join(p.name for p in f.parameters)
    before = "".join(f"  {line}\n" for line in writer.before())
    records = writer.records()
    after = "".join(f"    {line}\n" for line in records)
    guarded = f"  if (error == MPI_SUCCESS && call.recorded) {{\n{after}  }}\n" if records else ""
    return (
        f"EXPORT int {f.name}({f.declaration}) {{\n  Call call;\n  enter(&call, id_{f.name});\n{before}"
        f"  const int error = P{f.name}({arguments});\n  leave(&call);\n{guarded}  return error;\n}}\n"
    )


def fortran_declaration(p: Parameter) -> str:
    """A parameter as Fortran passes it."""
    if p.type in ("int", "const int") or p.type in HANDLES or p.type.replace("const ", "") in HANDLES:
        return f"MPI_Fint *{p.name}"
    if p.type == "MPI_Status":
        return f"MPI_Fint *{p.name}"
    return f"void *{p.name}"


def fortran_wrapper(f: Function, real: str, ending: str) -> str:
    """The wrapper of a function for Fortran callers.

    Args:
        real: how the symbol of the library's own function begins, instead of mpi
        ending: how both symbols end
    """
    for p in f.parameters:
        p.type = p.type.replace("const ", "")
    writer = Writer(f, fortran=True)
    low = f.name.lower()
    lengths = [f"size_t length_{p.name}" for p in f.parameters if p.text]
    declared = ", ".join([fortran_declaration(p) for p in f.parameters] + ["MPI_Fint *error"] + lengths)
    passed = ", ".join([p.name for p in f.parameters] + ["error"] + [x.split()[1] for x in lengths])
    before = "".join(f"  {line}\n" for line in writer.before())
    records = writer.records()
    after = "".join(f"    {line}\n" for line in records)
    guarded = f"  if (call.recorded) {{\n{after}  }}\n" if records else ""
    return (
        f"extern void {real}{low[3:]}{ending}({declared}) __attribute__((weak));\n"
        f"EXPORT void {low}{ending}({declared}) {{\n  Call call;\n  enter(&call, id_{f.name});\n{before}"
        f"  {real}{low[3:]}{ending}({passed});\n  leave(&call);\n{guarded}}}\n"
    )


def of_open_mpi(f: Function) -> str:
    """For mpif.h and mpi; mpi_f08 calls what the alias names."""
    declared = ", ".join(fortran_declaration(p) for p in f.parameters)
    lengths = "".join(", size_t" for p in f.parameters if p.text)
    all_of_it = f"{declared}{', ' if declared else ''}MPI_Fint *error{lengths}"
    low = f.name.lower()
    return (
        fortran_wrapper(f, "pmpi", "_")
        + f'EXPORT void o{low}_f({all_of_it}) __attribute__((alias("{low}_")));\n'
    )


def of_mpich(f: Function) -> str:
    """For mpi_f08 where no buffer is passed; all others call the C functions."""
    return fortran_wrapper(f, "pmpir", "_f08_")


def passes_buffer(f: Function) -> bool:
    """Whether an argument is memory of any type."""
    return any(p.type.endswith("void") and p.name not in ("attribute_val", "attr_val") for p in f.parameters)


def has_plain_fortran_form(f: Function) -> bool:
    """Whether Fortran's arguments are the C ones, by address: not so with call-backs and lists of texts."""
    return not any(
        p.type.endswith("_function")
        or "*argv" in p.declaration
        or "array_of_argv" in p.declaration
        or "array_of_commands" in p.declaration
        for p in f.parameters
    )


HEADER = """#pragma once

enum {{
{ids}
  FUNCTIONS
}};

static const char* const function_names[] = {{
{names}
}};
"""


HEAD = """#include "functions.h"
#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

"""


def write(folder: Path, functions: list[Function]) -> None:
    """Write all files."""
    ids = "\n".join(f"  id_{f.name}," for f in functions)
    names = "\n".join(f'    "{f.name}",' for f in functions)
    (folder / "functions.h").write_text(NOTICE + HEADER.format(ids=ids, names=names))
    (folder / "wrappers.c").write_text(NOTICE + HEAD + "\n".join(c_wrapper(f) for f in functions))
    plain = [f for f in functions if has_plain_fortran_form(f)]
    languages = {
        "fortran_openmpi.c": [of_open_mpi(f) for f in plain],
        "fortran_mpich.c": [of_mpich(f) for f in plain if not passes_buffer(f)],
    }
    for name, wrappers in languages.items():
        (folder / name).write_text(NOTICE + '#include "fortran.h"\n' + HEAD + "\n".join(wrappers))


if __name__ == "__main__":
    write(Path(sys.argv[1]), read_table(Path(__file__).with_name("mpi-3.1.txt")))
