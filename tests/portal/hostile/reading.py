"""The links and forms of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

LINKS = {
    "a": ("href", "hx-get"),
    "link": ("href",),
    "form": ("hx-get",),
    "section": ("hx-get",),
    "div": ("hx-get",),
    "script": ("src",),
    "img": ("src",),
}
MARKS = ("checkbox", "radio")
NOT_OURS = ("/static/", "/events/")  # the front of the server answers these


@dataclass
class Form:
    """What a form sends if nobody changes anything."""

    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name, _ in self.fields if name != "csrfmiddlewaretoken"))


class Page(HTMLParser):
    """`Page(address, html).links` and `.forms`; addresses of this site only, without what follows a #."""

    def __init__(self, address: str, html: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select: tuple[str, str | None] | None = None
        self._named: dict[str, Form] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        for name in LINKS.get(tag, ()):
            if name in values:
                self._note(values[name])
        if tag == "form":
            self._open = Form(values.get("method", "get").lower(), self._here(values.get("action", "")))
            self._named[values.get("id", "")] = self._open
            self.forms.append(self._open)
        form = self._named.get(values["form"]) if values.get("form") else self._open
        if form is None:
            return
        if tag == "select":
            self._select = values.get("name", ""), None
        elif tag == "option" and self._select is not None and ("selected" in values or self._select[1] is None):
            self._select = self._select[0], values.get("value", "")
        elif tag in ("input", "button", "textarea") and values.get("name") and (values.get("type") not in MARKS or "checked" in values):
            form.fields.append((values["name"], values.get("value", "on" if values.get("type") in MARKS else "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select is not None and self._open is not None:
            self._open.fields.append((self._select[0], self._select[1] or ""))
            self._select = None
        elif tag == "form":
            self._open = None

    def _here(self, target: str) -> str:
        return urldefrag(urljoin(self.address, target))[0]

    def _note(self, target: str) -> None:
        found = self._here(target)
        parts = urlsplit(found)
        if not parts.netloc and not parts.scheme and found.startswith("/") and not found.startswith(NOT_OURS):
            self.links.append(found)
