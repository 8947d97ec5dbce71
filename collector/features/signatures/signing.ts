// Signs each fact when it is confirmed. For the vendor whose readers believe a key instead of the store. Without it, nothing is signed,
// and `trust` of the readers refuses everything.
import * as z from "zod";
import {
  MAX_ISSUER,
  publicKeys,
  signingKey,
  signText,
  trustIn,
  withProof,
} from "../../../snapshots/features/signatures/proof.ts";
import { MAX_KEYS } from "../../../snapshots/schema.ts";
import { secretName, withSecrets } from "../../http/request.ts";
import type { FeatureOptions, RunPart } from "../../hooks.ts";
import { fromSetting } from "../../settings-problems.ts";

const Signing = z
  .strictObject({
    key: secretName.describe('The collector\'s key, which `vitrine keygen` makes: `"$SIGNING_KEY"`'),
    also: publicKeys(MAX_KEYS - 1)
      .default([])
      .describe("Public keys to publish beside its own: the next one, and earlier ones"),
  })
  .optional()
  .describe("Signs each fact when it is confirmed: [operating](operating.md#signed-facts)");

export const signingSettings = { signing: Signing };

/** @throws SettingsProblems that name the variable, never its value. */
export function openSigning(
  { signing }: { signing?: z.infer<typeof Signing> },
  { environment, file, base: issuer, trust }: FeatureOptions,
): RunPart {
  return fromSetting(file, "signing", () => {
    if (!signing && trust) throw new Error("is missing: with trust, readers would refuse what is not signed");
    if (!signing) return {};
    if (issuer === undefined) throw new Error("needs api.baseUrl, for which the proofs are: set it, or BASE_URL");
    if (issuer.length > MAX_ISSUER) throw new Error(`needs an api.baseUrl of at most ${MAX_ISSUER} characters`);
    const { text = "" } = withSecrets({ text: signing.key }, environment);
    const key = signingKey(text, signing.key.slice(1));
    if (trust && !trust.keys.includes(key.publicKey))
      throw new Error(`signs with a key that trust does not have: add ${key.publicKey} there`);
    if (trust && !trust.issuers.includes(issuer))
      throw new Error(`trust.issuer is not api.baseUrl, for which this collector signs: write ${issuer} there`);
    // One that is in `also`, too, as after a change of keys, only once.
    const keys = [...new Set([key.publicKey, ...signing.also])];
    return {
      signing: {
        trust: trustIn({ keys, issuers: [issuer] }),
        sign: (snapshot) => withProof(snapshot, { key, keys, issuer }),
        signText: (text) => signText(text, key),
      },
    };
  });
}
