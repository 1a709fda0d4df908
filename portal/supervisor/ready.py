"""Says to systemd that the portal is ready (`Type=notify`), so that what comes after it starts when pages are served."""

from __future__ import annotations

import os
import socket


def tell_service_manager() -> None:
    """Send READY=1 to the socket in NOTIFY_SOCKET, if there is one and somebody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        try:
            line.sendto(b"READY=1", "\0" + address[1:] if address.startswith("@") else address)
        except OSError:
            pass
