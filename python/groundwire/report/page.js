
"use strict";
{
  const list = document.querySelector(".list");
  const shown = () => [...list.querySelectorAll(".quote")].filter((quote) => quote.getClientRects().length);
  const focus = (quote) => {
    quote.focus({ preventScroll: true });
    quote.scrollIntoView({ block: "nearest" });
  };
  // Only while the list has the focus: single keys anywhere else belong to browsers and screen readers.
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const current = document.activeElement.closest(".quote");
    if (event.key === "j" || event.key === "k") {
      const quotes = shown();
      const place = quotes.indexOf(current) + (event.key === "j" ? 1 : -1);
      if (quotes.length) focus(quotes[Math.min(Math.max(place, 0), quotes.length - 1)]);
    } else if (event.key === "Enter" && document.activeElement === current) {
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
