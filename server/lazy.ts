// A value that is slow to load, and therefore loaded on first use.
export interface Lazy<T> {
  /** Loads the value, or waits for it. If it failed, such as for lack of a file descriptor, the next call
   * tries again. */
  get(): Promise<T>;
  /** The value if loaded. */
  loaded(): T | undefined;
  /** The load in progress or done, if `get` was ever called. */
  pending(): Promise<T> | undefined;
}

export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let pending: Promise<T> | undefined;
  let loaded: T | undefined;
  const start = async () => {
    try {
      return (loaded = await load());
    } catch (failure) {
      pending = undefined;
      throw failure;
    }
  };
  return { get: () => (pending ??= start()), loaded: () => loaded, pending: () => pending };
}
