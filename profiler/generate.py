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
    "MPI_Message": "MPI_Message_f2c",
    "MPI_Group": "MPI_Group_f2c",
    "MPI_File": "MPI_File_f2c",
}
COMPLETIONS = ("Wait", "Test", "Waitall", "Testall", "Waitany", "Testany", "Waitsome", "Testsome")
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
                f"remember_request({self.handle('request')}, {rank}, {self.value(arguments[1])}, "
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
        if kind == "spawn":
            root, new = self.value("root"), self.handle("intercomm")
            return [f"record_spawned(&call, {self.communicator()}, {root}, {new});"]
        if kind in ("read", "write"):
            size = self.bytes(arguments[0])
            if kind == "write":
                return [f"record_file(&call, {self.value('fh')}, kWrites, {size});"]
            if f.has("status"):
                size = f"{'received_in_fortran' if self.fortran else 'received_bytes'}(status, {size})"
            return [f"record_file(&call, {self.value('fh')}, kReads, {size});"]
        if kind == "open":
            return [f"record_file_open(&call, {self.name_of_file()}, {self.handle('fh')});"]
        if kind == "close":
            return ["record_file_call(&call, closed, kCloses, 0);"]
        if kind in ("sync", "other"):
            which = {"sync": "kSyncs", "other": "kOthers"}[kind]
            return [f"record_file_call(&call, file_of_handle({self.value('fh')}), {which}, 0);"]
        if kind in ("free", "complete", "communicator", "window", "synchronize", "cancel", "matched"):
            return []
        raise ValueError(f"{f.name}: unknown action '{kind}'")

    def name_of_file(self) -> str:
        """The call's file name as a text of C."""
        if not self.fortran:
            return "filename"
        return "text_of_fortran(filename, length_filename, (char[4096]){0}, 4096)"

    def each_request(self, arguments: list[str], statement: str) -> list[str]:
        """A statement for one or for all requests."""
        count, requests = arguments
        convert = "MPI_Request_f2c({})" if self.fortran else "{}"
        if count == "1":
            return [statement.format(convert.format(f"*{requests}"))]
        one = statement.format(convert.format(f"{requests}[k]"))
        return [f"for (int k = 0; k < {self.value(count)}; ++k) {one}"]

    def handle(self, name: str) -> str:
        """A handle as a C value; of an argument that points to one, what it points to."""
        of = next(p for p in self.function.parameters if p.name == name)
        return self.value(name) if self.fortran or not of.array else f"*{name}"

    def traces(self) -> list[str]:
        """Statements behind the call where a trace is wanted."""
        return [line for kind, arguments in self.function.actions for line in self.trace(kind, arguments)]

    def trace(self, kind: str, arguments: list[str]) -> list[str]:
        """Statements of one action of the table."""
        if kind in ("send", "isend", "recv", "irecv"):
            return self.trace_message(kind, arguments)
        if kind in ("mrecv", "imrecv"):
            return self.trace_matched(kind, arguments)
        if kind in ("collective", "icollective", "neighbour", "ineighbour"):
            return [self.trace_collective(kind, arguments)]
        if kind in ("put", "get"):
            fetches = self.function.has("result_addr")
            event = "kFetch" if fetches else {"put": "kPut", "get": "kGet"}[kind]
            rank, size = self.value(arguments[0]), self.bytes(arguments[2])
            request = self.request_pointer() if self.function.has("request") else "NULL"
            return [f"trace_one_sided(&call, {event}, {rank}, {self.value('win')}, {size}, {request});"]
        if kind in ("read", "write"):
            return [f"trace_file(&call, {self.bytes(arguments[0])});"]
        if kind == "communicator":
            new = self.handle(arguments[0])
            return [f"if ({new} != MPI_COMM_NULL) number_of({new});"]
        if kind == "window":
            return [f"trace_window({self.handle('win')});"]
        if kind == "synchronize" and self.function.name != "MPI_Win_free":
            done = "if (*flag) " if self.function.has("flag") else ""
            return [done + self.trace_synchronize(arguments)]
        if kind == "matched":
            found = "if (*flag) " if self.function.has("flag") else ""
            keep = f"keep_matched({self.handle('message')}, {self.communicator()}, {self.c_status()});"
            return [found + keep]
        if kind == "complete":
            return self.trace_completion(arguments)
        return []

    def c_status(self) -> str:
        """The call's status as a pointer to one of C."""
        return "status_of_fortran(status, &(MPI_Status){0})" if self.fortran else "status"

    def request_pointer(self) -> str:
        """The call's request as a pointer to a handle of C."""
        return "&(MPI_Request){MPI_Request_f2c(*request)}" if self.fortran else "request"

    def trace_message(self, kind: str, arguments: list[str]) -> list[str]:
        """Statements of a message, sent or received; of a call that does both, one goes on over the other."""
        rank, tag = (self.value(a) for a in arguments[:2])
        size = self.bytes(arguments[3])
        known = f"&call, {rank}, {tag}, {self.communicator()}"
        both = {"send", "recv"} <= {k for k, _ in self.function.actions}
        if kind == "send":
            begins = f"const uint32_t sending = trace_send_begins({known}, {size});"
            return [begins if both else f"trace_send({known}, {size});"]
        if kind == "recv":
            arrived = "received_in_fortran" if self.fortran else "received_bytes"
            line = f"trace_receive({known}, {arrived}(status, {size}), {self.c_status()});"
            return [line, "trace_send_ends(&call, sending);"] if both else [line]
        function = {"isend": "trace_isend", "irecv": "trace_ireceive"}[kind]
        return [f"{function}({known}, {size}, {self.handle('request')});"]

    def trace_matched(self, kind: str, arguments: list[str]) -> list[str]:
        """Statements of the receipt of a message that a probe has found."""
        size = self.bytes(arguments[-1])
        if kind == "imrecv":
            return [f"trace_matched_ireceive(&call, matched, {size}, {self.handle('request')});"]
        arrived = "received_in_fortran" if self.fortran else "received_bytes"
        return [f"trace_matched_receive(&call, matched, {arrived}(status, {size}));"]

    def trace_synchronize(self, arguments: list[str]) -> str:
        """Statement of a call that synchronizes a window."""
        other = arguments[1] if len(arguments) > 1 else ""
        rank = self.value("rank") if other == "rank" else "-1"
        group = self.value("group") if other == "group" else "MPI_GROUP_NULL"
        return f"trace_synchronize(&call, {self.handle('win')}, {rank}, {group});"

    def blocks(self, way: str) -> str:
        """Blocks by rank or neighbour that a collective sends (way is send) or receives (recv)."""
        f = self.function
        counts, each, kinds, kind = f"{way}counts", f"{way}count", f"{way}types", f"{way}type"
        types = ".fortran_types" if self.fortran else ".types"
        if f.has(counts):
            what = f"{types} = {kinds}" if f.has(kinds) else ""
            if not what:
                what = f".type = {self.value(kind if f.has(kind) else 'datatype')}"
            return f"(Blocks){{.given = true, .counts = {counts}, {what}}}"
        if "eighbor" in f.name and f.has(each):
            return f"(Blocks){{.given = true, .same = {self.value(each)}, .type = {self.value(kind)}}}"
        return "(Blocks){0}"

    def trace_collective(self, kind: str, arguments: list[str]) -> str:
        """Statement of a collective."""
        f = self.function
        root = self.value("root") if f.has("root") else "-1"
        sent, received = self.blocks("send"), self.blocks("recv")
        if f.has("sendcounts") and f.has("recvcounts") and "eighbor" not in f.name:
            test = "in_place(sendbuf)" if self.fortran else "sendbuf == MPI_IN_PLACE"
            sent = f"{test} ? {received} : {sent}"
        of = "kOfNeighbours" if "eighbor" in f.name else ("kOfRoot" if f.has("root") else "kOfRanks")
        request = self.request_pointer() if kind in ("icollective", "ineighbour") else "NULL"
        return (
            f"trace_collective(&call, {self.communicator()}, {root}, {self.bytes(arguments[1])}, {request}, "
            f"{of}, {sent}, {received});"
        )

    def trace_completion(self, arguments: list[str]) -> list[str]:
        """Statements behind a call that completes requests."""
        which = self.function.name.removeprefix("MPI_")
        if which not in COMPLETIONS:
            return []
        language = "true" if self.fortran else "false"
        statuses = self.statuses()
        less = " - 1" if self.fortran else ""
        if which in ("Wait", "Waitall"):
            return [f"complete_all(&call, &held, {statuses}, {language});"]
        if which in ("Test", "Testall"):
            done = f"complete_all(&call, &held, {statuses}, {language});"
            return [f"if (*flag) {done}", "else trace_polled();"]
        if which in ("Waitany", "Testany"):
            one = f"complete_one(&call, &held, *index{less}, {statuses}, {language});"
            if which == "Waitany":
                return [f"if (*index != MPI_UNDEFINED) {one}"]
            return [f"if (*flag && *index != MPI_UNDEFINED) {one}", "if (!*flag) trace_polled();"]
        status = f"(const char*){statuses} + (size_t)k * sizeof(MPI_Status)"
        lines = [
            "for (int k = 0; *outcount != MPI_UNDEFINED && k < *outcount; ++k) "
            f"complete_one(&call, &held, array_of_indices[k]{less}, {status}, {language});"
        ]
        return lines + (["if (*outcount == 0) trace_polled();"] if which == "Testsome" else [])

    def statuses(self) -> str:
        """Name of the argument for statuses."""
        return "array_of_statuses" if self.function.has("array_of_statuses") else "status"

    def hold(self, arguments: list[str]) -> list[str]:
        """Statements before a call that completes requests."""
        if self.function.name.removeprefix("MPI_") not in COMPLETIONS:
            return []
        count, requests = arguments
        count = "1" if count == "1" else self.value(count)
        statuses = self.statuses()
        if self.fortran:
            test = "ignored_all" if statuses == "array_of_statuses" else "ignored"
            ignored = f"{test}({statuses})"
        else:
            kind = "STATUSES" if statuses == "array_of_statuses" else "STATUS"
            ignored = f"{statuses} == MPI_{kind}_IGNORE"
        return [
            "Pending held;",
            f"{'hold_fortran_requests' if self.fortran else 'hold_requests'}(&held, {count}, {requests});",
            f"{statuses} = statuses_for(&held, {statuses}, {ignored});",
        ]

    def before(self) -> list[str]:
        """Statements before the call."""
        kinds = {kind for kind, _ in self.function.actions}
        lines = []
        for kind, arguments in self.function.actions:
            if kind == "complete":
                lines += self.hold(arguments)
            elif kind == "cancel":
                lines.append(f"if (trace_wanted) cancel_request({self.handle('request')});")
            elif kind == "synchronize" and self.function.name == "MPI_Win_free":
                lines.append(f"if (trace_on && call.recorded) {self.trace_synchronize(arguments)}")
        if kinds & {"mrecv", "imrecv"}:
            lines.append(f"const Matched matched = take_matched({self.handle('message')});")
        if "close" in kinds:
            lines.append(f"const int closed = take_file({self.handle('fh')});")
        if kinds & {"recv", "mrecv", "matched", "read"} and self.function.has("status"):
            if self.fortran:
                lines += ["MPI_Fint own[FORTRAN_STATUS];", "if (ignored(status)) status = own;"]
            else:
                lines += ["MPI_Status own;", "if (status == MPI_STATUS_IGNORE) status = &own;"]
        if "free" in kinds:
            request = self.handle("request")
            lines += [f"forget_request({request});", f"if (trace_wanted) free_request(&call, {request});"]
        if self.function.name == "MPI_Barrier":
            lines.append("call.waited = kAllOfIt;")
        elif "collective" in kinds:
            lines.append(f"arrive(&call, {self.communicator()});")
        return lines

    def after(self, succeeded: str) -> str:
        """C text behind the call: what is recorded, then what is traced."""
        records = "".join(f"    {line}\n" for line in self.records())
        traces = "".join(f"    {line}\n" for line in self.traces())
        text = f"  if ({succeeded}call.recorded) {{\n{records}  }}\n" if records else ""
        if traces:
            text += f"  if (trace_wanted && {succeeded}call.recorded) {{\n{traces}  }}\n"
        if self.completes():
            text += "  let_go(&held);\n"
        return text + "  if (trace_on && call.recorded) trace_leave();\n"

    def completes(self) -> bool:
        """Whether requests are kept over the call."""
        return any(k == "complete" for k, _ in self.function.actions) and (
            self.function.name.removeprefix("MPI_") in COMPLETIONS
        )


