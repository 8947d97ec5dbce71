// reader-thread.ts in a checkout, where TypeScript needs tsx. On Node 20, tsx's --import has no effect on threads.
import { register } from "tsx/esm/api";

register();
await import("./reader-thread.ts");
