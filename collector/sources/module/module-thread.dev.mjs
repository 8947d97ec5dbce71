// module-thread.ts in a checkout: TypeScript needs tsx, whose switch, --import, does nothing for a thread of Node 20. It
// loads a vendor's TypeScript as well, both ways, because a .ts with no "type" around it is CommonJS to tsx.
import { register as registerCommonJs } from "tsx/cjs/api";
import { register } from "tsx/esm/api";

registerCommonJs();
register();
await import("./module-thread.ts");
