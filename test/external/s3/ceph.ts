// Ceph with its S3 gateway (RGW), from Debian's packages: a monitor, one store in memory and the gateway, on loopback only.
import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { AwsClient } from "aws4fetch";
import { freePort } from "../../support/port.ts";
import { startProcess } from "../../support/program/process.ts";

const run = promisify(execFile);

const TOOLS = ["ceph", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin"];
const FSID = "5d1c0a0e-6a52-4a8e-9d5c-0c9d1f0f5a11";
const OSD = "0f5f3a52-4a0e-4a43-9d0b-5a3f2b0c8e11";

/** Undefined if all are installed. */
export function missingTool(): string | undefined {
  return TOOLS.find((tool) => spawnSync(tool, ["--version"]).status !== 0);
}

export interface Ceph {
  /** For a store in this Ceph. */
  environment: Record<string, string>;
  /** Of the gateway. */
  port: number;
  signalGateway(signal: NodeJS.Signals): void;
  /** After a SIGKILL; resolves when it answers. What was stored is still there. */
  restartGateway(): Promise<void>;
  createBucket(name: string): Promise<void>;
  /** A user that may do nothing. Resolves to the keys, as variables. */
  createUser(name: string): Promise<Record<string, string>>;
  /** `actions`: of a user for the bucket itself, and for its objects; such as `s3:GetObject`. */
  permit(bucket: string, actions: Record<string, { bucket: string[]; objects: string[] }>): Promise<void>;
}

/** Starts it in an empty directory; resolves when the gateway answers, after about 16 s. */
export async function startCeph(directory: string, onFinished: (cleanUp: () => Promise<void>) => void): Promise<Ceph> {
  const [monitorPort, port] = [await freePort(), await freePort()];
  const settings = join(directory, "ceph.conf");
  await writeFile(settings, settingsText(directory, monitorPort, port));
  await mkdir(join(directory, "mon"));
  await mkdir(join(directory, "osd"));
  const tool = (name: string, ...words: string[]) => run(name, ["-c", settings, ...words]);
  const daemon = (name: string, ...words: string[]) => {
    return startProcess([name, "-c", settings, "-f", ...words], { environment: process.env, onFinished });
  };

  const map = join(directory, "monmap");
  await run("monmaptool", ["--create", "--fsid", FSID, "--addv", "a", `[v1:127.0.0.1:${monitorPort}]`, map]);
  await tool("ceph-mon", "-i", "a", "--mkfs", "--monmap", map);
  daemon("ceph-mon", "-i", "a");
  // A monitor that has just begun refuses commands.
  await untilDone(() => tool("ceph", "osd", "new", OSD, "0"));
  await tool("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", OSD);
  const startDisk = () => daemon("ceph-osd", "-i", "0");
  let disk = startDisk();
  const origin = `http://127.0.0.1:${port}`;
  const startGateway = async () => {
    const gateway = daemon("radosgw", "-n", "client.rgw");
    while (!(await fetch(origin).catch(() => undefined))?.ok) {
      if (gateway.hasEnded()) throw new Error("the gateway has ended");
      // It introduces itself to the monitor, sometimes before it knows which cluster it is in, and ends.
      if (disk.hasEnded()) disk = startDisk();
      await sleep(100);
    }
    return gateway;
  };
  let gateway = await startGateway();
  const createUser = async (name: string) => {
    const keys = {
      AWS_ACCESS_KEY_ID: `AK${name}`,
      AWS_SECRET_ACCESS_KEY: `a/secret+key of ${name}`.replaceAll(" ", "-"),
    };
    const words = ["--access-key", keys.AWS_ACCESS_KEY_ID, "--secret-key", keys.AWS_SECRET_ACCESS_KEY];
    await tool("radosgw-admin", "user", "create", "--uid", name, "--display-name", name, ...words);
    return keys;
  };
  const owner = await createUser("owner");
  const client = new AwsClient({
    accessKeyId: owner.AWS_ACCESS_KEY_ID,
    secretAccessKey: owner.AWS_SECRET_ACCESS_KEY,
    service: "s3",
    region: "us-east-1",
  });
  const put = async (path: string, body?: string) => {
    const answer = await client.fetch(`${origin}/${path}`, { method: "PUT", ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`PUT ${path} was refused (${answer.status}): ${await answer.text()}`);
  };
  return {
    environment: { ...owner, AWS_ENDPOINT_URL_S3: origin },
    port,
    signalGateway: (signal) => gateway.kill(signal),
    restartGateway: async () => void (gateway = await startGateway()),
    // Until its pools have come into being, the gateway knows no place for the first bucket.
    createBucket: (name) => untilDone(() => put(name)),
    createUser,
    async permit(bucket, actions) {
      const statements = Object.entries(actions).flatMap(([user, { bucket: own, objects }]) => {
        const common = { Effect: "Allow", Principal: { AWS: [`arn:aws:iam:::user/${user}`] } };
        return [
          { ...common, Action: own, Resource: [`arn:aws:s3:::${bucket}`] },
          { ...common, Action: objects, Resource: [`arn:aws:s3:::${bucket}/*`] },
        ];
      });
      await put(`${bucket}?policy`, JSON.stringify({ Version: "2012-10-17", Statement: statements }));
    },
  };
}

/** Repeats for up to a minute what a cluster refuses while it comes into being. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

function settingsText(directory: string, monitorPort: number, port: number): string {
  return `[global]
fsid = ${FSID}
mon host = v1:127.0.0.1:${monitorPort}
mon initial members = a
public network = 127.0.0.0/8
ms bind msgr2 = false
auth cluster required = none
auth service required = none
auth client required = none
mon data = ${directory}/mon
osd data = ${directory}/osd
run dir = ${directory}
admin socket = ${directory}/$name.asok
log file = ${directory}/$name.log
pid file =
osd objectstore = memstore
memstore device bytes = 268435456
osd class load list = *
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
rgw data = ${directory}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
`;
}
