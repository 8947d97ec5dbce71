// The page's only script. It keeps freshness current on a page left open, and makes the copy buttons work; all
// else works without it. It is text because it runs in the browser only.

export const SCRIPT = `
const all = (selector) => document.querySelectorAll(selector);
const announcement = document.getElementById("announcement");

for (const button of all("[data-copy]")) button.hidden = false;

addEventListener("click", async ({ target }) => {
  const button = target.closest("button");
  if (button?.dataset.copy) copy(button);
});

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  let words = "Copied";
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    words = "Selected";
  }
  announcement.textContent = "";
  button.textContent = words;
  setTimeout(() => (announcement.textContent = words + ": " + source.textContent.slice(0, 60)), 50);
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

const system = navigator.userAgentData?.platform ?? navigator.platform;
const own = document.querySelector("[data-platform=" + (/^win/i.test(system) ? "windows" : "macos") + "]:has(.button)");
if (own && /^(win|mac)/i.test(system)) own.parentElement.prepend(own);

const checked = document.querySelector(".fresh time");
if (checked) checked.title = checked.textContent;

function ago(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return minutes + " min ago";
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + " h ago" : Math.floor(hours / 24) + " days ago";
}

function age() {
  if (checked) checked.textContent = ago(Date.now() - Date.parse(checked.dateTime));
  for (const element of all("[data-fresh-until][data-state=fresh]")) {
    if (Date.now() < Date.parse(element.dataset.freshUntil)) continue;
    element.dataset.state = "stale";
    if (element.dataset.whenStale) element.textContent = element.dataset.whenStale;
    if (element.className === "fresh") announcement.textContent = element.textContent;
  }
}
age();
setInterval(age, 1000);
`.replace(/^\s+/gm, "");
