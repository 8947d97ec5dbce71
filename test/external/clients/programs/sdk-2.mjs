// The client of the official SDK's second generation. Given: how it finds the revision: "legacy" by initialize, "auto" by
// asking for the newest first, or the one revision that it insists on.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { asSdk, given, ME, tell, url } from "./_tell.mjs";

const [how] = given;
const mode = how === "legacy" || how === "auto" ? how : { pin: how };
const client = new Client(ME, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await tell({ ...asSdk(client), protocol: () => client.getNegotiatedProtocolVersion() });
