// The client of the official SDK's first generation, in the version whose package name is given.
import { asSdk, given, ME, tell, url } from "./_tell.mjs";

const [name] = given;
const { Client } = await import(`${name}/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${name}/client/streamableHttp.js`);

const client = new Client(ME);
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
await client.ping();
await tell({ ...asSdk(client), protocol: () => transport.protocolVersion });
