"""What people show of themselves: a text and a picture that the site makes; whatever else is uploaded is refused."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.accounts.services import create_guest
from portal.live.mux import BODY_LIMIT, PICTURE_LIMIT, PICTURE_PATH
from portal.people import services
from portal.people.models import Profile
from portal.people.pictures import MAX_BYTES, MAX_UPLOAD_BYTES, SIDE_PX

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def file(kind: str = "JPEG", size: tuple[int, int] = (640, 480), *, noise: bool = False, **options: object) -> bytes:
    image = Image.effect_noise(size, 90).convert("RGB") if noise else Image.new("RGB", size, "teal")
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def send(client: Client, data: bytes, name: str = "me.jpg"):
    return client.post(reverse("edit-profile"), {"do": "picture", "picture": SimpleUploadedFile(name, data, "image/jpeg")})


def picture(person: str) -> str:
    page = Client().get(reverse("profile", args=[person])).content.decode()
    return page.partition('<img class="portrait" src="')[2].partition('"')[0]


def claims(width: int, height: int) -> bytes:
    """A small PNG whose header claims to be huge."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(b"\0" * 1000)) + part(b"IEND", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("size", [(640, 480), (30, 400), (1, 1)])
def test_a_picture_becomes_a_small_square(alice, kind, size):
    assert send(signed_in(alice), file(kind, size, noise=True)).status_code == 302
    answer = Client().get(picture("alice"))
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    assert len(answer.content) <= MAX_BYTES
    made = Image.open(io.BytesIO(answer.content))
    assert (made.format, made.size) == ("WEBP", (SIDE_PX, SIDE_PX))


def test_nothing_of_the_file_is_kept(alice):
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "taken at home", 6
    send(signed_in(alice), file(exif=exif.tobytes(), comment=b"secret place") + b"<script>trailing</script>")
    made = Client().get(picture("alice")).content
    for part in (b"taken at home", b"secret place", b"trailing", b"EXIF", b"Exif"):
        assert part not in made


def test_a_picture_stands_upright(alice):
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    image = Image.new("RGB", (100, 100), "white")
    image.paste("black", (0, 0, 100, 50))
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif.tobytes())
    send(signed_in(alice), out.getvalue())
    made = Image.open(io.BytesIO(Client().get(picture("alice")).content)).convert("L")
    assert made.getpixel((128, 20)) > 200 > 50 > made.getpixel((128, 236))


