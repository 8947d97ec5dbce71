// Types of peer.mjs for vitrine.ts. The peers are plain JavaScript because the product does not install their types.
export function report(port: number): void;
