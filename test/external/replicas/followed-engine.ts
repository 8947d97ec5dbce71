// A server with `share` and a proxy that ends TLS in front of it, followed by the replicas.
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { createServer } from "node:tls";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { selfSigned } from "../../support/certificate.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { startProgram } from "../../support/program/program.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import type { OnFinished } from "./clean-up.ts";
import { POLLED_TARGETS, REPLICAS, type Engine, type Outage } from "./engines.ts";
import { BUILT, SOURCES } from "./subject.ts";

/** Undefined without openssl. */
export async function followedEngine(onFinished: OnFinished): Promise<Engine | undefined> {
  const tls = await selfSigned([], onFinished);
  if (!tls) return undefined;
  const SNAPSHOTS = await temporaryDirectory(onFinished);
  const directory = await settingsDirectory({ ...SOURCES, share: true }, onFinished);
  const environment = { SNAPSHOTS, PORT: String(await freePort()) };
  const start = () => startProgram(["serve"], { directory, environment, program: [BUILT], onFinished });
  let server = await start();
  const port = await startTlsProxy(server.port, tls, onFinished);
  const stopped: Outage = {
    title: "stopped",
    begin: () => server.signal("SIGSTOP"),
    end: () => server.signal("SIGCONT"),
  };
  const killed: Outage = {
    title: "killed",
    begin: () => server.signal("SIGKILL"),
    end: async () => (server = await start()),
  };
  return {
    title: "https",
    replicas: Array.from({ length: REPLICAS }, () => ({
      SNAPSHOTS: `https://127.0.0.1:${port}/snapshots/`,
      NODE_EXTRA_CA_CERTS: tls.path,
    })),
    open: () => openStore(SNAPSHOTS),
    isFollowed: true,
    outages: [stopped, killed],
    ...POLLED_TARGETS,
  };
}

async function startTlsProxy(
  target: number,
  tls: { key: string; cert: string },
  onFinished: OnFinished,
): Promise<number> {
  const server = createServer(tls, (near) => {
    const far = connect(target, "127.0.0.1");
    for (const [from, to] of [[near, far] as const, [far, near] as const]) pipeline(from, to, () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(async () => void server.close());
  return (server.address() as AddressInfo).port;
}
