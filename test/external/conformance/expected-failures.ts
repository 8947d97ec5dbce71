// The checks that are expected to fail: the suites assume servers with test fixtures, which a server of product facts has
// not. A check is written "scenario/check", or "scenario" if both names are equal. Any deviation from this list, either way,
// fails the run.
export type Revision = "2025-06-18" | "2025-11-25" | "2026-07-28";

interface ExpectedFailure {
  why: string;
  checks: string[];
  /** The revisions at which they fail; at others they pass. All revisions if omitted. */
  at?: Revision[];
}

export const EXPECTED_FAILURES: ExpectedFailure[] = [
  {
    why: "calls tools that only a test server has",
    checks: [
      "tools-call-simple-text",
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
      "tools-call-error",
      "tools-call-with-progress",
      "tools-call-with-logging",
      "json-schema-2020-12/json-schema-2020-12-tool-found",
      "server-stateless/sep-2575-http-server-no-independent-requests-on-stream",
      "server-stateless/sep-2575-server-no-log-without-loglevel",
    ],
  },
  {
    why: "calls a tool that makes requests to the client: Vitrine's tools make none and need no client capability",
    checks: [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults/elicitation-sep1034-general",
      "elicitation-sep1330-enums/elicitation-sep1330-general",
      "server-stateless/sep-2575-server-rejects-undeclared-capability",
      "server-stateless/sep-2575-missing-capability-http-400",
      "input-required-result-basic-elicitation/sep-2322-elicitation-incomplete",
      "input-required-result-basic-list-roots/sep-2322-list-roots-incomplete",
      "input-required-result-basic-sampling/sep-2322-sampling-incomplete",
      "input-required-result-capability-check/sep-2322-respect-client-capabilities",
      "input-required-result-ignore-extra-params/sep-2322-ignore-unexpected-params",
      "input-required-result-missing-input-response/sep-2322-missing-response-rerequests",
      "input-required-result-multi-round/sep-2322-multi-round-r1",
      "input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete",
      "input-required-result-non-tool-request/sep-2322-non-tool-incomplete",
      "input-required-result-request-state/sep-2322-request-state-incomplete",
      "input-required-result-result-type/sep-2322-result-type-included",
      "input-required-result-tampered-state/sep-2322-reject-tampered-state",
    ],
  },
  {
    why: "requires a tool with a parameter in a header: Vitrine has none",
    checks: [
      "http-custom-header-server-validation/sep-2243-server-no-xmcp-tool",
      "http-custom-header-server-validation/sep-2243-server-decode-base64",
      "http-custom-header-server-validation/sep-2243-server-validate-param-match",
      "http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars",
      "http-custom-header-server-validation/sep-2243-server-reject-param-mismatch",
    ],
  },
  {
    why: "reads resources that only a test server has",
    checks: ["resources-read-text", "resources-read-binary", "resources-templates-read"],
  },
  {
    why: "subscribes to resources: Vitrine's are fixed texts, and it does not declare subscriptions",
    checks: ["resources-subscribe", "resources-unsubscribe"],
  },
  {
    why: "requires prompts: Vitrine has and declares none",
    checks: [
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "completion-complete",
    ],
  },
  {
    why: "lists prompts, which are not declared: only older hosts, which list them anyway, get an empty list",
    checks: ["prompts-list", "caching/sep-2549-prompts-list-caching-hints"],
    at: ["2026-07-28"],
  },
  {
    why: "warns about the missing session: Vitrine keeps no state between requests",
    checks: [
      "server-sse-polling/server-sse-polling-session",
      "server-sse-multiple-streams/server-sse-multiple-streams-session",
    ],
  },
  {
    why: "sets the log level: Vitrine sends no logs to clients",
    checks: ["logging-set-level"],
  },
];
