// The settings for sources of releases, and the messages for mistakes in them.
import { expect, test } from "vitest";
import { Settings } from "../../cli/settings/schema.ts";
import { typeInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";

const plans = { from: "file", path: "plans.json" };

test.for<[string, object]>([
  ["one repository for both platforms", { from: "github", repo: "acme/notes" }],
  [
    "electron-builder's document for each",
    {
      macos: { from: "electron-builder", url: "https://dl.acme.com/latest-mac.yml", arch: "arm64" },
      windows: { from: "electron-builder", url: "https://dl.acme.com/latest.yml" },
    },
  ],
  [
    "an appcast and a repository",
    {
      macos: { from: "sparkle", url: "https://acme.com/appcast.xml", force: "critical" },
      windows: { from: "github", repo: "acme/notes", tag: "desktop@*", asset: "*-x64.msi", token: "$GITHUB_TOKEN" },
    },
  ],
  ["Tauri's document for both", { from: "tauri", url: "https://dl.acme.com/latest.json" }],
])("%s is understood", ([, releases]) => {
  expect(Settings.safeParse({ plans, releases }).error).toBeUndefined();
});

test("each mistake is reported, and no secret is quoted", async () => {
  const directory = await settingsDirectory({
    plans: { from: "githup", repo: "acme/notes" },
    releases: {
      macos: { from: "sparkle", url: "http://acme.com/appcast.xml", force: "always" },
      windows: {
        from: "github",
        repo: "https://github.com/acme/notes",
        tokn: "$A",
        token: "ghp_xyzzy",
        api: "https://a.example?b=xyzzy",
      },
    },
  });
  const { code, stdout, stderr } = await typeInProcess(["check"], { directory });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /plans\.from +must name one of the known kinds of source \(got "githup"\); did you mean "github"\?/,
  );
  expect(stderr).toMatch(/releases\.macos\.url +must be an https URL/);
  expect(stderr).toMatch(/releases\.macos\.force +must be "critical" \(got "always"\)/);
  expect(stderr).toMatch(/releases\.windows\.repo +use owner\/name, such as acme\/notes/);
  expect(stderr).toMatch(/releases\.windows\.token +use "\$NAME"/);
  expect(stderr).toMatch(/releases\.windows\.tokn +unknown setting; did you mean "token"\?/);
  expect(stdout + stderr).not.toContain("xyzzy");
});

test("check shows each source, and reports combinations that no collection supports", async () => {
  const directory = await settingsDirectory({
    plans: { from: "github", repo: "acme/notes" },
    releases: { from: "sparkle", url: "https://acme.com/appcast.xml?key=xyzzy" },
  });
  const { code, stdout, stderr } = await typeInProcess(["check"], { directory });
  expect(code).toBe(2);
  expect(stdout).toMatch(/plans\.repo +acme\/notes +file/);
  expect(stdout).toMatch(/releases\.url +https:\/\/acme\.com\/… +file/);
  expect(stderr).toMatch(/plans +a source of kind "github" provides releases, not plans/);
  expect(stderr).toMatch(
    /releases +a source of kind "sparkle" provides one platform: use \{ "macos": …, "windows": … \}/,
  );
  expect(stdout + stderr).not.toContain("xyzzy");
});
