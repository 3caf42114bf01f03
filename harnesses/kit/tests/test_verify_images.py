"""A picture is judged by its content: what it is named and what wrote it count for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from cli_anything.kit.errors import VerificationFailed
from cli_anything.kit.verify.checks import Verification
from cli_anything.kit.verify.images import ExpectedImage, verify_image


def failed(verification: Verification) -> list[str]:
    return [check.name for check in verification.failures]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "picture.png"
    Image.radial_gradient("L").convert("RGB").resize((120, 80)).save(path)
    return path


def test_a_picture_that_is_what_was_asked_for_passes(picture: Path) -> None:
    verification = verify_image(picture, ExpectedImage("PNG", 120, 80))

    verification.require()
    assert {check.name for check in verification.checks} == {
        "picture", "format", "width", "height", "content"
    }  # fmt: skip


def test_the_format_is_read_from_the_content_and_not_from_the_name(picture: Path) -> None:
    liar = picture.with_name("liar.png")
    Image.open(picture).save(liar, "JPEG")

    assert failed(verify_image(liar, ExpectedImage("PNG"))) == ["format"]


def test_a_wrong_size_names_what_was_wanted_and_what_was_found(picture: Path) -> None:
    with pytest.raises(VerificationFailed, match="width is 120, wanted 121") as caught:
        verify_image(picture, ExpectedImage("PNG", 121, 80)).require()

    assert "picture.png" in caught.value.message
    assert caught.value.details["passed"] is False


@pytest.mark.parametrize("kept", [0, 8, 60, 0.5, 0.9])
def test_a_truncated_picture_does_not_pass(picture: Path, kept: float) -> None:
    whole = picture.read_bytes()
    picture.write_bytes(whole[: kept if isinstance(kept, int) else int(len(whole) * kept)])

    assert failed(verify_image(picture, ExpectedImage("PNG"))) == ["picture"]


def test_a_file_that_is_no_picture_does_not_pass(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    path.write_text("<html>404</html>")

    assert failed(verify_image(path, ExpectedImage())) == ["picture"]


def test_a_file_that_is_not_there_does_not_pass(tmp_path: Path) -> None:
    assert failed(verify_image(tmp_path / "none.png", ExpectedImage())) == ["picture"]


@pytest.mark.parametrize(
    ("mode", "color", "seen_as"),
    [
        ("RGB", (0, 0, 0), "all black"),
        ("L", 5, "all black"),
        ("RGB", (200, 40, 40), "one colour only"),
        ("RGBA", (255, 255, 255, 0), "all transparent"),
    ],
)
def test_a_picture_that_shows_nothing_does_not_pass_unless_it_is_meant(
    tmp_path: Path, mode: str, color: int | tuple[int, ...], seen_as: str
) -> None:
    path = tmp_path / "blank.png"
    Image.new(mode, (32, 32), color).save(path)

    (failure,) = verify_image(path, ExpectedImage()).failures
    assert (failure.name, failure.found) == ("content", seen_as)
    assert verify_image(path, ExpectedImage(blank_allowed=True)).passed


def test_one_bright_pixel_is_content(tmp_path: Path) -> None:
    path = tmp_path / "star.png"
    image = Image.new("RGB", (640, 360))
    image.putpixel((300, 100), (255, 255, 255))
    image.save(path)

    assert verify_image(path, ExpectedImage()).passed
