"use strict";
{
  const list = document.querySelector("[data-keys]");
  const shown = () => [...list.querySelectorAll("[data-item]")].filter((item) => item.getClientRects().length);
  const focus = (item) => {
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  };
  let last = null;
  // The keys work wherever the focus is: the page has no text field.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const focused = document.activeElement;
    const current = focused && focused.closest("[data-item]");
    if (event.key === "j" || event.key === "k") {
      const items = shown();
      // After a jump from a quote to its passage, the list continues from that quote.
      const from = current || (focused === list ? null : last);
      const place = items.indexOf(from) + (event.key === "j" ? 1 : -1);
      if (!items.length) return;
      last = items[Math.min(Math.max(place, 0), items.length - 1)];
      focus(last);
    } else if (event.key === "Enter" && current && focused === current) {
      const link = current.querySelector(".place a");
      if (!link) return;
      link.click();
      const passage = document.getElementById(link.hash.slice(1));
      if (passage) passage.focus({ preventScroll: true });
    } else {
      return;
    }
    event.preventDefault();
  });
  list.querySelector(".keys").hidden = false;
}
