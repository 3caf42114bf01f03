"""Video and sound are judged by what is in the file, decoded to its end, by the real ffmpeg."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cli_anything.kit.errors import NotFound, VerificationFailed
from cli_anything.kit.processes import command, run
from cli_anything.kit.verify.checks import Verification
from cli_anything.kit.verify.containers import container_of
from cli_anything.kit.verify.media import (
    ExpectedAudio,
    ExpectedMedia,
    ExpectedVideo,
    verify_media,
)
from cli_anything.kit.verify.packets import NotMedia, parse, read_media

RATE = Fraction(25)
FRAMES = 30
PICTURE = ExpectedVideo("h264", 160, 90, RATE, FRAMES)
SOUND = ExpectedAudio("aac", FRAMES / RATE, Fraction(1, 10))
VIDEO = ExpectedMedia("mp4", PICTURE, SOUND)

H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
TEST_PICTURE = "testsrc2=s=160x90:r=25:d=1.2"
TONE = "sine=f=440:r=48000:d=1.2"


@pytest.fixture(scope="session")
def ffmpeg() -> str:
    """The ffmpeg of the imageio-ffmpeg wheel, which is installed wherever these tests run."""
    import imageio_ffmpeg

    return str(imageio_ffmpeg.get_ffmpeg_exe())


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("media")


class Studio:
    """Makes media files out of ffmpeg's own generators."""

    def __init__(self, ffmpeg: str, folder: Path) -> None:
        self._ffmpeg = ffmpeg
        self._folder = folder

    def make(
        self,
        name: str,
        *sources: str,
        options: tuple[str, ...] = H264,
    ) -> Path:
        path = self._folder / name
        if not path.exists():
            inputs = [word for source in sources for word in ("-f", "lavfi", "-i", source)]
            done = run(command(self._ffmpeg, "-v", "error", *inputs, *options, str(path)))
            assert done.ok, done.output
        return path


@pytest.fixture(scope="session")
def studio(ffmpeg: str, folder: Path) -> Studio:
    return Studio(ffmpeg, folder)


@pytest.fixture(scope="session")
def good(studio: Studio) -> Path:
    return studio.make("good.mp4", TEST_PICTURE, TONE)


def failed(verification: Verification) -> list[str]:
    return [check.name for check in verification.failures]


def test_a_file_that_is_what_was_asked_for_passes(good: Path, ffmpeg: str) -> None:
    verify_media(good, VIDEO, ffmpeg).require()


def test_an_error_names_each_thing_that_is_off(good: Path, ffmpeg: str) -> None:
    wanted = replace(VIDEO, video=replace(PICTURE, codec="vp9", width=320, height=180))

    with pytest.raises(VerificationFailed) as caught:
        verify_media(good, wanted, ffmpeg).require(name="film.mp4")

    assert caught.value.message == (
        "film.mp4 is not what was asked for: video codec is h264, wanted vp9; "
        "frame size is 160x90, wanted 320x180"
    )
    rows = {row["check"]: row["ok"] for row in caught.value.details["checks"]}
    assert rows["container"] is True
    assert rows["frame size"] is False


@pytest.mark.parametrize("frames", [FRAMES - 1, FRAMES + 1])
def test_a_duration_that_is_one_frame_off_is_found(good: Path, ffmpeg: str, frames: int) -> None:
    wanted = replace(VIDEO, video=replace(PICTURE, frames=frames))

    assert "frames" in failed(verify_media(good, wanted, ffmpeg))


def test_the_right_number_of_frames_at_the_wrong_rate_is_found(good: Path, ffmpeg: str) -> None:
    wanted = replace(VIDEO, video=replace(PICTURE, rate=Fraction(30)))

    assert failed(verify_media(good, wanted, ffmpeg)) == ["duration", "frame rate"]


@pytest.mark.parametrize("part", [0.95, 0.8, 0.5])
def test_a_truncated_video_is_found_although_its_index_promises_all(
    studio: Studio, ffmpeg: str, folder: Path, part: float
) -> None:
    options = (*H264, "-movflags", "+faststart")
    whole = studio.make("faststart.mp4", TEST_PICTURE, TONE, options=options).read_bytes()
    cut = folder / f"cut-{part}.mp4"
    cut.write_bytes(whole[: int(len(whole) * part)])

    assert not verify_media(cut, VIDEO, ffmpeg).passed


def test_a_truncated_video_without_its_index_is_no_media(
    good: Path, ffmpeg: str, folder: Path
) -> None:
    cut = folder / "no-index.mp4"
    cut.write_bytes(good.read_bytes()[:4000])

    assert failed(verify_media(cut, VIDEO, ffmpeg)) == ["file"]
    with pytest.raises(NotMedia):
        read_media(cut, ffmpeg)


def test_bytes_that_were_changed_inside_are_found(good: Path, ffmpeg: str, folder: Path) -> None:
    damaged = bytearray(good.read_bytes())
    middle = len(damaged) // 2
    damaged[middle - 1500 : middle + 1500] = bytes(3000)
    path = folder / "damaged.mp4"
    path.write_bytes(damaged)

    assert "decoding" in failed(verify_media(path, VIDEO, ffmpeg))


