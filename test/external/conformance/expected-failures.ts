// The checks that fail by right: the suites bring servers with fixtures of their own in mind, and a server that publishes a
// product has none of them. A check is written "scenario/check", or "scenario" where both have one name. What fails and is
// not here, or is here and does not fail, fails the run.
export type Revision = "2025-06-18" | "2025-11-25" | "2026-07-28";

interface ExpectedFailure {
  why: string;
  checks: string[];
  /** The revisions at which they fail; where they are made at others, they pass. All, when left out. */
  at?: Revision[];
}

export const EXPECTED_FAILURES: ExpectedFailure[] = [
  {
    why: "calls tools that only a test server has: ours are two, and say what they publish",
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
    why: "calls a tool that asks the client for something: ours ask for nothing and need no capability of a client",
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
    why: "wants a tool with a parameter that travels in a header: ours have none",
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
    why: "subscribes to resources: ours are fixed texts, and subscribing is not declared",
    checks: ["resources-subscribe", "resources-unsubscribe"],
  },
  {
    why: "wants prompts: there are none, and none are declared",
    checks: [
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "completion-complete",
    ],
  },
  {
    why: "lists prompts, which are not declared: only older hosts, which ask all the same, are given an empty list",
    checks: ["prompts-list", "caching/sep-2549-prompts-list-caching-hints"],
    at: ["2026-07-28"],
  },
  {
    why: "warns that there is no session: nothing is kept between requests, so there is none",
    checks: [
      "server-sse-polling/server-sse-polling-session",
      "server-sse-multiple-streams/server-sse-multiple-streams-session",
    ],
  },
  {
    why: "sets the level of logs that a client would be sent: it is sent none",
    checks: ["logging-set-level"],
  },
];
