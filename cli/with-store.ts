// A command gets the store of its settings from here, opened once, and closed when the command is over.
import { span } from "../snapshots/rules.ts";
import { SettingsProblems } from "../collector/settings-problems.ts";
import { openFacts, OtherProduct, SYSTEM_CLOCK, type Facts } from "../snapshots/facts.ts";
import type { Reader, Store } from "../snapshots/store.ts";
import { isFollowed, isRemote, openReader, openStore } from "../snapshots/stores/open-store.ts";
import { typedHere } from "./command-hints.ts";
import { messageOf } from "./output/terminal.ts";
import type { Configuration } from "./settings/configure.ts";

/** Opens the store of a command that publishes. Resolves to the result of `use`. @throws SettingsProblems for a store that can only be read,
 * one that several may share while the product has no name, and one of another product. */
export async function withStore<T>(configuration: Configuration, use: (facts: Facts<Store>) => Promise<T>): Promise<T> {
  const { location, environment, file } = configuration;
  const problem = namelessProblem(configuration);
  if (problem !== undefined) throw new SettingsProblems(file, [problem]);
  let store: Store;
  try {
    store = openStore(location, environment);
  } catch (error) {
    throw new SettingsProblems(file, [`snapshots   ${messageOf(error)}: ${typedHere("serve")}`]);
  }
  return withOpened(configuration, store, use);
}

/** Opens the store of a command that only reads. Resolves to the result of `use`. @throws SettingsProblems for a store of another product. */
export async function withReader<T>(configuration: Configuration, use: (facts: Facts) => Promise<T>): Promise<T> {
  return withOpened(configuration, openReader(configuration.location, configuration.environment), use);
}

/** Why the settings may not publish into a store that several may share; undefined if they may. */
export function namelessProblem({ location, settings }: Configuration): string | undefined {
  if (settings.product !== undefined || !isRemote(location) || isFollowed(location)) return undefined;
  return `product   is missing: other products may use the same store, so set "product" (such as "acme-notes") or api.name`;
}

/** Clocks that are set by NTP differ by less; dates in headers are whole seconds, and on their way for a moment. */
const SKEW_MS = 30_000;

/** A warning if the clock of this computer differs from the store's, where that has one: facts dated by a clock that is behind end
 * too early, and those by one that is ahead count as damaged elsewhere. */
export async function skewWarning(store: Reader): Promise<string | undefined> {
  const ahead = await store.ahead?.().catch(() => undefined);
  if (ahead === undefined || Math.abs(ahead) < SKEW_MS) return undefined;
  return `the clock of this computer is ${span(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} that of the store: set it by NTP`;
}

async function withOpened<T, S extends Reader>(
  { settings, trust, file }: Configuration,
  store: S,
  use: (facts: Facts<S>) => Promise<T>,
): Promise<T> {
  try {
    return await use(openFacts(store, { product: settings.product, trust, clock: SYSTEM_CLOCK }));
  } catch (error) {
    if (!(error instanceof OtherProduct)) throw error;
    throw new SettingsProblems(file, [`snapshots   ${settings.snapshots}: ${error.message}`]);
  } finally {
    await store.close();
  }
}
