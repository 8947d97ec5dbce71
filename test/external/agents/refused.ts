// What scanners report of the demo that stays so. An entry that they no longer report fails the run.
export const REFUSED: Readonly<Record<string, string>> = {
  "auth-alternative-access": "it does not apply: nothing needs a login",
  "ard type application/vnd.oai.openapi+json;version=3.1":
    "the conformance tool knows no type of an API; it warns of others, and accepts them",
};
