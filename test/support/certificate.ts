// A self-signed TLS certificate, made with the local openssl.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./directory.ts";

/** A certificate for 127.0.0.1 and these names. Without openssl: undefined, and a warning on the console. */
export async function selfSigned(
  names: readonly string[] = [],
  onFinished: (cleanUp: () => Promise<void>) => void = onTestFinished,
) {
  const directory = await temporaryDirectory(onFinished);
  const [keyPath, path] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const subject = ["IP:127.0.0.1", ...names.map((name) => `DNS:${name}`)].join(",");
  try {
    const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test".split(
      " ",
    );
    execFileSync("openssl", [...request, "-addext", `subjectAltName=${subject}`, "-keyout", keyPath, "-out", path], {
      stdio: "pipe",
    });
  } catch (error) {
    console.warn(`TLS tests skipped: openssl made no certificate (${error instanceof Error ? error.name : "?"})`);
    return undefined;
  }
  return { path, key: await readFile(keyPath, "utf8"), cert: await readFile(path, "utf8") };
}
