// Vitrine's server as a follower of another one, by the system clock.
import { serverSettings } from "../../../server/settings.ts";
import { startServer } from "../../../server/serve.ts";
import { openReader } from "../../../snapshots/stores/open-store.ts";

/** Starts a server that follows the one on a port of this computer and offers its snapshots itself. `refresh`: reads them now. */
export async function startFollower(followed: number, onFinished: (cleanUp: () => Promise<void>) => void) {
  const store = openReader(`http://127.0.0.1:${followed}/snapshots/`);
  const { base, refresh, stop } = await startServer({
    api: serverSettings.api.parse({}),
    host: "127.0.0.1",
    port: 0,
    expressLane: true,
    share: true,
    store,
    clock: { wall: () => Date.now(), steady: () => performance.now() },
    // The stories below are about trouble.
    warn: () => {},
  });
  onFinished(async () => {
    await stop();
    await store.close();
  });
  return { port: Number(new URL(base).port), refresh };
}