def c_wrapper(f: Function) -> str:
    """The wrapper of a function for C callers."""
    writer = Writer(f, fortran=False)
    arguments = ", ".join(p.name for p in f.parameters)
    before = "".join(f"  {line}\n" for line in writer.before())
    return (
        f"EXPORT int {f.name}({f.declaration}) {{\n  NEXT({f.name});\n  Call call;\n"
        f"  enter(&call, id_{f.name});\n{before}"
        f"  const int error = next({arguments});\n  leave(&call);\n"
        f"{writer.after('error == MPI_SUCCESS && ')}  return error;\n}}\n"
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
    return (
        f"extern void {real}{low[3:]}{ending}({declared}) __attribute__((weak));\n"
        f"EXPORT void {low}{ending}({declared}) {{\n  Call call;\n  enter(&call, id_{f.name});\n{before}"
        f"  {real}{low[3:]}{ending}({passed});\n  leave(&call);\n{writer.after('')}}}\n"
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
    """Whether Fortran's arguments are the C ones by address, lengths of texts last: not of call-backs."""
    return not any(p.type.endswith("_function") for p in f.parameters)


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
#include "next.h"
#include "trace.h"

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
        "fortran_mpich.c": [of_mpich(f) for f in plain if not passes_buffer(f) and "spawn" not in f.name],
    }
    for name, wrappers in languages.items():
        (folder / name).write_text(NOTICE + '#include "fortran.h"\n' + HEAD + "\n".join(wrappers))


if __name__ == "__main__":
    write(Path(sys.argv[1]), read_table(Path(__file__).with_name("mpi-3.1.txt")))
