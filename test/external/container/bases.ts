// The images that the Dockerfile starts from, without a registry: Debian's packages, this Node and its npm. The one that runs
// the program has no shell, and Node where distroless images have it. And one of Redis, as the official one has it.
import { execFileSync } from "node:child_process";
import { chown, cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The certificates that this machine trusts, for npm. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
/** Libraries of Node. */
const LIBRARIES = ["libstdc++6"];
/** For npm's scripts. */
const SHELL = ["dash", "coreutils"];
/** The program is in this package; the package redis-server only adds a link. */
const REDIS = ["redis-tools"];
const REDIS_USER = 999;

interface BaseImage {
  /** The directory that becomes its root. */
  root: string;
  environment: Record<string, string>;
}

export interface BaseImages {
  build: BaseImage;
  run: BaseImage;
  redis: BaseImage;
}

/** Makes all in a directory. @throws Error if a package cannot be downloaded. */
export async function makeBases(directory: string): Promise<BaseImages> {
  const [build, run, redis] = ["build", "run", "redis"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await unpack([...LIBRARIES, ...SHELL], build);
  await unpack(LIBRARIES, run);
  await copy(process.execPath, join(build, "usr/local/bin/node"));
  await copy(process.execPath, join(run, "nodejs/bin/node"));
  await unpack(REDIS, redis);
  await addRedis(redis);
  const globals = execFileSync("npm", ["root", "--global", "--loglevel=error"], { encoding: "utf8" }).trim();
  await copy(join(globals, "npm"), join(build, "usr/local/lib/node_modules/npm"));
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(build, "usr/local/bin/npm"));
  const isTrusting = existsSync(CERTIFICATES);
  if (isTrusting) await copy(CERTIFICATES, join(build, CERTIFICATES));
  return {
    build: { root: build, environment: isTrusting ? { NODE_EXTRA_CA_CERTS: CERTIFICATES } : {} },
    run: { root: run, environment: {} },
    redis: { root: redis, environment: {} },
  };
}

/** The name of the program, its user, and a directory for a volume. */
async function addRedis(root: string): Promise<void> {
  await symlink("redis-check-rdb", join(root, "usr/bin/redis-server"));
  await mkdir(join(root, "etc"), { recursive: true });
  await writeFile(join(root, "etc/passwd"), `redis:x:${REDIS_USER}:${REDIS_USER}::/data:/bin/false\n`);
  await mkdir(join(root, "data"));
  await chown(join(root, "data"), REDIS_USER, REDIS_USER);
}

/** Downloads packages with those that they depend on, and unpacks them all. */
async function unpack(names: readonly string[], root: string): Promise<void> {
  const packages = `${root}-packages`;
  await mkdir(packages, { recursive: true });
  await mkdir(join(root, "tmp"), { recursive: true, mode: 0o777 });
  execFileSync("apt-get", ["download", "-q", ...dependencies(names)], { cwd: packages, stdio: "pipe" });
  for (const file of await readdir(packages)) execFileSync("dpkg", ["-x", join(packages, file), root]);
  // Newer releases of Debian have these links in a package of their own.
  for (const name of ["bin", "lib", "lib64"])
    if (!existsSync(join(root, name)) && existsSync(join(root, "usr", name)))
      await symlink(join("usr", name), join(root, name));
}

function dependencies(names: readonly string[]): string[] {
  const others = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"].map(
    (kind) => `--no-${kind}`,
  );
  const listed = execFileSync("apt-cache", ["depends", "--recurse", ...others, ...names], { encoding: "utf8" });
  // Indented lines are relations, and <names> are virtual.
  return [...new Set(listed.split("\n").filter((line) => /^[a-z]/.test(line)))];
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, dereference: true });
}
