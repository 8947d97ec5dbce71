// JSON Schema 2020-12, judged by a validator that is not ours.
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export function openAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  formats.default(ajv);
  return ajv;
}
