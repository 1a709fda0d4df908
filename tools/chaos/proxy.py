"""A wire that can be cut: listens on ports of this machine and passes everything on to sockets. Freeze the process, and the network is gone.

Run as `python -m tools.chaos.proxy SOCKET...`; prints the port of each.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def serve(sockets: Sequence[str]) -> None:
    """Pass connections on until the process ends."""
    servers = []
    for path in sockets:

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str = path) -> None:
            try:
                far_reader, far_writer = await asyncio.open_unix_connection(path)
            except OSError:
                writer.close()
                return
            await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))

        servers.append(await asyncio.start_server(connected, "127.0.0.1", 0))
    print(*(server.sockets[0].getsockname()[1] for server in servers), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1:]))
