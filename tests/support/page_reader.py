"""A real browser that opens our pages and tells what it saw: console, requests, scripts, pictures.

Pages are read from ``file://`` or loopback only. Everything the page asks for is recorded, so a
test can say that nothing else was requested.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.requirements import require_program

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--enable-unsafe-swiftshader",
)


class PageReader:
    """One tab. :meth:`open` first, then ask."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self._log: list[dict[str, Any]] = []
        self._said: list[str] = []

    def open(self, page: Path | str, *, ready: str = "return document.readyState") -> PageReader:
        """Load a file or a URL in a fresh document and forget what was recorded before."""
        self.driver.get("about:blank")
        self._drain()
        self._log.clear()
        self._said.clear()
        self.driver.get(page if isinstance(page, str) else page.resolve().as_uri())
        self.until(f"{ready.removeprefix('return ')} && document.readyState === 'complete'")
        return self

    def js(self, script: str, *arguments: Any) -> Any:
        """Run *script* (a function body) in the page and give back what it returns."""
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str = "body") -> str:
        """The visible text of the first element that matches."""
        found = self.js("return document.querySelector(arguments[0])?.innerText", selector)
        return str(found) if found is not None else ""

    def count(self, selector: str) -> int:
        return int(self.js("return document.querySelectorAll(arguments[0]).length", selector))

    def click(self, selector: str) -> None:
        self.driver.find_element("css selector", selector).click()

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def until(self, condition: str, *, seconds: float = 20) -> Any:
        """Wait until the JavaScript expression *condition* is true; its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.js(f"return {condition}")
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"never became true in {seconds} s: {condition}")
            time.sleep(0.02)

    def emulate(
        self,
        *,
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
        reduced_motion: bool = False,
    ) -> PageReader:
        """Give the page a viewport, a colour scheme and a wish for less motion."""
        self._cdp(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self._cdp(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {
                    "name": "prefers-reduced-motion",
                    "value": "reduce" if reduced_motion else "no-preference",
                },
            ],
        )
        return self

    def screenshot(self, path: Path, *, whole: bool = False) -> Path:
        """Save a PNG of the viewport, or of the *whole* page."""
        shot = self._cdp("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    def console(self) -> list[str]:
        """Warnings and errors of the console since :meth:`open`, scripts' exceptions included."""
        self._drain()
        return list(self._said)

    def requests(self) -> list[str]:
        """URLs the page asked for since :meth:`open`, embedded ``data:`` ones left out."""
        self._drain()
        return [
            event["params"]["request"]["url"]
            for event in self._log
            if event["method"] == "Network.requestWillBeSent"
            and event["params"]["request"]["url"].startswith(("file:", "http", "ws", "ftp"))
        ]

    def _drain(self) -> None:
        for entry in self.driver.get_log("performance"):
            self._log.append(json.loads(entry["message"])["message"])
        for entry in self.driver.get_log("browser"):
            if entry["level"] in {"WARNING", "SEVERE"}:
                self._said.append(entry["message"])

    def _cdp(self, method: str, **params: Any) -> Any:
        return self.driver.execute_cdp_cmd(method, params)


@contextmanager
def page_reader(profile: Path) -> Iterator[PageReader]:
    """A headless Chromium with a fresh *profile* folder, ended afterwards."""
    from selenium import webdriver

    chromium = require_program("chromium", "chromium-browser", "google-chrome")
    chromedriver = require_program("chromedriver", package="chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    try:
        yield PageReader(driver)
    finally:
        driver.quit()
