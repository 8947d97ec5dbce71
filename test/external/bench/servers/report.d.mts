// For vitrine.ts. Bare node:http runs as it is, so that it starts without a compiler.
export function report(port: number): void;
