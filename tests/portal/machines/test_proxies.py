"""The proxies of deploy/ in front of two machines: what they must do, tried with Debian's nginx and Caddy."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest

from portal.supervisor.guard import dies_with_parent
from portal.supervisor.ports import free_port
from tests.portal.machines import debian
from tests.portal.machines.network import NAME, Network
from tests.portal.machines.play import Play
from tests.running import wait_until


def nginx(folder: Path, net: Network, port: int, plain: int) -> list[str]:
    first, second = (f"{machine.address}:{machine.portal.port}" for machine in net.machines)
    site = debian.example(
        "nginx.conf",
        {
            "    listen [::]:80;\n": "",
            "    listen [::]:443 ssl http2;\n": "",
            "listen 80;": f"listen 127.0.0.1:{plain};",
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "server 127.0.0.1:8000": f"server {first}",
            "# server 10.0.0.3:8000": f"server {second}",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(folder / "cert.pem"),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(folder / "key.pem"),
        },
    )
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    around = f"daemon off;\npid {folder}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{places}{site}\n}}\n"
    (folder / "nginx.conf").write_text(around)
    return [debian.program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def caddy(folder: Path, net: Network, port: int, plain: int) -> list[str]:
    first, second = (f"{machine.address}:{machine.portal.port}" for machine in net.machines)
    text = debian.example(
        "Caddyfile",
        {
            "\tgrace_period 5s\n": f"\tgrace_period 1s\n\tadmin off\n\thttp_port {plain}\n\thttps_port {port}\n",
            f"\n{NAME} {{": f"\n{NAME} {{\n\tbind 127.0.0.1\n\ttls {folder}/cert.pem {folder}/key.pem",
            "127.0.0.1:8000": f"{first} {second}",
        },
    )
    (folder / "Caddyfile").write_text(text)
    return [debian.program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


class Proxy:
    """A proxy that runs, and a browser's way to it: by TLS, to the name of the site."""

    def __init__(self, folder: Path, port: int, plain: int) -> None:
        self.port, self.plain = port, plain
        self.trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))

    def connection(self, address: str = "127.0.0.1") -> http.client.HTTPSConnection:
        """Return a connection of a client with this address."""
        line = http.client.HTTPSConnection(NAME, timeout=20, context=self.trust)
        raw = socket.create_connection(("127.0.0.1", self.port), 20, source_address=(address, 0))
        line.sock = self.trust.wrap_socket(raw, server_hostname=NAME)
        return line

    def ask(
        self, method: str, path: str, body: bytes | None = None, *, address: str = "127.0.0.1", **headers: str
    ) -> http.client.HTTPResponse:
        line = self.connection(address)
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        answer.text = answer.read().decode(errors="replace")  # type: ignore[attr-defined]
        return answer

    def is_up(self) -> bool:
        with suppress(OSError):
            return self.ask("GET", "/healthz").status == 200
        return False


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, net: Network, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    if not shutil.which("openssl"):
        pytest.skip("openssl is missing: no certificate can be made")
    command: Callable[[Path, Network, int, int], list[str]] = request.param
    folder = tmp_path_factory.mktemp(command.__name__)
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    make += ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(make, cwd=folder, check=True, capture_output=True)
    port, plain = free_port(), free_port()
    argv = command(folder, net, port, plain)
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            argv, env=debian.environment(folder), stdout=log, stderr=log, preexec_fn=dies_with_parent(signal.SIGTERM)
        )
    found = Proxy(folder, port, plain)
    try:
        wait_until(lambda: running.poll() is not None or found.is_up(), 20)
        assert running.poll() is None, (folder / "log").read_text()
        yield found
    finally:
        running.terminate()
        running.wait(10)


