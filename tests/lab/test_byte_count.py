"""Numbers of bytes on the command line: one reading for all commands."""

import pytest
from command_line import crumple

from crumple.lab.byte_count import ByteCountError, bytes_of


def test_numbers_with_and_without_units():
    texts = ("0", "300M", "2G", "4e7", "1e+9", "1.5 TB", "2gb", "12k")
    assert [bytes_of("--x", t) for t in texts] == [0, 3e8, 2e9, 4e7, 1e9, 1.5e12, 2e9, 12e3]


@pytest.mark.parametrize("text", ["", "much", "-1", "2 G B", "1e999", "nan", "\u0663M"])
def test_what_is_no_number_of_bytes(text):
    with pytest.raises(ByteCountError, match="--written .*give bytes, such as 300M"):
        bytes_of("--written", text)


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("trace", "x.k", "-n", "2"), "--limit"),
        (("profile", "run", "--trace"), "--trace-limit"),
        (("advise", "x.k", "--cluster", "c.toml"), "--written"),
    ],
    ids=lambda v: v[0] if isinstance(v, tuple) else v,
)
def test_commands_refuse_what_is_none(tmp_path, command, option):
    (tmp_path / "x.k").write_text("*KEYWORD\n")
    program = ("--", "true") if command[0] == "profile" else ()
    done = crumple(*command, option, "much", *program, directory=tmp_path)
    assert done.returncode == 2
    assert f"{option} much: give bytes, such as 300M or 2G" in done.stdout + done.stderr
