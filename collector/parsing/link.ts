// What a link says by itself, without a request.

/** The file name in a link, without query and fragment. */
export function fileName(link: string): string {
  const [path = ""] = link.split(/[?#]/);
  return path.slice(path.lastIndexOf("/") + 1);
}
