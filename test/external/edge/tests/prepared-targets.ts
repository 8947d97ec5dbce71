// The targets of the tests, without waiting for compression, which is the platform's.
export * from "../../../support/serving/prepared-targets.ts";

export async function untilCompressed(): Promise<void> {}
