// decode-thread.ts in a checkout: TypeScript needs tsx, whose switch, --import, does nothing for a thread of Node 20.
import { register } from "tsx/esm/api";

register();
await import("./decode-thread.ts");
