// A value that is slow to load, and therefore loaded after the facts are served, or on first use if that comes earlier.
export interface Lazy<T> {
  /** Loads the value, or waits for it. */
  get(): Promise<T>;
  /** The value if loaded. */
  loaded(): T | undefined;
  /** The load in progress or done, if `get` was ever called. */
  pending(): Promise<T> | undefined;
}

/** `onFailure`: called if the load fails, which is final. Node 20 remembers a failed import, even one that failed only for lack
 * of a file descriptor. */
export function lazy<T>(load: () => Promise<T>, onFailure: (failure: unknown) => void): Lazy<T> {
  let pending: Promise<T> | undefined;
  let loaded: T | undefined;
  const start = async () => {
    try {
      return (loaded = await load());
    } catch (failure) {
      onFailure(failure);
      throw failure;
    }
  };
  return { get: () => (pending ??= start()), loaded: () => loaded, pending: () => pending };
}