def test_pages_come_by_http_2_and_plain_requests_are_sent_there(proxy: Proxy) -> None:
    asks = ssl.create_default_context(cadata=None)
    asks.check_hostname, asks.verify_mode = False, ssl.CERT_NONE
    asks.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as raw, asks.wrap_socket(raw, server_hostname=NAME) as line:
        assert line.selected_alpn_protocol() == "h2"
    assert "<title>" in proxy.ask("GET", "/").text  # type: ignore[attr-defined]
    line = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=10)
    line.request("GET", "/lobby/", headers={"Host": NAME})
    answer = line.getresponse()
    assert answer.status in (301, 308)
    assert answer.headers["Location"].startswith(f"https://{NAME}")
    assert answer.headers["Location"].endswith("/lobby/")


def test_static_files_are_compressed_and_kept(proxy: Proxy) -> None:
    page = proxy.ask("GET", "/").text  # type: ignore[attr-defined]
    found = re.search(r'href="(/static/[^"]+\.css)"', page)
    assert found
    answer = proxy.ask("GET", found[1], Accept_Encoding="gzip")
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    assert "immutable" in answer.headers["Cache-Control"]


def test_somebody_signs_in_and_the_cookie_stays_on_tls(proxy: Proxy, play: Play) -> None:
    page = proxy.ask("GET", "/accounts/login/")
    (form,) = (value for value in page.headers.get_all("Set-Cookie", []) if value.startswith("csrftoken="))
    assert "Secure" in form
    token = form.partition("=")[2].partition(";")[0]
    answer = proxy.ask(
        "POST",
        "/accounts/login/",
        urlencode({"login": "alice", "password": "lapis lazuli 9", "csrfmiddlewaretoken": token}).encode(),
        Cookie=f"csrftoken={token}",
        Origin=f"https://{NAME}",
        Content_Type="application/x-www-form-urlencoded",
    )
    assert answer.status == 302
    (session,) = (value for value in answer.headers.get_all("Set-Cookie", []) if value.startswith("sessionid="))
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(session.split("; "))


def test_an_event_passes_at_once(proxy: Proxy, net: Network, play: Play) -> None:
    table = play.open_table(net.machines[0], play.alice, seats=2, bots=["apprentice"])
    status, found = play.ask(net.machines[1], "GET", f"tables/{table}/stream/", play.alice)
    assert status == 200
    line = proxy.connection()
    line.request("GET", "/" + found["url"].removeprefix("/").partition(f"{NAME}/")[2] if "://" in found["url"] else found["url"])
    stream = line.getresponse()
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    versions = (int(text[6:]) for text in iter(stream.readline, b"") if text.startswith(b"data: "))
    first = next(versions)
    play.goes_on(net.machines[0], {table: play.alice}, 20)
    stream.fp.raw._sock.settimeout(5)  # type: ignore[union-attr] # a proxy that buffers would send at the comment after 15 s
    assert any(version > first for version in versions)
    line.close()


def test_limits_count_for_the_address_of_the_client_whatever_it_claims(proxy: Proxy) -> None:
    def guess(address: str, claimed: str) -> int:
        body = json.dumps({"username": "nobody", "password": "guess"}).encode()
        names = {"X_Forwarded_For": claimed, "X_Real_IP": claimed, "Forwarded": f"for={claimed}"}
        return proxy.ask("POST", "/api/v1/token/", body, address=address, Content_Type="application/json", **names).status

    claims = range(25)  # ten a minute; the minute may end meanwhile
    assert any(guess("127.0.0.7", f"203.0.113.{number}") == 429 for number in claims)
    assert guess("127.0.0.8", "127.0.0.7") != 429


@pytest.mark.parametrize(("size", "is_refused"), [(65_000, False), (66_000, True)])
def test_bodies_over_64_kb_are_refused(proxy: Proxy, size: int, is_refused: bool) -> None:
    answer = proxy.ask("POST", "/api/v1/tables/", b"x" * size, Content_Type="application/json")
    assert (answer.status == 413) is is_refused


def test_measurements_are_not_for_everybody(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/metrics").status == 404
