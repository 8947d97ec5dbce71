// Headers of upstreams that look like secrets written into the settings file, where every reader of the file has them.
import { sourcesOf, type CollectorSettings } from "../../collector/settings.ts";

const SECRET_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** A scheme with a value, a JSON web token, or many letters and digits in one word. */
const SECRET_VALUE = /^(?:bearer|basic|token) \S|^eyJ|^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;

/** A warning for each; quotes no value. */
export function literalSecretWarnings(settings: CollectorSettings): string[] {
  return sourcesOf(settings).flatMap(({ path, source }) => {
    const headers = "headers" in source ? (source.headers ?? {}) : {};
    return Object.entries(headers)
      .filter(([name, value]) => !value.includes("$") && (SECRET_NAME.test(name) || SECRET_VALUE.test(value)))
      .map(
        ([name]) => `${path}.headers.${name} looks like a secret: put it into the environment and write "$NAME" here`,
      );
  });
}
