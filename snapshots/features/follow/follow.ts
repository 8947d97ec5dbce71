// Following: a server reads the snapshots that another server offers with `share`, or that any web server offers as files.
// A location https:// chooses it; the registry of engines uses it, and so does the feature edge. Removed with it: these locations,
// and with server/features/follow what `share` offers and the last copy.
// after: connections
import type { Engine } from "../../stores/engine.ts";
import { followedPlace } from "./location.ts";

export const follow: Engine = {
  schemes: ["https", "http"],
  pace: 15_000,
  readOnly: "belongs to another server, which collects; follow it here",
  prepare(url) {
    const place = followedPlace(url);
    return async () => {
      const [{ openHttpsReader }, { connectionsTo }] = await Promise.all([
        import("./https.ts"),
        import("../connections/connections.ts"),
      ]);
      return openHttpsReader(place, connectionsTo(place.folder));
    };
  },
};
