// The page, the elements of /embed.js and the card of the tools in the system's Chromium, with real servers and no network.
import { describe } from "vitest";
import { NO_CHROMIUM } from "./chromium.ts";

// Three at a time (run.mjs): mostly they wait.
describe.skipIf(NO_CHROMIUM !== undefined).concurrent("in Chromium", { timeout: 120_000 }, async () => {
  await import("./checks/network.ts");
  await import("./checks/first-screen.ts");
  await import("./checks/media.ts");
  await import("./checks/freshness.ts");
  await import("./checks/accessible.ts");
  await import("./checks/narrow-window.ts");
  await import("./checks/markup-safety.ts");
  await import("./checks/notices.ts");
  await import("./checks/billing-cycles.ts");
  await import("./checks/copy-button.ts");
  await import("./checks/keyboard.ts");
  await import("./checks/embed.ts");
  await import("./checks/embed-surroundings.ts");
  await import("./checks/card.ts");
  await import("./checks/lighthouse.ts");
});
