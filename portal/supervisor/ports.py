"""Is the port of the site free?"""

from __future__ import annotations

import errno
import socket

from portal.supervisor.state import Problem


def check_free(host: str, port: int) -> None:
    """Raise Problem unless it is possible to listen on `host`:`port` now."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except socket.gaierror:
        raise Problem(f"HOST={host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.") from None
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise Problem(f"Port {port} on {host} is taken. Choose another one: PORT={free_port(host)} make run") from None
            if error.errno == errno.EACCES:
                raise Problem(f"Port {port} needs more rights than you have. Choose one above 1023: PORT=8000 make run") from None
            raise Problem(f"Cannot listen on {host}:{port}: {error.strerror}. Set HOST and PORT to an address of this machine.") from None


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port that is currently free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def local_name(host: str) -> str:
    """Return the host for URLs by which this machine reaches a server that listens on `host`."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
