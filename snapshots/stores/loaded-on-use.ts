// A store that loads its code and connects at its first use: opening is synchronous, and a store of files loads nothing more.
import { errorCode } from "../error-code.ts";
import { StoreError, Unreachable, type Store } from "../store.ts";

/** The store without its pace. */
export type LoadedStore = Omit<Store, "pace">;

/** Replicas that start together must not ask together. */
const SPREAD = 0.15;

/** `pace`: in ms, which each process varies a little. */
export function loadedOnUse(pace: number, load: () => Promise<LoadedStore>): Store {
  let loading: Promise<LoadedStore> | undefined;
  let isClosed = false;
  const store = () => {
    if (isClosed) throw new Unreachable("the store is closed");
    return (loading ??= load().catch((cause: unknown) => {
      throw StoreError.because("the code of the store could not be loaded: start again", errorCode(cause), cause);
    }));
  };
  return {
    pace: pace * (1 - SPREAD + 2 * SPREAD * Math.random()),
    get: async (...words) => (await store()).get(...words),
    put: async (...words) => (await store()).put(...words),
    list: async (folder) => (await store()).list(folder),
    remove: async (key) => (await store()).remove(key),
    claim: async () => (await store()).claim(),
    watch(hint) {
      let isOver = false;
      let stop = () => {};
      const start = async () => {
        const opened = await store();
        if (!isOver) stop = opened.watch(hint);
      };
      // A store that cannot be loaded says so at the next read.
      start().catch(() => {});
      return () => {
        isOver = true;
        stop();
      };
    },
    async close() {
      isClosed = true;
      await loading?.then(
        (store) => store.close(),
        () => {},
      );
    },
  };
}
