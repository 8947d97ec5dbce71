// Problems with the texts and the pictures of the API, which every command that serves them finds in the same words.
import type { ApiSettings } from "../../../server/api-settings.ts";
import { readLogo, readPicture, readTexts } from "../../../server/api-files.ts";
import { problemsOf } from "../../output/terminal.ts";

export function contentProblems(api: ApiSettings): string[] {
  return [
    ...problemsOf(() => readTexts(api)),
    ...problemsOf(() => readLogo(api.logo)),
    ...problemsOf(() => readPicture(api.picture)),
  ];
}