def test_a_black_video_is_found_unless_it_is_meant(studio: Studio, ffmpeg: str) -> None:
    path = studio.make("black.mp4", "color=c=black:s=160x90:r=25:d=1.2")
    wanted = ExpectedMedia("mp4", PICTURE)

    assert failed(verify_media(path, wanted, ffmpeg)) == ["picture"]
    meant = replace(wanted, video=replace(PICTURE, black_allowed=True))
    assert verify_media(path, meant, ffmpeg).passed


def test_a_title_on_black_is_not_a_black_video(studio: Studio, ffmpeg: str) -> None:
    path = studio.make(
        "small-title.mp4",
        "color=c=black:s=160x90:r=25:d=1.2,drawbox=x=70:y=40:w=20:h=6:color=white:t=fill",
    )

    assert verify_media(path, ExpectedMedia("mp4", PICTURE), ffmpeg).passed


def test_one_visible_moment_is_enough(studio: Studio, ffmpeg: str) -> None:
    path = studio.make(
        "flash.mp4",
        "color=c=black:s=160x90:r=25:d=1.2,drawbox=color=white:t=fill:enable='between(n,20,21)'",
    )

    assert verify_media(path, ExpectedMedia("mp4", PICTURE), ffmpeg).passed


def test_silence_is_found_unless_it_is_meant(studio: Studio, ffmpeg: str) -> None:
    path = studio.make("silent.mp4", TEST_PICTURE, "anullsrc=r=48000:d=1.2")

    assert failed(verify_media(path, VIDEO, ffmpeg)) == ["sound"]
    meant = replace(VIDEO, audio=replace(SOUND, silence_allowed=True))
    assert verify_media(path, meant, ffmpeg).passed


def test_missing_sound_is_found(studio: Studio, ffmpeg: str) -> None:
    path = studio.make("mute.mp4", TEST_PICTURE)

    assert failed(verify_media(path, VIDEO, ffmpeg)) == ["audio"]


def test_sound_that_was_not_asked_for_is_found(good: Path, ffmpeg: str) -> None:
    assert failed(verify_media(good, ExpectedMedia("mp4", PICTURE), ffmpeg)) == ["audio streams"]


def test_sound_that_ends_early_is_found(studio: Studio, ffmpeg: str) -> None:
    path = studio.make("short-sound.mp4", TEST_PICTURE, "sine=f=440:r=48000:d=0.8")

    assert failed(verify_media(path, VIDEO, ffmpeg)) == ["audio duration"]


def test_a_file_that_is_not_there_does_not_pass(folder: Path, ffmpeg: str) -> None:
    assert failed(verify_media(folder / "none.mp4", VIDEO, ffmpeg)) == ["file"]
    with pytest.raises(NotFound):
        read_media(folder / "none.mp4", ffmpeg)


def test_a_text_called_mp4_is_no_media(folder: Path, ffmpeg: str) -> None:
    path = folder / "text.mp4"
    path.write_text("#EXTM3U\nhttp://127.0.0.1:9/secret.ts\n")

    with pytest.raises(NotMedia):
        read_media(path, ffmpeg)


@pytest.mark.parametrize(
    "name", ["-y.mp4", "a:b,c;[d]'e'.mp4", "film %03d.mp4", "übung 影片.mp4", "line\nfeed.mp4"]
)
def test_no_file_name_is_taken_for_an_option_or_a_pattern(
    good: Path, ffmpeg: str, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(good.read_bytes())

    verify_media(path, VIDEO, ffmpeg).require()


@pytest.mark.parametrize(
    ("name", "options", "container"),
    [
        ("c.mp4", H264, "mp4"),
        ("c.mov", H264, "mov"),
        ("c.mkv", H264, "matroska"),
        ("c.webm", ("-c:v", "libvpx", "-deadline", "realtime"), "webm"),
        ("c.gif", (), "gif"),
        ("c.avi", ("-c:v", "mpeg4"), "avi"),
        ("c.png", ("-frames:v", "1"), "png"),
        ("c.jpg", ("-frames:v", "1"), "jpeg"),
    ],
)
def test_the_container_is_known_by_its_first_bytes(
    studio: Studio, folder: Path, name: str, options: tuple[str, ...], container: str
) -> None:
    made = studio.make(name, TEST_PICTURE, options=options)
    renamed = folder / f"{name}.bin"
    renamed.write_bytes(made.read_bytes())

    assert container_of(renamed) == container


@pytest.mark.parametrize("name", ["s.wav", "s.mp3", "s.flac", "s.ogg"])
def test_sound_containers_are_known_too(studio: Studio, name: str) -> None:
    assert container_of(studio.make(name, TONE, options=())) == name[2:]


def test_packets_out_of_order_still_give_the_whole_length() -> None:
    lines = [
        "#tb 0: 1/25", "#media_type 0: video", "#codec_id 0: h264", "#dimensions 0: 640x360",
        "0, -2, 0, 1, 900, 0x1", "0, -1, 3, 1, 50, 0x2",
        "0, 0, 1, 1, 20, 0x3", "0, 1, 2, 1, 20, 0x4",
    ]  # fmt: skip

    (stream,) = parse(lines)

    assert (stream.frames, stream.duration, stream.frame_rate) == (4, Fraction(4, 25), 25)
    assert (stream.codec, stream.width, stream.height) == ("h264", 640, 360)
