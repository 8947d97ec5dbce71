// A service on 127.0.0.1 that hands out the credentials of a role, other ones at each question, as ECS and EKS do to containers,
// EC2 to its instances, and STS to web identities.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "./directory.ts";
import { listen } from "./listen.ts";
import type { S3Double } from "./s3-double.ts";

/** Variables with which AWS's chain finds nothing and sends no request. */
export const NO_ROLE = {
  AWS_SHARED_CREDENTIALS_FILE: "/absent/credentials",
  AWS_CONFIG_FILE: "/absent/config",
  AWS_EC2_METADATA_DISABLED: "true",
};

/** As STS words it. */
const REFUSAL = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>hush</Message></Error></ErrorResponse>";

/** For so long the credentials of an answer are valid. */
export const SESSION_MS = 3_600_000;

/** Starts the service, until the test is over. `s3` takes its credentials. */
export async function startRoleService(s3: S3Double) {
  const role = {
    /** So many times it has handed out credentials. */
    answers: 0,
    fault: "none" as "none" | "hang" | "refuse" | "away",
    /** The variables of a process that has the role, by where it runs. */
    environments: {} as Record<"container" | "instance" | "web identity", Record<string, string>>,
  };

  const handOut = () => {
    const count = ++role.answers;
    const [id, secret, token] = [`ASIA${count}`, `a/role+secret-${count}`, `a=role=token=${count}`];
    const end = Date.now() + SESSION_MS;
    s3.keys.push({ AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token, end });
    return { AccessKeyId: id, SecretAccessKey: secret, token, Expiration: new Date(end).toISOString() };
  };

  const answerTo = ({ method, url }: IncomingMessage): string => {
    if (method === "PUT") return "a-token-of-the-metadata-service";
    if (url?.endsWith("/security-credentials/")) return "the-role";
    const { token, ...keys } = handOut();
    if (method === "GET") return JSON.stringify({ ...keys, Token: token });
    const elements = Object.entries({ ...keys, SessionToken: token }).map(([name, text]) => element(name, text));
    const result = element("AssumeRoleWithWebIdentityResult", element("Credentials", elements.join("")));
    return element("AssumeRoleWithWebIdentityResponse", result);
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    if (role.fault === "hang") return;
    if (role.fault !== "none") return void response.writeHead(role.fault === "away" ? 503 : 403).end(REFUSAL);
    response.end(answerTo(request));
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const tokenFile = join(await temporaryDirectory(), "token");
  await writeFile(tokenFile, "an-identity");
  role.environments = {
    container: { ...NO_ROLE, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/credentials` },
    instance: { ...NO_ROLE, AWS_EC2_METADATA_SERVICE_ENDPOINT: origin, AWS_EC2_METADATA_DISABLED: "false" },
    "web identity": {
      ...NO_ROLE,
      AWS_ENDPOINT_URL_STS: origin,
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/acme",
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    },
  };
  return role;
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}
