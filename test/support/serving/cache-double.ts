// A shared cache that does what Cache-Control permits, to the second and no less, by the clock of the test: max-age (RFC 9111),
// stale-while-revalidate and stale-if-error (RFC 5861). It sends Age, as every CDN does, and counts it in answers of others.

export interface CachedReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

interface Copy {
  reply: CachedReply;
  /** When its origin made it, in ms by the clock of the test. */
  madeAt: number;
}

/** A directive of Cache-Control in ms; 0 without it. */
function directive({ headers }: CachedReply, name: string): number {
  const value = new RegExp(`(?:^|, *)${name}=(\\d+)(?:,|$)`).exec(String(headers["cache-control"] ?? ""))?.[1];
  return Number(value ?? 0) * 1_000;
}

/** `origin` rejects while it is away. `now`: in ms. Resolves to a 504 if the origin is away and no copy may be used. */
export function startCacheDouble(origin: (path: string) => Promise<CachedReply>, now: () => number) {
  const copies = new Map<string, Copy>();
  const underWay = new Set<Promise<unknown>>();

  async function fetch(path: string): Promise<CachedReply> {
    const reply = await origin(path);
    const isStorable = reply.status < 400 && !/no-store|private/.test(String(reply.headers["cache-control"]));
    if (isStorable) copies.set(path, { reply, madeAt: now() - Number(reply.headers.age ?? 0) * 1_000 });
    return reply;
  }

  async function get(path: string): Promise<CachedReply> {
    const copy = copies.get(path);
    if (!copy) return fetch(path).catch(() => AWAY);
    const age = now() - copy.madeAt;
    const aged = { ...copy.reply, headers: { ...copy.reply.headers, age: String(Math.floor(age / 1_000)) } };
    const staleFor = age - directive(copy.reply, "max-age");
    if (staleFor <= 0) return aged;
    if (staleFor <= directive(copy.reply, "stale-while-revalidate")) {
      const renewal = fetch(path).catch(() => {});
      underWay.add(renewal);
      void renewal.finally(() => underWay.delete(renewal));
      return aged;
    }
    const reply = await fetch(path).catch(() => AWAY);
    return reply.status >= 500 && staleFor <= directive(copy.reply, "stale-if-error") ? aged : reply;
  }

  return {
    get,
    /** Resolves when no renewal is under way. */
    async settled(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

const AWAY: CachedReply = { status: 504, headers: {}, text: "" };
