// What finishes at about the same time is told in one order, whoever was a hair quicker; what takes longer keeps nobody
// waiting.

/** How long the first of several waits for the others, milliseconds. */
const MOMENT = 50;

export interface InOrder<Item> {
  add(item: Item): void;
  /** Tells at once what has not been told yet. */
  flush(): void;
}

/** `rank`: the lower is told first. */
export function inOrder<Item>(rank: (item: Item) => number, tell: (item: Item) => void): InOrder<Item> {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const ready = waiting.toSorted((a, b) => rank(a) - rank(b));
    waiting = [];
    for (const item of ready) tell(item);
  };
  return {
    add(item) {
      waiting.push(item);
      timer ??= setTimeout(flush, MOMENT);
    },
    flush,
  };
}
