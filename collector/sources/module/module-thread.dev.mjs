// module-thread.ts in a checkout, where TypeScript needs tsx. On Node 20, tsx's --import has no effect on threads. tsx also
// loads a vendor's TypeScript; as CommonJS, too, because that is how it treats a .ts without "type" in a package.json.
import { register as registerCommonJs } from "tsx/cjs/api";
import { register } from "tsx/esm/api";

registerCommonJs();
register();
await import("./module-thread.ts");
