// `vitrine keygen`: prints a new key for `signing` as lines of an environment file, and writes it nowhere else.
import { generateKey } from "../../../snapshots/features/signatures/proof.ts";
import { EXIT, type Context } from "../../command.ts";

export async function run({ terminal }: Context): Promise<number> {
  const { key, publicKey } = generateKey();
  terminal.out(`# public key: ${publicKey}`);
  terminal.out(`SIGNING_KEY=${key}`);
  return EXIT.ok;
}
