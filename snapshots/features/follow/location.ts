// Where the snapshots of a followed server are.
import { isLoopback } from "../../rules.ts";
import { userInfo } from "../../stores/engine.ts";

/** The snapshots that a server follows: `https://host/snapshots/`, or `http://` on this computer. */
export interface FollowedPlace {
  /** It has a trailing slash and no user info. */
  folder: URL;
  /** The header's value (RFC 7617); undefined if the location has no user info. */
  authorization: string | undefined;
}

const FORM =
  "must look like https://host/snapshots/, or http:// on this computer, without a query; special characters of a password are percent-encoded";

/** Reads a location. @throws Error that quotes nothing of it. */
export function followedPlace(url: URL): FollowedPlace {
  const isSafe = url.protocol === "https:" || isLoopback(url.hostname);
  // An "@" in the path is the rest of a password with a slash, which would be shown.
  if (!isSafe || url.pathname.includes("@") || url.search !== "" || url.hash !== "") throw new Error(FORM);
  const credentials = userInfo(url, FORM)?.join(":");
  return {
    folder: new URL(`${url.origin}${url.pathname.replace(/\/*$/, "/")}`),
    authorization: credentials && `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}
