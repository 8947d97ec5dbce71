// Something that takes long to load, and is loaded when it is first asked for.
export interface Lazy<T> {
  /** Waits for it. What failed to load, for want of a descriptor perhaps, is tried again the next time. */
  get(): Promise<T>;
  /** It, when it is there. */
  loaded(): T | undefined;
  /** What waits for it, when it was asked for. */
  asked(): Promise<T> | undefined;
}

export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | undefined;
  const start = async () => {
    try {
      return (loaded = await load());
    } catch (failure) {
      loading = undefined;
      throw failure;
    }
  };
  return { get: () => (loading ??= start()), loaded: () => loaded, asked: () => loading };
}
