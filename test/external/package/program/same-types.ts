// The types of the package equal those of the schemas. Compiled, not run.
import type * as shipped from "vitrine";
import type * as ours from "schema";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
/** Flattens an object type, so that only its members are compared. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

export const same: [
  Same<Plain<shipped.BillingCycle>, Plain<ours.BillingCycle>>,
  Same<Plain<shipped.Plan>, Plain<ours.Plan>>,
  Same<Plain<shipped.PlansResponse>, Plain<ours.PlansResponse>>,
  Same<Plain<shipped.Release>, Plain<ours.Release>>,
  Same<Plain<shipped.LatestReleaseResponse>, Plain<ours.LatestReleaseResponse>>,
] = [true, true, true, true, true];
