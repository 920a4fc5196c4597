"use strict";
{
  const list = document.querySelector("[data-keys]");
  const shown = () => [...list.querySelectorAll("[data-item]")].filter((item) => item.getClientRects().length);
  const focus = (item) => {
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  };
  const target = (link) => link && document.getElementById(link.hash.slice(1));
  let last = null;
  // On a wide screen, pages are beside the text and scroll by themselves. Returns whether an item has one there.
  const showPage = (item) => {
    const spot = target(item.querySelector("a.on-page"));
    const pages = spot && spot.closest(".pages");
    if (!pages || getComputedStyle(pages).overflowY !== "auto") return false;
    for (const each of document.querySelectorAll(".spot.current")) each.classList.remove("current");
    spot.classList.add("current");
    const [box, frame] = [spot.getBoundingClientRect(), pages.getBoundingClientRect()];
    pages.scrollBy(0, box.top - frame.top - (pages.clientHeight - box.height) / 2);
    return true;
  };
  // Goes to the passage of an item in the text, or to its page where only one of them can be seen.
  const open = (item) => {
    const [text, page] = [item.querySelector("a.in-text, .place a"), item.querySelector("a.on-page")];
    const link = showPage(item) ? text || page : page || text;
    if (!link) return false;
    last = item;
    link.click();
    target(link)?.focus({ preventScroll: true });
    return true;
  };
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
    } else if (!(event.key === "Enter" && current && focused === current && open(current))) {
      return;
    }
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[data-item]");
    if (event.target.closest("a.in-text")) showPage(item);
    // A click that ends a selection of text opens nothing.
    else if (event.target.closest("[data-opens]") && !event.target.closest("a") && getSelection().isCollapsed) open(item);
  });
  list.querySelector(".keys").hidden = false;
}
