"""The page of a running `lisa serve`, as a person sees and uses it."""

from typing import Any, Callable, Dict, List, Set, Tuple
from urllib.parse import urlencode

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.apps.serve.chrome import SETTLED

PATIENCE = 60

Span = Tuple[int, str, int, int]


class Page:
    """Finds the parts of the page by what they are for."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser = browser
        self.url = url

    def open(self, fragment: str = "") -> None:
        # Another fragment alone would load nothing, and a blank page between starts a process.
        if self.browser.current_url.startswith(self.url):
            self.run("history.replaceState(null, '', '?')")
        self.browser.get(self.url + fragment)

    def open_text(self, text: str) -> None:
        """Opens a link to a text; without one, the page shows an example."""
        self.open("#" + urlencode({"text": text}) if text else "")
        self.settle()

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> List[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def texts(self, selector: str) -> List[str]:
        """The texts of all that a selector finds, also out of view."""
        find = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        return self.run(find, selector)

    def wait(self, condition: Callable[[], Any], what: str) -> Any:
        ignored = [StaleElementReferenceException]
        waiting = WebDriverWait(self.browser, PATIENCE, 0.05, ignored)
        return waiting.until(lambda _: condition(), f"expected {what}")

    def label(self, text: str) -> None:
        self.run("arguments[0].value = arguments[1]", self.find("#text"), text)
        self.find("#text").send_keys(Keys.ENTER)
        self.settle()

    def settle(self) -> None:
        """Waits until the page shows the answer to the last edit."""
        self.wait(lambda: self.run(SETTLED), "an answer")

    def word(self, token: int) -> WebElement:
        return self.find(f".drawing .own[data-token='{token}']")

    def arc(self, token: int) -> WebElement:
        return self.find(f".drawing .own[data-dependent='{token + 1}'] .relation")

    def button(self, name: str) -> WebElement:
        # The browser takes a while for each name.
        likely = self.run(
            """
            return [...document.querySelectorAll("button")].filter((one) =>
              one.checkVisibility({ visibilityProperty: true }) &&
              [one.textContent, one.ariaLabel, one.title].join().includes(arguments[0]));
            """,
            name,
        )
        found = [button for button in likely if button.accessible_name == name]
        assert len(found) == 1, f"{len(found)} buttons {name!r}"
        return found[0]

    def press(self, *keys: str) -> None:
        """Presses keys where the focus is; the last key while the others are held."""
        actions = ActionChains(self.browser)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in keys[:-1]:
            actions.key_up(key)
        actions.perform()

    def drag(self, element: WebElement, target: WebElement) -> None:
        actions = ActionChains(self.browser).move_to_element(element).click_and_hold()
        actions.move_by_offset(6, 6).move_to_element(target).release().perform()
        self.settle()

    def choose(self, field: str, value: str, settles: bool = True) -> None:
        """Chooses an option of the chosen word."""

        def select() -> bool:
            self.find(f"[data-field={field}]").click()
            self.find(f"#{field}-options li[data-value='{value}']").click()
            return True

        # The list may be filled again meanwhile.
        self.wait(select, f"the {field} {value}")
        if settles:
            self.settle()

    def tick(self, token: int) -> None:
        self.all(".chips input")[token].click()
        self.settle()

    def undo(self) -> None:
        self.press(Keys.CONTROL, "z")
        self.settle()

    def redo(self) -> None:
        self.press(Keys.CONTROL, "y")
        self.settle()

    def focus(self, token: int) -> None:
        focus = "document.querySelector(arguments[0]).focus({ preventScroll: true })"
        self.run(focus, f".drawing .own[data-token='{token}']")

    def type(self, *keys: str) -> None:
        """Presses one key after the other."""
        for key in keys:
            self.press(key)

    def heads(self) -> List[int]:
        arcs = self.run(
            "return [...document.querySelectorAll('.drawing .dependency.own')]"
            ".map(({dataset: d}) => [Number(d.dependent), Number(d.head)])"
        )
        return [head for _, head in sorted(arcs)]

    def spans(self, reading: int = 0) -> Set[Span]:
        """The role spans of a reading in the picture: 0 as drawn, 1 as parsed."""
        found = self.run(
            """
            const [reading] = arguments;
            let readings = -1;
            const spans = [];
            for (const part of document.querySelectorAll(".drawing :is(.token, .span)")) {
              const { token, predicate, role, first, last } = part.dataset;
              if (token === "0") readings += 1;
              if (token === undefined && readings === reading) {
                spans.push([Number(predicate), role, Number(first), Number(last)]);
              }
            }
            return spans;
            """,
            reading,
        )
        return {tuple(span) for span in found if span[1] != "V"}

    def changes(self) -> List[str]:
        return [item.text for item in self.all(".changes .found [data-keys]")]

    def focused(self) -> WebElement:
        return self.browser.switch_to.active_element


def spans_of(answer: Dict[str, Any]) -> Set[Span]:
    return {
        (verb["index"], role, first, last)
        for verb in answer["verbs"]
        for role, first, last in verb["spans"]
        if role != "V"
    }
