// The client of the official SDK's first generation. Its argument is the package name of a version.
import { sdkAdapter, extraArguments, CLIENT_INFO, reportAll, url } from "./report.mjs";

const [name] = extraArguments;
const { Client } = await import(`${name}/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${name}/client/streamableHttp.js`);

const client = new Client(CLIENT_INFO);
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
await client.ping();
await reportAll({ ...sdkAdapter(client), protocol: () => transport.protocolVersion });
