// Serves the host and its sandbox from two origins on this computer, the sandbox with the policy that the specification of MCP Apps
// (2026-01-26) demands for a card without domains.
import { join } from "node:path";
import { build } from "esbuild";
import { body, startUpstream } from "../../support/collecting/upstream.ts";
import { onFinished } from "./scene.ts";

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'self'";

/** Puts the card into a frame of its own, and hands on all other messages. */
const SANDBOX = `<!doctype html><meta name="color-scheme" content="light dark"><title>sandbox</title>
<style>html,body{margin:0;height:100%}iframe{display:block;width:100%;height:100%;border:0}</style><iframe></iframe><script>
const [card, own] = [document.querySelector("iframe").contentWindow, "ui/notifications/sandbox-"];
addEventListener("message", ({ source, data }) => {
  if (source === card) parent.postMessage(data, "*");
  else if (data.method === own + "resource-ready") {
    card.document.open();
    card.document.write(data.params.html);
    card.document.close();
  } else card.postMessage(data, "*");
});
parent.postMessage({ jsonrpc: "2.0", method: own + "proxy-ready", params: {} }, "*");
</script>`;

const HOST = `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>host</title><link rel="icon" href="data:,">
<style>body{margin:24px;font:16px system-ui}iframe{width:100%;border:1px solid #8884;border-radius:12px}</style><main></main><script type="module" src="host.js"></script>`;

const HTML = { "content-type": "text/html; charset=utf-8" };

/** Resolves to the addresses of both. */
export async function serveHost() {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "card-host.ts")],
    bundle: true,
    write: false,
    format: "esm",
    drop: ["console"],
    logLevel: "error",
  });
  const [host, sandbox] = [await startUpstream({ onFinished }), await startUpstream({ onFinished })];
  host.set("/", body(HOST, HTML));
  host.set("/host.js", body(outputFiles[0]?.text ?? "", { "content-type": "text/javascript; charset=utf-8" }));
  sandbox.set("/", body(SANDBOX, { ...HTML, "content-security-policy": POLICY }));
  return { host: `http://localhost:${host.port}/`, sandbox: `http://localhost:${sandbox.port}/` };
}
