// Whose signatures count, from the settings. For readers that believe a key instead of their store. Without it, every snapshot is
// believed. Here are `vitrine verify` and `vitrine keygen`, too.
import { TrustSetting, trustOf } from "../../../snapshots/features/signatures/proof.ts";
import type { Trust } from "../../../snapshots/facts.ts";

export const trustSettings = {
  trust: TrustSetting.optional().describe(
    'Public keys: only facts signed by one of them are served and shown; elsewhere than at `api.baseUrl`: `{ "issuer": "https://api.acme.com", "keys": […] }`',
  ),
};

/** @throws Error that says what to write */
export function trustOfSettings({
  trust,
  api,
}: {
  trust?: TrustSetting | undefined;
  api: { baseUrl?: string | undefined };
}): Trust | undefined {
  return trustOf(trust, api.baseUrl);
}
