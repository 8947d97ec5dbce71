// A store, or a reader of one, that loads its code and connects at its first use: opening is synchronous, and a store of files
// loads nothing more.
import { errorCode } from "../system-calls.ts";
import { StoreError, Unreachable, type Reader, type Store } from "../store.ts";

/** Without their pace. */
export type LoadedStore = Omit<Store, "pace">;
export type LoadedReader = Omit<Reader, "pace">;

/** Replicas that start together must not ask together. */
const SPREAD = 0.15;

/** `pace`: in ms, which each process varies a little. */
export function loadedOnUse(pace: number, load: () => Promise<LoadedStore>): Store {
  const { reader, store } = onUse(pace, load);
  return {
    ...reader,
    put: async (...words) => (await store()).put(...words),
    remove: async (key) => (await store()).remove(key),
    claim: async () => (await store()).claim(),
  };
}

/** The same for a followed server, which offers its snapshots and no list of its keys. */
export function readerLoadedOnUse(pace: number, load: () => Promise<LoadedReader>): Reader {
  return { ...onUse(pace, load).reader, canList: false };
}

function onUse<T extends LoadedReader>(pace: number, load: () => Promise<T>): { reader: Reader; store(): Promise<T> } {
  let loading: Promise<T> | undefined;
  let isClosed = false;
  const store = () => {
    if (isClosed) throw new Unreachable("the store is closed");
    return (loading ??= load().catch((cause: unknown) => {
      throw StoreError.because("the code of the store could not be loaded: start again", errorCode(cause), cause);
    }));
  };
  const reader: Reader = {
    pace: pace * (1 - SPREAD + 2 * SPREAD * Math.random()),
    get: async (...words) => (await store()).get(...words),
    list: async (folder) => (await store()).list(folder),
    ahead: async () => (await store()).ahead?.(),
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
  return { reader, store };
}
