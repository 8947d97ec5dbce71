// What a link says by itself, without a request, and what an upstream states of its file.

/** The file name in a link, without query and fragment. */
export function fileName(link: string): string {
  const [path = ""] = link.split(/[?#]/);
  return path.slice(path.lastIndexOf("/") + 1);
}

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
