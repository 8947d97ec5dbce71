// Replaces the global, which some platforms lack.
export { Buffer } from "node:buffer";
