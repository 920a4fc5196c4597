"""Files are read within a limit, and folders provide only their regular files."""

import errno
import os
from io import BytesIO

import pytest

from groundwire.files import LIMIT_VARIABLE, file_limit, list_folder, open_regular, read_file, read_limited


def test_a_file_at_the_limit_is_read_and_one_beyond_it_is_not(tmp_path):
    """The limit counts bytes, and the message has it."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"abcd")
    assert read_file(path, 4) == b"abcd"
    with pytest.raises(OSError, match=r"more than 3 bytes") as caught:
        read_file(path, 3)
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))


@pytest.mark.parametrize("size", [0, 1, 5, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_pipe_is_counted_while_it_is_read(size):
    """Pipes and devices have no size."""
    content = b"x" * size
    assert read_limited(BytesIO(content), "a", size) == content
    if size:
        with pytest.raises(OSError, match="more than"):
            read_limited(BytesIO(content), "a", size - 1)


def test_the_environment_sets_the_limit(monkeypatch):
    """All readers use the same variable; an invalid number is an error."""
    assert file_limit(7) == 7
    monkeypatch.setenv(LIMIT_VARIABLE, "12")
    assert file_limit(7) == 12
    for value in ("0", "-1", "1e9", "٣", "9" * 30):
        monkeypatch.setenv(LIMIT_VARIABLE, value)
        with pytest.raises(OSError, match="whole number"):
            file_limit(7)


def test_a_folder_has_its_regular_files_in_order_and_says_what_it_skips(tmp_path):
    """A link is read if it leads to a file in the folder."""
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    for name in ("b.txt", "a.txt", ".hidden", "below/c.txt"):
        (folder / name).write_text(name, encoding="utf-8")
    (tmp_path / "out.txt").write_text("secret", encoding="utf-8")
    (folder / "in.txt").symlink_to("below/c.txt")
    (folder / "out.txt").symlink_to("../out.txt")
    (folder / "nothing.txt").symlink_to("missing")
    (folder / "up").symlink_to(".")
    os.mkfifo(folder / "pipe")
    files, skipped = list_folder(folder)
    assert [file.name for file in files] == ["a.txt", "b.txt", "in.txt", "below/c.txt"]
    contents = []
    for file in files:
        with file.open() as opened:
            contents.append(opened.read())
    assert contents == [b"a.txt", b"b.txt", b"below/c.txt", b"below/c.txt"]
    assert dict(skipped) == {
        "nothing.txt": "a link to nothing, or in a loop",
        "out.txt": "a link out of the folder",
        "pipe": "a named pipe",
        "up": "a link to a folder",
    }


def test_the_number_of_entries_is_limited(tmp_path):
    """The rest is skipped as a whole, and reported."""
    for place in range(5):
        (tmp_path / f"{place}.txt").touch()
    files, skipped = list_folder(tmp_path, most=3)
    assert (len(files), skipped) == (3, [(".", "more than 3 entries")])


def test_a_file_that_became_a_link_is_not_opened(tmp_path):
    """This includes a file below a folder that became a link."""
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for each in (folder / "below", outside):
        each.mkdir(parents=True)
        (each / "a.txt").write_text("x", encoding="utf-8")
    (file,) = list_folder(folder).files
    (folder / "below" / "a.txt").unlink()
    (folder / "below" / "a.txt").symlink_to(outside / "a.txt")
    with pytest.raises(OSError, match="not a regular file but a link"):
        file.open()
    (folder / "below").rename(tmp_path / "moved")
    (folder / "below").symlink_to(outside)
    with pytest.raises(OSError, match=r"below/a\.txt"):
        file.open()


def test_a_pipe_is_no_regular_file(tmp_path):
    """Opening it does not wait for a writer."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a named pipe"):
        open_regular(tmp_path / "pipe")
