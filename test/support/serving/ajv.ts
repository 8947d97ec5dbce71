// An independent validator of JSON Schema 2020-12.
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export function openAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  formats.default(ajv);
  return ajv;
}
