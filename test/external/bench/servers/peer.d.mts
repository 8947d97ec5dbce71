// Types of peer.mjs for vitrine.ts; the peers are plain modules, because the product does not install their types.
export function report(port: number): void;
