// What an upstream states of an installer.
/** An installer of a release, as the upstream states it: only `url`, which is absolute, has been checked. `size`: in bytes. Checksums:
 * in hex or Base64. */
export interface StatedFile {
  url: string;
  arch?: unknown;
  size?: unknown;
  sha256?: unknown;
  sha512?: unknown;
  signature?: unknown;
}
