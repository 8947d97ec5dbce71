// The client of the official SDK's second generation. Given: how it finds the revision: "legacy" by initialize, "auto" by
// asking for the newest first, or the one revision that it insists on.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { sdkAdapter, extraArguments, CLIENT_INFO, reportAll, url } from "./report.mjs";

const [how] = extraArguments;
const mode = how === "legacy" || how === "auto" ? how : { pin: how };
const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await reportAll({ ...sdkAdapter(client), protocol: () => client.getNegotiatedProtocolVersion() });
