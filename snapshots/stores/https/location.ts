// Where the snapshots are that a server follows: `https://host/snapshots/`, or `http://` on this computer.
import { isLoopback } from "../../rules.ts";

export interface Followed {
  /** With a trailing slash; without user info. */
  folder: URL;
  /** The header's value; undefined if the location has no user info. */
  authorization: string | undefined;
}

const FORM =
  "must look like https://host/snapshots/, or http:// on this computer, without a query; special characters of a password are percent-encoded";

/** Reads a location. @throws Error that quotes nothing of it. */
export function followed(url: URL): Followed {
  const isSafe = url.protocol === "https:" || isLoopback(url.hostname);
  // An "@" in the path is the rest of a password with a slash, which would be shown.
  if (!isSafe || url.pathname.includes("@") || url.search !== "" || url.hash !== "") throw new Error(FORM);
  const folder = new URL(`${url.origin}${url.pathname.replace(/\/*$/, "/")}`);
  const hasUserInfo = url.username !== "" || url.password !== "";
  return { folder, authorization: hasUserInfo ? basic(url) : undefined };
}

/** RFC 7617. Without the error's own words, which quote the text. @throws Error */
function basic({ username, password }: URL): string {
  try {
    const userInfo = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return `Basic ${userInfo.toString("base64")}`;
  } catch {
    throw new Error(FORM);
  }
}
