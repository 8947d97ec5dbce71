// The code host, for the steps of the action: its API, and notes on the page of a run. Needs nothing but Node.js.
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN } = process.env;

/** Asks the API about this repository; `path`: such as `pages`. The answer as a value, undefined if it is empty.
 * @throws Error with the status as `status`, unless it answers 2xx within 20 s */
export async function askHost(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GITHUB_TOKEN}`,
      "user-agent": "vitrine",
    },
    signal: AbortSignal.timeout(20_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text === "" ? undefined : JSON.parse(text);
  const { status } = response;
  throw Object.assign(new Error(`the code host answered ${status} to ${method} ${path.replace(/\?.*/, "")}`), {
    status,
  });
}

/** Shows a message on the page of the run. `level`: notice, warning or error. */
export function tell(level, message) {
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${level}::${escaped}\n`);
}

/** Runs a step. What it throws is told as an error, and fails the step. */
export async function runStep(step) {
  try {
    await step();
  } catch (error) {
    tell("error", error.message);
    process.exitCode = 1;
  }
}
