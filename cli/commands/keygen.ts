// `vitrine keygen`: a new key for `signing`. It is on stdout only, which is a valid environment file, and nowhere else.
import { generateKey } from "../../snapshots/proof.ts";
import { EXIT, type Context } from "../command.ts";

export async function run({ terminal }: Context): Promise<number> {
  const { key, publicKey } = generateKey();
  terminal.out(`# public key: ${publicKey}`);
  terminal.out(`SIGNING_KEY=${key}`);
  return EXIT.ok;
}
