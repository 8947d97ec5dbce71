// A client typed by the package. Compiled, not run: code that must not compile is marked as an expected error.
import type { ErrorResponse, LatestReleaseResponse, PlansResponse } from "vitrine";

export async function cheapest(base: string): Promise<string | undefined> {
  const response = await fetch(`${base}/api/v1/plans`);
  if (!response.ok) {
    const { error, allowed = [] } = (await response.json()) as ErrorResponse;
    throw new Error([error, ...allowed].join(" "));
  }
  const { plans, currency } = (await response.json()) as PlansResponse;
  const [first] = plans.toSorted((a, b) => a.monthlyPrice - b.monthlyPrice);
  return first && `${first.id}: ${first.monthlyPrice.toFixed(2)} ${currency}`;
}

export function installer(release: LatestReleaseResponse): string | undefined {
  // @ts-expect-error The address exists only with a release.
  void release.latest.downloadURL;
  return release.hasUpdate ? release.latest.downloadURL : undefined;
}
