"""Sealed chance: a stream of draws that is fixed before the first action and that anyone can check afterwards.

The server draws a 256-bit secret and publishes its SHA-256 before the game; each player may add a word. Every draw
follows from the secret and the words alone. Byte layout and test vectors: docs/sealed_chance.md.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import MutableMapping, Sequence
from typing import Any, Final

SCHEME: Final = "ziggurat/1"
SECRET_BYTES: Final = 32
_WORD: Final = 1 << 64


def new_secret() -> bytes:
    """Return 32 fresh bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of the secret as 64 lower-case hex digits, published when a table opens."""
    return hashlib.sha256(secret).hexdigest()


def stream_key(secret: bytes, words: Sequence[str]) -> bytes:
    """Return the key of the stream: HMAC-SHA256 of the scheme and the words in seat order, each prefixed by its length.

    A seat without a word has the empty word, so the number of seats is part of the key.
    """
    parts = [SCHEME.encode()]
    for word in words:
        data = word.encode()
        parts.append(len(data).to_bytes(4, "big"))
        parts.append(data)
    return hmac.new(secret, b"".join(parts), hashlib.sha256).digest()


class SealedRng:
    """The stream of one table as an `Rng`. `counters` (label -> draws taken) is changed in place and stored with the table."""

    def __init__(self, secret: bytes, words: Sequence[str], counters: MutableMapping[str, int] | None = None) -> None:
        self._key = stream_key(secret, words)
        self.counters: MutableMapping[str, int] = {} if counters is None else counters

    def below(self, n: int, label: str) -> int:
        """Return an unbiased integer in 0..n-1: the next draw of `label`. Raises ValueError unless 1 <= n <= 2**63."""
        if not 1 <= n <= _WORD >> 1:
            raise ValueError(f"cannot draw below {n}")
        index = self.counters.get(label, 0)
        self.counters[label] = index + 1
        return draw(self._key, label, index, n)


def draw(key: bytes, label: str, index: int, n: int) -> int:
    """Return draw number `index` (from 0) of `label` below `n`.

    Each block of HMAC-SHA256(key, length and bytes of the label, index, block) gives four 64-bit numbers; the first one
    below the largest multiple of n is taken modulo n (rejection sampling, so every value is equally likely).
    """
    name = label.encode()
    head = len(name).to_bytes(2, "big") + name + index.to_bytes(8, "big")
    limit = _WORD - _WORD % n
    block = 0
    while True:
        digest = hmac.new(key, head + block.to_bytes(4, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 8):
            value = int.from_bytes(digest[at : at + 8], "big")
            if value < limit:
                return value % n
        block += 1


def bot_seed(secret: bytes, version: int, seat: int) -> int:
    """Return the seed of a bot's own generator, so that a repeated task plays the same move."""
    message = b"bot" + version.to_bytes(8, "big") + seat.to_bytes(2, "big")
    return int.from_bytes(hmac.new(secret, message, hashlib.sha256).digest()[:8], "big")


def position_number(state: Any) -> int:
    """Return a number in 0..2**64-1 for a JSON position; equal positions have the same number."""
    text = json.dumps(state, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
