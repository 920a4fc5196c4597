// Single-letter shortcuts, if they are switched on. Everything can be done without this file.
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
  const links = [...document.querySelectorAll("[data-list] [data-item] .open")];
  if (links.length === 0) return follow(step > 0 ? "main .ways a[rel=next]" : "main .ways a[rel=prev]");
  const at = links.indexOf(document.activeElement);
  links[Math.min(Math.max(at + step, 0), links.length - 1)].focus();
  return true;
};

const approve = () => {
  const form = document.querySelector("[data-approve]");
  if (form) form.requestSubmit();
  return form !== null;
};

const actions = {
  j: () => move(1),
  k: () => move(-1),
  a: approve,
  e: () => open("[data-edit]"),
  r: () => open("[data-reject]"),
};

for (const hint of document.querySelectorAll("[data-hint]")) hint.hidden = !("keys" in document.body.dataset);

// Letters that somebody types are text.
const isTyping = (target) => target.matches("textarea, select, input:not([type=checkbox])") || target.isContentEditable;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "Escape") {
    const details = document.activeElement.closest("details[open]");
    if (details) {
      details.open = false;
      details.querySelector("summary").focus();
    }
    return;
  }
  if (!("keys" in document.body.dataset) || isTyping(event.target)) return;
  if (Object.hasOwn(actions, event.key) && actions[event.key]()) event.preventDefault();
});
