// Prints results that arrive within 50 ms of each other in a fixed order, however they raced. Later results are not
// waited for.

const WINDOW_MS = 50;

export interface InOrder<Item> {
  add(item: Item): void;
  /** Prints at once the items still waiting. */
  flush(): void;
}

/** `rank`: the lowest is printed first. */
export function inOrder<Item>(rank: (item: Item) => number, print: (item: Item) => void): InOrder<Item> {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const ready = waiting.toSorted((a, b) => rank(a) - rank(b));
    waiting = [];
    for (const item of ready) print(item);
  };
  return {
    add(item) {
      waiting.push(item);
      timer ??= setTimeout(flush, WINDOW_MS);
    },
    flush,
  };
}
