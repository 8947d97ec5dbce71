// The function that `vitrine/edge` exports, alone: its options are checked, and its store is the platform's.
import { SYSTEM_CLOCK, type Clock } from "../../../snapshots/facts.ts";
import type { EdgeHandler, HandlerOptions } from "./interface.ts";
import { checked } from "./options.ts";
import { handlerOver } from "./over-store.ts";
import { readerOf } from "./platform-store.ts";

/** @throws Error that names the option that is wrong. */
export function createHandler(options: HandlerOptions, clock: Clock = SYSTEM_CLOCK): EdgeHandler {
  const settings = checked(options);
  return handlerOver(readerOf(options.store, settings.warn), settings, clock);
}
