
"use strict";
{
  const list = document.querySelector("[data-keys]");
  const shown = () => [...list.querySelectorAll("[data-item]")].filter((item) => item.getClientRects().length);
  const focus = (item) => {
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  };
  // Only while the list has the focus: single keys anywhere else belong to browsers and screen readers.
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const current = document.activeElement.closest("[data-item]");
    if (event.key === "j" || event.key === "k") {
      const items = shown();
      const place = items.indexOf(current) + (event.key === "j" ? 1 : -1);
      if (items.length) focus(items[Math.min(Math.max(place, 0), items.length - 1)]);
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
