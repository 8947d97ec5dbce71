// The client of the official SDK's second generation. Its argument is the negotiation: "legacy" by initialize, "auto" with
// the newest revision first, or a fixed revision.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { sdkAdapter, extraArguments, CLIENT_INFO, reportAll, url } from "./report.mjs";

const [how] = extraArguments;
const mode = how === "legacy" || how === "auto" ? how : { pin: how };
const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await reportAll({ ...sdkAdapter(client), protocol: () => client.getNegotiatedProtocolVersion() });
