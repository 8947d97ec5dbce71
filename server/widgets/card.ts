// The card that a host of MCP Apps shows beside a tool's result.
import { language } from "./parts.ts";

document.documentElement.lang = language(navigator.language).of;
