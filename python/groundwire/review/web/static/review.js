// Single-letter shortcuts, if they are switched on, the focus in a page that htmx swaps in, and the message when the
// server cannot be reached. The page works without this file and without htmx.
"use strict";

const follow = (selector) => {
  const link = document.querySelector(selector);
  if (link) link.click();
  return link !== null;
};

const open = (selector) => {
  const details = document.querySelector(selector);
  if (!details) return false;
  details.open = true;
  details.querySelector("textarea, input:not([type=hidden])").focus();
  return true;
};

const move = (step) => {
  const links = [...document.querySelectorAll("[data-item] .open")];
  if (links.length === 0) return follow(step > 0 ? "main .ways a[rel=next]" : "main .ways a[rel=prev]");
  const at = links.findIndex((link) => link.closest("[data-item]").contains(document.activeElement));
  links[Math.min(Math.max(at + step, 0), links.length - 1)].focus();
  return true;
};

const choose = () => {
  const box = document.activeElement.closest("[data-item]")?.querySelector("input[type=checkbox]");
  if (box) box.checked = !box.checked;
  return Boolean(box);
};

const actions = {
  j: () => move(1),
  k: () => move(-1),
  a: () => follow("[data-approve] button"),
  e: () => open("[data-edit]"),
  r: () => open("[data-reject]"),
  x: choose,
};

// Letters typed into a field are text, not shortcuts.
const isTyping = (target) => target.matches("textarea, select, input:not([type=checkbox])");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const details = event.key === "Escape" && document.activeElement.closest("details[open]");
  if (details) {
    details.open = false;
    details.querySelector("summary").focus();
  }
  if (!document.querySelector("[data-keys]") || isTyping(event.target)) return;
  if (Object.hasOwn(actions, event.key) && actions[event.key]()) event.preventDefault();
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "page") event.target.querySelector("[data-focus]")?.focus();
});

document.addEventListener("htmx:sendError", () => {
  document.querySelector("#lost").hidden = false;
});
