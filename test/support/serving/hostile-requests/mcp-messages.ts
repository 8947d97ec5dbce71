// Bodies of POST /mcp: invalid types, texts that are not messages, messages that ask too much. The parts that an answer
// repeats by specification, the id and the URI of a resource, contain no marker.
import { keep, lines, message, PING, type HostileCase } from "./build.ts";

const typed = (type: string, body = PING) =>
  lines("POST /mcp HTTP/1.1", "Host: a", `Content-Type:${type}`, `Content-Length: ${body.length}`) + body;
const rpc = (method: string, params?: string) =>
  message(`{"jsonrpc":"2.0","id":1,"method":${method}${params === undefined ? "" : `,"params":${params}`}}`);
const call = (name: string, more = "") => rpc('"tools/call"', `{"name":${name}${more}}`);

const TYPES: HostileCase[] = [
  [415, "an empty type", typed("")],
  [415, "a type that is a word", typed(" marker")],
  [415, "a type with something before it", typed(" x/application/json")],
  [415, "a type in quotes", typed(' "application/json"')],
  [415, "a list of types", typed(" application/json, marker")],
  [415, "a form of files", typed(" multipart/form-data; boundary=marker", "--marker\r\n\r\nmarker\r\n--marker--")],
  [200, "a type with nonsense behind it", typed(" Application/JSON ;charset=marker;;=")],
  [415, "a type twice, wrong first", typed(" text/plain\r\nContent-Type: application/json")],
  [415, "a type twice, right first", typed(" application/json\r\nContent-Type: text/marker")],
];

const TEXTS: HostileCase[] = [
  [400, "a byte order mark alone", message("\xEF\xBB\xBF")],
  [400, "a half of a byte order mark", message(`\xEF\xBB${PING}`)],
  [400, "JSON with something behind it", message(`${PING}marker`)],
  [400, "two messages", message(PING + PING)],
  [400, "a NUL before the message", message(`\0${PING}`)],
  [400, "NULs alone", message("\0".repeat(1_000))],
  [400, "an overlong UTF-8 encoding", message('{"jsonrpc":"2.0","id":1,"method":"\xC0\xAF"}')],
  [400, "bytes that were compressed", message("\x1f\x8B\b\0\0\0\0\0marker", "Content-Encoding: gzip")],
  [400, "braces without end", message('{"a":'.repeat(10_000))],
  [400, "a text without end", message(`"${"marker".repeat(10_000)}`)],
  [413, "a message of 70 KB", message(`"${"marker".repeat(12_000)}"`)],
  [413, "a message of 70 KB of spaces", message(" ".repeat(70_000) + PING)],
  [200, "a byte order mark before the message", message(`\xEF\xBB\xBF${PING}`)],
  [200, "thousands of line breaks around the message", message(`${"\r\n".repeat(5_000)}${PING}${"\t".repeat(5_000)}`)],
];

const MESSAGES: HostileCase[] = [
  [400, "a string instead of a message", message('"marker"')],
  [400, "a version that is a number", message('{"jsonrpc":2.0,"id":1,"method":"ping"}')],
  [200, "a batch in a batch", message(`[[${PING}]]`)],
  [400, "a batch of a thousand", message(`[${Array(1_000).fill(PING).join()}]`)],
  [400, "an id in a list", message('{"jsonrpc":"2.0","id":[1],"method":"ping"}')],
  [400, "an id of a thousand digits", message(`{"jsonrpc":"2.0","id":${"9".repeat(1_000)},"method":"ping"}`)],
  [400, "parameters that are a text", rpc('"ping"', '"marker"')],
  [400, "a method twice, the last of them a number", message('{"jsonrpc":"2.0","id":1,"method":"ping","method":7}')],
  [200, "a version twice, the last of them right", message(PING.replace("{", '{"jsonrpc":"marker",'))],
  [200, "an object called __proto__", message(PING.replace("{", '{"__proto__":{"marker":1,"id":2},'))],
  [200, "a message that has more in it", message(PING.replace("{", '{"marker":{"marker":[]},"result":{},'))],
  [200, "a message with a method called constructor", rpc('"constructor"')],
  [200, "an unknown MCP method", rpc('"marker/marker"')],
  [200, "an empty method", rpc('""')],
  [200, "a method of 60 KB", rpc(`"${"marker".repeat(10_000)}"`)],
  [200, "a method with half of a surrogate pair", rpc(String.raw`"\ud800marker"`)],
  [200, "an unknown tool", call('"marker"')],
  [200, "a tool called __proto__", call('"__proto__"')],
  [200, "a tool called toString", call('"toString"', ',"arguments":{"marker":1}')],
  [200, "undeclared arguments", call('"get_pricing"', ',"arguments":{"__proto__":{"marker":1},"marker":"x"}')],
  [200, "arguments in a list", call('"get_pricing"', ',"arguments":["marker"]')],
  [200, "an unknown platform for a tool", call('"get_latest_version"', ',"arguments":{"platform":"marker"}')],
  [200, "a platform in a list for a tool", call('"get_latest_version"', ',"arguments":{"platform":["macos"]}')],
  [200, "a task", call('"get_pricing"', ',"task":{"ttl":1e99},"_meta":{"progressToken":"marker"}')],
  [
    200,
    "initialize with an unknown version",
    rpc('"initialize"', '{"protocolVersion":"marker","capabilities":{},"clientInfo":{"name":"marker","version":"0"}}'),
  ],
  [200, "an unknown prompt", rpc('"prompts/get"', '{"name":"marker"}')],
  [200, "an unknown completion", rpc('"completion/complete"', '{"ref":{"type":"marker"},"argument":{}}')],
  [200, "a subscription to changes", rpc('"resources/subscribe"', '{"uri":"product://overview"}')],
  [
    202,
    "an unknown notification",
    message('{"jsonrpc":"2.0","method":"notifications/marker","params":{"a":"marker"}}'),
  ],
  [202, "an answer without a request", message('{"jsonrpc":"2.0","id":"marker","result":{"marker":1}}')],
  [202, "an error from the client", message('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"marker"}}')],
];

const HEADERS: HostileCase[] = [
  [200, "an unknown session", message(PING, "Mcp-Session-Id: marker")],
  [400, "an unknown protocol version", message(PING, "MCP-Protocol-Version: marker")],
  [403, "a page of another site", message(PING, "Origin: https://marker.example")],
  [403, "a page without an address", message(PING, "Origin: null")],
  [406, "Accept: text/html", message(PING, "Accept: text/html")],
  [400, "a header version that the message lacks", message(PING, "MCP-Protocol-Version: 2026-07-28")],
  [200, "a method in a header without a meaning", message(PING, "Mcp-Method: marker", "Mcp-Name: marker")],
  [200, "an unknown Last-Event-ID", message(PING, "Last-Event-ID: marker", "Accept: text/event-stream")],
  [200, "a message to another spelling", message(PING).replace("/mcp", "/%6dcp/?marker")],
  [404, "a message to an unknown path", message(PING).replace("/mcp", "/mcp/marker")],
  [405, "a message to a fact", message(PING).replace("/mcp", "/api/v1/plans")],
  [[100, 400], "an invalid message with Expect: 100-continue", message("{}", "Expect: 100-continue")],
  [400, "a message without a length", message("").replace(/Content-Length.*\r\n/, "") + keep("/marker")],
];

export const MCP_MESSAGES: HostileCase[] = [...TYPES, ...TEXTS, ...MESSAGES, ...HEADERS];
