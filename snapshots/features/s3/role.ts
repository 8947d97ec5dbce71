// The credentials of a role, from AWS's own chain: a profile, a web identity (EKS), a container (ECS, EKS Pod Identity), an
// instance (EC2). Loaded only for a store without keys, because the chain is larger than all else that S3 needs.
import { setTimeout as sleep } from "node:timers/promises";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { parseUrl } from "../../rules.ts";
import { s3CredentialsError } from "./faults.ts";

/** Less than a call of the store may take, so that its error names what is missing. */
const ROLE_MS = 4_000;

// The SDK warns on stderr that it will drop Node 20, or that a request takes more than a second, and takes no logger for that.
// The program itself writes nothing by the console.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
Object.assign(console, { warn() {} });

/** Returns a function that resolves to credentials which are valid now. The chain keeps them, renews them during their last
 * five minutes, and waits for new ones once they have expired. It reads the variables of the process; the environment that
 * the program gives its stores is the same. @throws Unreachable */
export function roleCredentials(region: string) {
  const open = () => defaultProvider({ parentClientConfig: { region } });
  let provider = open();
  return async () => {
    try {
      return await Promise.race([provider(), timeOut()]);
    } catch (error) {
      // A request to a service that hangs has no end, and the chain would wait for it forever.
      provider = open();
      throw s3CredentialsError(error, containerService());
    }
  };
}

/** The host that gives a container its role (ECS, EKS Pod Identity), if the environment names one. */
function containerService(): string | undefined {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: url } = process.env;
  return path ? "169.254.170.2" : parseUrl(url ?? "")?.host;
}

async function timeOut(): Promise<never> {
  await sleep(ROLE_MS, undefined, { ref: false });
  throw Object.assign(new Error("no credentials in time"), { code: "ETIMEDOUT" });
}