MOVING = io.BytesIO()
Image.new("RGB", (20, 20), "red").save(MOVING, "WEBP", save_all=True, append_images=[Image.new("RGB", (20, 20), "blue")])
HOSTILE = {
    "empty": (b"", "Choose a picture first"),
    "text": (b"hello", "can&#x27;t be read"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "can&#x27;t be read"),
    "gif": (file("GIF"), "can&#x27;t be read"),
    "tiff": (file("TIFF"), "can&#x27;t be read"),
    "cut off": (file(noise=True)[:9000], "can&#x27;t be read"),
    "cut off png": (file("PNG", noise=True)[:9000], "can&#x27;t be read"),
    "lies": (claims(300, 300), "can&#x27;t be read"),
    "huge": (claims(60_000, 60_000), "24 million pixels"),
    "large": (claims(8_000, 4_000), "24 million pixels"),
    "nothing high": (claims(0, 10), "can&#x27;t be read"),
    "moving": (MOVING.getvalue(), "Animated pictures"),
    "heavy": (file() + b"0" * (MAX_UPLOAD_BYTES + 1), "larger than 5 MB"),
    "riff": (b"RIFF\xff\xff\xff\xffWEBPVP8 " + b"\xff" * 200, "can&#x27;t be read"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_and_changes_nothing(alice, name):
    client = signed_in(alice)
    send(client, file())
    before = Profile.objects.values_list("digest", "picture").get()
    data, says = HOSTILE[name]
    answer = send(client, data)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert Profile.objects.values_list("digest", "picture").get() == before


def test_pictures_can_be_changed_some_times_an_hour(alice, monkeypatch):
    monkeypatch.setattr(services, "PICTURES_PER_HOUR", 2)
    client = signed_in(alice)
    assert [send(client, data).status_code for data in (b"x", file(), file())] == [422, 302, 429]


def test_a_removed_picture_is_gone(alice):
    client = signed_in(alice)
    send(client, file())
    address = picture("alice")
    client.post(reverse("edit-profile"), {"do": "remove"})
    assert picture("alice") == ""
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize(
    ("text", "kept"), [("I like Ra.\n\nAnd Babel.", "I like Ra.\n\nAnd Babel."), ("a\u202eb\u200fc\x07", "abc"), ("", "")]
)
def test_a_text_is_tidied_and_shown(alice, text, kept):
    client = signed_in(alice)
    assert client.post(reverse("edit-profile"), {"do": "about", "about": text}).status_code == 302
    assert Profile.objects.get().about == kept


def test_a_text_is_shown_as_text(alice):
    client = signed_in(alice)
    client.post(reverse("edit-profile"), {"do": "about", "about": "<b>bold</b>"})
    assert "&lt;b&gt;bold&lt;/b&gt;" in Client().get(reverse("profile", args=["alice"])).content.decode()
    answer = client.post(reverse("edit-profile"), {"do": "about", "about": "x" * 301})
    assert answer.status_code == 422
    assert "at most 300" in answer.content.decode()
    assert Profile.objects.get().about == "<b>bold</b>"


def test_only_people_with_an_account_have_a_profile_and_only_their_own(alice, bob):
    guest = create_guest(address="192.0.2.1")
    assert signed_in(guest).post(reverse("edit-profile"), {"do": "about", "about": "x"})["Location"] == reverse("account_signup")
    assert Client().post(reverse("edit-profile"), {"do": "about", "about": "x"})["Location"].startswith(reverse("account_login"))
    signed_in(bob).post(reverse("edit-profile"), {"do": "about", "about": "mine", "user": alice.pk})
    assert list(Profile.objects.values_list("user", flat=True)) == [bob.pk]


def test_moderators_remove_and_others_do_not(alice, bob):
    send(signed_in(alice), file())
    order = {"action": "remove_pictures", "_selected_action": [alice.pk]}
    address = reverse("admin:people_profile_changelist")
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    assert signed_in(User.objects.get(pk=bob.pk)).post(address, order).status_code == 403
    assert Profile.objects.get().digest
    User.objects.filter(pk=bob.pk).update(is_superuser=True)
    moderator = signed_in(User.objects.get(pk=bob.pk))
    assert moderator.get(address).status_code == 200
    assert moderator.post(address, order).status_code == 302
    assert not Profile.objects.get().digest


def test_it_is_exported_and_deleted_with_the_account(alice):
    client = signed_in(alice)
    send(client, file())
    client.post(reverse("edit-profile"), {"do": "about", "about": "I like Ra."})
    address = picture("alice")
    archive = zipfile.ZipFile(io.BytesIO(client.post(reverse("export")).content))
    assert json.loads(archive.read("profile.json"))["about"] == "I like Ra."
    assert archive.read("picture.webp") == Client().get(address).content
    delete_person(user=alice)
    assert not Profile.objects.exists()
    assert Client().get(address).status_code == 404


def test_the_front_lets_a_picture_through_at_this_address_alone():
    assert reverse("edit-profile") == PICTURE_PATH
    assert PICTURE_LIMIT == MAX_UPLOAD_BYTES + BODY_LIMIT


def test_pages_cost_one_statement_more(alice, bob, django_assert_num_queries):
    send(signed_in(alice), file())
    reader = signed_in(bob)
    reader.get(reverse("settings"))
    with django_assert_num_queries(8):  # six of the profile, whether the reader blocks the person, and whether they are friends
        reader.get(reverse("profile", args=["alice"]))
    address = picture("alice")
    with django_assert_num_queries(1):
        Client().get(address)
