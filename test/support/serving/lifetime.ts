// How long caches may keep an answer, as its Cache-Control says.

/** Total seconds for which Cache-Control allows a fact to be used; undefined for another form of the header. */
export function totalLifetime(cacheControl = ""): number | undefined {
  const match = /^public, max-age=(\d+), stale-while-revalidate=\d+, stale-if-error=(\d+)$/.exec(cacheControl);
  return match ? Number(match[1]) + Number(match[2]) : undefined;
}
